"""The options and filters of methods, and the documents in which the library takes them.

An option stands once, in a ``TypedDict``: its type says how its value is written in JSON. The
library checks the values; here is refused what JSON cannot say.
"""

import json
import operator
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeAlias, TypedDict, get_args

from appcore._files import DocumentKind, DocumentState
from appcore._handle import PathLike, absolute, text
from appcore._records import InvoiceStatus, InvoiceType, PaymentStatus, PaymentType

LARGEST = 2**63 - 1


def whole(name: str, value: int, least: int = 0) -> int:
    """Returns a number of records."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, not {type(value).__name__}") from None
    if not least <= number <= LARGEST:
        raise ValueError(f"{name} must be between {least} and {LARGEST}")
    return number


def _limit(name: str, value: int) -> int:
    return whole(name, value, 1)


def _text(_: str, value: str) -> str:
    text(value)
    return value


def _switch(_: str, value: bool) -> bool:
    return bool(value)


def seconds(name: str, value: timedelta | float) -> float:
    if isinstance(value, str) or not isinstance(value, timedelta | float | int):
        raise TypeError(f"{name} must be seconds or a timedelta, not {type(value).__name__}")
    duration = value.total_seconds() if isinstance(value, timedelta) else float(value)
    if not duration > 0:
        raise ValueError(f"{name} must be above 0")
    return duration


def _words(name: str, value: str | Iterable[str]) -> str:
    if isinstance(value, str):
        return value
    words = list(value)
    if not words:
        raise ValueError(f"{name} is an empty list; leave it out to get all")
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name} must hold texts, not {type(word).__name__}")
    return ",".join(words)


def _amount(name: str, value: Decimal | int | str) -> str:
    # A float is seldom the amount that was written.
    if not isinstance(value, Decimal | int | str):
        raise TypeError(f"{name} must be a Decimal, an int or a str, not {type(value).__name__}")
    # A Decimal may print an exponent, which no amount has.
    return format(value, "f") if isinstance(value, Decimal) else str(value)


def _path(_: str, value: PathLike) -> str | None:
    return absolute(value)


def _day(name: str, value: date | str) -> str:
    if isinstance(value, datetime):
        value = value.date()
    return value.isoformat() if isinstance(value, date) else _text(name, value)


def _instant(name: str, value: date | str) -> str:
    if not isinstance(value, datetime):
        return _day(name, value)
    if value.tzinfo is None:
        raise ValueError("the instant needs a time zone, such as datetime.timezone.utc")
    try:
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except OverflowError:
        raise ValueError("the instant is out of range") from None


Switch: TypeAlias = Annotated[bool, _switch]
Text: TypeAlias = Annotated[str, _text]
Limit: TypeAlias = Annotated[int, _limit]
Duration: TypeAlias = Annotated[timedelta | float, seconds]
"""A duration; a number counts seconds."""
Count: TypeAlias = Annotated[int, whole]
Place: TypeAlias = Annotated[PathLike, _path]
Words: TypeAlias = Annotated[str | Iterable[str], _words]
Amount: TypeAlias = Annotated[Decimal | int | str, _amount]
Day: TypeAlias = Annotated[date | str, _day]
Instant: TypeAlias = Annotated[date | str, _instant]

Environment: TypeAlias = Literal["production", "sandbox"]

ContactSort: TypeAlias = Literal[
    "name", "-name", "updatedAt", "-updatedAt", "receivable", "-receivable", "stored", "-stored",
]  # fmt: skip
InvoiceSort: TypeAlias = Literal[
    "issueDate", "-issueDate", "dueDate", "-dueDate", "updatedAt", "-updatedAt", "total", "-total",
    "amountDue", "-amountDue", "number", "-number", "contact", "-contact", "stored", "-stored",
]  # fmt: skip
PaymentSort: TypeAlias = Literal[
    "date", "-date", "amount", "-amount", "updatedAt", "-updatedAt", "contact", "-contact",
    "stored", "-stored",
]  # fmt: skip


class SyncOptions(TypedDict, total=False):
    """The options of ``Core.sync``, which describes them."""

    full: Switch
    verify: Switch
    dry_run: Switch
    wait: Switch
    allow_mass_deletion: Switch
    same_organisation: Switch
    since: Instant | None
    limit: Limit | None
    max_duration: Duration | None
    max_wait: Duration | None


class AccountOptions(TypedDict, total=False):
    """The options of ``Core.add_account``, which describes them."""

    provider: Text
    client_id: Text | None
    client_secret: Text | None
    base_url: Text | None
    tenant_id: Text | None
    redirect_uri: Text | None
    redirect_host: Text | None
    redirect_port: Limit | None
    environment: Annotated[Environment, _text] | None
    encrypted_file: Switch


class ContactFilters(TypedDict, total=False):
    """The filters of ``Core.contacts``, which describes them."""

    account: Text | None
    search: Text | None
    sort: Annotated[ContactSort, _text] | None
    offset: int
    limit: int | None
    all: Switch
    owing: Switch


class InvoiceChoice(TypedDict, total=False):
    """The filters of ``Core.summary`` and ``Core.ageing``; ``Core.invoices`` describes them."""

    account: Text | None
    search: Text | None
    all: Switch
    overdue: Switch
    unpaid: Switch
    issued: Switch
    changed_since: Instant | None
    status: InvoiceStatus | Words | None
    type: InvoiceType | Words | None
    currency: Words | None
    min: Amount | None
    max: Amount | None
    contact: Text | None
    issued_from: Day | None
    issued_to: Day | None


class InvoiceFilters(InvoiceChoice, total=False):
    """The filters of ``Core.invoices``, which describes them."""

    sort: Annotated[InvoiceSort, _text] | None
    offset: int
    limit: int | None


class DocumentChoice(InvoiceChoice, total=False):
    """The choice of files that ``Core.documents`` describes."""

    invoice: Text | None
    kind: DocumentKind | Words | None


class DocumentFilters(DocumentChoice, total=False):
    """The filters of ``Core.documents``, which describes them."""

    state: DocumentState | Words | None
    stale: Switch
    offset: Count
    limit: Count | None


class FetchOptions(DocumentChoice, total=False):
    """The options of ``Core.fetch_documents``, which describes them."""

    refresh: Annotated[Literal["changed", "never", "all"], _text] | None
    limit: Limit | None
    max_duration: Duration | None
    max_wait: Duration | None
    dry_run: Switch


class ExportOptions(DocumentChoice, total=False):
    """The options of ``Core.export_documents``, which describes them."""

    folder: Place | None
    zip: Place | None
    name: Text | None
    skip_existing: Switch
    clobber: Switch


class PaymentFilters(TypedDict, total=False):
    """The filters of ``Core.payments``, which describes them."""

    account: Text | None
    search: Text | None
    all: Switch
    unallocated: Switch
    changed_since: Instant | None
    status: PaymentStatus | Words | None
    type: PaymentType | Words | None
    currency: Words | None
    contact: Text | None
    invoice: Text | None
    paid_from: Day | None
    paid_to: Day | None
    sort: Annotated[PaymentSort, _text] | None
    offset: int
    limit: int | None


# The members whose names differ from those of the options.
_MEMBERS = {
    "issued_from": "from",
    "issued_to": "to",
    "max_duration": "maxDurationSeconds",
    "max_wait": "maxWaitSeconds",
    "paid_from": "from",
    "paid_to": "to",
}


def members(kind: type[Any], method: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the members for the options of a method, of which a ``TypedDict`` has the names.

    Raises ``TypeError`` for a name that it lacks. Python's own error would name a function that the
    caller has never seen.
    """
    known = kind.__annotations__
    found = {}
    for name, value in options.items():
        if name not in known:
            raise TypeError(unknown(method, name, list(known)))
        if value is not None and (convert := _converter(known[name])) is not None:
            found[member_of(name)] = convert(name, value)
    return found


def member_of(option: str) -> str:
    """Returns the name of an option in documents."""
    return _MEMBERS.get(option, member(option))


def document(options: Mapping[str, Any]) -> bytes:
    """Returns the document of options, in which ``None`` stands for the default."""
    return json.dumps(options, allow_nan=False).encode()


def member(name: str) -> str:
    """Returns the name of a property in documents, such as ``verificationURL``."""
    first, *others = name.split("_")
    return first + "".join(
        word.upper() if word in ("id", "uri", "url") else word.capitalize() for word in others
    )


def _converter(hint: Any) -> Any:
    """Returns the converter of the values of a type; ``None`` for offset and limit of a list."""
    if metadata := getattr(hint, "__metadata__", None):
        return metadata[0]
    return next((found for each in get_args(hint) if (found := _converter(each))), None)


def unknown(method: str, name: str, known: list[str]) -> str:
    # Few programs need this module.
    from difflib import get_close_matches

    meant = get_close_matches(name, known, n=1)
    cure = f"did you mean {meant[0]!r}?" if meant else f"available: {', '.join(known)}"
    return f"{method}() got an unexpected keyword argument {name!r}; {cure}"
