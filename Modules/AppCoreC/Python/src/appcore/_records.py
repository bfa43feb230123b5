"""Invoices, contacts and their sums, as they are stored on this machine."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum


@dataclass(frozen=True)
class BalanceEntry:
    """Something that settles a part of an invoice or a credit note."""

    kind: str
    """``payment``, ``refund``, ``credit``, ``invoice``, ``returned``, ``rounding``, ``withheld``
    or ``waived``."""
    id: str | None
    number: str | None
    date: date | None
    amount: Decimal
    """The amount by which it reduces what is due."""


@dataclass(frozen=True)
class InvoiceBalance:
    """The parts that an invoice's amount due is made of."""

    total: Decimal
    entries: tuple[BalanceEntry, ...]
    due: Decimal | None
    unexplained: Decimal
    """What is settled and no entry explains; zero if the provider lists all of it."""


@dataclass(frozen=True)
class Balance:
    """The amounts due of one contact in one currency."""

    currency: str
    receivable: Decimal
    payable: Decimal


# written by RecordGuideTests


class InvoiceStatus(StrEnum):
    """The status of an invoice, in terms common to all providers."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    OPEN = "open"
    PARTIALLY_PAID = "partially-paid"
    PAID = "paid"
    VOID = "void"
    DELETED = "deleted"
    REFUNDED = "refunded"
    WRITTEN_OFF = "written-off"
    UNKNOWN = "unknown"


class InvoiceType(StrEnum):
    """The kind of document that an invoice is."""

    INVOICE = "invoice"
    CREDIT_NOTE = "credit-note"
    BILL = "bill"
    BILL_CREDIT = "bill-credit"


class PaymentType(StrEnum):
    """The direction of a payment."""

    RECEIPT = "receipt"
    PAYMENT = "payment"
    REFUND = "refund"
    SUPPLIER_REFUND = "supplier-refund"


class PaymentStatus(StrEnum):
    """The status of a payment, in terms common to all providers."""

    COMPLETED = "completed"
    PENDING = "pending"
    FAILED = "failed"
    VOID = "void"
    DELETED = "deleted"
    UNKNOWN = "unknown"


class ContactStatus(StrEnum):
    """The status of a contact, in terms common to all providers."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    DELETED = "deleted"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Address:
    """A postal address."""

    lines: tuple[str, ...]
    city: str | None
    postal_code: str | None
    region: str | None
    country: str | None


@dataclass(frozen=True)
class Party:
    """A party of an invoice, in its state when the invoice was written."""

    id: str | None
    name: str | None
    email: str | None
    tax_number: str | None
    address: Address | None
    """The address; ``None`` in lists of invoices."""


@dataclass(frozen=True)
class Line:
    """A line of an invoice."""

    id: str | None
    description: str | None
    quantity: Decimal | None
    unit_amount: Decimal | None
    discount_amount: Decimal | None
    tax_rate: Decimal | None
    tax_type: str | None
    tax_amount: Decimal | None
    line_amount: Decimal | None
    account_code: str | None
    discount_rate: Decimal | None
    charge_amount: Decimal | None
    item_code: str | None
    item_name: str | None
    period_start: date | None
    period_end: date | None
    tracking: str | None
    tax_name: str | None
    account_name: str | None


@dataclass(frozen=True)
class Tax:
    """The tax of one rate."""

    name: str | None
    rate: Decimal | None
    taxable_amount: Decimal | None
    tax_amount: Decimal
    exemption_reason: str | None


@dataclass(frozen=True)
class InvoicePayment:
    """A payment that an invoice holds itself."""

    id: str | None
    date: date | None
    amount: Decimal
    reference: str | None
    method: str | None


@dataclass(frozen=True)
class Allocation:
    """The part of a payment, or of a credit note, that settles a document."""

    id: str | None
    invoice_id: str
    invoice_number: str | None
    date: date | None
    amount: Decimal


@dataclass(frozen=True)
class Attachment:
    """A file that the provider keeps with an invoice."""

    id: str | None
    file_name: str | None
    media_type: str | None
    url: str | None
    size: int | None


@dataclass(frozen=True)
class AllowanceCharge:
    """An allowance or a charge on a whole invoice."""

    id: str | None
    is_charge: bool
    amount: Decimal
    reason: str | None


@dataclass(frozen=True)
class HomeAmounts:
    """The rate to the currency of the books, and amounts in that currency."""

    currency: str | None
    exchange_rate: Decimal | None
    inverse_exchange_rate: Decimal | None
    subtotal: Decimal | None
    total_tax: Decimal | None
    total: Decimal | None
    amount_due: Decimal | None


@dataclass(frozen=True)
class CustomField:
    """The value of a field that the user has added to the provider's."""

    name: str | None
    value: str | None


@dataclass(frozen=True)
class Invoice:
    """An invoice, credit note or bill, as in a list."""

    id: str
    number: str | None
    type: InvoiceType | str
    status: InvoiceStatus | str
    raw_status: str
    """The provider's own word for the status."""
    contact: Party
    currency: str
    issue_date: date | None
    due_date: date | None
    period_start: date | None
    period_end: date | None
    updated_at: datetime | None
    version: int | None
    line_total: Decimal | None
    allowance_total: Decimal | None
    charge_total: Decimal | None
    subtotal: Decimal | None
    total_tax: Decimal | None
    total: Decimal
    amount_paid: Decimal | None
    amount_credited: Decimal | None
    rounding_amount: Decimal | None
    amount_due: Decimal | None
    reference: str | None
    order_number: str | None
    lines_include_tax: bool | None
    home: HomeAmounts
    paid_date: date | None
    expected_payment_date: date | None
    withheld_amount: Decimal | None
    is_reverse_charge: bool | None
    tax_exemption: str | None
    has_attachments: bool | None
    account: str
    deleted_at: datetime | None
    deleted_reason: str | None
    change: str | None
    """How it has changed since ``changed_since``: inserted, updated or deleted."""


