"""What a report says, before it is rendered."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from galileomix import Galileo, GalileoClassifier
from galileomix._estimators.parameters import new_table
from galileomix._estimators.table_input import model_of
from galileomix._fitted.explanation import Reason
from galileomix._report import report_contents
from galileomix._report.anomalous_records import blamed_cells
from galileomix._report.provenance import Origin, _parameters
from galileomix._table import Categorical, Numeric
from galileomix.datasets import load_zoo, make_mixed
from quick_fits import quick

PARAMETERS = {"n_components": "auto", "random_state": 0, "effort": 0.3}


def contents_of(model, table=None, parameters=PARAMETERS):
    rows = None if table is None else new_table(model, table)
    return report_contents.contents_of(
        model_of(model), rows, Origin("a table", parameters, PARAMETERS)
    )


@pytest.fixture(scope="module")
def mixed():
    """Numbers, dates, spikes, missing values, a constant column and an identifier."""
    rng = np.random.default_rng(0)
    table = make_mixed(random_state=0).frame.drop(columns="component")[:400].reset_index(drop=True)
    for name in ("c0", "x0"):
        table.loc[rng.random(400) < 0.3, name] = None
    table["pay"] = np.where(rng.random(400) < 0.4, 0.0, np.exp(rng.normal(8.0, 1.0, 400)).round(2))
    table["day"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, 400), unit="D")
    table["code"] = [f"r{n}" for n in range(400)]
    table["same"] = "x"
    words = rng.random(400) < 0.05
    table["almost"] = np.where(words, "unknown", rng.normal(99.0, 9.0, 400).round(1).astype(str))
    return table


@pytest.fixture(scope="module")
def model_of_mixed(mixed):
    return Galileo(random_state=0, effort=0.1).fit(mixed)


@pytest.fixture(scope="module")
def mixed_contents(mixed, model_of_mixed):
    return contents_of(model_of_mixed, mixed)


def test_sentences_say_what_was_found(zoo):
    found = contents_of(zoo.model, zoo.table)
    said = " ".join(found.sentences)
    assert found.headline == "4 clusters in 101 records of 17 columns"
    assert "The largest cluster holds 40.6% of the records (41), the smallest 17.8% (18)." in said
    assert "by BIC it is better by 34.3 than any other from 1 to" in said
    assert "the chance that a much longer search finds a better answer is" in said
    assert "no cell is missing" in said


def test_sentences_about_doubts():
    table = load_zoo().data
    given = Galileo(n_components=2, random_state=0).fit(table)
    said = " ".join(contents_of(given, None, {**PARAMETERS, "n_components": 2}).sentences)
    assert "The number of clusters was given; BIC prefers" in said
    ended = Galileo(random_state=0, time_limit=1e-9)
    with pytest.warns():
        ended.fit(table)
    said = " ".join(contents_of(ended).sentences)
    assert "ended before it was done: there may be a better answer" in said


def test_one_cluster_is_praised_only_where_others_were_looked_at(zoo):
    only = Galileo(max_components=1, random_state=0).fit(zoo.table)
    for model in (only, zoo.model.at(1)):
        assert "no grouping of them pays" not in " ".join(contents_of(model).sentences)


@pytest.mark.parametrize(("chance", "said"), [(0.04, "The search is sure"), (0.09, "Not quite")])
def test_sure_is_below_one_in_twenty(zoo, chance, said):
    model = model_of(zoo.model)
    doubted = replace(model, search=replace(model.search, chance_of_better=chance))
    origin = Origin("a table", PARAMETERS, PARAMETERS)
    found = report_contents.contents_of(doubted, None, origin)
    assert said in " ".join(found.sentences)


def test_pairs_are_side_by_side_and_ranked_by_information(zoo):
    found = contents_of(zoo.model).pairs
    assert sorted(found.attributes) == list(range(17)) != found.attributes
    names = zoo.model.schema_.names
    pairs = zoo.model.dependence().set_index(["first", "second"])["information"]
    first, second = sorted(found.attributes[:2])
    assert found.information[0][1] == pytest.approx(pairs[names[first], names[second]], abs=1e-4)


def test_another_size_than_the_chosen(zoo):
    found = contents_of(zoo.model.at(2))
    assert found.headline.startswith("2 clusters") and found.chosen == 2
    assert "The number of clusters was given; BIC prefers 4." in found.sentences


ODD_TABLES = {
    "one row": [["a", "b"]],
    "two rows": [["a", "b"], ["c", "d"]],
    "constant": pd.DataFrame({"a": ["x"] * 40, "b": [1.5] * 40}),
    "never known": pd.DataFrame({"a": [np.nan] * 40, "b": np.arange(40.0) ** 2}),
    "booleans and gaps": [[True, None, 1.5], [False, "x", 2.5], [True, "y", None]] * 20,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ODD_TABLES)
@pytest.mark.parametrize("missing", ["category", "ignore"])
def test_odd_tables(name, missing):
    table = ODD_TABLES[name]
    model = quick(missing=missing).fit(table)
    assert model.report(table).html.count("<section") == 8
    assert contents_of(model, table).rows.n_rows == len(table)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("criterion", ["aic", "bic", "density"])
def test_the_published_method(zoo, criterion):
    model = Galileo.as_published(8, criterion=criterion, step_root=2.0, random_state=0)
    found = contents_of(model.fit(zoo.table), zoo.table)
    assert found.criterion == criterion and set(found.mixtures) == set(model.path_.sizes)


def test_one_cluster():
    table = pd.DataFrame(np.random.default_rng(0).choice(list("ab"), (200, 3)), columns=list("xyz"))
    found = contents_of(Galileo(random_state=0).fit(table), table)
    assert found.headline == "1 cluster in 200 records of 3 columns"
    assert "no grouping of them pays" in found.sentences[0]
    assert "No record stands out more than chance would have it." in found.sentences
    assert found.mixtures[1].clusters[0].differs == [0, 0, 0]
    assert found.rows.unusual.anomalies == []
    assert all(one.p_value < 0.1 for one in found.rows.unusual.others)


def test_distributions_are_those_of_the_model(zoo):
    found = contents_of(zoo.model)
    model = model_of(zoo.model)
    n = [column.name for column in found.attributes].index("legs")
    column, values = found.attributes[n], model.mixture.values_of(n)
    for cluster in found.mixtures[4].clusters:
        shown = dict(zip(cluster.cells[n][::2], cluster.cells[n][1::2], strict=True))
        for v, code in enumerate(column.codes):
            assert shown.get(v, 0) == pytest.approx(1000 * values[code, cluster.label], abs=0.5)
    assert sum(column.whole) == pytest.approx(1000, abs=3)
    counts = zoo.table["legs"].value_counts(normalize=True)
    assert column.entropy == pytest.approx(-(counts * np.log(counts)).sum(), abs=1e-3)


def test_numbers_dates_and_spikes(mixed, mixed_contents):
    columns = {column.name: column for column in mixed_contents.attributes}
    places = {column.name: n for n, column in enumerate(mixed_contents.attributes)}
    assert columns["day"].type == "date" and columns["day"].axis.labels[0].startswith("20")
    assert columns["pay"].values == ("0",) and columns["pay"].axis is not None
    assert "0 is a value of its own" in columns["pay"].remarks
    assert columns["pay"].whole[0] == pytest.approx(400, abs=60)
    cluster = mixed_contents.mixtures[mixed_contents.chosen].clusters[0]
    _, deviation, text, spike = cluster.cells[places["pay"]]
    assert deviation > 0 and isinstance(text, str) and 0 <= spike <= 1000
    assert float(columns["x1"].mean) == pytest.approx(mixed["x1"].mean(), abs=0.1)
    assert columns["x1"].axis.low < cluster.cells[places["x1"]][0] < columns["x1"].axis.high


def test_an_axis_begins_where_numbers_can_be():
    """A normal curve reaches below zero; ages do not."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"age": rng.uniform(0.0, 9.0, 300).round(2), "c": rng.choice(["a", "b"], 300)}
    )
    found = contents_of(Galileo(max_components=1, random_state=0).fit(table), table)
    [age] = (column for column in found.attributes if column.name == "age")
    assert age.axis.labels[0] == "0"


