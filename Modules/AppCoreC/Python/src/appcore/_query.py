"""The filters of lists."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, TypeAlias, TypedDict

from appcore._handle import text
from appcore._library import CQuery
from appcore._numbers import natural
from appcore._records import InvoiceStatus, InvoiceType

Words: TypeAlias = str | Iterable[str]
Amount: TypeAlias = Decimal | int | str
Day: TypeAlias = date | str

ContactSort: TypeAlias = Literal["name", "-name", "updatedAt", "-updatedAt", "stored", "-stored"]
InvoiceSort: TypeAlias = Literal[
    "issueDate", "-issueDate", "dueDate", "-dueDate", "updatedAt", "-updatedAt", "total", "-total",
    "number", "-number", "contact", "-contact", "stored", "-stored",
]  # fmt: skip


class ContactFilters(TypedDict, total=False):
    """The filters of ``contacts``."""

    account: str | None
    """The account; the default one if absent, ``appcore.ALL_ACCOUNTS`` for all."""
    search: str | None
    """Words of name or e-mail."""
    sort: ContactSort | None
    """The order; ``"name"`` if absent. A leading ``-`` reverses it."""
    offset: int
    """The number of rows to skip."""
    limit: int | None
    """The largest number of rows; all if absent."""
    all: bool
    """True to include deleted contacts."""


class InvoiceChoice(TypedDict, total=False):
    """The filters of ``summary``, which ``invoices`` has too."""

    account: str | None
    """The account; the default one if absent, ``appcore.ALL_ACCOUNTS`` for all."""
    search: str | None
    """Words that all stand in number, contact, reference or lines."""
    all: bool
    """True to include void and deleted invoices."""
    overdue: bool
    """True for those that are past their due date and unpaid."""
    status: InvoiceStatus | Words | None
    """A status, or several."""
    type: InvoiceType | Words | None
    """A type, or several."""
    currency: Words | None
    """A currency code such as ``"EUR"``, or several."""
    min: Amount | None
    """The smallest total."""
    max: Amount | None
    """The largest total."""
    contact: str | None
    """The other party's id, or words of its name."""
    issued_from: Day | None
    """The first day of issue: a date, or a text such as ``"2026-03"``, ``"30d"`` or ``"today"``."""
    issued_to: Day | None
    """The last day of issue, like ``issued_from``."""


class InvoiceFilters(InvoiceChoice, total=False):
    """The filters of ``invoices``."""

    sort: InvoiceSort | None
    """The order; ``"-issueDate"`` if absent. A leading ``-`` reverses it."""
    offset: int
    """The number of rows to skip."""
    limit: int | None
    """The largest number of rows; all if absent."""


def contact_query(
    *,
    account: str | None = None,
    search: str | None = None,
    sort: ContactSort | None = None,
    offset: int = 0,
    limit: int | None = None,
    all: bool = False,
) -> CQuery:
    """Returns the query of a list of contacts, whose limit each page sets."""
    return CQuery(
        account=text(account),
        search=text(search),
        sort=text(sort),
        all=all,
        offset=natural("offset", offset),
    )


def invoice_query(
    *,
    account: str | None = None,
    search: str | None = None,
    sort: InvoiceSort | None = None,
    offset: int = 0,
    limit: int | None = None,
    all: bool = False,
    overdue: bool = False,
    status: Words | None = None,
    type: Words | None = None,
    currency: Words | None = None,
    min: Amount | None = None,
    max: Amount | None = None,
    contact: str | None = None,
    issued_from: Day | None = None,
    issued_to: Day | None = None,
) -> CQuery:
    """Returns the query of a list of invoices, whose limit each page sets."""
    choices = {"from": _day(issued_from), "to": _day(issued_to)}
    return CQuery(
        account=text(account),
        search=text(search),
        sort=text(sort),
        offset=natural("offset", offset),
        all=all,
        overdue=overdue,
        status=_words("status", status),
        type=_words("type", type),
        currency=_words("currency", currency),
        min=_amount("min", min),
        max=_amount("max", max),
        contact=text(contact),
        **choices,
    )


def _words(name: str, value: Words | None) -> bytes | None:
    if value is None or isinstance(value, str):
        return text(value)
    words = list(value)
    if not words:
        raise ValueError(f"{name} is an empty list; leave it out to get all")
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name} must hold texts, not {type(word).__name__}")
    return text(",".join(words))


def _amount(name: str, value: Amount | None) -> bytes | None:
    if value is None:
        return None
    # A float is seldom the amount that was written.
    if not isinstance(value, Decimal | int | str):
        raise TypeError(f"{name} must be a Decimal, an int or a str, not {type(value).__name__}")
    # A Decimal may print an exponent, which no amount has.
    return text(format(value, "f") if isinstance(value, Decimal) else str(value))


def _day(value: Day | None) -> bytes | None:
    if isinstance(value, datetime):
        value = value.date()
    return text(value.isoformat() if isinstance(value, date) else value)
