"""A sandbox and a home for each test."""

import http.client
import json
import os
import subprocess
import sys
import textwrap
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import appcore
import pytest

ROOT = Path(__file__).resolve().parents[3]
PROGRAMS = ROOT / ".build" / "debug"
TABLES = Path(os.environ.get("APPCORE_TEST_DATA", ROOT.parent / "shared" / "data")) / "xero"
# The real invoices where they are, and as many made-up ones elsewhere.
INVOICES = 601
HAS_TABLES = (TABLES / "xero_invoice_data.csv").exists()
SERVED = ["--data", str(TABLES)] if HAS_TABLES else ["--invoices", str(INVOICES)]
# The number of an invoice, digits of it that no other has, and a contact with bills.
NUMBER = "511716" if HAS_TABLES else "INV-100246"
DIGITS = NUMBER.removeprefix("INV-")
CONTACT = "4b2b1897-c454-48c5-a8a9-761520bdc7cd" if HAS_TABLES else "Garnet Hill"
# A number of attempts that no machine needs; it ends what hangs.
PATIENCE = 600


def missing(reason: str) -> NoReturn:
    """Skips a test that cannot run here; with CI=true it fails."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason}; with CI=true no test may skip for this")
    pytest.skip(reason)


class Sandbox:
    """A server that plays the provider, until it is stopped."""

    def __init__(self, *options: str) -> None:
        self._process = subprocess.Popen(
            [PROGRAMS / "appcore-sandbox", "serve", "--auto-approve", *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        started = json.loads(self._process.stdout.readline())
        self.url = str(started["url"])
        self.machine = (str(started["machineClientID"]), str(started["machineClientSecret"]))

    def post(self, path: str, document: object = None) -> Any:
        body = b"" if document is None else json.dumps(document).encode()
        request = urllib.request.Request(f"{self.url}/_sandbox/{path}", data=body)
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def reference(self, id: str) -> str:
        """Returns the reference of an invoice as the server has it."""
        with urllib.request.urlopen(f"{self.url}/_sandbox/invoices") as response:
            invoices = json.load(response)["Invoices"]
        return str(next(each["Reference"] for each in invoices if each["InvoiceID"] == id))

    def release(self) -> None:
        """Forgets faults that no request has met."""
        request = urllib.request.Request(f"{self.url}/_sandbox/faults", method="DELETE")
        with urllib.request.urlopen(request) as response:
            response.read()

    def statistics(self) -> Any:
        with urllib.request.urlopen(f"{self.url}/_sandbox/stats") as response:
            return json.load(response)

    def hold(self, path: str) -> None:
        """Lets the next request to a path wait for an hour."""
        fault = {"path": path, "kind": "delay", "delayMilliseconds": 3_600_000}
        self.post("faults", fault)

    def stop(self) -> None:
        """Ends the server, as the end of its standard input does."""
        self._process.communicate()


class Home:
    """The folders and the configuration of one user."""

    def __init__(
        self,
        folder: Path,
        sandbox: Sandbox,
        store: str = "encrypted-file",
        client: str = "clientID: sandbox-client",
    ) -> None:
        self.sandbox = sandbox
        self.folder = folder
        self.config = folder / "config.yaml"
        choice = "kind: keyring"
        if store == "encrypted-file":
            key = folder / "key"
            key.write_text("a passphrase of several words")
            key.chmod(0o600)
            choice = f"kind: encrypted-file, keyFile: {key}, path: {folder}/logins.encrypted"
        self.config.write_text(
            f"""\
accounts:
  default: {{ {client} }}
secretStore: {{ {choice} }}
sessions:
  auth: {{ retry: {{ attempts: 1 }} }}
  invoices: {{ retry: {{ attempts: 1 }} }}
providers:
  xero: {{ baseURL: "{sandbox.url}", issuer: "{sandbox.url}" }}
"""
        )

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables with which other programs use this home."""
        return {
            **os.environ,
            "APPCORE_CONFIG": str(self.config),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_STATE_HOME": str(self.folder / "state"),
        }

    def open(self, **options: Any) -> appcore.Core:
        return appcore.open(
            self.config,
            data_folder=self.folder / "data" / "appcore",
            state_folder=self.folder / "state" / "appcore",
            **options,
        )

    def appcore(self, *arguments: str) -> str:
        """Runs the program appcore in another process."""
        return subprocess.run(
            [PROGRAMS / "appcore", *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    def run(self, program: str) -> str:
        """Runs a program in Python, which may end in a way of its own, in another process."""
        return subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)],
            env={**self.environment, "PYTHONPATH": str(Path(__file__).parent)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        ).stdout

    def change(self) -> str:
        """Changes the reference of an invoice at the provider, and syncs in another process.

        Returns the id of the invoice.
        """
        ids = self.sandbox.post("invoices/change")["invoiceIDs"]
        self.appcore("sync", "invoices", "--quiet")
        return str(ids[0])


def approve(url: str) -> None:
    """Approves a sign-in, as a user does in a browser."""
    with urllib.request.urlopen(url) as response:
        response.read()


def redirect(url: str) -> str:
    """Approves a sign-in in a browser on another machine; returns the address on which it ends."""
    parts = urllib.parse.urlsplit(url)
    assert parts.hostname is not None
    connection = http.client.HTTPConnection(parts.hostname, parts.port)
    try:
        connection.request("GET", f"{parts.path}?{parts.query}")
        return connection.getresponse().headers["Location"]
    finally:
        connection.close()


def sign_in(core: appcore.Core) -> appcore.SignedIn:
    request = core.sign_in()
    for event in request:
        if isinstance(event, appcore.OpenURL):
            approve(event.url)
    return request.result()


def until(condition: Callable[[], bool], attempt: Callable[[], None]) -> None:
    """Repeats an attempt until a condition holds."""
    for _ in range(PATIENCE):
        attempt()
        if condition():
            return
        # The attempts alone are over sooner than a busy machine has caught up.
        time.sleep(0.1)
    raise AssertionError("it never came to that")
