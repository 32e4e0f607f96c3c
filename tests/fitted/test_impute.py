from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from galileomix import Galileo, ParameterError
from galileomix.datasets import load_votes


def test_a_hole_gets_the_most_probable_value(small, small_model):
    holes = small.iloc[:40].copy()
    holes.loc[::2, "u"] = None
    holes.loc[::3, "w"] = None
    filled, cells = small_model.impute(holes, return_cells=True)
    assert filled.notna().all(axis=None)
    pd.testing.assert_frame_equal(filled.where(holes.notna()), holes.where(holes.notna()))
    assert list(cells) == ["row", "column", "value", "probability", "deviation"]
    assert len(cells) == holes.isna().sum().sum()
    for cell in cells.itertuples():
        assert filled.loc[cell.row, cell.column] == cell.value
        given = holes.loc[cell.row].dropna().to_dict()
        every = small_model.conditional(cell.column, given)
        assert cell.probability == pytest.approx(every.iloc[0], abs=0.05)  # one record more


def test_numbers_get_their_mean_given_the_rest(mixed, mixed_model):
    filled, cells = mixed_model.impute(mixed, return_cells=True)
    assert filled.notna().all(axis=None)
    numbers = cells[cells["column"].isin(["x0", "x1"])]
    assert numbers["probability"].isna().all() and (numbers["deviation"] > 0).all()
    complete = mixed.dropna()
    hidden = complete.assign(x0=np.nan)
    error = mixed_model.impute(hidden)["x0"] - complete["x0"]
    assert error.std() < 0.9 * complete["x0"].std()


def test_missing_as_a_category_is_a_hole_all_the_same():
    table = load_votes().data.replace("?", None)
    model = Galileo(random_state=0).fit(table)
    filled = model.impute(table)
    assert table.isna().any(axis=None) and filled.notna().all(axis=None)


def test_what_is_known_stays_even_if_it_was_never_seen(small, small_model):
    row = small.iloc[[0]].assign(u="new", v=None)
    filled = small_model.impute(row)
    assert filled["u"].iloc[0] == "new" and filled["v"].iloc[0] in "abc"


def test_other_columns_types_and_the_index_stay(small, small_model):
    table = small.iloc[:5].set_axis(list("pqrst")).astype({"v": "category"})
    table = table.assign(when=pd.Timestamp("2021-03-04"), number=1)
    table.loc["q", ["u", "v"]] = None
    filled = small_model.impute(table)
    assert filled.index.tolist() == list("pqrst") and list(filled) == list(table)
    assert filled.dtypes.equals(table.dtypes)
    assert table.loc["q", "u"] is None or pd.isna(table.loc["q", "u"])  # not changed in place


def test_any_table_will_do(small, small_model):
    rows = [["a", None, "c"], [None, "b", "b"]]
    expected = small_model.impute(pd.DataFrame(rows, columns=list("uvw"))).to_numpy().tolist()
    assert small_model.impute(rows).to_numpy().tolist() == expected
    frame = pl.DataFrame(rows, schema=list("uvw"), orient="row")
    assert small_model.impute(frame).to_numpy().tolist() == expected
    assert small_model.impute(frame).columns == list("uvw")


def test_a_hole_among_intervals_gets_an_interval():
    rng = np.random.default_rng(0)
    age = rng.uniform(0, 90, 300)
    table = pd.DataFrame({"age": age, "pays": np.where(age < 18, "no", "yes")})
    model = Galileo(random_state=0, discretize={"age": [18, 65]}).fit(table)
    filled = model.impute(pd.DataFrame({"age": [np.nan, 30.0], "pays": ["no", "yes"]}))
    assert filled["age"].tolist() == [model.schema_.attributes[0].values[0], 30.0]


@pytest.mark.parametrize("convert", [pd.DataFrame, pl.from_pandas, pa.Table.from_pandas])
def test_text_is_filled_in_its_own_notation_and_can_be_read_again(convert):
    rng = np.random.default_rng(0)
    price, day = rng.normal(5000, 900, 200), rng.integers(1, 29, 200)
    table = pd.DataFrame(
        {
            "temp": [f"{x / 200:.2f}".replace(".", ",") for x in price],
            "price": [f"${x:,.2f}" for x in price],
            "when": [f"{d:02d}/03/2020" for d in day],
        }
    )
    table.loc[:9, :] = None
    table.loc[5:, "temp"] = table["temp"][5:].fillna("20,00")
    frame = convert(table)
    model = Galileo(n_components=1, random_state=0).fit(frame)
    filled, cells = model.impute(frame, return_cells=True)
    assert np.isfinite(model.score_samples(filled)).all()
    found = filled if isinstance(filled, pd.DataFrame) else filled.to_pandas()
    assert found["temp"].str.fullmatch("[0-9]+,[0-9]+").all()
    assert found["price"].str.fullmatch(r"\$[0-9],[0-9]{3}(\.[0-9]+)?").all()
    assert found["when"].str.fullmatch("[0-9]{2}/03/2020").all()
    assert len(cells) == 5 + 10 + 10


