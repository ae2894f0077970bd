"""Tables for spreadsheets: CSV, in one form for whatever is written so."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A CSV document: a line with the names of the columns, then one for each row; what is None is left empty."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return stream.getvalue()


def yes_or_no(known: bool | None) -> str:
    """A cell that is true or false; empty if nobody knows."""
    return "" if known is None else "yes" if known else "no"
