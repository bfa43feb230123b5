"""Prints the rows that queries find in DuckDB: the query's name, a tab, and JSON with texts.

A query of a table that is not there finds nothing.

Usage: rows.py FILE SCHEMA QUERIES, which is a JSON object of queries by name
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


database = duckdb.connect(sys.argv[1], read_only=True)
database.execute(f"SET schema = '{sys.argv[2]}'")
for name, query in json.loads(sys.argv[3]).items():
    try:
        found = database.execute(query)
    except duckdb.CatalogException:
        continue
    names = [column[0] for column in found.description]
    for row in found.fetchall():
        print(name, json.dumps(dict(zip(names, map(text, row), strict=True))), sep="\t")
