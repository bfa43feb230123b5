"""Measures the package: open and first 50 invoices, events and rows a second.

Usage: APPCORE_LIBRARY=… .build/python/bin/python Tests/FrontEnds/Python/measure.py [INVOICES]
"""

import asyncio
import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import appcore
from support import Home, Sandbox, sign_in

OPENINGS = 20
REQUESTS = 20_000
AT_A_TIME = 500


@contextlib.contextmanager
def timed(what: str, amount: int, unit: str) -> Iterator[None]:
    start = time.perf_counter()
    yield
    seconds = time.perf_counter() - start
    print(f"{what}: {amount / seconds:,.0f} {unit}/s ({amount:,} in {seconds:.2f} s)", flush=True)


def open_and_list(home: Home) -> float:
    start = time.perf_counter()
    core = home.open()
    assert len(list(core.invoices(limit=50))) == 50
    seconds = time.perf_counter() - start
    core.close()
    return seconds


async def requests(home: Home) -> None:
    async def fail(core: appcore.AsyncCore) -> None:
        with contextlib.suppress(appcore.ConfigurationError):
            await core.sync(account="elsewhere")

    async with home.open() as core:
        with timed("requests that fail at once, one event each", REQUESTS, "events"):
            for _ in range(REQUESTS // AT_A_TIME):
                await asyncio.gather(*(fail(core) for _ in range(AT_A_TIME)))


def main(count: int) -> None:
    sandbox = Sandbox("--invoices", str(count), "--page-size", "1000")
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder), sandbox)
        with home.open() as core:
            sign_in(core)
            with timed("sync", count, "invoices"):
                core.sync().result()
        openings = [open_and_list(home) for _ in range(OPENINGS)]
        print(f"open and first 50 invoices: median {statistics.median(openings) * 1000:.1f} ms")
        asyncio.run(requests(home))
        with home.open() as core:
            for sort in ("-issueDate", "number", "stored"):
                with timed(f"rows by {sort}", core.invoices(all=True).count(), "rows"):
                    for _ in core.invoices(all=True, sort=sort):
                        pass
    sandbox.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
