"""The numbers of a block under the components of a mixture, compiled.

Three ways to the same sums: components side by side in tiles (`gaussian_loops`), where patterns of
missing numbers are few; one component at a time (`by_component`), where they or the numbers are
many; and numbers that are independent (`independent_loops`), which need no patterns.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from galileomix._kernels.gaussian import gaussian_loops, independent_loops
from galileomix._kernels.gaussian.by_component import ByComponent
from galileomix._kernels.gaussian.gaussian_loops import Gaussians, Patterns
from galileomix._kernels.loops import Cells, Flat, Rules
from galileomix._model.gaussian import by_pattern
from galileomix._model.params import Floats, Ints, Mixture
from galileomix._table import Block

MOST_ROOM = 1 << 17
"""Entries of all covariances together, padding and all, that the nearer caches hold."""
ROW_COST, PATTERN_COST = 800, 3000
"""What a row and a pattern cost one component by itself, in multiplications of a pattern's
factorisation side by side with others (measured)."""


class Numbers(Protocol):
    """The numbers of one block under the Gaussians of a mixture; E is Q Q, or Q if independent."""

    def log_density(self) -> Floats:
        """Return the log density of every record's known numbers, (n, width), flat."""
        ...

    def moments(self, shares: Flat) -> Floats:
        """Return the sums of numbers and of their products, (Q + E, width)."""
        ...

    def cut_moments(self, cells: Cells, rules: Rules, shares: Flat) -> Floats:
        """Return the moments of the records that meet each rule, (Q + E, c)."""
        ...


def numbers_of(block: Block, mixture: Mixture, at: Ints | slice, width: int) -> Numbers:
    """Return the numbers of a block under a mixture, in the way that is quickest.

    ``at`` is where each component stands in a row, ``width`` how wide a row is.
    """
    if mixture.layout.diagonal:
        return IndependentNumbers(block, mixture, at, width)
    patterns = _patterns(block)
    Q, n_patterns = mixture.layout.n_numeric, len(patterns.known)
    alone = ROW_COST * len(block) + PATTERN_COST * n_patterns
    if n_patterns * Q**3 > alone or Q * Q * width > MOST_ROOM:
        return ByComponent(block, patterns, mixture, at, width)
    return SideBySide(block, patterns, mixture, at, width)


class SideBySide:
    """Components side by side, pattern by pattern."""

    def __init__(
        self, block: Block, patterns: Patterns, mixture: Mixture, at: Ints | slice, width: int
    ) -> None:
        self._block, self._patterns = block, patterns
        self._width = width
        mu, Sigma = _placed(mixture.mu, at, width), _placed(mixture.Sigma, at, width)
        self._gaussians = Gaussians(mu, Sigma)

    def log_density(self) -> Floats:
        """Return the log density of every record's known numbers, (n, width), flat."""
        out = np.empty(len(self._block) * self._width)
        gaussian_loops.log_density(self._block.numbers, self._patterns, self._gaussians, out)
        return out

    def moments(self, shares: Flat) -> Floats:
        """Return the sums of numbers and of their products, (Q + Q Q, width)."""
        numbers, shares = self._block.numbers, shares.astype(np.float64, copy=False)
        Q = numbers.shape[1]
        sums = np.zeros((Q + Q * Q, self._width))
        gaussian_loops.moments(numbers, self._patterns, self._gaussians, shares, sums.reshape(-1))
        return sums

    def cut_moments(self, cells: Cells, rules: Rules, shares: Flat) -> Floats:
        """Return the moments of the records that meet each rule, (Q + Q Q, c)."""
        return gaussian_loops.cut_moments(
            cells, self._block.weights, self._patterns, self._gaussians, rules, shares
        ).T


class IndependentNumbers:
    """Numbers that are independent within a component."""

    def __init__(self, block: Block, mixture: Mixture, at: Ints | slice, width: int) -> None:
        self._block = block
        self._width = width
        mu, variances = _placed(mixture.mu, at, width), _placed(mixture.var, at, width)
        self._gaussians = Gaussians(mu, variances)

    def log_density(self) -> Floats:
        """Return the log density of every record's known numbers, (n, width), flat."""
        out = np.empty(len(self._block) * self._width)
        independent_loops.log_density(self._block.numbers, self._gaussians, out)
        return out

    def moments(self, shares: Flat) -> Floats:
        """Return the sums of numbers and of their squares, (Q + Q, width)."""
        numbers, shares = self._block.numbers, shares.astype(np.float64, copy=False)
        sums = np.zeros((2 * numbers.shape[1], self._width))
        independent_loops.moments(numbers, self._gaussians, shares, sums.reshape(-1))
        return sums

    def cut_moments(self, cells: Cells, rules: Rules, shares: Flat) -> Floats:
        """Return the moments of the records that meet each rule, (Q + Q, c)."""
        return independent_loops.cut_moments(
            cells, self._block.weights, self._gaussians, rules, shares
        ).T


def _placed(columns: Floats, at: Ints | slice, width: int) -> Floats:
    """Return the columns of components in their places, zero in between, flat."""
    placed = np.zeros((*columns.shape[:-1], width))
    placed[..., at] = columns
    return placed.reshape(-1)


def _patterns(block: Block) -> Patterns:
    """Return which numbers are missing together; kept with the block."""
    found = block.cache.get(Patterns)
    if found is None:
        found = block.cache[Patterns] = Patterns(*by_pattern(~np.isnan(block.numbers)))
    return found
