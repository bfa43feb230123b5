"""The terminal window, driven by keys."""

import asyncio
from collections.abc import Callable

from support import DIGITS, INVOICES, NUMBER, Home, approve
from terminal import ROWS, Invoices
from textual.pilot import Pilot
from textual.widgets import DataTable, Input, Static

INVOICES_PATH = "/api.xro/2.0/Invoices"


async def becomes(pilot: Pilot[None], condition: Callable[[], bool]) -> None:
    """Waits until a condition holds, for as long as a slow machine may need."""
    for _ in range(1200):
        if condition():
            return
        await pilot.pause(0.1)
    raise AssertionError(f"it never came to that; the window says: {message(pilot)}")


def message(pilot: Pilot[None]) -> str:
    return str(pilot.app.query_one("#message", Static).content)


def rows(pilot: Pilot[None]) -> int:
    return pilot.app.query_one(DataTable).row_count


def test_a_user_signs_in_syncs_searches_and_stops(home: Home) -> None:
    async def program() -> None:
        async with home.open() as core:
            app = Invoices(core)
            pages: list[str] = []
            app.open_url = lambda url, *, new_tab=True: pages.append(url)  # type: ignore[method-assign]
            async with app.run_test(size=(120, 40)) as pilot:
                await pilot.press("f5")
                await becomes(pilot, lambda: message(pilot) == "Press F2 to sign in.")

                await pilot.press("f2")
                await becomes(pilot, lambda: len(pages) == 1)
                await asyncio.to_thread(approve, pages[0])
                await becomes(pilot, lambda: message(pilot) == "Signed in as default. F5 syncs.")

                await pilot.press("f5")
                await becomes(pilot, lambda: message(pilot) == f"{INVOICES} new, 0 changed")
                # The list follows the database without a key.
                await becomes(pilot, lambda: rows(pilot) == ROWS)

                await pilot.press(*DIGITS)
                await becomes(pilot, lambda: rows(pilot) == 1)
                assert app.query_one(DataTable).get_row_at(0)[1] == NUMBER
                app.query_one(Input).value = ""
                await becomes(pilot, lambda: rows(pilot) == ROWS)

                home.sandbox.hold(INVOICES_PATH)
                await pilot.press("f5")
                await becomes(pilot, lambda: len(app.workers) > 1)
                await pilot.press("escape")
                await becomes(pilot, lambda: message(pilot).startswith("Stopped."))

    asyncio.run(program())


def test_the_list_follows_another_process(synced: Home) -> None:
    async def program() -> None:
        async with synced.open() as core:
            app = Invoices(core)
            async with app.run_test(size=(120, 40)) as pilot:
                await becomes(pilot, lambda: rows(pilot) == ROWS)
                before = app.sub_title
                # Some of them are deleted or void, which the list leaves out.
                synced.sandbox.post("invoices/add?count=10")
                await asyncio.to_thread(synced.appcore, "sync", "invoices", "--quiet")
                await becomes(pilot, lambda: app.sub_title != before)

    asyncio.run(program())
