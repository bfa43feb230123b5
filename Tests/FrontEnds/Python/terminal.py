"""A window in the terminal: invoices, a search as you type, and a sync with progress."""

import asyncio
from collections.abc import Sequence
from typing import ClassVar

import appcore
from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import DataTable, Footer, Header, Input, ProgressBar, Static

ROWS = 200


class Invoices(App[None]):
    """Shows the invoices of the default account."""

    TITLE = "Invoices"
    CSS = """
    DataTable { height: 1fr; }
    #message { width: 1fr; }
    Horizontal { height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        ("f5", "sync", "Sync"),
        ("escape", "stop", "Stop"),
        ("f2", "sign_in", "Sign in"),
        ("ctrl+q", "quit", "Quit"),
    ]

    def __init__(self, core: appcore.AsyncCore) -> None:
        super().__init__()
        self.core = core

    def compose(self) -> ComposeResult:
        yield Header()
        yield Input(placeholder="Search number, contact, reference and lines", id="search")
        yield DataTable[str](cursor_type="row", zebra_stripes=True)
        with Horizontal():
            yield Static(id="message", markup=False)
            yield ProgressBar(total=None, show_eta=False)
        yield Footer()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        table.add_columns("Due", "Number", "Contact", "Status", "Amount due", "")
        self.query_one(ProgressBar).display = False
        self.follow()
        self.list_invoices()

    # The list

    def on_input_changed(self) -> None:
        self.list_invoices()

    @work(exclusive=True, group="list")
    async def list_invoices(self) -> None:
        """Lists what the search finds; a newer search cancels this one."""
        try:
            found = self.core.invoices(search=self.query_one(Input).value, limit=ROWS)
            invoices, count = await asyncio.gather(found, found.count())
        except appcore.AppCoreError as error:
            self.show_error(error)
            return
        self.show(invoices, count)

    def show(self, invoices: Sequence[appcore.Invoice], count: int) -> None:
        table = self.query_one(DataTable)
        row = table.cursor_row
        table.clear()
        for invoice in invoices:
            table.add_row(
                str(invoice.due_date or "-"),
                invoice.number or invoice.id[:8],
                invoice.contact.name or "-",
                str(invoice.status),
                f"{invoice.amount_due or 0:>12}",
                invoice.currency,
                key=invoice.id,
            )
        table.move_cursor(row=row)
        self.sub_title = f"{count}, the newest {len(invoices)} shown"

    @work
    async def follow(self) -> None:
        """Lists again whenever something changes, also through another process."""
        try:
            async for _ in self.core.changes():
                self.list_invoices()
        except appcore.AppCoreError as error:
            self.show_error(error)

    # The sync

    @work(exclusive=True, group="sync")
    async def action_sync(self) -> None:
        bar = self.query_one(ProgressBar)
        bar.display = True
        try:
            async for event in self.core.sync("invoices"):
                match event:
                    case appcore.Progress():
                        bar.update(total=event.total, progress=event.position or 0)
                    case appcore.SyncReport():
                        self.say(f"{event.inserted} new, {event.updated} changed")
        except appcore.SignInRequired:
            self.say("Press F2 to sign in.")
        except appcore.AppCoreError as error:
            self.show_error(error)
        except asyncio.CancelledError:
            self.say("Stopped. What was read is stored.")
            raise
        finally:
            bar.display = False

    def action_stop(self) -> None:
        """Cancels the sync, or a sign-in that nobody finishes."""
        self.workers.cancel_group(self, "sync")

    @work(exclusive=True, group="sync")
    async def action_sign_in(self) -> None:
        try:
            async for event in self.core.sign_in():
                match event:
                    case appcore.OpenURL(url=url):
                        self.say("Approve the sign-in in your browser. Escape stops.")
                        self.open_url(url)
                    case appcore.SignedIn(account=account):
                        self.say(f"Signed in as {account}. F5 syncs.")
        except appcore.AppCoreError as error:
            self.show_error(error)

    # Messages

    def say(self, text: str) -> None:
        self.query_one("#message", Static).update(text)

    def show_error(self, error: appcore.AppCoreError) -> None:
        self.say(f"{error.message}. {error.hint or ''}")


async def main() -> None:
    async with appcore.open() as core:
        await Invoices(core).run_async()


if __name__ == "__main__":
    asyncio.run(main())
