import appcore

with appcore.open() as core:
    documents = core.session("documents", request_timeout=300, concurrency=2)
    invoice = next(iter(core.invoices(limit=1)))
    address = f"api.xro/2.0/Invoices/{invoice.id}"
    accept = {"Accept": "application/json"}
    print(documents.get(address, headers=accept).json()["Invoices"][0]["Total"])
    for event in documents.download(address, "invoice.json", headers=accept):
        match event:
            case appcore.Transfer(received=received, expected=expected):
                print(received, "of", expected)
            case appcore.Download(file=file, size=size):
                print(file, size)
