"""Watching: each change that another process makes is reported once, by its name.

The times are measured with ``Config/scripts/prove watch``.
"""

import os
import queue
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import appcore
import pytest
from support import Home

STEPS = int(os.environ.get("APPCORE_WATCH_STEPS", "24"))
IS_TIMED = "APPCORE_WATCH_STEPS" in os.environ
PATIENCE = 120

# Another process with a core of its own, which does what it reads from its input.
OTHER = """
import sys, urllib.request
import appcore
with appcore.open() as core:
    for line in sys.stdin:
        match line.strip():
            case "signed-in":
                for event in core.sign_in(replace=True):
                    if isinstance(event, appcore.OpenURL):
                        urllib.request.urlopen(event.url).read()
            case "signed-out":
                core.sign_out().result()
            case _:
                core.sync("invoices").result()
        print(line.strip(), flush=True)
"""


class Other:
    """A process whose changes are watched."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._process = subprocess.Popen(
            [sys.executable, "-c", OTHER],
            env=home.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def make(self, change: str) -> None:
        if change == "renewed":
            refused = {"path": "/api.xro/2.0/Invoices", "kind": "status", "status": 401}
            self.home.sandbox.post("faults", refused)
        if change == "records":
            self.home.sandbox.post("invoices/change?count=1")
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(change + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline().strip() == change

    def stop(self) -> None:
        self._process.communicate()
        assert self._process.returncode == 0


class Watcher:
    """Takes the changes of a core in a thread of its own, each with its time."""

    def __init__(self, core: appcore.Core) -> None:
        self._changes = core.changes()
        self.seen: queue.SimpleQueue[tuple[str, float]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        assert self.next()[0] == "records"

    def _watch(self) -> None:
        try:
            for change in self._changes:
                now = time.monotonic()
                name = change.login if isinstance(change, appcore.LoginChanged) else "records"
                self.seen.put((name, now))
        except appcore.Cancelled:
            pass

    def next(self) -> tuple[str, float]:
        return self.seen.get(timeout=PATIENCE)

    def stop(self) -> None:
        self._changes.cancel()
        self._thread.join()


@contextmanager
def watching(home: Home) -> Iterator[tuple[Watcher, Other]]:
    with home.open() as core:
        watcher, other = Watcher(core), Other(home)
        try:
            yield watcher, other
        finally:
            other.stop()
            watcher.stop()


def changes(chance: random.Random, count: int) -> Iterator[str]:
    """Yields changes of which each is possible after the one before."""
    renewals = -1
    for _ in range(count):
        if renewals < 0:
            change = "signed-in"
        else:
            # A process renews a token that is refused a few times in a minute only.
            choices = ["records", "nothing", "signed-in", "signed-out"]
            change = chance.choice(choices + ["renewed"] * (2 if renewals < 3 else 0))
        renewals = {"signed-in": 0, "signed-out": -1}.get(change, renewals)
        renewals += change == "renewed"
        yield change


@pytest.mark.parametrize("store", ["encrypted-file", "keyring"])
def test_each_change_by_another_process_is_reported_once(
    store: str, home: Home, request: pytest.FixtureRequest
) -> None:
    if store == "keyring":
        request.getfixturevalue("keyring")
        home = Home(home.folder, home.sandbox, store="keyring")
        # Nobody has signed in before this test.
        home.appcore("logout")
    seed = int(os.environ.get("APPCORE_SEED", random.randrange(2**32)))
    print("seed", seed)
    chance = random.Random(seed)
    with watching(home) as (watcher, other):
        made: list[str] = []
        seen: list[str] = []
        # The first sync stores many pages, whose changes may be one event or several.
        for change in ["signed-in", "records"]:
            other.make(change)
        assert watcher.next()[0] == "signed-in"
        time_out(watcher)
        for change in changes(chance, STEPS):
            time.sleep(chance.random() / 4)
            other.make(change)
            if change == "nothing":
                continue
            made.append(change)
            # Two changes of records may be one event, so each waits for that of the one before.
            while change == "records" and seen.count(change) < made.count(change):
                seen.append(watcher.next()[0])
        other.make("signed-in")
        made.append("signed-in")
        seen += [watcher.next()[0] for _ in made[len(seen) :]]
        other.make("nothing")
        # A login does not wait for records, nor they for it.
        assert [each for each in seen if each != "records"] == [
            each for each in made if each != "records"
        ]
        assert seen.count("records") == made.count("records")
    assert watcher.seen.empty()


def time_out(watcher: Watcher) -> None:
    """Takes the changes of records until none has come for a while."""
    while True:
        try:
            assert watcher.seen.get(timeout=2)[0] == "records"
        except queue.Empty:
            return


def test_changes_that_cancel_each_other_are_both_reported(home: Home) -> None:
    with watching(home) as (watcher, other):
        for _ in range(3):
            other.make("signed-in")
            other.make("signed-out")
        assert [watcher.next()[0] for _ in range(6)] == ["signed-in", "signed-out"] * 3


def test_the_first_use_of_a_login_is_no_change(home: Home) -> None:
    other = Other(home)
    other.make("signed-in")
    other.stop()
    with home.open() as core:
        watcher = Watcher(core)
        core.sync("invoices").result()
        core.sign_out().result()
        logins = [seen for seen in iter(lambda: watcher.next()[0], "signed-out")]
        assert set(logins) <= {"records"}
        watcher.stop()


@pytest.mark.skipif(not IS_TIMED, reason="Config/scripts/prove watch measures the times")
def test_changes_of_records_arrive_at_once(synced: Home) -> None:
    path = synced.folder / "data" / "appcore" / "appcore.sqlite"
    chance = random.Random(int(os.environ.get("APPCORE_SEED", "1")))
    delays = []
    with synced.open() as core, closing(sqlite3.connect(path, isolation_level=None)) as database:
        watcher = Watcher(core)
        for _ in range(STEPS):
            # Also the rhythm in which a pause between two looks is the longest.
            time.sleep(chance.choice([chance.random() / 5, chance.random() * 2, 0.78]))
            database.execute("UPDATE run SET updated = updated + 1 WHERE id = 1")
            committed = time.monotonic()
            delays.append((watcher.next()[1] - committed) * 1000)
        watcher.stop()
    delays.sort()
    middle, most = delays[len(delays) // 2], delays[len(delays) * 95 // 100 - 1]
    print(f"{middle:.1f} ms, 95 of 100 within {most:.1f} ms, all within {delays[-1]:.1f} ms")
    assert most <= 50 and delays[-1] <= 150
