"""Uses the window from within: signs in, syncs, searches, and sees a change by another process."""

import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator

import appcore
import window
from gi.repository import Gio, GLib, Gtk

PROGRAMS, URL, INVOICES = sys.argv[1], sys.argv[2], int(sys.argv[3])

Condition = Callable[[], bool]


def change() -> None:
    """Another process syncs a new invoice."""
    request = urllib.request.Request(f"{URL}/_sandbox/invoices/add", data=b"")
    urllib.request.urlopen(request).read()
    subprocess.run([f"{PROGRAMS}/appcore", "sync", "invoices", "--quiet"], check=True)


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
    change()
    yield "the change", lambda: shown.invoices.size == everything + 1
    shown.button.emit("clicked")
    yield "a sync", lambda: shown.message.get_text() == "0 new, 0 changed"


def main() -> None:
    # The browser of this desktop opens the page and follows its redirect.
    Gio.AppInfo.launch_default_for_uri = lambda url: subprocess.Popen(
        [f"{PROGRAMS}/appcore-sandbox", "approve", url]
    )
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
