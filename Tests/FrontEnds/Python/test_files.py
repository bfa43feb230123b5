"""The files of invoices: fetched, listed, cancelled and exported."""

import asyncio
import zipfile
from pathlib import Path

import appcore
import pytest
from support import Home

FILES = "/api.xro/2.0/Invoices/*"


def rendered(core: appcore.Core) -> list[appcore.Invoice]:
    """Returns some invoices of which Xero has a PDF."""
    return list(core.invoices(type="invoice", issued=True, limit=3))


def test_the_pdf_of_an_invoice_is_fetched_once(synced: Home) -> None:
    with synced.open() as core:
        invoice = rendered(core)[0]
        assert core.documents() == []
        request = core.fetch_documents(invoice=invoice.id, kind=appcore.DocumentKind.PDF)
        events = list(request)
        report = request.result()
        assert isinstance(events[0], appcore.FetchProgress) and events[-1] == report
        assert (report.result, report.stored, report.failures) == ("complete", 1, ())
        [file] = core.documents(invoice=invoice.number or invoice.id, kind="pdf")
        assert (file.state, file.kind) == (appcore.DocumentState.STORED, appcore.DocumentKind.PDF)
        assert file.path is not None and file.path.read_bytes().startswith(b"%PDF-")
        assert file.size == file.path.stat().st_size == report.bytes
        again = core.fetch_documents(invoice=invoice.id, kind="pdf").result()
        assert (again.stored, again.unchanged, again.requests) == (0, 1, 0)


def test_files_are_chosen_by_kind_state_and_place(synced: Home) -> None:
    with synced.open() as core:
        for invoice in rendered(core):
            core.fetch_documents(invoice=invoice.id, kind="pdf").result()
        every = core.documents(kind=["pdf", "ubl"], state=["stored", "failed"])
        assert len(every) == 3
        assert core.documents(offset=1, limit=1) == every[1:2]
        assert core.documents(state="missing") == core.documents(stale=True) == []
        assert core.documents(type="bill") == []
        with pytest.raises(appcore.BadArgument, match="invoice cannot be combined"):
            core.documents(invoice="1", unpaid=True)
        with pytest.raises(TypeError, match="did you mean 'kind'"):
            core.documents(kinds="pdf")  # type: ignore[call-arg]


def test_a_run_that_ends_early_has_a_report_and_says_why(synced: Home) -> None:
    with synced.open() as core:
        request = core.fetch_documents(kind="pdf", type="invoice", issued=True, limit=2)
        reports = []
        with pytest.raises(appcore.AppCoreError, match="number of files") as raised:
            reports += [event for event in request if isinstance(event, appcore.FetchReport)]
        assert raised.value.code == "budget-spent"
        assert len(core.documents(state="stored")) == 2


def test_a_fetch_is_cancelled_and_what_was_fetched_stays(synced: Home) -> None:
    with synced.open() as core:
        first, other, *_ = rendered(core)
        core.fetch_documents(invoice=first.id, kind="pdf").result()
        synced.sandbox.hold(FILES)
        request = core.fetch_documents(invoice=other.id, kind="pdf")
        request.cancel()
        with pytest.raises(appcore.Cancelled):
            request.result()
        synced.sandbox.release()
        assert len(core.documents(state="stored")) == 1


def test_an_unknown_invoice_is_not_found(synced: Home) -> None:
    with synced.open() as core, pytest.raises(appcore.NotFound):
        core.fetch_documents(invoice="nothing").result()


def test_fetched_files_are_exported(synced: Home, tmp_path: Path) -> None:
    with synced.open() as core:
        invoice = rendered(core)[0]
        core.fetch_documents(invoice=invoice.id, kind="pdf").result()
        archive = tmp_path / "files.zip"
        written = core.export_documents(zip=archive, invoice=invoice.id, name="{id}{ext}")
        assert (written.to, written.files) == (str(archive), 1)
        with zipfile.ZipFile(archive) as content:
            assert content.testzip() is None and f"{invoice.id}.pdf" in content.namelist()
        written = core.export_documents(folder=tmp_path / "out", invoice=invoice.id)
        assert written.files == 1 and (tmp_path / "out" / "index.csv").exists()


def test_files_are_fetched_with_asyncio(synced: Home) -> None:
    async def program() -> None:
        async with synced.open() as core:
            invoice = await anext(aiter(core.invoices(type="invoice", issued=True, limit=1)))
            report = await core.fetch_documents(invoice=invoice.id, kind="pdf")
            assert report.stored == 1
            [file] = await core.documents(invoice=invoice.id, state="stored")
            assert file.path is not None and file.path.exists()

    asyncio.run(program())
