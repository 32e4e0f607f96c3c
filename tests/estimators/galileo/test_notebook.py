"""What a notebook shows of a model and of its results, without a word typed."""

import re

import pandas as pd
import pytest
from sklearn import config_context
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_html_repr

from galileomix import Galileo
from galileomix.datasets import load_zoo

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def zoo():
    return load_zoo().data


@pytest.fixture(scope="module")
def model(zoo):
    return Galileo(random_state=0).fit(zoo)


def cells(html):
    return [re.sub("<[^>]*>", "", cell) for cell in re.findall("<td[^>]*>(.*?)</td>", html)]


def test_a_fitted_model_shows_its_clusters_and_the_diagram(model):
    html = model._repr_html_()
    assert "4 clusters in 101 records" in html
    assert {"41", "40.6%", "milk=True", "feathers=True"} <= set(cells(html))
    assert "sk-top-container" in html.split("</table>", 1)[1]
    assert model._repr_mimebundle_().keys() == {"text/plain", "text/html"}
    assert "4 clusters" in model._repr_mimebundle_()["text/html"]


def test_an_unfitted_one_and_a_pipeline_are_scikit_learns(model):
    assert "clusters in" not in Galileo()._repr_html_()
    assert "sk-top-container" in Galileo()._repr_html_()
    assert "Galileo" in estimator_html_repr(make_pipeline(model))


def test_scikit_learns_setting_is_respected(model):
    with config_context(display="text"):
        assert not hasattr(model, "_repr_html_")
        assert model._repr_mimebundle_().keys() == {"text/plain"}


def test_the_path_shows_all_sizes_and_the_chosen_one(model):
    html = model.path_._repr_html_()
    strong = re.findall("<td[^>]*font-weight:bold[^>]*>([^<]*)</td>", html)
    assert strong[0] == "4" and len(cells(html)) == 5 * len(model.path_)
    assert "4 clusters chosen by BIC" in html and "BIC is best at 4" in html


def test_a_component_shows_what_sets_it_apart(model):
    html = model.components()[2]._repr_html_()
    assert "Cluster 2: feathers=True (20 records, 19.8%)" in html
    assert "feathers=True" in cells(html) and "100%" in cells(html)


def test_an_explanation_shows_the_least_probable_records(model, zoo):
    html = model.explain(zoo)._repr_html_()
    assert "101 records explained; the 10 least probable" in html
    assert html.count("<tr>") == 11 and "expected" in html


def test_stability_shows_how_often_clusters_are_recovered(model, zoo):
    html = model.stability(zoo, n_resamples=2)._repr_html_()
    assert "2 resamples; clusters chosen:" in html and "milk=True" in html


def test_names_and_values_are_text():
    table = pd.DataFrame({HOSTILE: [HOSTILE, "b"] * 50, "‮x": ["u", "v"] * 50})
    model = Galileo(random_state=0).fit(table)
    odd = table.head(2).assign(**{HOSTILE: ["b", HOSTILE]})
    shown = [
        model._repr_html_(),
        model.components()[0]._repr_html_(),
        model.explain(odd)._repr_html_(),
        model.stability(table, n_resamples=2)._repr_html_(),
    ]
    for html in shown:
        assert "<img" not in html and "‮" not in html
        assert "&lt;img" in html