def test_draws_follow_the_model(small, small_model):
    u = small["u"].mode()[0]
    (drawn,) = small_model.impute(pd.DataFrame({"u": [u] * 4000, "v": None, "w": None}), n_draws=1)
    joint = drawn.groupby(["v", "w"]).size() / 4000
    for v, share in small_model.conditional("v", {"u": u}).items():
        for w, within in small_model.conditional("w", {"u": u, "v": v}).items():
            assert joint.get((v, w), 0.0) == pytest.approx(share * within, abs=0.03)


def test_draws_of_numbers_keep_the_spread(mixed, mixed_model):
    complete = mixed.dropna()
    one, two = mixed_model.impute(complete.assign(x0=np.nan, x1=np.nan), n_draws=2)
    assert not one.equals(two)
    for name in ("x0", "x1"):
        assert one[name].std() == pytest.approx(complete[name].std(), rel=0.1)
    real, drawn = complete[["x0", "x1"]].corr().iloc[0, 1], one[["x0", "x1"]].corr().iloc[0, 1]
    assert drawn == pytest.approx(real, abs=0.1)


def test_the_same_seed_draws_the_same(mixed, mixed_model):
    (one,) = mixed_model.impute(mixed, n_draws=1)
    (two,) = mixed_model.impute(mixed, n_draws=1)
    pd.testing.assert_frame_equal(one, two)


def test_a_column_that_no_record_knows_stays_empty():
    table = pd.DataFrame({"a": ["x", "y"] * 20, "b": [None] * 40, "c": ["p", "q"] * 20})
    with pytest.warns(UserWarning, match="'b'"):
        model = Galileo(random_state=0, missing="ignore").fit(table)
    filled = model.impute(table)
    assert filled["b"].isna().all() and filled["a"].equals(table["a"])


def test_rare_values_that_share_a_place_are_not_filled_in():
    rng = np.random.default_rng(0)
    rare = [f"t{n}" for n in rng.integers(0, 400, 1000)]
    table = pd.DataFrame({"tail": np.where(rng.random(1000) < 0.3, "common", rare)})
    table["kind"] = np.where(table["tail"] == "common", "a", rng.choice(["b", "c"], 1000))
    table.loc[::50, "tail"] = None
    model = Galileo(random_state=0, effort=0.1, categorical="all").fit(table)
    assert "(other)" in model.schema_.categorical[0].values
    filled, cells = model.impute(table, return_cells=True)
    assert filled["tail"].notna().all() and "(other)" not in set(filled["tail"])
    unsure = cells.loc[table.loc[cells["row"], "kind"].to_numpy() != "a", "probability"]
    assert unsure.max() < 0.5
    [drawn] = model.impute(table, n_draws=1)
    assert "(other)" not in set(drawn["tail"])


@pytest.mark.parametrize("library", ["polars", "arrow", "pandas"])
def test_durations_stay_durations(library):
    rng = np.random.default_rng(0)
    took = pd.Series(pd.to_timedelta(rng.integers(60, 7200, 200), "s"))
    took[::20] = pd.NaT
    table = pd.DataFrame({"took": took, "kind": rng.choice(list("ab"), 200)})
    given = {"polars": pl.from_pandas, "arrow": pa.Table.from_pandas, "pandas": pd.DataFrame}
    frame = given[library](table)
    filled = Galileo(random_state=0, effort=0.1).fit(frame).impute(frame)
    assert isinstance(filled, type(frame))
    found = pd.Series(filled["took"].to_pandas() if library != "pandas" else filled["took"])
    assert pd.api.types.is_timedelta64_dtype(found) and found.notna().all()
    assert found[1] == took[1]


