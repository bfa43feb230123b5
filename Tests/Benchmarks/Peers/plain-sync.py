"""What a script written by hand does: every page, requests, sqlite3. For comparison in `bench sync`.

plain-sync.py URL DATABASE PAGES PAGE_SIZE
"""

import sqlite3
import sys

import requests

url, path, pages, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
database = sqlite3.connect(path)
database.executescript(
    """
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS invoice (id TEXT PRIMARY KEY, number TEXT, contact TEXT, date TEXT, due TEXT,
      status TEXT, total TEXT, due_amount TEXT, updated TEXT);
    CREATE TABLE IF NOT EXISTS line (id TEXT PRIMARY KEY, invoice TEXT, description TEXT, quantity TEXT, amount TEXT);
    CREATE INDEX IF NOT EXISTS by_date ON invoice(date);
    CREATE INDEX IF NOT EXISTS line_by_invoice ON line(invoice);
    """
)
session = requests.Session()
for page in range(1, pages + 1):
    response = session.get(f"{url}/api.xro/2.0/Invoices", params={"page": page, "pageSize": size})
    response.raise_for_status()
    rows = response.json(parse_float=str)["Invoices"]
    with database:
        for row in rows:
            database.execute(
                "INSERT OR REPLACE INTO invoice VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row["InvoiceID"], row["InvoiceNumber"], row["Contact"]["Name"],
                    row["DateString"], row["DueDateString"], row["Status"], row["Total"],
                    row["AmountDue"], row["UpdatedDateUTC"],
                ),
            )
            for line in row["LineItems"]:
                database.execute(
                    "INSERT OR REPLACE INTO line VALUES (?, ?, ?, ?, ?)",
                    (
                        line["LineItemID"], row["InvoiceID"], line["Description"],
                        line["Quantity"], line["LineAmount"],
                    ),
                )
