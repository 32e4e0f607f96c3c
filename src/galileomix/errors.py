"""What can go wrong, by name.

Every error of this package is a :class:`GalileoError`. Those that scikit-learn expects to be a
``ValueError`` or a ``TypeError`` are that as well.
"""

LONGEST = 500
"""Characters of what is wrong with a model file."""


class GalileoError(Exception):
    """The base of every error this package raises on purpose."""


class TableError(GalileoError, ValueError):
    """The data cannot be used; the message names the column, the row and the value.

    Parameters
    ----------
    problem : str
        What is wrong.
    column : str, optional
    row : int, optional
        Counted from 0; of the part of the table at hand, until `placed` says where that begins.
    file : str, optional
    line : int, optional
        The line of the file, counted from 1; where it is known the row is left out.

    Examples
    --------
    >>> issubclass(TableError, ValueError)
    True
    >>> print(TableError("'x' is no number", column="age", row=3))
    column 'age', row 3: 'x' is no number
    """

    def __init__(
        self,
        problem: str,
        *,
        column: str | None = None,
        row: int | None = None,
        file: str | None = None,
        line: int | None = None,
    ) -> None:
        super().__init__(problem)
        self.column, self.row, self.file, self.line = column, row, file, line

    @property
    def problem(self) -> str:
        """What is wrong, without the place."""
        return str(self.args[0])

    def __str__(self) -> str:
        where = [] if self.file is None else [repr(self.file)]
        where += [] if self.line is None else [f"line {self.line}"]
        where += [] if self.column is None else [f"column {self.column!r}"]
        where += [] if self.row is None or self.line is not None else [f"row {self.row}"]
        return f"{', '.join(where)}: {self.problem}" if where else self.problem


class TableTypeError(TableError, TypeError):
    """The data is of a type that cannot be used at all, such as a sparse matrix."""


class ParameterError(GalileoError, ValueError):
    """A parameter has a value that it cannot have."""


class CacheError(GalileoError, OSError):
    """The blocks stored on disk during fit cannot be written, or are not what was written."""


class ClusterError(GalileoError, RuntimeError):
    """A cluster does not answer any more, or has no workers left."""


class ModelFileError(GalileoError, ValueError):
    """A model cannot be read or written: no such file, not a model, damaged, or too new.

    Parameters
    ----------
    problem : str
        What is wrong; of what a file holds, which may be anything, the beginning is shown.
    file : str, optional

    Examples
    --------
    >>> print(ModelFileError("the file is empty", file="model.galileo"))
    'model.galileo': the file is empty
    """

    def __init__(self, problem: str, *, file: str | None = None) -> None:
        super().__init__(problem if len(problem) <= LONGEST else f"{problem[: LONGEST - 4]} ...")
        self.file = file

    @property
    def problem(self) -> str:
        """What is wrong, without the file."""
        return str(self.args[0])

    def __str__(self) -> str:
        return self.problem if self.file is None else f"{self.file!r}: {self.problem}"


class CheckpointError(ModelFileError):
    """A checkpoint is of another fit, or cannot be read or written; the message says what differs.

    Examples
    --------
    >>> issubclass(CheckpointError, ModelFileError)
    True
    """


class GalileoWarning(UserWarning):
    """Something a user should know and may silence."""


class ConstantColumnWarning(GalileoWarning):
    """A column has a single value, or none, so nothing can be learnt from it."""
