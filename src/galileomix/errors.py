"""What can go wrong, by name.

Every error of this package is a :class:`GalileoError`. Those that scikit-learn expects to be a
``ValueError`` or a ``TypeError`` are that as well.
"""


class GalileoError(Exception):
    """The base of every error this package raises on purpose."""


class TableError(GalileoError, ValueError):
    """The data cannot be used; the message names the column, the row and the value.

    Examples
    --------
    >>> issubclass(TableError, ValueError)
    True
    """


class TableTypeError(TableError, TypeError):
    """The data is of a kind that cannot be used at all, such as a sparse matrix."""


class ParameterError(GalileoError, ValueError):
    """A parameter has a value that it cannot have."""


class GalileoWarning(UserWarning):
    """Something a user should know and may silence."""


class ConstantColumnWarning(GalileoWarning):
    """A column has a single value, or none, so nothing can be learnt from it."""
