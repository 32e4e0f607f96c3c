"""Questions to a fitted model: what surprises, what is missing, what goes with what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from galileomix._checks import check_integer
from galileomix._fitted import impute, rowwise
from galileomix._fitted.answers import Explanation, NumberDistribution
from galileomix._fitted.dependence import dependence
from galileomix._fitted.explain import Explainer
from galileomix._fitted.fitted import FittedMixture
from galileomix._fitted.fitting import IMPUTING, SAMPLING, seed_of
from galileomix._fitted.given import block_of, check_name
from galileomix._model import condition, infer
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._table import (
    BLOCK_ROWS,
    Block,
    Categorical,
    Columns,
    alongside,
    cells,
    decode,
)
from galileomix.errors import ParameterError


class AnsweringMixture(FittedMixture):
    """A fitted model that can be asked about records and values."""

    def explain(self, X: Any, sizes: int | Sequence[int] | Ints | None = None) -> Explanation:
        """Say of every record which cells are surprising, and what was expected instead.

        The surprise of a cell is ``-log p(value | all other cells of the record)``, in nats. Of a
        number it is minus the logarithm of the probability of a number at least as far out, so
        that it does not depend on the unit. Every component is given one record more, drawn from
        all of them, so that no surprise is infinite; a value that was never seen in fit counts as
        one in N + 1 records.

        Parameters
        ----------
        X : table
            As in `fit`; memory is needed for a few frames of its size.
        sizes : int or sequence of shape (n_rows,), optional
            The size of the model on the path by which records are explained, all or each; that of
            the model itself where left out.

        Returns
        -------
        Explanation
            Its frames ``surprise``, ``expected`` and ``probability`` have a row for each record
            and a column for each attribute; ``p_value`` says how often the model itself would
            draw a record that is at most as probable, with the same cells unknown.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> found = Galileo(random_state=0).fit(table).explain([["a", "x"], ["a", "y"]])
        >>> (found.p_value < 0.05).tolist()
        [False, True]
        >>> print(found.reasons(1)[0])
        x0=a (expected b, 98%)
        """
        check_is_fitted(self)
        pieces = list(self._cells_and_codes(X))
        n_rows = sum(len(block) for _, block, _ in pieces)
        wanted = np.asarray(self.n_components_ if sizes is None else sizes)
        if wanted.shape not in ((), (n_rows,)):
            raise ParameterError(f"sizes has the shape {wanted.shape}: give one, or {n_rows}")
        wanted = np.broadcast_to(wanted, n_rows)
        explainers = {k: self.at(k)._explainer() for k in np.unique(wanted).tolist()}
        parts, positions, first = list[Explanation](), list[Ints](), 0
        for columns, block, strange in pieces:
            here = wanted[first : first + len(block)]
            for k in np.unique(here).tolist():
                rows = np.flatnonzero(here == k)
                piece = columns.rows(rows), block.rows(rows), strange[rows]
                parts.append(explainers[k].explain(*piece))
                positions.append(first + rows)
            first += len(block)
        order = np.argsort(np.concatenate(positions), kind="stable")
        return Explanation.joined(parts, order, index_of(X))

    def surprise(self, X: Any, sizes: Sequence[int] | None = None) -> Floats:
        """Return how improbable records are under models of several sizes, in deviations.

        The log density of a record is held against those of what the model itself would draw,
        with the same cells unknown: by how many of their standard deviations it is below their
        mean. As in `explain`, nothing is impossible.

        Parameters
        ----------
        X : table
        sizes : sequence of int, optional
            Sizes on the path; that of the model itself where left out.

        Returns
        -------
        ndarray of shape (n_rows, number of sizes)
        """
        check_is_fitted(self)
        models = [self.at(k) for k in ([self.n_components_] if sizes is None else sizes)]
        explainers = [model._explainer() for model in models]
        parts = [
            np.stack([each.deviations(block, strange) for each in explainers], axis=1)
            for _, block, strange in self._cells_and_codes(X)
        ]
        return np.concatenate(parts)

    def conditional(
        self, target: str, given: Mapping[str, Any] | None = None
    ) -> pd.Series | NumberDistribution:
        """Return the distribution of one attribute, given the values of others.

        Parameters
        ----------
        target : str
            The name of a column.
        given : mapping of str to value, optional
            What is known, by the names of columns. None is the missing value where it is one
            of the column's values, and otherwise not known.

        Returns
        -------
        Series or NumberDistribution
            The probabilities of all categories, the most probable first; or how a number is
            distributed. Where what is given never occurs together under any component, the
            components that it contradicts least decide.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "x"]] * 25
        >>> model = Galileo(random_state=0).fit(table)
        >>> model.conditional("x1", given={"x0": "b"}).round(3).to_dict()
        {'x': 0.5, 'y': 0.5}
        """
        check_is_fitted(self)
        check_name(target, self.schema_.names)
        block = block_of(given or {}, self.schema_)
        if given and target in given:
            raise ParameterError(f"{target!r} is asked for and given at once")
        shares = rowwise.responsibilities(block, self._mixture)[0]
        attribute = self.schema_.attributes[self.schema_.names.index(target)]
        if isinstance(attribute, Categorical):
            m = self.schema_.categorical.index(attribute)
            first = self._mixture.layout.offsets[m]
            p = self._mixture.p[first : first + len(attribute.values)] @ shares
            index = pd.Index(attribute.values, dtype=object, name=target)
            found = pd.Series(p, index, name="probability")
            return found.sort_values(ascending=False, kind="stable")
        if target in self.never_known_:
            raise ParameterError(f"{target!r} is missing in all records: nothing is known of it")
        q = self.schema_.numeric.index(attribute)
        mean, variance = (each[0, q] for each in condition.unknown(block.numbers, self._mixture))
        means = attribute.center + attribute.scale * mean
        least = np.finfo(float).eps * np.maximum(np.abs(means), attribute.scale)
        deviations = np.maximum(attribute.scale * np.sqrt(variance), least)
        return NumberDistribution(target, shares, means, deviations)

    def sample(
        self, n_samples: int = 1, given: Mapping[str, Any] | None = None
    ) -> tuple[pd.DataFrame, NDArray[np.intp]]:
        """Draw new records from the model.

        Parameters
        ----------
        n_samples : int
        given : mapping of str to value, optional
            What all records have in common, as in `conditional`.

        Returns
        -------
        X : DataFrame
            With the columns and values of the table that was fitted.
        y : ndarray of shape (n_samples,)
            The component each record was drawn from.
        """
        check_is_fitted(self)
        check_integer("n_samples", n_samples, 1)
        block = block_of(given or {}, self.schema_)
        shares = rowwise.responsibilities(block, self._mixture)[0]
        rng = np.random.default_rng((seed_of(self.random_state), SAMPLING))
        codes, numbers, component = infer.sample(
            self._mixture, int(n_samples), rng, shares, block.numbers[0]
        )
        fixed = block.codes[0] < np.array(self.schema_.cardinalities)
        codes[:, fixed] = block.codes[0, fixed]
        drawn = pd.DataFrame(decode(codes, numbers, self.schema_))
        drawn[list(self.never_known_)] = np.nan
        return drawn, component

    @overload
    def impute(self, X: Any) -> pd.DataFrame: ...
    @overload
    def impute(self, X: Any, *, return_cells: bool = ..., n_draws: int | None = ...) -> Any: ...

    def impute(self, X: Any, *, return_cells: bool = False, n_draws: int | None = None) -> Any:
        """Fill the missing cells of a table with what the other cells lead to expect.

        A category gets its most probable value, a number its mean, given all that is known of the
        record. What is known stays as it is, values that fit never saw included. In a column that
        was cut into intervals a hole is filled with an interval.

        Parameters
        ----------
        X : table
            As in `fit`.
        return_cells : bool
            Return a second frame with a row for each cell that was filled: row (the index of its
            record), column, value, and its probability or, of a number, its deviation.
        n_draws : int, optional
            Instead return so many tables, whose holes are filled by draws: the holes of a record
            together, as they go together in the model. How far the tables differ shows how
            uncertain the holes are.

        Returns
        -------
        DataFrame, or (DataFrame, DataFrame), or a list of these
            All columns of a pandas frame, with its index; of any other table those that were
            fitted.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> model = Galileo(random_state=0).fit(table)
        >>> model.impute([["b", None]]).to_numpy().tolist()
        [['b', 'y']]
        """
        check_is_fitted(self)
        pieces = list(self._cells_and_codes(X))
        table, places = self._frame(X, [columns for columns, _, _ in pieces])
        held = [impute.holes_of(block, strange, self.schema_) for _, block, strange in pieces]
        if n_draws is None:
            return _imputed(table, places, self._filled(held), return_cells)
        check_integer("n_draws", n_draws, 1)
        rng = np.random.default_rng((seed_of(self.random_state), IMPUTING))
        drawn = (self._filled(held, rng) for _ in range(n_draws))
        return [_imputed(table, places, each, return_cells) for each in drawn]

    def _frame(self, X: Any, pieces: list[Columns]) -> tuple[pd.DataFrame, dict[str, int]]:
        """Return a table as a frame, cells as they were given, and where each attribute stands."""
        names = self.schema_.names
        if isinstance(X, pd.DataFrame):
            held = list(X.columns)
            by_name = self._named and all(isinstance(name, str) for name in held)
            return X, {each: held.index(each) if by_name else m for m, each in enumerate(names)}
        columns = zip(*([cells(each) for each in piece.columns] for piece in pieces), strict=True)
        table = {name: np.concatenate(each) for name, each in zip(names, columns, strict=True)}
        return pd.DataFrame(table), {name: m for m, name in enumerate(names)}

    def _filled(
        self,
        pieces: list[tuple[Block, impute.Holes]],
        rng: np.random.Generator | None = None,
    ) -> pd.DataFrame:
        """Return what stands in the holes of all pieces of a table, by position."""
        mixture = self._smoothed()
        first, parts = 0, list[pd.DataFrame]()
        for block, holes in pieces:
            question = (block, holes, mixture, self.schema_)
            filled = impute.fill(*question) if rng is None else impute.draw(*question, rng)
            parts.append(impute.cells_of(filled, self.schema_, first))
            first += len(block)
        found = pd.concat(parts, ignore_index=True)
        return found.loc[~found["column"].isin(self.never_known_)]

    def similarity(self, X: Any, Y: Any = None) -> Floats:
        """Return how probable it is that two records are of the same component.

        Parameters
        ----------
        X : table of n rows
        Y : table of m rows, optional
            X itself where left out.

        Returns
        -------
        ndarray of shape (n, m)
            Between 0 and 1. A record need not be wholly similar to itself: it may well be of one
            component or another.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> Galileo(random_state=0).fit(table).similarity([["a", "x"]], table[1:3]).round(
        ...     6
        ... ).tolist()
        [[1.0, 0.0]]
        """
        first = self.predict_proba(X)
        return first @ (first if Y is None else self.predict_proba(Y)).T

    def dependence(self) -> pd.DataFrame:
        """Return which attributes carry the same information under the model.

        Returns
        -------
        DataFrame
            A row for each pair of attributes, those that say most of one another first:
            ``first``, ``second``, ``information`` (mutual information, in nats) and ``share``:
            1 where one tells the other, 0 where they have nothing to do with one another. With a
            category it is the share of the lesser entropy; of two numbers it is
            ``1 - exp(-2 information)``, which is the square of a correlation. What involves
            numbers is found by quadrature, to some two digits.

        Examples
        --------
        >>> from galileomix import Galileo
        >>> table = [["a", "x"], ["a", "x"], ["b", "y"], ["b", "y"]] * 25
        >>> Galileo(random_state=0).fit(table).dependence().round(4).to_dict("records")
        [{'first': 'x0', 'second': 'x1', 'information': 0.6931, 'share': 1.0}]
        """
        check_is_fitted(self)
        return dependence(self._mixture, self.schema_)

    def _smoothed(self) -> Mixture:
        """Return the mixture for records that fit has not seen: nothing is impossible."""
        return infer.smoothed(self._mixture, self._background, self._N)

    def _explainer(self) -> Explainer:
        check_is_fitted(self)
        return Explainer(self._smoothed(), self.schema_, self._N, self.never_known_)

    def _cells_and_codes(self, X: Any) -> Iterator[tuple[Columns, Block, NDArray[np.bool_]]]:
        """Yield a table a block's rows at a time: cells, codes, which were never seen."""
        for columns, block, strange in alongside(self._aligned(X), self.schema_, self.unseen):
            for first in range(0, len(block), BLOCK_ROWS):
                rows = slice(first, first + BLOCK_ROWS)
                yield columns.rows(rows), block.rows(rows), strange[rows]


def index_of(X: Any) -> pd.Index | None:
    """Return the index of a pandas frame, nothing of any other table."""
    return X.index if isinstance(X, pd.DataFrame) else None


def _imputed(
    table: pd.DataFrame, places: dict[str, int], found: pd.DataFrame, return_cells: bool
) -> Any:
    """Return a table with its holes filled, and what they were filled with if that is wanted."""
    filled = impute.filled_in(table, places, found)
    if not return_cells:
        return filled
    found = found.sort_values("position", kind="stable", ignore_index=True)
    found.insert(0, "row", table.index[found.pop("position").to_numpy()])
    return filled, found
