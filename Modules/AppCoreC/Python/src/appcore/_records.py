"""Invoices, contacts and their sums, as they are stored on this machine."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum


@dataclass(frozen=True)
class Balance:
    """The amounts due of one contact in one currency."""

    currency: str
    receivable: Decimal
    payable: Decimal


# written by RecordGuideTests

# end of what is written


@dataclass(frozen=True)
class ContactName:
    """The contact of a sum."""

    id: str | None
    name: str | None


@dataclass(frozen=True)
class Total:
    """The sums of the invoices of one group, account, currency and type.

    Of ``month``, ``quarter``, ``contact`` and ``status``, the one by which the invoices are grouped
    is set.
    """

    account: str
    currency: str
    type: InvoiceType | str
    count: int
    total: Decimal
    amount_due: Decimal
    month: str | None
    """The month of issue, such as ``"2026-03"``."""
    quarter: str | None
    """The quarter of issue, such as ``"2026-Q1"``."""
    contact: ContactName | None
    status: InvoiceStatus | str | None


@dataclass(frozen=True)
class AgeingBucket:
    """The amount due of invoices of one age."""

    days: str
    """The days since the due date, such as ``"31-60"``."""
    count: int
    amount_due: Decimal


@dataclass(frozen=True)
class AgeingTotals:
    """The amounts due of one account, currency and type, by age."""

    account: str
    currency: str
    type: InvoiceType | str
    count: int
    amount_due: Decimal
    buckets: tuple[AgeingBucket, ...]


@dataclass(frozen=True)
class Ageing:
    """The amounts due of unpaid invoices, by days since they were due."""

    as_of: date
    """The day from which ages are counted."""
    ageing: tuple[AgeingTotals, ...]
