import asyncio

import appcore


async def show(core: appcore.AsyncCore) -> None:
    async for invoice in core.invoices(status="open", limit=3):
        print(invoice.number, invoice.amount_due, invoice.currency)


async def follow(core: appcore.AsyncCore) -> None:
    async for change in core.changes():
        if isinstance(change, appcore.RecordsChanged):
            await show(core)


async def main() -> None:
    async with appcore.open() as core:
        following = asyncio.create_task(follow(core))
        try:
            async with asyncio.timeout(60):
                report = await core.sync("invoices")
            print(report.inserted, "new")
            await show(core)
        finally:
            following.cancel()


asyncio.run(main())
