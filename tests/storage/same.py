"""What it means that two models are the same."""

import numpy as np
import pandas as pd


def assert_same_model(one, other, table):
    """Both answer everything with the same bits."""
    for k in one.path_.sizes:
        assert_same_answers(one.at(k), other.at(k), table)
    assert_same_answers(one, other, table)
    assert one.path_ == other.path_
    assert one.schema_ == other.schema_
    kinds = [[list(map(type, each.values)) for each in m.schema_.categorical] for m in (one, other)]
    assert kinds[0] == kinds[1]
    assert one.n_passes_ == other.n_passes_
    assert one.search_.trace == other.search_.trace
    assert one.n_features_in_ == other.n_features_in_
    if hasattr(one, "feature_names_in_"):
        assert one.feature_names_in_.tolist() == other.feature_names_in_.tolist()
    else:
        assert not hasattr(other, "feature_names_in_")


def assert_same_answers(one, other, table):
    for method in ("predict", "predict_proba", "score_samples"):
        ours, theirs = getattr(one, method)(table), getattr(other, method)(table)
        assert ours.tobytes() == theirs.tobytes(), method
        assert ours.dtype == theirs.dtype
    for name in ("weights_", "densities_"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    assert (one.n_components_, one.n_iter_, one.converged_) == (
        other.n_components_,
        other.n_iter_,
        other.converged_,
    )
    pd.testing.assert_frame_equal(one.profile(), other.profile(), check_exact=True)
    if isinstance(one.random_state, int):
        (X, y), (X2, y2) = one.sample(50), other.sample(50)
        pd.testing.assert_frame_equal(X, X2, check_exact=True)
        assert np.array_equal(y, y2)
