"""The way of a program: sign in, sync, list, see a live change, cancel, close."""

import asyncio
from decimal import Decimal
from pathlib import Path

import appcore
import pytest
from support import INVOICES, Home, Sandbox, approve, sign_in

INVOICES_PATH = "/api.xro/2.0/Invoices"


@pytest.fixture(params=["encrypted-file", "keyring"])
def new_home(request: pytest.FixtureRequest, tmp_path: Path, sandbox: Sandbox) -> Home:
    """A home without a login, with each store of logins."""
    if request.param == "keyring":
        request.getfixturevalue("keyring")
    return Home(tmp_path, sandbox, request.param)


def test_a_program_with_threads_goes_the_whole_way(new_home: Home) -> None:
    with new_home.open() as core:
        signed_in = sign_in(core)
        assert signed_in.provider == "xero"
        assert signed_in.organisation is not None
        assert signed_in.organisation.name == "Sandbox Company"

        events = list(core.sync("invoices"))
        assert isinstance(events[0], appcore.Progress)
        report = events[-1]
        assert isinstance(report, appcore.SyncReport)
        assert (report.result, report.inserted) == (appcore.SyncResult.COMPLETE, INVOICES)
        steps = [event.event for event in events if isinstance(event, appcore.Progress)]
        assert steps[-1] == appcore.ProgressEvent.FINISHED

        assert len(list(core.invoices(all=True))) == INVOICES
        assert core.status().accounts[0].stored["invoices"] > 0

        before = {invoice.id: invoice.reference for invoice in core.invoices(all=True)}
        changes = core.changes()
        # A watch begins with a change, although nothing has changed.
        assert next(changes) == appcore.RecordsChanged()
        assert changes.pending() == []
        changed = new_home.change()
        expected = new_home.sandbox.reference(changed)
        assert before[changed] != expected
        # A sync has several commits.
        assert next(changes) == appcore.RecordsChanged()
        while core.invoice(changed).reference != expected:
            next(changes)

        new_home.sandbox.hold(INVOICES_PATH)
        sync = core.sync("invoices", full=True)
        next(sync)
        sync.cancel()
        with pytest.raises(appcore.Cancelled):
            sync.result()

        assert len(list(core.invoices(all=True))) == INVOICES
        signed_out = core.sign_out().result()
        assert (signed_out.was_signed_in, signed_out.revoked) == (True, True)
    with pytest.raises(appcore.Closed):
        core.status()


def test_a_program_with_asyncio_goes_the_whole_way(new_home: Home) -> None:
    async def sign_in(core: appcore.AsyncCore) -> appcore.SignedIn:
        request = core.sign_in()
        async for event in request:
            if isinstance(event, appcore.OpenURL):
                await asyncio.to_thread(approve, event.url)
        return await request

    async def follow(core: appcore.AsyncCore, seen: "asyncio.Queue[appcore.Change]") -> None:
        async for change in core.changes():
            seen.put_nowait(change)

    async def program() -> None:
        async with new_home.open() as core:
            assert (await sign_in(core)).account == "default"

            events = [event async for event in core.sync("invoices")]
            assert isinstance(events[0], appcore.Progress)
            report = events[-1]
            assert isinstance(report, appcore.SyncReport)
            assert report.inserted == INVOICES

            assert len(await core.invoices(all=True)) == INVOICES
            assert (await core.status()).accounts[0].login == appcore.LoginState.VALID
            sums = await core.summary("status", all=True)
            assert sum(total.count for total in sums) == INVOICES
            assert sum((total.total for total in sums), Decimal()) > 0

            before = {invoice.id: invoice.reference for invoice in await core.invoices(all=True)}
            seen: asyncio.Queue[appcore.Change] = asyncio.Queue()
            following = asyncio.create_task(follow(core, seen))
            # A watch begins with a change, although nothing has changed.
            assert await seen.get() == appcore.RecordsChanged()
            assert seen.empty()
            changed = await asyncio.to_thread(new_home.change)
            expected = await asyncio.to_thread(new_home.sandbox.reference, changed)
            assert before[changed] != expected
            assert await seen.get() == appcore.RecordsChanged()
            while (await core.invoice(changed)).reference != expected:
                await seen.get()
            following.cancel()
            with pytest.raises(asyncio.CancelledError):
                await following

            new_home.sandbox.hold(INVOICES_PATH)
            started = asyncio.Event()

            async def sync() -> None:
                async for _ in core.sync("invoices", full=True):
                    started.set()

            task = asyncio.create_task(sync())
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            new_home.sandbox.release()
            # The request has ended: the next sync need not wait for it.
            assert (await core.sync("invoices", wait=False)).result == "complete"
            assert (await core.sign_out(forget=True)).forgotten
            assert await core.invoices() == []
        with pytest.raises(appcore.Closed):
            await core.status()

    asyncio.run(program())