def test_data_quality(mixed, model_of_mixed, mixed_contents):
    quality = {column.name: column for column in mixed_contents.quality}
    assert quality["code"].type == "identifier" and quality["code"].noteworthy
    assert quality["code"].remarks == ["left out of the model"]
    assert "constant, ignored" in quality["same"].remarks
    assert quality["c0"].missing == pytest.approx(mixed["c0"].isna().mean())
    assert quality["c0"].noteworthy and not quality["x1"].noteworthy
    assert quality["almost"].remarks == ["almost numbers: “unknown” means missing"]
    said = " ".join(mixed_contents.sentences)
    assert "Left out of the model: code." in said and "Constant, so ignored: same." in said
    columns = mixed.drop(columns="code").replace({"almost": {"unknown": None}})
    missing = f"{columns.isna().mean().mean():.1%} of the cells are missing, most of them in"
    assert missing in said and missing[:25] in model_of_mixed.schema_.in_words()
    assert mixed_contents.headline.endswith(f"400 records of {mixed.shape[1]} columns")


def test_typical_records_are_of_their_cluster(zoo):
    rows = contents_of(zoo.model, zoo.table).rows
    assert rows.fitted and rows.n_rows == 101
    for label, records in rows.examples.items():
        assert len(records) == 3
        assert {zoo.model.labels_[record.row - 1] for record in records} == {label}


