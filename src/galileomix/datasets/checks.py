"""Checks of what a user asks a generated table to be."""

from galileomix.errors import ParameterError


def check_at_least(name: str, value: int, least: int) -> None:
    """Raise `ParameterError` if the value is less than it may be."""
    if value < least:
        raise ParameterError(f"{name} must be at least {least}, not {value!r}")


def check_between(name: str, value: float, low: float, high: float) -> None:
    """Raise `ParameterError` if the value is not in the range, ends included."""
    if not low <= value <= high:
        raise ParameterError(f"{name} must be between {low} and {high}, not {value!r}")
