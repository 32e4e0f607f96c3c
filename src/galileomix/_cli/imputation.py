"""Tables whose missing values are replaced, a chunk at a time."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute

from galileomix._cli.fit_table import fit_imputer
from galileomix._cli.model_arguments import missing_of, mixture_of
from galileomix._cli.options import FitOptions
from galileomix._cli.output import decoded, is_text, open_writer
from galileomix._cli.output_paths import format_of
from galileomix._cli.table_arguments import TableFiles, needed_columns
from galileomix._estimators.loading import Model
from galileomix._table import Binned, Categorical, Chunk, Lookup, Schema

# Its functions are made when it is imported, so that no type checker knows them.
compute: Any = pyarrow.compute


def write_imputed(
    model: Model | None,
    fitting: FitOptions,
    files: TableFiles,
    outputs: tuple[str, str | None],
    as_json: bool,
) -> None:
    """Write a table with its missing values replaced, and a list of these where that is named."""
    output, listing = outputs
    formats = format_of(output, as_json), format_of(listing) if listing else "csv"
    missing = fitting.missing if model is None else missing_of(model)
    with files.opened(missing) as source, ExitStack() as stack:
        mixture = fit_imputer(source, fitting) if model is None else mixture_of(model)
        needed = needed_columns(source, mixture)
        writer = stack.enter_context(open_writer(output, formats[0]))
        listed = stack.enter_context(open_writer(listing, formats[1])) if listing else None
        first = 1
        for chunk in needed.chunks():
            with chunk.placed():
                _, cells = mixture.impute(chunk.columns, return_cells=True)
            writer.write(_filled(chunk, source.names, cells, mixture.schema_))
            if listed:
                shown = cells.assign(row=cells["row"] + first, value=cells["value"].map(str))
                listed.write(pa.Table.from_pandas(shown, preserve_index=False))
            first += chunk.columns.n_rows


def _filled(chunk: Chunk, names: tuple[str, ...], cells: pd.DataFrame, schema: Schema) -> Any:
    """Return the rows as they were read, with some cells replaced."""
    columns = {name: decoded(chunk.raw.column(name)) for name in names}
    # Without names of its own a table has its columns in the order of the schema's.
    by_name = set(schema.names) <= set(names)
    parts = dict(iter(cells.groupby("column", sort=False)))
    for place, attribute in enumerate(schema.attributes):
        name = attribute.name if by_name else names[place]
        if isinstance(attribute, Binned):  # an interval is text, in this chunk or in a later one
            columns[name] = columns[name].cast(pa.string())
        if attribute.name in parts:
            columns[name] = _replaced(columns[name], parts[attribute.name], attribute)
    return pa.table(columns)


def _replaced(column: Any, cells: pd.DataFrame, attribute: Any) -> Any:
    """Return a column with some cells replaced, as its type and its spelling have them."""
    values = cells["value"].tolist()
    if is_text(column.type):
        spelling = _spelling(column, attribute)
        values = [spelling.get(value, _text(value)) for value in values]
    elif pa.types.is_integer(column.type):
        values = [round(value) for value in values]
    mask = np.zeros(len(column), dtype=bool)
    mask[cells["row"]] = True
    return compute.replace_with_mask(column, mask, pa.array(values, column.type))


def _spelling(column: Any, attribute: Any) -> dict[Any, str]:
    """Return how a column of text spells the values of an attribute."""
    if not isinstance(attribute, Categorical):
        return {}
    texts = sorted(text for text in column.unique().to_pylist() if text is not None)
    codes = Lookup(attribute).text_codes(texts).tolist()
    known = ((code, text) for code, text in zip(codes, texts, strict=True))
    return {attribute.values[code]: text for code, text in known if code < len(attribute.values)}


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
