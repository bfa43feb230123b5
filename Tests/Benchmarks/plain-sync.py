"""What a script written by hand does: every page, requests, sqlite3. For comparison in `bench sync`.

plain-sync.py URL DATABASE PAGES
"""

import sqlite3
import sys

import requests

url, path, pages = sys.argv[1], sys.argv[2], int(sys.argv[3])
database = sqlite3.connect(path)
database.executescript(
    """
    PRAGMA journal_mode = WAL;
    CREATE TABLE invoice (id TEXT PRIMARY KEY, number TEXT, contact TEXT, date TEXT, due TEXT,
      status TEXT, total TEXT, due_amount TEXT, updated TEXT);
    CREATE TABLE line (id TEXT PRIMARY KEY, invoice TEXT, description TEXT, quantity TEXT, amount TEXT);
    CREATE INDEX by_date ON invoice(date);
    CREATE INDEX line_by_invoice ON line(invoice);
    """
)
session = requests.Session()
for page in range(1, pages + 1):
    response = session.get(f"{url}/api.xro/2.0/Invoices", params={"page": page})
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
