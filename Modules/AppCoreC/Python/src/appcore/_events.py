"""The events of requests, and their results."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, TypeAlias


class SyncResult(StrEnum):
    """The result of a sync."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    DRY_RUN = "dry-run"


class ProgressEvent(StrEnum):
    """The steps of a sync."""

    WAITING_FOR_PROCESS = "waiting-for-process"
    CONNECTING = "connecting"
    WAITING = "waiting"
    STORED = "stored"
    INDEXING = "indexing"
    FINISHED = "finished"


@dataclass(frozen=True)
class Progress:
    """The progress of a sync; properties that do not apply to the event are ``None``."""

    event: ProgressEvent | str
    account: str
    resource: str
    provider: str | None
    process_id: int | None
    since: datetime | None
    limit_seconds: float | None
    reason: str | None
    """The reason of a wait: ``"rate-limit"``, ``"published-limit"`` or ``"retry"``."""
    seconds: float | None
    until: datetime | None
    pages: int | None
    records: int | None
    """The number of records that this run has read."""
    position: int | None
    """The number of records read of the list, interrupted earlier runs included."""
    total: int | None
    """The number of records of the list, if the provider states it.

    After the first sync, the list is that of the changes. It never counts rows of the database.
    """
    records_per_second: float | None
    remaining_seconds: float | None
    result: SyncResult | str | None


@dataclass(frozen=True)
class FieldChange:
    """A field that a sync would change."""

    field: str
    old: str | None
    new: str | None


@dataclass(frozen=True)
class RecordChange:
    """A record that a sync would change."""

    id: str
    number: str | None
    contact: str | None
    change: str
    fields: tuple[FieldChange, ...]
    omitted_fields: int


@dataclass(frozen=True)
class Verification:
    """The differences that a comparison with the server found and corrected."""

    missing: int
    different: int
    surplus: int


@dataclass(frozen=True)
class SyncReport:
    """The report of a sync of one resource."""

    account: str
    resource: str
    provider: str
    result: SyncResult | str
    ending: str | None
    """The reason why the run is partial."""
    inserted: int
    updated: int
    unchanged: int
    deleted: int
    unreadable: int
    newly_unreadable: int
    verification: Verification | None
    changes: tuple[RecordChange, ...] | None
    """The changes that a dry run found."""
    pages: int
    requests: int
    token_requests: int
    retries: int
    waited_seconds: float
    watermark_before: datetime | None
    watermark_after: datetime | None
    retry_at: datetime | None
    time_zone: str | None
    """The time zone in which instants became days; ``None`` if the provider sends days."""
    duration_seconds: float


@dataclass(frozen=True)
class OpenURL:
    """The user has to visit a page."""

    account: str
    purpose: str
    """``"sign-in"``, or ``"sign-out"`` for the provider's own page after a sign-out here."""
    url: str
    paste_required: bool = False
    """True if the browser ends on a page elsewhere, so that ``paste_redirect`` ends the sign-in."""


@dataclass(frozen=True)
class DeviceCode:
    """The user has to enter a code on a page, on any device."""

    account: str
    user_code: str
    verification_url: str
    complete_url: str | None
    """The page with the code in its address."""
    expires_at: datetime


@dataclass(frozen=True)
class Organisation:
    """An organisation that a login reaches."""

    id: str
    name: str | None


@dataclass(frozen=True)
class Organisations:
    """The organisations that a login reaches."""

    account: str
    chosen: str | None
    """The id of the organisation that syncs read."""
    organisations: tuple[Organisation, ...]


@dataclass(frozen=True)
class SignedIn:
    """The account is signed in."""

    account: str
    provider: str
    organisation: Organisation | None
    scopes: tuple[str, ...]
    expires_at: datetime | None


@dataclass(frozen=True)
class SignedOut:
    """The account is signed out."""

    account: str
    was_signed_in: bool
    revoked: bool
    forgotten: bool
    shared_by: tuple[str, ...]
    """The other accounts whose login this ended."""
    unused_removed: bool | None = None
    """True if this removed a login that no account used; ``None`` of other sign-outs."""


@dataclass(frozen=True)
class Transfer:
    """The progress of a download."""

    account: str
    session: str
    received: int
    """The number of bytes in the file so far."""
    expected: int | None
    """The size of the whole file, if the server states it."""


