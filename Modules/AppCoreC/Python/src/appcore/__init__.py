"""Sign in to accounting services, and read invoices and contacts from a local copy.

    import appcore

    with appcore.open() as core:
        for invoice in core.invoices(overdue=True, sort="dueDate"):
            print(invoice.due_date, invoice.number, invoice.amount_due, invoice.currency)

``open`` is where to start. Everything may be used from any thread, except a ``Request``, which one
thread at a time may use, and ``AsyncCore``, which belongs to the loop in which it was entered.
"""

from appcore._async import AsyncCore, AsyncSession
from appcore._core import Core, LogLevel, Session, open  # noqa: A004
from appcore._errors import (
    Ambiguous,
    AppCoreError,
    BadArgument,
    Bug,
    Cancelled,
    Closed,
    ConfigurationError,
    ErrorKind,
    InputOutputError,
    Misuse,
    NotFound,
    SignInRequired,
    TryAgainLater,
    Unavailable,
    UnreadableData,
)
from appcore._events import (
    AccountStatus,
    Change,
    DeviceCode,
    Download,
    DownloadEvent,
    FieldChange,
    LoginChanged,
    LoginState,
    OpenURL,
    Organisation,
    Organisations,
    Progress,
    ProgressEvent,
    RecordChange,
    RecordsChanged,
    Response,
    SignedIn,
    SignedOut,
    SignInEvent,
    SignOutEvent,
    Status,
    SyncEvent,
    SyncReport,
    SyncResult,
    SyncRun,
    Transfer,
    Verification,
)
from appcore._handle import library_version
from appcore._options import (
    AccountOptions,
    ContactFilters,
    InvoiceChoice,
    InvoiceFilters,
    SyncOptions,
)
from appcore._records import (
    Address,
    Ageing,
    AgeingBucket,
    AgeingTotals,
    AllowanceCharge,
    Attachment,
    Balance,
    Contact,
    ContactName,
    ContactStatus,
    ConvertedTaxes,
    ConvertedTotals,
    CustomField,
    HomeAmounts,
    Invoice,
    InvoiceDetails,
    InvoiceStatus,
    InvoiceType,
    Line,
    Party,
    Payment,
    Tax,
    TaxTotal,
    Total,
    WithoutRate,
)
from appcore._requests import AsyncRequest, Request
from appcore._rows import AsyncRows, Rows
from appcore._setup import Provider, SavedAccount, SignInWays

__version__ = "0.1.0"

ALL_ACCOUNTS = "*"
"""The name that stands for all accounts in filters."""

__all__ = [
    "ALL_ACCOUNTS",
    "AccountOptions",
    "AccountStatus",
    "Address",
    "Ageing",
    "AgeingBucket",
    "AgeingTotals",
    "AllowanceCharge",
    "Ambiguous",
    "AppCoreError",
    "AsyncCore",
    "AsyncRequest",
    "AsyncRows",
    "AsyncSession",
    "Attachment",
    "BadArgument",
    "Balance",
    "Bug",
    "Cancelled",
    "Change",
    "Closed",
    "ConfigurationError",
    "Contact",
    "ContactFilters",
    "ContactName",
    "ContactStatus",
    "ConvertedTaxes",
    "ConvertedTotals",
    "Core",
    "CustomField",
    "DeviceCode",
    "Download",
    "DownloadEvent",
    "ErrorKind",
    "FieldChange",
    "HomeAmounts",
    "InputOutputError",
    "Invoice",
    "InvoiceChoice",
    "InvoiceDetails",
    "InvoiceFilters",
    "InvoiceStatus",
    "InvoiceType",
    "Line",
    "LogLevel",
    "LoginChanged",
    "LoginState",
    "Misuse",
    "NotFound",
    "OpenURL",
    "Organisation",
    "Organisations",
    "Party",
    "Payment",
    "Progress",
    "ProgressEvent",
    "Provider",
    "RecordChange",
    "RecordsChanged",
    "Request",
    "Response",
    "Rows",
    "SavedAccount",
    "Session",
    "SignInEvent",
    "SignInRequired",
    "SignInWays",
    "SignOutEvent",
    "SignedIn",
    "SignedOut",
    "Status",
    "SyncEvent",
    "SyncOptions",
    "SyncReport",
    "SyncResult",
    "SyncRun",
    "Tax",
    "TaxTotal",
    "Total",
    "Transfer",
    "TryAgainLater",
    "Unavailable",
    "UnreadableData",
    "Verification",
    "WithoutRate",
    "library_version",
    "open",
]

# Tracebacks then show the names with which a program catches the exceptions.
for _name in __all__:
    if isinstance(_exported := globals()[_name], type) and issubclass(_exported, AppCoreError):
        _exported.__module__ = __name__
