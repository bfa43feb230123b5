"""Fixtures; what they need is installed by ``check``."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import appcore
import pytest
from support import SERVED, Home, Sandbox, missing, sign_in


@pytest.fixture(scope="session", autouse=True)
def no_own_home(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keeps the user's own folders out of the tests."""
    folder = tmp_path_factory.mktemp("home")
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        os.environ[f"XDG_{name}_HOME"] = str(folder)


def served() -> Sandbox:
    """Starts a sandbox with the real invoices, or with made-up ones where there are none."""
    return Sandbox(*SERVED)


def sync_everything(home: Home) -> Home:
    with home.open() as core:
        sign_in(core)
        core.sync("all").result()
    return home


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """A sandbox with 601 invoices."""
    server = served()
    yield server
    server.stop()


@pytest.fixture
def home(tmp_path: Path, sandbox: Sandbox) -> Home:
    """A home whose logins are in an encrypted file."""
    return Home(tmp_path, sandbox)


@pytest.fixture
def synced(home: Home) -> Home:
    """A home with a login and the 601 invoices."""
    return sync_everything(home)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    """A home like ``synced``, for tests that change nothing."""
    server = served()
    yield sync_everything(Home(tmp_path_factory.mktemp("shared"), server))
    server.stop()


@pytest.fixture
def core(shared: Home) -> Iterator[appcore.Core]:
    """An open core over the 601 invoices, for tests that change nothing."""
    with shared.open() as core:
        yield core


@pytest.fixture(scope="session")
def keyring() -> None:
    """Skips a test where no keyring is running."""
    owner = subprocess.run(
        ["dbus-send", "--session", "--dest=org.freedesktop.DBus", "--print-reply",
         "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner",
         "string:org.freedesktop.secrets"],
        capture_output=True, text=True,
    )  # fmt: skip
    if "true" not in owner.stdout:
        missing("no keyring is running")
