"""The script of a good Python programmer: urllib3, orjson, executemany. For comparison in `bench sync`.

fast-sync.py URL DATABASE PAGES PAGE_SIZE
"""

import sqlite3
import sys

import orjson
import urllib3

url, path, pages, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
database = sqlite3.connect(path, isolation_level=None)
database.executescript(
    """
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA cache_size = -65536;
    CREATE TABLE IF NOT EXISTS invoice (id TEXT PRIMARY KEY, number TEXT, type TEXT, status TEXT,
      contact_id TEXT, contact_name TEXT, contact_email TEXT, currency TEXT, issue_date TEXT,
      due_date TEXT, updated_at TEXT, reference TEXT, subtotal TEXT, total_tax TEXT, total TEXT,
      amount_paid TEXT, amount_due TEXT);
    CREATE INDEX IF NOT EXISTS invoice_by_date ON invoice(issue_date);
    CREATE TABLE IF NOT EXISTS line (invoice TEXT, position INTEGER, id TEXT, description TEXT,
      quantity TEXT, unit_amount TEXT, tax_type TEXT, tax_amount TEXT, line_amount TEXT,
      account_code TEXT);
    CREATE INDEX IF NOT EXISTS line_by_invoice ON line(invoice);
    """
)
INVOICE = "INSERT OR REPLACE INTO invoice VALUES (" + ", ".join("?" * 17) + ")"
LINE = "INSERT INTO line VALUES (" + ", ".join("?" * 10) + ")"
# Identifiers are random: with a transaction for each page, most pages of the index would be written
# once for each of them, and the script would take twice as long.
SHARE = 40
http = urllib3.PoolManager()
for page in range(1, pages + 1):
    response = http.request("GET", f"{url}/api.xro/2.0/Invoices?page={page}&pageSize={size}")
    if response.status != 200:
        sys.exit(f"status {response.status}")
    rows = orjson.loads(response.data)["Invoices"]
    if page % SHARE == 1:
        database.execute("BEGIN")
    database.executemany(
        INVOICE,
        [
            (
                row["InvoiceID"], row["InvoiceNumber"], row["Type"], row["Status"],
                row["Contact"]["ContactID"], row["Contact"]["Name"], row["Contact"]["EmailAddress"],
                row["CurrencyCode"], row["DateString"][:10], row["DueDateString"][:10],
                row["UpdatedDateUTC"], row["Reference"], row["SubTotal"], row["TotalTax"],
                row["Total"], row["AmountPaid"], row["AmountDue"],
            )
            for row in rows
        ],
    )
    database.executemany("DELETE FROM line WHERE invoice = ?", [(row["InvoiceID"],) for row in rows])
    database.executemany(
        LINE,
        [
            (
                row["InvoiceID"], position, line["LineItemID"], line["Description"],
                line["Quantity"], line["UnitAmount"], line["TaxType"], line["TaxAmount"],
                line["LineAmount"], line["AccountCode"],
            )
            for row in rows
            for position, line in enumerate(row["LineItems"])
        ],
    )
    if page % SHARE == 0 or page == pages:
        database.execute("COMMIT")
