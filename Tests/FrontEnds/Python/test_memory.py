"""Memory and descriptors stay bounded over many rows, openings and events."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import appcore
import pytest
from support import Home, Sandbox, sign_in

ROWS = 20_000


@pytest.fixture
def large(tmp_path: Path) -> Iterator[Home]:
    """A home with 20 000 invoices."""
    sandbox = Sandbox("--invoices", str(ROWS), "--page-size", "1000")
    home = Home(tmp_path, sandbox)
    with home.open() as core:
        sign_in(core)
        core.sync().result()
    yield home
    sandbox.stop()


def resident_mebibytes() -> float:
    """The memory of this process that nobody else shares."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def test_twenty_thousand_rows_are_paged_in_bounded_memory(large: Home) -> None:
    with large.open() as core:
        # A thread keeps the memory of a page that it has read: here each thread reads one.
        for _ in range(10):
            for _ in core.invoices(limit=ROWS // 10, sort="number"):
                pass
        rows = core.invoices(all=True, sort="number")
        assert rows.count() == ROWS
        before = resident_mebibytes()
        assert len({invoice.id for invoice in rows}) == ROWS
        # All rows at once are 47.
        assert resident_mebibytes() - before < 32


def test_many_openings_leave_nothing(shared: Home) -> None:
    def open_and_close() -> None:
        with shared.open() as core:
            assert len(list(core.invoices(limit=1))) == 1
            core.changes().pending()

    for _ in range(10):
        open_and_close()
    gc.collect()
    memory, files = resident_mebibytes(), descriptors()
    for _ in range(100):
        open_and_close()
    gc.collect()
    assert descriptors() <= files + 2
    assert resident_mebibytes() - memory < 32


def test_many_requests_leave_nothing(core: appcore.Core) -> None:
    for _ in range(100):
        core.status()
    gc.collect()
    memory = resident_mebibytes()
    for _ in range(1_000):
        core.status()
    assert resident_mebibytes() - memory < 16
    assert not core._router._inboxes
