"""Uses the window from within: signs in, syncs, searches, opens a PDF, and sees a change."""

import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import appcore
import window
from gi.repository import Gio, GLib, Gtk

PROGRAMS, URL, INVOICES = sys.argv[1], sys.argv[2], int(sys.argv[3])

Condition = Callable[[], bool]
# The files that the viewer was asked to open.
opened: list[str] = []


def change() -> None:
    """Another process syncs a new invoice."""
    request = urllib.request.Request(f"{URL}/_sandbox/invoices/add", data=b"")
    urllib.request.urlopen(request).read()
    subprocess.run([f"{PROGRAMS}/appcore", "sync", "invoices", "--quiet"], check=True)


def has(shown: window.Window, position: int, id: str) -> bool:
    row = shown.invoices.get_item(position)
    return row is not None and row.invoice.id == id


def launch(url: str) -> None:
    """The desktop: its browser opens a page and follows its redirect, its viewer opens a file."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme == "file":
        opened.append(urllib.parse.unquote(parts.path))
    else:
        subprocess.Popen([f"{PROGRAMS}/appcore-sandbox", "approve", url])


def steps(shown: window.Window) -> Iterator[tuple[str, Condition]]:
    """Yields what to wait for after each step."""
    shown.button.emit("clicked")
    yield "the first sync", lambda: shown.message.get_text() == f"{INVOICES} new, 0 changed"
    everything = shown.core.invoices().count()
    yield "the list", lambda: shown.invoices.size == everything
    assert all(shown.invoices.get_item(at) for at in (0, everything // 2, everything - 1))
    shown.entry.set_text("no such invoice")
    yield "the search", lambda: shown.invoices.size == 0
    shown.entry.set_text("")
    yield "the whole list", lambda: shown.invoices.size == everything
    chosen = next(iter(shown.core.invoices(type="invoice", issued=True)))
    shown.entry.set_text(chosen.number or "")
    yield "the invoice", lambda: 0 < shown.invoices.size < everything
    at = next(n for n in range(shown.invoices.size) if has(shown, n, chosen.id))
    for times in (1, 2):
        shown.table.emit("activate", at)
        yield "the PDF", lambda times=times: len(opened) == times
    assert len(set(opened)) == 1 and Path(opened[0]).read_bytes().startswith(b"%PDF-")
    # It was fetched once.
    assert shown.core.fetch_documents(invoice=chosen.id, kind="pdf").result().unchanged == 1
    shown.entry.set_text("")
    yield "the whole list again", lambda: shown.invoices.size == everything
    change()
    yield "the change", lambda: shown.invoices.size == everything + 1
    shown.button.emit("clicked")
    yield "a sync", lambda: shown.message.get_text() == "0 new, 0 changed"


def main() -> None:
    Gio.AppInfo.launch_default_for_uri = launch
    with appcore.open() as core:
        application = Gtk.Application()
        failure: list[BaseException] = []

        def run() -> Iterator[None]:
            shown = window.Window(application, core)
            shown.present()
            for what, is_there in steps(shown):
                print("gtk: waits for", what)
                for _ in range(6_000):
                    if is_there():
                        break
                    yield
                else:
                    raise AssertionError(f"waited too long: {what}")

        def go_on(running: Iterator[None]) -> bool:
            try:
                next(running)
                return GLib.SOURCE_CONTINUE
            except StopIteration:
                pass
            except BaseException as error:
                failure.append(error)
            application.quit()
            return GLib.SOURCE_REMOVE

        application.connect("activate", lambda _: GLib.timeout_add(50, go_on, run()))
        application.hold()
        application.run()
        if failure:
            raise failure[0]


main()
