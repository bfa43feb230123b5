"""Prints the rows of a table of DuckDB as JSON, each value as a text.

Usage: rows.py FILE TABLE
"""

import json
import sys
from datetime import date, datetime
from decimal import Decimal

import duckdb


def text(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, list | dict):
        return json.dumps(value)
    return str(value)


found = duckdb.connect(sys.argv[1], read_only=True).execute(f"SELECT * FROM {sys.argv[2]}")
names = [column[0] for column in found.description]
for row in found.fetchall():
    print(json.dumps(dict(zip(names, map(text, row), strict=True))))
