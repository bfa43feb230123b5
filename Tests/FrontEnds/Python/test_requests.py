"""Requests: many at a time, from several threads and tasks, cancelled and forgotten."""

import asyncio
import contextlib
import logging
import select
import threading

import appcore
import pytest
from support import INVOICES, Home, approve, sign_in, until

INVOICES_PATH = "/api.xro/2.0/Invoices"


def test_threads_share_one_core(core: appcore.Core) -> None:
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(3):
                assert core.status().accounts[0].name == "default"
                assert len(list(core.invoices(all=True))) == INVOICES
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_forgotten_request_is_cancelled(synced: Home) -> None:
    with synced.open() as core:
        synced.sandbox.hold(INVOICES_PATH)
        sync = core.sync(full=True)
        next(sync)
        del sync
        synced.sandbox.release()
        # The forgotten sync has to give its lock back.
        assert core.sync(full=True).result().unchanged == INVOICES


def test_a_request_that_nothing_waits_for_warns(synced: Home) -> None:
    async def forget() -> None:
        async with synced.open() as core:
            core.sync()

    with synced.open() as core, pytest.warns(RuntimeWarning, match=r"or call result\(\)"):
        core.sync()
    with pytest.warns(RuntimeWarning, match="or await it"):
        asyncio.run(forget())


@pytest.mark.filterwarnings("ignore:a request was cancelled")
def test_events_of_forgotten_requests_do_not_pile_up(home: Home) -> None:
    with home.open() as core:

        def forget() -> None:
            core.sync(account="nobody")

        for _ in range(200):
            forget()
        # Their last events come a moment later.
        until(lambda: len(core._router._forgotten) < 100, forget)


