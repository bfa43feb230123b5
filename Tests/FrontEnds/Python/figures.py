"""Measures the package as figures.c measures the C library, with the same modes and output.

Usage: figures.py CONFIG once | figures.py CONFIG again TIMES | figures.py CONFIG events COUNT |
       figures.py CONFIG rows COUNT
Prints microseconds, one line for each time; events or rows a second.
"""

import asyncio
import contextlib
import sys
import time

import appcore

AT_A_TIME = 64


def first_page(config: str) -> None:
    start = time.perf_counter()
    core = appcore.open(config)
    assert len(list(core.invoices(limit=50))) == 50
    print(f"{(time.perf_counter() - start) * 1e6:.0f}")
    core.close()


async def fetch_events(config: str, count: int) -> None:
    """Each request fails at once, so that what is measured is requests and the queue."""

    async def fail(core: appcore.AsyncCore) -> None:
        with contextlib.suppress(appcore.ConfigurationError):
            await core.sync(account="nobody")

    async with appcore.open(config) as core:
        start = time.perf_counter()
        for _ in range(count // AT_A_TIME):
            await asyncio.gather(*(fail(core) for _ in range(AT_A_TIME)))
        print(f"{count // AT_A_TIME * AT_A_TIME / (time.perf_counter() - start):.0f}")


def read_rows(config: str, count: int) -> None:
    with appcore.open(config) as core:
        start = time.perf_counter()
        read = 0
        while read < count:
            read += sum(1 for _ in core.invoices(all=True))
        print(f"{read / (time.perf_counter() - start):.0f}")


def main() -> None:
    match sys.argv[1:]:
        case [config, "once"]:
            first_page(config)
        case [config, "again", times]:
            for _ in range(int(times)):
                first_page(config)
        case [config, "events", count]:
            asyncio.run(fetch_events(config, int(count)))
        case [config, "rows", count]:
            read_rows(config, int(count))
        case _:
            sys.exit(64)


if __name__ == "__main__":
    main()
