"""A window with GTK 4: invoices, a search as you type, sign-in, sync with progress, and PDFs."""

import functools
from collections.abc import Callable
from typing import Any

import appcore
import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gio, GLib, GObject, Gtk, Pango  # noqa: E402

PAGE = 200
COLUMNS: dict[str, Callable[[appcore.Invoice], str]] = {
    "Issued": lambda invoice: str(invoice.issue_date or ""),
    "Number": lambda invoice: invoice.number or invoice.id[:8],
    "Contact": lambda invoice: invoice.contact.name or "",
    "Status": lambda invoice: str(invoice.status),
    "Total": lambda invoice: f"{invoice.total} {invoice.currency}",
}


class Row(GObject.Object):
    """An invoice in the list."""

    def __init__(self, invoice: appcore.Invoice) -> None:
        super().__init__()
        self.invoice = invoice


class InvoiceList(GObject.Object, Gio.ListModel):
    """The invoices that a search finds. It knows their number, and reads the pages in view."""

    def __init__(self, core: appcore.Core) -> None:
        super().__init__()
        self.core = core
        self.search = ""
        self.size = 0
        # A few pages are more than any screen shows.
        self.page = functools.lru_cache(8)(self._page)

    def _page(self, number: int) -> list[appcore.Invoice]:
        query = self.core.invoices(search=self.search, offset=number * PAGE, limit=PAGE)
        return list(query)

    def refresh(self) -> None:
        """Reads again what is on display."""
        before, self.size = self.size, self.core.invoices(search=self.search).count()
        self.page.cache_clear()
        self.items_changed(0, before, self.size)

    def do_get_item_type(self) -> Any:
        return Row

    def do_get_n_items(self) -> int:
        return self.size

    def do_get_item(self, position: int) -> Row | None:
        rows = self.page(position // PAGE)
        # Rows may have gone since they were counted; the next change says so.
        return Row(rows[position % PAGE]) if position % PAGE < len(rows) else None


class Window(Gtk.ApplicationWindow):
    """Shows the invoices of the default account."""

    def __init__(self, application: Gtk.Application, core: appcore.Core) -> None:
        super().__init__(application=application, title="Invoices")
        self.set_default_size(900, 600)
        self.core = core
        self.requests: list[appcore.Request[Any, Any]] = [core.changes()]
        self.invoices = InvoiceList(core)
        self.button = Gtk.Button(label="Sync")
        self.button.connect("clicked", lambda _: self.sync())
        self.table = Gtk.ColumnView(model=Gtk.NoSelection(model=self.invoices), vexpand=True)
        # A double click, or Enter.
        self.table.connect("activate", lambda _, position: self.open_pdf(position))
        # The invoice whose PDF is fetched.
        self.wanted: appcore.Invoice | None = None
        self.entry = Gtk.SearchEntry(hexpand=True)
        self.entry.connect("search-changed", lambda _: self.find())
        self.message = Gtk.Label(xalign=0, ellipsize=Pango.EllipsizeMode.END)
        self.set_child(self._content())
        # GLib waits for the core beside the window's own events.
        GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, core.fileno(), GLib.IOCondition.IN, self.read)

    def _content(self) -> Gtk.Widget:
        for title, text in COLUMNS.items():
            factory = Gtk.SignalListItemFactory()
            factory.connect("setup", lambda _, cell: cell.set_child(Gtk.Label(xalign=0)))
            factory.connect("bind", self._show, text)
            expand = title == "Contact"
            self.table.append_column(
                Gtk.ColumnViewColumn(title=title, factory=factory, expand=expand)
            )
        content = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        bar = Gtk.Box()
        bar.append(self.entry)
        bar.append(self.button)
        for part in (bar, Gtk.ScrolledWindow(child=self.table), self.message):
            content.append(part)
        return content

    @staticmethod
    def _show(_: Any, cell: Gtk.ListItem, text: Callable[[appcore.Invoice], str]) -> None:
        cell.get_child().set_text(text(cell.get_item().invoice))

    def find(self) -> None:
        self.invoices.search = self.entry.get_text()
        self.invoices.refresh()

    def sync(self) -> None:
        self.button.set_sensitive(False)
        self.requests.append(self.core.sync())

    def open_pdf(self, position: int) -> None:
        """Opens the PDF of an invoice, and fetches it first if it is missing."""
        if (row := self.invoices.get_item(position)) is None:
            return
        self.wanted = row.invoice
        if not self.show_pdf(row.invoice):
            request = self.core.fetch_documents(invoice=row.invoice.id, kind="pdf")
            self.requests.append(request)

    def show_pdf(self, invoice: appcore.Invoice) -> bool:
        for file in self.core.documents(invoice=invoice.id, kind="pdf", state="stored"):
            if file.path is not None:
                Gio.AppInfo.launch_default_for_uri(file.path.as_uri())
                return True
        return False

    def read(self, *_: object) -> bool:
        """Takes the events of all requests that are under way."""
        for request in self.requests.copy():
            try:
                for event in request.pending():
                    self.show(event)
            except appcore.SignInRequired:
                # Its events ask the user to act; the sync is started again afterwards.
                self.requests.append(self.core.sign_in())
            except appcore.Closed:
                return GLib.SOURCE_REMOVE
            except appcore.AppCoreError as error:
                self.message.set_text(f"{error.message}. {error.hint or ''}")
                self.button.set_sensitive(True)
            if request.has_ended:
                self.requests.remove(request)
        return GLib.SOURCE_CONTINUE

    def show(self, event: object) -> None:
        match event:
            case appcore.RecordsChanged():
                self.invoices.refresh()
            case appcore.Progress(position=int(position), total=total):
                self.message.set_text(f"{position} of {total or '?'}")
            case appcore.SyncReport() as report:
                self.message.set_text(f"{report.inserted} new, {report.updated} changed")
                self.button.set_sensitive(True)
            case appcore.FetchProgress(bytes=received):
                self.message.set_text(f"{received} bytes")
            case appcore.FetchReport(stored=stored) if stored and self.wanted:
                self.message.set_text("")
                self.show_pdf(self.wanted)
            case appcore.FetchReport(failed=0):
                self.message.set_text("The provider has no PDF of this invoice")
            case appcore.OpenURL(url=url):
                Gio.AppInfo.launch_default_for_uri(url)
            case appcore.SignedIn():
                self.sync()


def main() -> None:
    with appcore.open() as core:
        application = Gtk.Application()
        application.connect("activate", lambda _: Window(application, core).present())
        application.run()


if __name__ == "__main__":
    main()