@dataclass(frozen=True)
class Response:
    """The response to a request of a feature module."""

    account: str
    status: int
    url: str
    """The address of the response, after redirects."""
    headers: Mapping[str, str] = field(hash=False)
    """The header fields by their names in lower case."""
    body: str | None
    """The body, if it is text."""
    body_base64: str | None
    """A body that is no text, in Base64; ``content`` has its bytes."""
    size: int
    provider_message: str | None
    """The words with which the server refused the request, if it did."""

    @property
    def is_success(self) -> bool:
        """True if the status is 200 to 299."""
        return 200 <= self.status < 300

    @property
    def content(self) -> bytes:
        """The bytes of the body."""
        return (self.body or "").encode() or base64.b64decode(self.body_base64 or "")

    def json(self) -> Any:
        """Returns the body as JSON; numbers with a point become ``Decimal``, with all digits."""
        return json.loads(self.content, parse_float=Decimal)


@dataclass(frozen=True)
class Download:
    """A file that was downloaded."""

    account: str
    file: str
    size: int
    """The size of the file in bytes."""
    resumed_from: int
    """The number of bytes that an earlier download had brought."""


@dataclass(frozen=True)
class RecordsChanged:
    """Invoices or contacts changed, through this process or another."""


@dataclass(frozen=True)
class LoginChanged:
    """A login changed, through this process or another."""

    account: str
    login: str
    """``"signed-in"``, ``"renewed"``, ``"signed-out"`` or ``"ended"``."""


class LoginState(StrEnum):
    """The state of a login."""

    SIGNED_OUT = "signed-out"
    VALID = "valid"
    EXPIRED = "expired"
    REJECTED = "rejected"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class SyncRun:
    """A sync that was run earlier."""

    state: str
    """``"running"``, ``"complete"``, ``"partial"``, ``"failed"``, ``"interrupted"``, ``"died"``."""
    started_at: datetime
    ended_at: datetime | None
    watermark: datetime | None
    records: int
    inserted: int
    updated: int
    deleted: int
    error_code: str | None
    cause: str | None
    retry_at: datetime | None


@dataclass(frozen=True)
class AccountStatus:
    """The status of an account."""

    name: str
    provider: str | None
    environment: str
    """``"production"``, or ``"sandbox"`` for the provider's servers with made-up books."""
    login: LoginState | str
    shared_login: str | None
    """The account whose login this one uses; ``None`` for one with a login of its own."""
    expires_at: datetime | None
    scopes: tuple[str, ...]
    invoices: int
    """The number of invoices, void and deleted ones included."""
    last_sync: SyncRun | None
    """The last sync of invoices."""
    last_syncs: Mapping[str, SyncRun] = field(hash=False)
    """The last sync of each resource that was synced."""
    stored: Mapping[str, int] = field(hash=False)
    """The number of records of each resource that the provider still lists."""
    unreadable: Mapping[str, int] = field(hash=False)
    """The number of records of each resource that cannot be read."""
    needs_user: bool
    """True if the user has to sign in, to correct something, or to find out why data is old."""
    problem: str | None
    """The reason why the configuration of the account cannot be used."""
    ends_at: datetime | None = None
    """The end of a login that cannot be renewed."""
    provider_message: str | None = None
    """The words with which the server last refused the login."""
    complete_at: Mapping[str, datetime] = field(hash=False, default_factory=dict)
    """The end of the last complete sync of each resource that had one."""
    organisation_name: str | None = None
    """The organisation whose records the account holds, if its name is known."""
    is_test_data: bool = False
    """True if the records are made up: those of a sandbox or of a test key."""
    old: tuple[str, ...] = ()
    """The resources whose last complete sync is longer ago than ``sync.maximumAge``."""


@dataclass(frozen=True)
class Status:
    """The status of accounts, database and keyring."""

    accounts: tuple[AccountStatus, ...]
    database: str
    database_exists: bool
    keyring: str
    configuration: str


SyncEvent: TypeAlias = Progress | SyncReport
SignInEvent: TypeAlias = OpenURL | DeviceCode | SignedIn
SignOutEvent: TypeAlias = OpenURL | SignedOut
Change: TypeAlias = RecordsChanged | LoginChanged
DownloadEvent: TypeAlias = Transfer | Download
