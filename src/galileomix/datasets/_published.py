"""The four tables of the paper, as scikit-learn bunches."""

import gzip
from importlib.resources import files

import numpy as np
import pandas as pd
from sklearn.utils import Bunch

DATA = files("galileomix.datasets") / "data"


def load_mushroom(*, as_frame: bool = True) -> Bunch:
    """Load the mushroom table: 8124 mushrooms, 23 columns, edible or poisonous.

    Parameters
    ----------
    as_frame : bool, default=True
        Give pandas objects; otherwise numpy arrays, and ``frame`` is None.

    Returns
    -------
    Bunch
        ``data``: the 23 columns the paper clusters on, ``class`` among them. ``target``: ``class``.
        ``frame``: the whole table. ``feature_names``, ``target_names``, ``DESCR``.

    Examples
    --------
    >>> from galileomix.datasets import load_mushroom
    >>> mushroom = load_mushroom()
    >>> mushroom.data.shape, mushroom.target_names
    ((8124, 23), ['edible', 'poisonous'])
    """
    frame = _read("mushroom")
    return _bunch("mushroom", frame, frame, "class", as_frame)


def load_votes(*, as_frame: bool = True) -> Bunch:
    """Load the votes table: 435 members of Congress, 16 votes, two parties.

    Parameters
    ----------
    as_frame : bool, default=True
        As in `load_mushroom`.

    Returns
    -------
    Bunch
        ``data``: the 16 votes. ``target``: ``class``, the party. ``frame``: the whole table.
        ``feature_names``, ``target_names``, ``DESCR``.

    Examples
    --------
    >>> from galileomix.datasets import load_votes
    >>> votes = load_votes()
    >>> votes.data.shape, votes.target_names
    ((435, 16), ['democrat', 'republican'])
    """
    frame = _read("votes")
    return _bunch("votes", frame, frame.drop(columns="class"), "class", as_frame)


def load_soybean(*, as_frame: bool = True) -> Bunch:
    """Load the soybean table: 683 plants, 35 attributes, 19 diseases.

    Parameters
    ----------
    as_frame : bool, default=True
        As in `load_mushroom`.

    Returns
    -------
    Bunch
        ``data``: the 35 attributes, every value a string. ``target``: ``class``, the disease.
        ``frame``: the whole table. ``feature_names``, ``target_names``, ``DESCR``.

    Examples
    --------
    >>> from galileomix.datasets import load_soybean
    >>> soybean = load_soybean()
    >>> soybean.data.shape, len(soybean.target_names)
    ((683, 35), 19)
    """
    frame = _read("soybean")
    return _bunch("soybean", frame, frame.drop(columns="class"), "class", as_frame)


def load_zoo(*, as_frame: bool = True) -> Bunch:
    """Load the zoo table: 101 animals, 17 attributes, 7 types.

    Parameters
    ----------
    as_frame : bool, default=True
        As in `load_mushroom`.

    Returns
    -------
    Bunch
        ``data``: the 17 attributes the paper clusters on, ``type`` among them; ``legs`` is a whole
        number, the other fifteen besides ``type`` are booleans. ``target``: ``type``. ``frame``:
        the whole table, with the name of each ``animal``. ``feature_names``, ``target_names``,
        ``DESCR``.

    Examples
    --------
    >>> from galileomix.datasets import load_zoo
    >>> zoo = load_zoo()
    >>> zoo.data.shape, len(zoo.target_names)
    ((101, 17), 7)
    >>> zoo.frame["animal"][0], int(zoo.frame["legs"][0]), bool(zoo.frame["hair"][0])
    ('aardvark', 4, True)
    """
    text = _read("zoo")
    flags = [name for name in text.columns if set(text[name]) <= {"True", "False"}]
    frame = text.assign(**{name: text[name] == "True" for name in flags})
    frame["legs"] = frame["legs"].astype(np.int64)
    return _bunch("zoo", frame, frame.drop(columns="animal"), "type", as_frame)


def _read(name: str) -> pd.DataFrame:
    """Read a packaged table, every value as the text it is."""
    with (DATA / f"{name}.csv.gz").open("rb") as file, gzip.open(file) as table:
        return pd.read_csv(table, dtype=str, na_filter=False)


def _bunch(
    name: str, frame: pd.DataFrame, data: pd.DataFrame, target: str, as_frame: bool
) -> Bunch:
    """Put a table together the way scikit-learn's own loaders do.

    In a frame text is of type category: so ``?`` is a value like any other, as it is in the paper.
    """
    labels = frame[target]
    texts = {name: "category" for name in data.columns if data[name].dtype not in (bool, np.int64)}
    frame, data = frame.astype(texts), data.astype(texts)
    return Bunch(
        data=data.copy() if as_frame else data.to_numpy(dtype=object),
        target=labels.copy() if as_frame else labels.to_numpy(dtype=object),
        frame=frame if as_frame else None,
        feature_names=list(data.columns),
        target_names=sorted(set(labels)),
        DESCR=(DATA / f"{name}.txt").read_text(encoding="utf-8"),
    )
