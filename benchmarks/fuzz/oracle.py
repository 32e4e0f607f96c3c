"""The log density of a record once more: plain loops over the public parameters of a model.

Nothing of the package is used. A cell that may be read in more than one way (text that could be a
number) is left to the tests of reading: `Unclear` is raised.
"""

from __future__ import annotations

import math
from typing import Any

LEAST = 1e-300
"""What a logarithm takes numbers for that are not above zero."""
FARTHEST = 1e100
"""Standardised numbers that are farther out are so far."""


class Unclear(Exception):
    """What a cell stands for is not said by the cell alone."""


def log_density(row: dict[str, Any], model: dict[str, Any]) -> float:
    """Return log sum_i alpha_i prod_m p_im(x_m) N(y; mu_i, Sigma_i) of `Galileo.to_dict`."""
    arrays = model["arrays"]["k"][str(model["n_components"])]
    factors, numbers, slope = _cells(row, model)
    terms: list[float] = []
    for i, alpha in enumerate(arrays["alpha"]):
        probabilities = [alpha] + [arrays["p"][v][i] for v in factors]
        if all(p > 0 for p in probabilities):
            term = sum(map(math.log, probabilities))
            terms.append(term + _gaussian(numbers, arrays, i, model["diagonal"]))
    if not terms:
        return -math.inf
    top = max(terms)
    return top + math.log(sum(math.exp(term - top) for term in terms)) + slope


def _cells(row: dict[str, Any], model: dict[str, Any]) -> tuple[list[int], list[Any], float]:
    """Return the row's places on the value axis, its standardised numbers, and log slopes."""
    factors: list[int] = []
    numbers: list[Any] = []
    offset, slope = 0, 0.0
    for attribute in model["schema"]["attributes"]:
        cell = row[attribute["name"]]
        if attribute["kind"] == "numeric":
            x = _number(cell)
            if "spike" in attribute:
                if x is not None:
                    factors.append(offset + (x != attribute["spike"]))
                x = None if x == attribute["spike"] else x
                offset += 2
            numbers.append(None if x is None else _standardised(x, attribute))
            slope += 0.0 if x is None else _log_slope(x, attribute)
        else:
            place = _place(cell, attribute)
            factors += [] if place is None else [offset + place]
            offset += len(attribute["values"])
    return factors, numbers, slope


def _number(cell: Any) -> float | None:
    if _is_missing(cell):
        return None
    if type(cell) not in (int, float, bool):
        raise Unclear
    try:
        return float(cell)
    except OverflowError as error:  # a whole number beyond all floats
        raise Unclear from error


def _is_missing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, float) and cell != cell)


def _place(cell: Any, attribute: dict[str, Any]) -> int | None:
    """Return which of an attribute's values a cell is; None where it is left out."""
    values = attribute["values"]
    if attribute["kind"] == "binned":
        x = _number(cell)
        if x is not None:
            return sum(x >= edge for edge in attribute["edges"])
        return values.index(None) if None in values else None
    if _is_missing(cell):
        return values.index(None) if None in values else None
    same = [v for v, value in enumerate(values) if type(value) is type(cell) and value == cell]
    if len(same) != 1:
        raise Unclear
    return same[0]


def _standardised(x: float, attribute: dict[str, Any]) -> float:
    name = attribute.get("transform", "")
    if name == "log":
        x = math.log(max(x, LEAST))
    elif name == "yeo-johnson":
        z, power = x / attribute.get("stretch", 1.0), attribute.get("power", 1.0)
        x = _rise(z, power) if z >= 0 else -_rise(-z, 2.0 - power)
    z = (x - attribute["center"]) / attribute["scale"]
    return max(-FARTHEST, min(z, FARTHEST))


def _rise(z: float, power: float) -> float:
    return math.log1p(z) if power == 0 else math.expm1(power * math.log1p(z)) / power


def _log_slope(x: float, attribute: dict[str, Any]) -> float:
    name, slope = attribute.get("transform", ""), -math.log(attribute["scale"])
    if name == "log":
        return slope - math.log(max(x, LEAST))
    if name == "yeo-johnson":
        stretch = attribute.get("stretch", 1.0)
        rise = (attribute.get("power", 1.0) - 1.0) * math.log1p(abs(x / stretch))
        return slope + math.copysign(1.0, x) * rise - math.log(stretch)
    return slope


def _gaussian(numbers: list[Any], arrays: dict[str, Any], i: int, diagonal: bool) -> float:
    """Return the log density of the known numbers under one component."""
    known = [q for q, x in enumerate(numbers) if x is not None]
    away = [numbers[q] - arrays["mu"][q][i] for q in known]
    Sigma = arrays["Sigma"]
    if diagonal:
        part = [[Sigma[q][i] if q == r else 0.0 for r in known] for q in known]
    else:
        part = [[Sigma[q][r][i] for r in known] for q in known]
    square, log_determinant = _eliminated(part, away)
    return -0.5 * (square + log_determinant + len(known) * math.log(2 * math.pi))


def _eliminated(matrix: list[list[float]], vector: list[float]) -> tuple[float, float]:
    """Return vector' matrix^-1 vector and log det of a covariance, by elimination."""
    square, log_determinant = 0.0, 0.0
    rows = [[*row, y] for row, y in zip(matrix, vector, strict=True)]
    for j, pivot in enumerate(rows):
        square += pivot[-1] ** 2 / pivot[j]
        log_determinant += math.log(pivot[j])
        for row in rows[j + 1 :]:
            factor = row[j] / pivot[j]
            for c in range(j, len(row)):
                row[c] -= factor * pivot[c]
    return square, log_determinant
