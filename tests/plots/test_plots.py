"""What the plots draw: the model's own numbers, with labels, legends and colours."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_hex

from galileomix import Galileo, GalileoDetector, GalileoError, ParameterError, plots
from galileomix._fitted.differences import separation
from galileomix._fitted.fitted_model import model_of
from galileomix.errors import TableTypeError
from galileomix.plots import _drawing


def texts(ax):
    return [text.get_text() for text in ax.texts]


def tick_labels(axis):
    return [text.get_text() for text in axis.get_ticklabels()]


def test_what_is_no_axes_is_refused():
    with pytest.raises(ParameterError, match="ax='x': it must be the Axes"):
        plots.surprise([-0.1, -3.0], ax="x")


def test_every_plot_draws_where_it_is_told(zoo_model, zoo):
    found = zoo_model.stability(zoo, n_resamples=2)
    drawn = {
        "path": lambda ax: plots.path(zoo_model, ax=ax),
        "profile": lambda ax: plots.profile(zoo_model, ax=ax),
        "sizes": lambda ax: plots.sizes(zoo_model, ax=ax),
        "cluster": lambda ax: plots.cluster(zoo_model, 0, ax=ax),
        "attribute": lambda ax: plots.attribute(zoo_model, "legs", ax=ax),
        "attributes": lambda ax: plots.attributes(zoo_model, ax=ax),
        "certainty": lambda ax: plots.certainty(zoo_model, zoo, ax=ax),
        "surprise": lambda ax: plots.surprise([-0.1, -3.0], ax=ax),
        "stability": lambda ax: plots.stability(found, ax=ax),
        "dependence": lambda ax: plots.dependence(zoo_model, ax=ax),
        "search": lambda ax: plots.search(zoo_model, ax=ax),
    }
    assert sorted(drawn) == sorted(plots.__all__)
    for draw in drawn.values():
        figure, ax = pyplot.subplots()
        assert draw(ax) is ax
        assert pyplot.get_fignums() == [figure.number]
        figure.canvas.draw()
        pyplot.close(figure)


def test_methods_draw_the_same(zoo_model, zoo):
    titles = {
        "path": zoo_model.plot_path(),
        "profile": zoo_model.plot_profile(),
        "sizes": zoo_model.plot_sizes(),
        "attributes": zoo_model.plot_attributes(),
        "dependence": zoo_model.plot_dependence(),
        "search": zoo_model.plot_search(),
    }
    for name, ax in titles.items():
        assert ax.get_title() == getattr(plots, name)(zoo_model).get_title()
    assert "feathers=True" in zoo_model.plot_cluster(2).get_title()
    assert zoo_model.plot_attribute("legs").get_title() == "legs in each cluster"
    assert "101 records" in zoo_model.plot_certainty(zoo).get_title()
    assert "2 resamples" in zoo_model.plot_stability(zoo, 2).get_title()


def test_the_path_has_all_criteria_and_marks_the_best(zoo_model):
    ax, path = plots.path(zoo_model), zoo_model.path_
    right = next(other for other in ax.figure.axes if other is not ax)
    curves = {line.get_label().split(",")[0]: line for line in [*ax.lines, *right.lines]}
    for name in ("bic", "aic", "density"):
        line = curves[name if name == "density" else name.upper()]
        x, y = line.get_data()
        assert list(x) == list(path.sizes)
        assert list(y) == [getattr(step, name) for step in path]
        assert path.sizes[line.get_markevery()[0]] == path.best(name)
    assert len({line.get_linestyle() for line in curves.values()}) == 3  # also without colours
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend[0] == "chosen: k = 4" and len(legend) == 4
    assert plots.path(path).get_xlabel() == ax.get_xlabel() == "clusters, k"


def test_the_map_shows_what_sets_clusters_apart(zoo_model):
    ax = plots.profile(zoo_model)
    cells = ax.images[0].get_array()
    names, clusters = tick_labels(ax.xaxis), tick_labels(ax.yaxis)
    assert cells.shape == (4, 17) and cells.min() >= 0 and cells.max() <= 1
    assert names[0] == "type" and clusters[2] == "2: feathers=True"
    assert cells[2, names.index("feathers")] > 0.75 > 0.3 > cells[2, names.index("predator")]
    assert {"mammal", "fish", "bird"} <= set(texts(ax))


def test_the_map_has_the_words_and_the_order_of_the_report(votes_model):
    ax = plots.profile(votes_model)
    tells, names = separation(model_of(votes_model)), votes_model.schema_.names
    order = sorted(range(16), key=lambda a: -round(100 * tells[a]))
    assert tick_labels(ax.xaxis) == [_drawing.label(names[a], 26) for a in order]
    said = set(texts(ax))
    assert {"y", "n", "not n"} <= said and any(text.startswith("?\n") for text in said)


def test_a_share_is_below_its_word_or_beside_it(votes_model):
    low, high = pyplot.subplots(2, 1, height_ratios=(1, 4), figsize=(16, 6))[1]
    beside, below = (
        [text for text in texts(plots.profile(votes_model, most=9, ax=ax)) if "%" in text]
        for ax in (low, high)
    )
    assert [text.replace("\n", " ") for text in below] == beside != below


def test_words_in_narrow_cells_are_whole_or_not_there(zoo_model):
    wide, narrow = pyplot.subplots(1, 2, width_ratios=(3, 1), figsize=(16, 4))[1]
    said = texts(plots.profile(zoo_model, ax=wide))
    assert {"False", "mammal"} <= set(said) and min(len(word) for word in said if "…" in word) > 3
    assert texts(plots.profile(zoo_model, ax=narrow)) == []


def test_no_label_is_cut_where_clusters_are_few(zoo_model):
    for k in (1, 4):
        figure = plots.profile(zoo_model.at(k)).figure
        figure.canvas.draw()
        drawn, page = figure.get_tightbbox(), figure.bbox_inches
        assert drawn.x0 >= page.x0 and drawn.y0 >= page.y0
        assert drawn.x1 <= page.x1 and drawn.y1 <= page.y1


def test_only_the_most_are_drawn_and_it_says_so(zoo_model):
    ax = plots.profile(zoo_model, most=3)
    assert ax.images[0].get_array().shape == (3, 3)
    assert ax.get_xlabel() == "3 of 4 clusters, 3 of 17 attributes"
    assert plots.sizes(zoo_model, most=2).get_title().endswith(": 2 of 4 clusters")
    assert len(plots.dependence(zoo_model, most=5).get_yticklabels()) == 5
    assert len(plots.cluster(zoo_model, 0, most=2).child_axes) == 2


def test_sizes_are_those_of_the_components(zoo_model):
    ax, components = plots.sizes(zoo_model), zoo_model.components()
    assert [bar.get_width() for bar in ax.patches] == [c.size for c in components]
    assert texts(ax)[0] == "41 (40.6 %)"
    dark = [sum(bar.get_facecolor()[:3]) for bar in ax.patches]
    denser = np.argsort([c.relative_density for c in components])
    assert list(np.argsort(dark)[::-1]) == list(denser)


def test_a_cluster_has_bars_for_categories_and_curves_for_numbers(mixed_model):
    ax = plots.cluster(mixed_model, 0)
    panels = {panel.get_title(): panel for panel in ax.child_axes}
    assert sorted(panels) == ["color", "day", "rain", "width"]
    widths = [bar.get_width() for bar in panels["color"].patches]
    assert sorted(np.round(widths, 2)) == [0.0, 0.5, 0.5, 1.0]
    curve = panels["width"].lines[0]
    x, y = curve.get_data()
    assert np.trapezoid(y, x) == pytest.approx(1.0, abs=0.03)
    assert any("(all:" in text for text in texts(panels["rain"]))  # the share of zeros
    ax.figure.canvas.draw()
    assert any(text.startswith("20") for text in tick_labels(panels["day"].xaxis))  # dates
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["this cluster", "all records"]


def test_an_attribute_is_drawn_in_every_cluster(zoo_model, mixed_model):
    ax = plots.attribute(zoo_model, "legs")
    assert tick_labels(ax.yaxis)[0] == "all records" and len(tick_labels(ax.yaxis)) == 5
    left = np.zeros(5)
    for bars in ax.containers:
        assert [bar.get_x() for bar in bars] == pytest.approx(left)
        left += [bar.get_width() for bar in bars]
    assert left == pytest.approx(np.ones(5))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list("024568")
    wide = plots.attribute(mixed_model, "width")
    middles = [line.get_xdata()[0] for line in wide.lines if line.get_marker() == "o"]
    assert abs(middles[1] - middles[2]) == pytest.approx(5.0, abs=0.5)
    assert all("% are 0" in text for text in texts(plots.attribute(mixed_model, "rain")))
    plots.attribute(mixed_model, "day").figure.canvas.draw()
    with pytest.raises(ParameterError, match="no column 'wings' was fitted"):
        plots.attribute(zoo_model, "wings")


def test_values_for_which_there_is_no_colour_are_drawn_together(zoo_model, monkeypatch):
    monkeypatch.setattr("galileomix.plots._attribute_plot.COLORS", _drawing.COLORS[:2])
    ax = plots.attribute(zoo_model, "legs")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["2", "4", "4 others"]
    widths = [sum(bar.get_width() for bar in bars) for bars in ax.containers]
    assert sum(widths) == pytest.approx(5.0)


def test_attributes_that_decide_come_first(zoo_model):
    ax = plots.attributes(zoo_model)
    shares = [bar.get_width() for bar in ax.patches]
    assert tick_labels(ax.yaxis)[0] == "type" and shares == sorted(shares, reverse=True)
    assert shares[0] == pytest.approx(1.0, abs=0.01)


def test_certainty_counts_records(mixed_model, mixed):
    ax = plots.certainty(mixed_model, mixed)
    total = np.zeros(2)
    for bars in ax.containers:
        total += [bar.get_width() for bar in bars]
    assert total == pytest.approx(np.ones(2))
    assert ax.get_title().endswith("100 % of them at 95 % or more")
    blurred = mixed.assign(color=None, width=np.nan, day=pd.NaT)
    doubtful = plots.certainty(mixed_model, blurred).containers[2]
    assert sum(bar.get_width() for bar in doubtful) > 0


def test_there_is_no_such_cluster(zoo_model):
    with pytest.raises(ParameterError, match="i=4: there are the clusters 0 to 3"):
        plots.cluster(zoo_model, 4)
    with pytest.raises(ParameterError, match="i="):
        plots.cluster(zoo_model, -1)


def test_anomalies_are_marked(mixed_model, mixed):
    strange = mixed.head(100).copy()
    strange.loc[7, "width"] = 60.0
    ax = mixed_model.plot_surprise(strange)
    assert ax.get_title() == "1 anomaly among 100 records"
    colors = {to_hex(bar.get_facecolor()): 0.0 for bar in ax.patches}
    for bar in ax.patches:
        colors[to_hex(bar.get_facecolor())] += bar.get_height()
    assert colors == {_drawing.PALE: 99, _drawing.VERMILION: 1}


@pytest.mark.parametrize("limit", [0.3, 0.0, -0.7, -1.0, -2.05, -2.9, -3.0])
def test_no_bar_lies_on_both_sides_of_the_limit(limit):
    scores = -np.array([*np.linspace(0.0, 2.0, 90), 2.05, 2.05, 3.0])
    ax = plots.surprise(scores, limit)
    for color, side, n in (
        (_drawing.PALE, 1, (scores >= limit).sum()),
        (_drawing.VERMILION, -1, (scores < limit).sum()),
    ):
        bars = [bar for bar in ax.patches if to_hex(bar.get_facecolor()) == color]
        assert sum(bar.get_height() for bar in bars) == n
        ends = [end for bar in bars for end in (bar.get_x(), bar.get_x() + bar.get_width())]
        assert all(side * end <= -side * limit + 1e-9 for end in ends) or n == len(scores)


def test_records_that_were_fitted_are_judged_as_a_detector_does(zoo):
    detector = GalileoDetector(Galileo(random_state=0, effort=0.1), fdr=0.5).fit(zoo)
    judged = plots.surprise(detector.scores_, detector.offset_)
    drawn = detector.model_.plot_surprise(zoo, fdr=0.5)
    assert drawn.get_title() == judged.get_title()
    assert [bar.get_bbox().bounds for bar in drawn.patches] == [
        bar.get_bbox().bounds for bar in judged.patches
    ]
    with pytest.raises(TableTypeError, match="only once"):
        detector.model_.plot_surprise(iter([zoo]))


def test_no_anomaly_and_no_limit():
    assert plots.surprise([-1.0, 0.5], -9.0).get_title() == "No anomaly among 2 records"
    far = plots.surprise([-1.0, 0.5], -9.0)
    low, high = far.get_xlim()
    assert -1.0 < low < -0.5 and 1.0 < high < 1.5  # as if there were no limit
    assert "beyond" in far.get_legend().get_texts()[1].get_text()
    assert plots.surprise([-1.0, 0.5]).get_legend() is None
    for scores in ([], [[1.0]], [np.nan]):
        with pytest.raises(ParameterError, match="scores"):
            plots.surprise(scores)


def test_stability_is_what_was_found(zoo_model, zoo):
    found = zoo_model.stability(zoo, n_resamples=3)
    ax = plots.stability(found)
    assert [bar.get_width() for bar in ax.patches[-4:]] == found.components["recovered"].tolist()
    overlap = next(line for line in ax.lines if line.get_label() == "overlap")
    assert list(overlap.get_xdata()) == found.components["jaccard"].tolist()


def test_dependence_is_symmetric_and_in_blocks(zoo_model):
    ax = plots.dependence(zoo_model)
    shares, names = ax.images[0].get_array(), tick_labels(ax.xaxis)
    assert names == tick_labels(ax.yaxis) and np.array_equal(shares, shares.T)
    pairs = zoo_model.dependence()
    first = pairs.iloc[0]
    drawn = shares[names.index(first["first"]), names.index(first["second"])]
    assert drawn == pytest.approx(first["share"])
    assert plots.dependence(pairs).get_title() == ax.get_title()


def test_the_search_ends_at_the_best_model(zoo_model):
    ax, record = plots.search(zoo_model), zoo_model.search_
    x, y = ax.lines[0].get_data()
    assert x[-1] == record.n_passes and y[-1] == 0
    assert (np.diff(x) >= 0).all() and (np.diff(y) <= 0).all()
    assert f"{record.trace[-1][0]:,} of {record.n_passes:,} passes" in ax.get_title()


def test_without_matplotlib_it_says_what_to_install(zoo_model, monkeypatch):
    monkeypatch.setattr(_drawing, "find_spec", lambda name: None)
    with pytest.raises(GalileoError, match="pip install matplotlib"):
        zoo_model.plot_path()
