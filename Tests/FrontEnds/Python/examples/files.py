import sys

import appcore

with appcore.open() as core:
    invoice = core.invoice(sys.argv[1])
    for event in core.fetch_documents(invoice=invoice.id, kind="pdf"):
        match event:
            case appcore.FetchProgress(bytes=received):
                print(received, "bytes")
    for file in core.documents(invoice=invoice.id, kind="pdf", state="stored"):
        print(file.path)
