"""The files of invoices, and the results of fetching and exporting them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

# written by RecordGuideTests


class DocumentKind(StrEnum):
    """The kind of a file."""

    PDF = "pdf"
    ATTACHMENT = "attachment"
    UBL = "ubl"


class DocumentState(StrEnum):
    """The state of a file."""

    MISSING = "missing"
    STORED = "stored"
    GONE = "gone"
    UNSUPPORTED = "unsupported"
    FAILED = "failed"


@dataclass(frozen=True)
class InvoiceFile:
    """A file of an invoice."""

    account: str
    invoice_id: str
    invoice_number: str | None
    kind: DocumentKind | str
    id: str | None
    name: str | None
    media_type: str | None
    size: int | None
    sha256: str | None
    state: DocumentState | str
    is_stale: bool
    error_code: str | None
    fetched_at: datetime | None
    path: Path | None
    """The place of the file; do not change it there."""


@dataclass(frozen=True)
class FailedFile:
    """A file that could not be fetched."""

    invoice_id: str
    invoice_number: str | None
    kind: DocumentKind | str
    name: str | None
    error_code: str
    message: str


@dataclass(frozen=True)
class DeniedKind:
    """A kind of file that the login may not read."""

    kind: DocumentKind | str
    scope: str | None


@dataclass(frozen=True)
class FetchProgress:
    """The progress of fetching files."""

    account: str
    invoices: int
    invoices_in_all: int
    stored: int
    failed: int
    bytes: int


@dataclass(frozen=True)
class FetchReport:
    """The report of a run that fetched files."""

    account: str
    provider: str
    result: str
    ending: str | None
    """The reason why the run ended early."""
    stored: int
    unchanged: int
    gone: int
    unsupported: int
    failed: int
    failures: tuple[FailedFile, ...]
    denied: tuple[DeniedKind, ...]
    list_error_code: str | None
    bytes: int
    requests: int
    retry_at: datetime | None
    duration_seconds: float


@dataclass(frozen=True)
class ExportedFiles:
    """The result of an export of files."""

    to: str
    files: int
    bytes: int
    invoices: int
    invoices_without_file: int
    unchanged: int
    replaced: int
    skipped: int
    failed: int


# end of what is written

FetchEvent: TypeAlias = FetchProgress | FetchReport