@pytest.mark.parametrize("kind", ["zone", "period", "day"])
def test_dates_stay_what_they_are(kind):
    rng = np.random.default_rng(0)
    when = pd.Series(pd.Timestamp("2024-03-01") + pd.to_timedelta(rng.integers(0, 10**6, 200), "s"))
    given = {
        "zone": when.dt.tz_localize("Europe/Oslo"),
        "period": when.dt.to_period("D"),
        "day": when.dt.date,
    }
    column = given[kind].copy()
    column[::20] = None
    table = pd.DataFrame({"when": column, "kind": rng.choice(list("ab"), 200)})
    filled = Galileo(random_state=0, effort=0.1).fit(table).impute(table)["when"]
    assert filled.dtype == column.dtype and filled.notna().all()
    assert {type(cell) for cell in filled} == {type(cell) for cell in column.dropna()}
    assert given[kind].min() <= filled[0] <= given[kind].max()


def test_the_number_of_draws_is_checked(small, small_model):
    with pytest.raises(ParameterError, match="n_draws=0"):
        small_model.impute(small, n_draws=0)


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_a_column_of_text_stays_text(library):
    """Though its texts are read as booleans and whole numbers."""
    table = pd.DataFrame(
        {
            "milk": ["TRUE", "FALSE"] * 30,
            "legs": ["4", "2"] * 30,
            "kind": ["mammal", "bird"] * 30,
        }
    )
    model = Galileo(random_state=0, missing="ignore").fit(table)
    holey = table.copy()
    holey.loc[0, "milk"] = holey.loc[1, "legs"] = None
    frames = {"pandas": lambda x: x, "polars": pl.from_pandas, "arrow": pa.Table.from_pandas}
    filled = model.impute(frames[library](holey))
    columns = {name: list(map(str, filled[name].to_numpy())) for name in ("milk", "legs")}
    assert columns["milk"] == table["milk"].tolist()
    assert columns["legs"] == table["legs"].tolist()


def test_what_has_no_name_is_not_filled_in():
    table = pd.DataFrame({"a": [f"x{i // 2}" for i in range(300)], "b": ["p", "q", "r"] * 100})
    model = Galileo(categorical=["a"], random_state=0).fit(table)
    holey = table[:2].copy()
    holey.loc[0, "a"] = None
    filled, cells = model.impute(holey, return_cells=True)
    assert filled["a"].isna().tolist() == [True, False] and len(cells) == 0


def test_whole_numbers_are_filled_in_whole():
    ages = np.random.default_rng(0).integers(18, 90, 60)
    table = pd.DataFrame({"n": [*ages, None], "u": [*["a", "b"] * 30, "a"]})
    assert Galileo(random_state=0).fit(table).impute(table)["n"].iloc[-1] % 1 == 0


def test_models_differ_from_draw_to_draw_where_rows_are_resampled():
    """What an estimate varies by from table to table is more where the model varies too."""
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 60)
    table = pd.DataFrame({"g": np.where(group, "a", "b"), "x": group * 3.0 + rng.normal(size=60)})
    table.loc[rng.random(60) < 0.5, "x"] = np.nan
    model = Galileo(missing="ignore", random_state=0).fit(table)
    as_it_is, resampled = (
        [filled["x"].mean() for filled in model.impute(table, n_draws=60, resample=resample)]
        for resample in (False, True)
    )
    assert np.std(resampled) > 1.1 * np.std(as_it_is)
    assert np.mean(resampled) == pytest.approx(np.mean(as_it_is), abs=0.15)
    again = model.impute(table, n_draws=1, resample=True)[0]
    pd.testing.assert_frame_equal(again, model.impute(table, n_draws=1, resample=True)[0])
    with pytest.raises(ParameterError, match="it is for draws"):
        model.impute(table, resample=True)


def test_categories_that_are_numbers_are_written_to_the_last_digit():
    prices = ["12345.67", "23456.78", None] * 20
    table = pd.DataFrame({"price": prices, "kind": ["a", "b", "a"] * 20})
    filled = Galileo(missing="ignore", random_state=0).fit(table).impute(table)
    assert set(filled["price"]) == {"12345.67", "23456.78"}


def test_decimals_are_filled_with_decimals():
    cents = [None, *(Decimal(1000 + 37 * row % 900) / 100 for row in range(59))]
    arrow = pa.table({"pay": pa.array(cents, pa.decimal128(10, 2))})
    model = Galileo(max_components=1, random_state=0).fit(arrow)
    filled = model.impute(arrow)
    assert filled.schema == arrow.schema and filled["pay"].to_pylist()[1:] == cents[1:]
    assert 10 < filled["pay"][0].as_py() < 19
    assert model.impute(pl.from_arrow(arrow))["pay"].dtype == pl.Decimal(10, 2)
