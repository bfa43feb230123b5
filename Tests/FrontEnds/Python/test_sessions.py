"""Sessions of feature modules: their own requests, downloads and cancellation."""

import asyncio
import json
import threading
from pathlib import Path

import appcore
import pytest
from support import INVOICES, Home

JSON = {"Accept": "application/json"}
FILES = 200


def addresses(core: appcore.Core, count: int) -> list[str]:
    return [f"api.xro/2.0/Invoices/{each.id}" for each in core.invoices(all=True, limit=count)]


def renewals(home: Home) -> int:
    return int(home.sandbox.statistics()["tokenRequests"]["refresh_token"])


def test_a_response_is_returned_whatever_its_status(core: appcore.Core) -> None:
    session = core.session("control")
    found = session.get("api.xro/2.0/Invoices?page=1&pageSize=1", headers=JSON)
    assert found.is_success and found.headers["content-type"].startswith("application/json")
    assert len(found.json()["Invoices"]) == 1
    assert found.content == (found.body or "").encode() and found.size == len(found.content)
    refused = session.get("api.xro/2.0/Invoices")
    assert (refused.status, refused.is_success) == (406, False)
    assert refused.provider_message is not None and "Accept" in refused.provider_message
    missing = session.send("PUT", "nothing", b"\xff", headers={"Content-Type": "x/y"})
    assert missing.status == 404


def test_another_origin_gets_no_login(shared: Home) -> None:
    with shared.open() as core:
        address = shared.sandbox.url.replace("127.0.0.1", "localhost")
        session = core.session("control")
        # The sandbox refuses requests without a token.
        refused = session.get(f"{address}/api.xro/2.0/Invoices?page=1", headers=JSON)
        assert refused.status == 401
        page = session.get(f"{shared.sandbox.url}/api.xro/2.0/Invoices?page=1", headers=JSON)
        assert page.status == 200


def test_a_download_reports_its_transfer_and_can_fail(shared: Home, tmp_path: Path) -> None:
    with shared.open() as core:
        address = addresses(core, 1)[0]
        download = core.session("documents").download(address, tmp_path / "a", headers=JSON)
        events = list(download)
        assert isinstance(events[0], appcore.Transfer) and events[0].session == "documents"
        result = download.result()
        assert events[-1] == result and result.size == (tmp_path / "a").stat().st_size
        assert json.loads((tmp_path / "a").read_bytes())["Invoices"]
        with pytest.raises(appcore.NotFound):
            core.session("documents").download("nothing", tmp_path / "b").result()
        # Nothing has arrived, so nothing is left.
        assert list(tmp_path.iterdir()) == [tmp_path / "a"]


def test_values_of_a_session_are_checked_and_set_before_its_requests(core: appcore.Core) -> None:
    for values in ({"concurrency": 0}, {"concurency": 2}, {"retry": {"attempts": "x"}}):
        with pytest.raises(appcore.BadArgument):
            core.session("checked", **values)
    with pytest.raises(appcore.BadArgument):
        core.session("invoices", concurrency=2)
    session = core.session("checked", request_timeout=300, concurrency=2, userAgent="blue")
    assert session.get("connections").status == 200
    core.session("checked", request_timeout=300, concurrency=2, userAgent="blue")
    with pytest.raises(appcore.BadArgument, match="before the first"):
        core.session("checked", concurrency=3)


def test_a_sync_and_a_module_share_a_login_and_nothing_else(synced: Home, tmp_path: Path) -> None:
    with synced.open() as core:
        files = addresses(core, FILES)
        documents = core.session("documents", request_timeout=300, concurrency=2)
        previews = core.session("previews")
        synced.sandbox.post("faults", {"path": f"/{files[0]}", "kind": "trickle"})
        before = renewals(synced)
        synced.sandbox.post("tokens/expire")
        # The server sends this one at a byte a second, until it is cancelled.
        slow = previews.download(files[0], tmp_path / "slow", headers=JSON)
        assert isinstance(next(slow), appcore.Transfer)
        sync = core.sync(full=True)
        downloads = [
            documents.download(address, tmp_path / str(number), headers=JSON)
            for number, address in enumerate(files)
        ]
        for download in downloads[:20]:
            download.result()
        documents.cancel_all()
        ends = [_has_succeeded(download) for download in downloads]
        assert ends[:20] == [True] * 20 and not all(ends)
        assert [(tmp_path / str(number)).exists() for number in range(FILES)] == ends
        report = sync.result()
        assert (report.result, report.unchanged) == (appcore.SyncResult.COMPLETE, INVOICES)
        assert not slow.has_ended
        slow.cancel()
        assert not _has_succeeded(slow)
        assert renewals(synced) == before + 1
        assert documents.get(files[1], headers=JSON).status == 200


def _has_succeeded(download: appcore.Request[appcore.DownloadEvent, appcore.Download]) -> bool:
    try:
        download.result()
    except appcore.Cancelled:
        return False
    return True


def test_a_thread_that_waits_is_woken_by_a_cancellation(synced: Home) -> None:
    with synced.open() as core:
        session = core.session("documents")
        synced.sandbox.hold("/held")
        outcome: list[BaseException] = []

        def work() -> None:
            try:
                session.get("held")
            except appcore.Cancelled as error:
                outcome.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive():
            session.cancel_all()
            thread.join(0.01)
        assert len(outcome) == 1


def test_tasks_use_a_session(synced: Home, tmp_path: Path) -> None:
    async def work() -> None:
        async with synced.open() as core:
            session = core.session("documents", concurrency=2)
            response = await session.get("connections")
            assert response.json()[0]["tenantName"] == "Sandbox Company"
            files = [each.id async for each in core.invoices(all=True, limit=3)]
            async with asyncio.TaskGroup() as group:
                for id in files:
                    address = f"api.xro/2.0/Invoices/{id}"
                    group.create_task(_download(session, address, tmp_path / id))
            assert all((tmp_path / id).exists() for id in files)
            synced.sandbox.hold("/held")
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await session.get("held")

    asyncio.run(work())


async def _download(session: appcore.AsyncSession, address: str, path: Path) -> None:
    async for event in session.download(address, path, headers=JSON):
        assert isinstance(event, appcore.Transfer | appcore.Download)