def test_the_log_reaches_a_logger(synced: Home, caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("test")
    caplog.set_level(logging.DEBUG, "test")
    with synced.open(log_level="debug", logger=logger) as core:
        core.sync("invoices").result()
    assert any(record.message.startswith("appcore.") for record in caplog.records)
    assert {record.levelname for record in caplog.records} <= {"DEBUG", "INFO", "WARNING"}


@pytest.mark.filterwarnings("ignore:a request was cancelled")
def test_forgotten_requests_leave_room_for_others(home: Home) -> None:
    with home.open() as core:
        # There are at most 1 024 at a time, and those that were cancelled need a moment.
        with contextlib.suppress(appcore.TryAgainLater):
            for _ in range(3_000):
                core.changes()
        statuses: list[appcore.Status] = []

        def attempt() -> None:
            with contextlib.suppress(appcore.TryAgainLater):
                statuses.append(core.status())

        until(lambda: statuses != [], attempt)


def test_a_cancelled_sync_of_everything_reports_what_it_did(synced: Home) -> None:
    with synced.open() as core:
        synced.sandbox.post("invoices/change?count=3")
        synced.sandbox.hold("/api.xro/2.0/Contacts*")
        sync = core.sync("all")
        events: list[appcore.SyncEvent] = []
        with pytest.raises(appcore.Cancelled):
            for event in sync:
                events.append(event)
                if isinstance(event, appcore.Progress) and event.resource == "contacts":
                    sync.cancel()
        reports = [event for event in events if isinstance(event, appcore.SyncReport)]
        assert (reports[0].resource, reports[0].updated) == ("invoices", 3)


def test_a_sign_in_that_is_cancelled_too_late_says_so(home: Home) -> None:
    with home.open() as core:
        changes = core.changes()
        home.sandbox.hold("/connections*")
        request = core.sign_in()
        page = next(request)
        assert isinstance(page, appcore.OpenURL)
        approve(page.url)
        while next(changes) != appcore.LoginChanged("default", "signed-in"):
            pass
        request.cancel()
        assert request.result().account == "default"
        home.sandbox.release()


def test_leaving_a_loop_cancels_its_request(synced: Home) -> None:
    async def program() -> None:
        async with synced.open() as core:
            synced.sandbox.hold(INVOICES_PATH)
            async with core.sync(full=True) as sync:
                async for _ in sync:
                    break
            assert sync.has_ended
            synced.sandbox.release()
            assert (await core.sync(full=True, wait=False)).unchanged == INVOICES

    asyncio.run(program())


def test_a_block_waits_for_the_end_of_its_request(synced: Home) -> None:
    with synced.open() as core:
        synced.sandbox.hold(INVOICES_PATH)
        with core.sync(full=True) as sync:
            next(sync)
        assert sync.has_ended
        synced.sandbox.release()
        assert core.sync(full=True, wait=False).result().unchanged == INVOICES


def test_a_timeout_cancels_a_request(synced: Home) -> None:
    async def program() -> None:
        async with synced.open() as core:
            synced.sandbox.hold(INVOICES_PATH)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await core.sync(full=True)
            synced.sandbox.release()
            assert (await core.sync(full=True, wait=False)).unchanged == INVOICES

    asyncio.run(program())


def test_tasks_share_one_core(synced: Home) -> None:
    async def program() -> None:
        async with synced.open() as core:
            statuses = await asyncio.gather(*(core.status() for _ in range(100)))
            assert {status.accounts[0].name for status in statuses} == {"default"}
            lists = await asyncio.gather(*(core.invoices(all=True) for _ in range(8)))
            assert {len(rows) for rows in lists} == {INVOICES}

    asyncio.run(program())


def test_closing_ends_waiting_tasks(home: Home) -> None:
    async def program() -> None:
        async with home.open() as core:
            task = asyncio.ensure_future(core.changes().result())
            await asyncio.sleep(0)
        with pytest.raises(appcore.Closed):
            await task
        await core.close()

    asyncio.run(program())


def test_a_sync_of_everything_reports_each_resource(synced: Home) -> None:
    with synced.open() as core:
        reports = core.sync("all").result()
        names = [report.resource for report in reports]
        assert names[0] == "invoices" and names[-1] == "contacts" and len(names) == 6


def test_a_dry_run_lists_changes(synced: Home) -> None:
    synced.sandbox.post("invoices/change?count=1")
    with synced.open() as core:
        report = core.sync(dry_run=True).result()
    assert report.result == appcore.SyncResult.DRY_RUN
    assert report.changes and report.changes[0].fields


def test_a_database_that_is_replaced_is_noticed(synced: Home) -> None:
    database = synced.folder / "data" / "appcore" / "appcore.sqlite"
    with synced.open() as core:
        changes = core.changes()
        assert next(changes) == appcore.RecordsChanged()
        assert core.invoices(all=True).count() == INVOICES
        for suffix in ("", "-wal", "-shm"):
            file = database.with_name(database.name + suffix)
            if file.exists():
                file.rename(database.with_name("old.sqlite" + suffix))
        assert core.invoices(all=True).count() == 0
        synced.change()
        assert next(changes) == appcore.RecordsChanged()
        assert core.invoices(all=True).count() == INVOICES
        assert core.sync("invoices").result().result == appcore.SyncResult.COMPLETE


def test_a_main_loop_of_another_kind_waits_for_the_descriptor(synced: Home) -> None:
    with synced.open() as core:
        poll = select.poll()
        poll.register(core, select.POLLIN)
        sync = core.sync(full=True)
        events: list[appcore.SyncEvent] = []
        while not sync.has_ended:
            assert poll.poll(60_000), "no event came"
            events += sync.pending()
        assert isinstance(events[-1], appcore.SyncReport)
        assert poll.poll(0) == []


def test_a_slow_reader_gets_the_newest_progress_alone(synced: Home) -> None:
    with synced.open() as core:
        slow = core.sync(full=True)
        # Another request fetches the events of all.
        until(
            lambda: (
                core.status().accounts[0].last_syncs["invoices"].state == "complete"
                and len(slow._inbox._events) >= 3
            ),
            lambda: None,
        )
        kinds = [type(event) for event in slow]
        assert kinds == [appcore.Progress, appcore.SyncReport]


def test_a_device_code_is_shown(home: Home) -> None:
    with home.open() as core, core.sign_in(method="device") as request:
        code = next(request)
        assert isinstance(code, appcore.DeviceCode)
        assert code.user_code and code.verification_url.startswith("http://127.0.0.1")
        assert code.expires_at.tzinfo is not None


def test_organisations_can_be_chosen(core: appcore.Core) -> None:
    found = core.organisations()
    assert [organisation.name for organisation in found.organisations] == ["Sandbox Company"]
    core.choose_organisation(found.organisations[0].id)
    assert core.organisations().chosen == found.organisations[0].id


def test_changes_of_a_login_are_seen(home: Home) -> None:
    with home.open() as core:
        changes = core.changes()
        seen: list[appcore.Change] = []

        def attempt() -> None:
            sign_in(core)
            seen.extend(changes.pending())

        expected = appcore.LoginChanged("default", "signed-in")
        until(lambda: expected in seen, attempt)
