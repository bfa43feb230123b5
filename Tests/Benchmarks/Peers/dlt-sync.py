"""The same with dlt, as its documentation tunes it. For comparison in `bench sync`.

dlt-sync.py URL DATABASE PAGES PAGE_SIZE
"""

import os
import sys

url, path, pages, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
os.environ.update(
    {
        "RUNTIME__DLTHUB_TELEMETRY": "false",
        "RUNTIME__LOG_LEVEL": "ERROR",
        # Files large enough for little overhead, small enough for both processors.
        "DATA_WRITER__BUFFER_MAX_ITEMS": "5000",
        "NORMALIZE__DATA_WRITER__FILE_MAX_ITEMS": "50000",
        "NORMALIZE__WORKERS": "2",
        # SQLite has one writer at a time; several workers fail with "database is locked".
        "LOAD__WORKERS": "1",
    }
)

import dlt  # noqa: E402
from dlt.sources.helpers import requests  # noqa: E402


@dlt.resource(name="invoice", primary_key="InvoiceID", write_disposition="append", max_table_nesting=1)
def invoices():
    for page in range(1, pages + 1):
        response = requests.get(
            f"{url}/api.xro/2.0/Invoices", params={"page": page, "pageSize": size}
        )
        yield response.json()["Invoices"]


if __name__ == "__main__":
    pipeline = dlt.pipeline(
        pipeline_name="bench",
        pipelines_dir=path + "-dlt",
        destination=dlt.destinations.sqlalchemy(f"sqlite:///{path}"),
        dataset_name="main",
    )
    pipeline.run(invoices())
