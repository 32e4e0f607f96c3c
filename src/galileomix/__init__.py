"""Galileo: find the kinds of records in a table of categories."""

__version__ = "0.1.0"

__all__ = ["__version__"]
