"""Tables that are hard to draw: one cluster, one column, hostile names, very many of everything."""

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, ParameterError, plots

HOSTILE = [
    "$x^2$ and $y",
    r"\$\frac{",
    "_hidden",
    "line\nbreak",
    "‮right to left",
    "zero\u200bwidth",
    "x" * 5000,
    "<script>alert(1)</script>",
    " ",
]


def draw_all(model):
    drawn = [
        plots.path(model),
        plots.profile(model),
        plots.sizes(model),
        plots.cluster(model, model.n_components_ - 1),
        plots.search(model),
        plots.attributes(model),
        plots.attribute(model, model.schema_.names[0]),
    ]
    if len(model.schema_.names) > 1:
        drawn.append(plots.dependence(model))
    for ax in drawn:
        ax.figure.canvas.draw()
    return drawn


def test_names_are_shown_as_text():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 200)
    table = pd.DataFrame(
        {name: np.where(group, name + "1", name + "0") for name in HOSTILE}
        | {"noise": rng.integers(0, 2, 200).astype(str)}
    )
    for ax in draw_all(Galileo(random_state=0).fit(table)):
        shown = [text.get_text() for text in ax.get_xticklabels() + ax.get_yticklabels()]
        assert not any(sign in "".join(shown) for sign in "\n\x00\u200b‮")
        assert max(map(len, shown), default=0) < 80


def test_one_cluster_and_one_column():
    model = Galileo(random_state=0).fit(pd.DataFrame({"only": list("abab") * 20}))
    assert model.n_components_ == 1
    draw_all(model)
    with pytest.raises(ParameterError, match="one attribute only"):
        plots.dependence(model)


@pytest.mark.parametrize("criterion", ["aic", "density"])
def test_other_criteria(criterion, zoo):
    draw_all(Galileo(criterion=criterion, max_components=5, random_state=0).fit(zoo))


def test_numbers_alone():
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=(200, 3)) * [1e-8, 1.0, 1e9] + 6 * rng.integers(0, 2, (200, 1))
    draw_all(Galileo(random_state=0).fit(numbers))


def test_many_clusters_and_attributes_stay_readable():
    rng = np.random.default_rng(2)
    group = np.repeat(np.arange(40), 30)
    values = rng.integers(0, 4, (40, 60))[group].astype(str)
    values[:, :10] = rng.integers(0, 3, (len(group), 10)).astype(str)
    table = pd.DataFrame(values, columns=[f"column {m}" for m in range(60)])
    model = Galileo(n_components=40, random_state=0, effort=0.1).fit(table)
    ax = draw_all(model)[1]
    assert ax.images[0].get_array().shape == (24, 24)
    assert ax.figure.get_figwidth() < 20