def test_typical_records_are_whole():
    rng = np.random.default_rng(0)
    letters = np.array([list("axmpu"), list("bynqv")])[np.arange(200) % 2]
    table = pd.DataFrame(letters, columns=list("vwxyz")).mask(rng.random((200, 5)) < 0.1)
    table.loc[:19, ["w", "x", "y", "z"]] = None  # all the more probable where this is ignored
    model = Galileo(random_state=0, n_components=2, missing="ignore", effort=0.1).fit(table)
    for records in contents_of(model, table).rows.examples.values():
        assert table.iloc[[record.row - 1 for record in records]].notna().all(axis=None)


def test_typical_records_have_dates_and_missing_cells_as_cards_have_them(mixed, mixed_contents):
    days = set(mixed["day"].dt.strftime("%Y-%m-%d"))
    places = [column.name for column in mixed_contents.attributes]
    for label, records in mixed_contents.rows.examples.items():
        names = [places[n] for n in mixed_contents.telling[label]]
        for record in records:
            cells = dict(zip(names, record.cells, strict=True))
            assert cells.get("day", min(days)) in days
            if pd.isna(mixed.loc[record.row - 1, "c0"]):
                assert cells.get("c0", "missing") == "missing"


def test_what_means_missing_is_missing_in_typical_records():
    table = pd.DataFrame({"a": ["?", "x", "y"] * 40, "b": ["u", "v", "w"] * 40})
    model = Galileo(n_components=3, random_state=0, missing_values=["?"], effort=0.1).fit(table)
    records = contents_of(model, table).rows.examples.values()
    assert {one.cells[0] for some in records for one in some} == {"missing", "x", "y"}


def test_records_are_known_by_their_identifiers(mixed_contents):
    rows = mixed_contents.rows
    shown = [*rows.unusual.least_usual, *(one for some in rows.examples.values() for one in some)]
    assert rows.names == {one.row: f"r{one.row - 1}" for one in shown}


def reason(surprise, probability):
    return Reason("a", "seen", surprise, "expected", probability, np.nan)


def test_only_clearly_improbable_cells_are_blamed():
    innocent, guilty = reason(-np.log(0.1), 0.3), reason(-np.log(0.1), 0.41)
    category = {"a": Categorical("a", ("seen", "expected"))}
    assert blamed_cells([innocent], category) == []
    assert len(blamed_cells([innocent, guilty], category)) == 1
    assert len(blamed_cells([guilty] * 5, category)) == 3


def test_blamed_numbers_have_units_and_their_own_digits():
    far_out = Reason("pay", 1153.19, 5.0, 8012.3, np.nan, 4200.0)
    [cell] = blamed_cells([far_out], {"pay": Numeric("pay", 0.0, 1.0, "$", decimals=2)})
    assert (cell.value, cell.expected) == ("$1153.19", "$8000 ± $4200")


@pytest.mark.parametrize("refit", [False, True])
def test_a_wrong_cell_is_found_and_blamed(refit):
    rng = np.random.default_rng(0)
    letters = np.array([list("axmpu"), list("bynqv")])[rng.integers(0, 2, 300)]
    table = pd.DataFrame(letters, columns=list("vwxyz"))
    model = Galileo(random_state=0).fit(table)
    right = table.loc[7, "x"]
    table.loc[7, "x"] = "m" if right == "n" else "n"
    found = contents_of(model.fit(table) if refit else model, table)
    assert found.rows.fitted is refit
    worst = found.rows.unusual.least_usual[0]
    assert worst.row == 8 and worst.cells[0].attribute == "x"
    assert worst.cells[0].expected.startswith(right)
    # A model that was fitted to it draws such a record itself, once in as many.
    said = "No record stands out more than chance would have it."
    assert (said if refit else "1 record stands out; most of all row 8, by x: one cell.") in (
        found.sentences
    )