@dataclass(frozen=True)
class InvoiceDetails(Invoice):
    """An invoice with everything that is stored."""

    lines: tuple[Line, ...]
    tax_breakdown: tuple[Tax, ...]
    payments: tuple[InvoicePayment, ...]
    attachments: tuple[Attachment, ...]
    own_party: Party | None
    allowances_and_charges: tuple[AllowanceCharge, ...]
    allocations: tuple[Allocation, ...]
    custom_fields: tuple[CustomField, ...]
    arithmetic: tuple[str, ...]
    """Sentences about sums that do not add up."""
    balance: InvoiceBalance


@dataclass(frozen=True)
class Payment:
    """A payment of a list, or one that an invoice holds itself."""

    id: str
    type: PaymentType | str
    status: PaymentStatus | str
    raw_status: str
    date: date | None
    currency: str
    amount: Decimal
    unallocated_amount: Decimal | None
    method: str | None
    reference: str | None
    contact_id: str | None
    contact_name: str | None
    account_code: str | None
    updated_at: datetime | None
    version: int | None
    allocations: tuple[Allocation, ...]
    account: str
    deleted_at: datetime | None
    deleted_reason: str | None


@dataclass(frozen=True)
class Contact:
    """A contact of the provider's address book."""

    id: str
    name: str | None
    email: str | None
    phone: str | None
    tax_number: str | None
    is_customer: bool | None
    is_supplier: bool | None
    status: ContactStatus | str
    raw_status: str
    updated_at: datetime | None
    version: int | None
    account_number: str | None
    company_number: str | None
    mobile: str | None
    website: str | None
    address: Address | None
    delivery_address: Address | None
    account: str
    deleted_at: datetime | None
    deleted_reason: str | None
    invoice_count: int
    balances: tuple["Balance", ...]


# end of what is written


@dataclass(frozen=True)
class ContactName:
    """The contact of a sum."""

    id: str | None
    name: str | None


@dataclass(frozen=True)
class TaxTotal:
    """The sums of the invoices with one tax, of one account, currency and type."""

    account: str
    name: str | None
    """The provider's name or code of the tax; ``None`` if invoices state no taxes."""
    rate: Decimal | None
    """The rate in percent."""
    currency: str
    type: InvoiceType | str
    count: int
    net: Decimal | None
    """The sum of the taxable amounts; ``None`` if one is unknown."""
    tax: Decimal | None
    """The sum of the tax; ``None`` if one is unknown."""


@dataclass(frozen=True)
class Total:
    """The sums of the invoices of one group, account, currency and type.

    Of ``month``, ``quarter``, ``year``, ``contact``, and ``status``, the one by which the
    invoices are grouped is set; none by currency or account.
    """

    account: str
    currency: str
    type: InvoiceType | str
    count: int
    net: Decimal | None
    """The sum without tax; ``None`` if an invoice states neither it nor its tax."""
    tax: Decimal | None
    """The sum of tax; ``None`` as ``net``."""
    total: Decimal
    amount_due: Decimal
    month: str | None
    """The month of issue, such as ``"2026-03"``."""
    quarter: str | None
    """The quarter of issue, such as ``"2026-Q1"``."""
    year: int | None
    contact: ContactName | None
    status: InvoiceStatus | str | None


@dataclass(frozen=True)
class WithoutRate:
    """The invoices of an account, currency and type that state no rate to another currency."""

    account: str
    currency: str
    type: InvoiceType | str
    count: int


@dataclass(frozen=True)
class ConvertedTotals:
    """Sums in one currency, and the invoices that they leave out."""

    converted_to: str
    """The currency of all sums."""
    totals: tuple[Total, ...]
    without_rate: tuple[WithoutRate, ...]


@dataclass(frozen=True)
class ConvertedTaxes:
    """Sums by tax in one currency, and the invoices that they leave out."""

    converted_to: str
    """The currency of all sums."""
    taxes: tuple[TaxTotal, ...]
    without_rate: tuple[WithoutRate, ...]


@dataclass(frozen=True)
class AgeingBucket:
    """The amount due of one age; money on account is below zero."""

    days: str
    """The days since the due date, such as ``"31-60"``."""
    count: int
    amount_due: Decimal


@dataclass(frozen=True)
class AgeingTotals:
    """The amounts due of one account and currency, by age: of one type, or of one contact."""

    account: str
    currency: str
    type: str | None
    """The type of the invoices, or that of the payments for money on account, such as
    ``"receipt"``; ``None`` by contact."""
    side: str | None
    """``"receivable"`` or ``"payable"`` by contact, else ``None``."""
    contact: ContactName | None
    """The contact, if the sums are by contact."""
    count: int
    amount_due: Decimal
    buckets: tuple[AgeingBucket, ...]


@dataclass(frozen=True)
class Ageing:
    """The amounts due of unpaid invoices, by days since they were due."""

    as_of: date
    """The day from which ages are counted."""
    ageing: tuple[AgeingTotals, ...]
