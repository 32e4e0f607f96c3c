"""What a fitted model answers can be shown, read back and counted with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import narwhals as nw
import numpy as np


def answers(fitted: Any) -> Iterator[str]:
    """Every question has an answer, in numbers and in text."""
    yield from answers_about(fitted.model, fitted.table)


def answers_about(model: Any, table: Any) -> Iterator[str]:
    """Yield what is wrong with what a model answers, of itself and of a table."""
    for question in (explained, imputed, sampled, described, depending, conditional):
        for wrong in question(model, table):
            yield f"{question.__name__}: {wrong}"


def explained(model: Any, table: Any) -> Iterator[str]:
    """`explain` gives probabilities, and reasons that can be printed."""
    found = model.explain(table)
    p = np.asarray(found.p_value, dtype=float)
    if not ((p >= 0) & (p <= 1)).all():
        yield f"p-values from {p.min()} to {p.max()}"
    surprise = nw.from_native(found.surprise).to_numpy().astype(float)
    if (surprise < -1e-9).any() or np.isinf(surprise).any():
        yield f"surprises from {np.nanmin(surprise)} to {np.nanmax(surprise)}"
    yield from _unwritable(repr(found), *map(str, found.reasons(0)))
    found.to_frame(2)


def imputed(model: Any, table: Any) -> Iterator[str]:
    """`impute` leaves nothing missing that was ever known."""
    _, cells = model.impute(table, return_cells=True)
    yield from _unwritable(str(cells))


def sampled(model: Any, table: Any) -> Iterator[str]:
    """`sample` draws records that the model takes."""
    rows, labels = model.sample(30)
    if rows.shape[1] < model.n_features_in_ and not hasattr(model, "feature_names_in_"):
        return  # by position alone, the columns that are not modelled would be missed
    if not np.isfinite(model.predict_proba(rows)).all() or len(labels) != 30:
        yield "records that have no probabilities"
    yield from _unwritable(str(rows))


def described(model: Any, table: Any) -> Iterator[str]:
    """Components and their profile are text that can be written."""
    texts = [component.name for component in model.components()]
    yield from _unwritable(str(model.profile()), repr(model), *texts)


def depending(model: Any, table: Any) -> Iterator[str]:
    """`dependence` is finite, its share between zero and one."""
    found = model.dependence()
    information, share = (found[name].to_numpy(float) for name in ("information", "share"))
    if not np.isfinite(information).all() or not ((share >= 0) & (share <= 1 + 1e-9)).all():
        yield f"information up to {information.max()}, share up to {share.max()}"
    yield from _unwritable(str(found))


def conditional(model: Any, table: Any) -> Iterator[str]:
    """Every attribute has a distribution."""
    for attribute in model.schema_.attributes:
        if attribute.name in model.never_known_:
            continue
        found = model.conditional(attribute.name)
        total = getattr(found, "sum", lambda: 1.0)()
        if not abs(total - 1.0) < 1e-6:
            yield f"{attribute.name!r}: probabilities sum up to {total}"
        yield from _unwritable(str(found))


def _unwritable(*texts: str) -> Iterator[str]:
    for text in texts:
        text.encode("utf-8")
        if "nan" in text.split():
            yield f"it says {text[:80]!r}"
