"""What a script written by hand does: every page, json, sqlite3. For comparison in `bench sync`.

plain-sync.py URL DATABASE PAGES
"""

import http.client
import json
import sqlite3
import sys
from urllib.parse import urlsplit

url, path, pages = urlsplit(sys.argv[1]), sys.argv[2], int(sys.argv[3])
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
connection = http.client.HTTPConnection(url.hostname, url.port)
for page in range(1, pages + 1):
    connection.request("GET", f"/api.xro/2.0/Invoices?page={page}")
    rows = json.loads(connection.getresponse().read(), parse_float=str)["Invoices"]
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
