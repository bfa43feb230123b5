"""Memory and descriptors stay bounded over many rows, openings and events."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import appcore
import pytest
from support import Home, Sandbox, sign_in

ROWS = 10_000


@pytest.fixture
def large(tmp_path: Path) -> Iterator[Home]:
    """A home with 10 000 invoices."""
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


def test_ten_thousand_rows_are_paged_in_bounded_memory(large: Home) -> None:
    with large.open() as core:
        rows = core.invoices(all=True, sort="number")
        assert rows.count() == ROWS
        ids = set()
        before = 0.0
        for number, invoice in enumerate(rows):
            ids.add(invoice.id)
            # By then the caches of the database are full.
            if number == ROWS // 5:
                before = resident_mebibytes()
        assert len(ids) == ROWS
        # The other 8 000 rows at once would be 30.
        assert resident_mebibytes() - before < 16


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