def test_values_that_were_not_fitted(zoo):
    table = zoo.table.copy()
    table["type"] = table["type"].astype(object)
    table.loc[[3, 4], "type"] = "dragon"
    with pytest.warns():
        found = contents_of(zoo.model, table)
    quality = {column.name: column for column in found.quality}
    assert quality["type"].remarks == ["values that were not fitted in 2 rows: “dragon”"]
    said = " ".join(found.sentences)
    assert "Values that were not fitted are in type (2 rows, such as “dragon”)." in said


def test_what_means_missing_among_words_is_no_exception():
    table = pd.DataFrame({"a": ["-", "x", "y"] * 40, "b": ["u", "v", "w"] * 40})
    found = contents_of(Galileo(n_components=2, random_state=0, effort=0.1).fit(table))
    assert found.quality[0].remarks == ["“-” means missing"]


def test_cells_that_cannot_be_read(mixed, recwarn):
    model = Galileo(n_components=2, random_state=0, effort=0.01).fit(mixed[["x1", "day", "c1"]])
    table = mixed[["x1", "day", "c1"]].astype(object)
    table.loc[[3, 4, 5], "x1"] = ["none", "?", "none"]
    recwarn.clear()
    found = contents_of(model, table)
    assert len(recwarn) == 1
    quality = {column.name: column for column in found.quality}
    said = "cannot be read, so taken for missing, in 2 rows: “none”"
    assert quality["x1"].remarks == [said] and not quality["day"].noteworthy
    assert found.rows.unusual.n_anomalies == 0 and not found.rows.fitted


def test_a_column_without_a_name_is_called_the_same_everywhere():
    table = pd.DataFrame({"": ["x", "y"] * 60, "b": ["u", "v"] * 60})
    found = contents_of(Galileo(n_components=2, random_state=0, effort=0.01).fit(table))
    [trait, *_] = found.mixtures[2].clusters[0].traits
    assert trait[0].split("=")[0] == found.attributes[0].name == "⟨empty⟩"


def test_the_clusters_of_classes():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.choice(list("xy"), 60), "b": rng.choice(list("uv"), 60)})
    classifier = GalileoClassifier(Galileo(random_state=0, effort=0.01))
    page = classifier.fit(table, np.where(table["a"] == "x", "yes", "no")).report(table).html
    assert "Each cluster is of one of 2 classes: no (" in page
    assert '"classes":["' in page and "<dt>Classifier</dt>" in page
    assert '<section id="path" aria-labelledby="path-title" hidden>' in page


def test_the_digest_is_of_the_cells(zoo):
    one, same = (
        contents_of(zoo.model, table).rows.digest for table in (zoo.table, zoo.table.copy())
    )
    other = contents_of(zoo.model, zoo.table[::-1]).rows.digest
    assert one == same != other and len(one) == 64


def test_empty_lists_are_no_parameters():
    origin = Origin("", {**PARAMETERS, "drop": []}, {**PARAMETERS, "drop": ()})
    assert _parameters(origin) == "all as by default"


def test_provenance(zoo):
    found = dict(contents_of(zoo.model, zoo.table).provenance)
    assert found["Parameters"] == "all as by default" and found["Seed"] == "0"
    assert found["Rows"] == "101: the rows that were fitted"
    assert "BIC 1,710.556" in found["Values"] and "passes over the data" in found["Search"]


def test_sizes_beyond_the_budget_are_left_out(zoo, monkeypatch):
    monkeypatch.setattr(report_contents, "MOST_BYTES", 1)
    assert list(contents_of(zoo.model).mixtures) == [4]
    monkeypatch.setattr(report_contents, "MOST_BYTES", 9_000)
    assert 4 in (some := contents_of(zoo.model).mixtures) and 1 < len(some) < 6


def test_the_most_telling_columns_are_shown(zoo, monkeypatch):
    monkeypatch.setattr(report_contents, "MOST_ATTRIBUTES", 3)
    found = contents_of(zoo.model, zoo.table)
    assert [column.name for column in found.attributes] == ["milk", "legs", "type"]
    assert found.n_attributes == 17
