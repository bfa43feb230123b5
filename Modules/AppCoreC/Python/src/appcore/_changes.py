"""The records that have changed, in the order in which they changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from appcore._documents import decode
from appcore._records import Contact, InvoiceDetails, Payment

ChangedKind: TypeAlias = Literal["account", "contact", "invoice", "payment"]


@dataclass(frozen=True)
class StoredAccount:
    """An account, with the organisation whose records it holds."""

    name: str
    source: str
    organisation_id: str | None
    organisation: str | None


@dataclass(frozen=True)
class StoredChange:
    """A record that has changed, as it is now."""

    kind: ChangedKind
    account: str
    id: str
    change: int
    """The number of the commit that last changed the record itself."""
    deleted_at: datetime | None
    deleted_reason: str | None
    record: InvoiceDetails | Payment | Contact | StoredAccount | None
    """The record; ``None`` if it is not stored any more. A contact is without its sums."""


@dataclass(frozen=True)
class ChangePage:
    """A page of changes."""

    changes: tuple[StoredChange, ...]
    next: str | None
    """The position after them; ``None`` if there is no database yet."""
    has_more: bool
    """True if there were more."""
    starts_over: bool
    """True if the position was not of this database, or of a later state of it: the changes are
    then all records that there are."""


_RECORDS = {
    "account": StoredAccount,
    "contact": Contact,
    "invoice": InvoiceDetails,
    "payment": Payment,
}
_NO_SUMS = {"invoiceCount": 0, "balances": []}


def page(document: Mapping[str, Any]) -> ChangePage:
    """Returns the value of a document of changes."""
    return ChangePage(
        tuple(map(_change, document["changes"])),
        document["next"],
        document["hasMore"],
        document["startsOver"],
    )


def _change(document: Mapping[str, Any]) -> StoredChange:
    record = document["record"]
    found = None if record is None else decode(_RECORDS[document["kind"]], _NO_SUMS | record)
    deleted_at = document["deletedAt"]
    return StoredChange(
        document["kind"],
        document["account"],
        document["id"],
        document["change"],
        None if deleted_at is None else datetime.fromisoformat(deleted_at),
        document["deletedReason"],
        found,
    )
