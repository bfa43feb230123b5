"""The calls that cores of threads and of asyncio have in common."""

from collections.abc import Iterable
from ctypes import byref
from typing import Any, Literal, TypeAlias, Unpack

from appcore import _library
from appcore._documents import decode
from appcore._handle import Handle, text
from appcore._inbox import Inbox
from appcore._names import check_names
from appcore._numbers import Duration, whole_seconds
from appcore._query import (
    ContactFilters,
    InvoiceChoice,
    InvoiceFilters,
    contact_query,
    invoice_query,
)
from appcore._records import Ageing, Contact, Invoice, InvoiceDetails, Total
from appcore._router import EventRouter
from appcore._rows import Rows
from appcore._sync import SyncOptions, sync_options

Resource: TypeAlias = Literal["invoices", "contacts"]
SignInMethod: TypeAlias = Literal["browser", "device", "client-credentials"]
Grouping: TypeAlias = Literal["month", "quarter", "contact", "status"]
_METHODS = {"browser": 0, "device": 1, "client-credentials": 2}
_TOKEN = 3


def sign_out_flags(forget: bool, force: bool) -> int:
    return forget * _library.SIGN_OUT_FORGET | force * _library.SIGN_OUT_FORCE


class Session:
    """An open core, its requests and its records."""

    def __init__(self, handle: Handle) -> None:
        self.handle = handle
        self.router = EventRouter(handle)

    # Requests

    def sync(self, resource: str, account: str | None, **options: Unpack[SyncOptions]) -> Inbox:
        check_names("sync", options, SyncOptions.__annotations__)
        choices = sync_options(**options)
        return self.router.start("appcore_sync", text(account), text(resource), byref(choices))

    def sign_in(
        self,
        account: str | None,
        method: SignInMethod,
        token: str | None,
        replace: bool,
        timeout: Duration | None,
    ) -> Inbox:
        if method not in _METHODS:
            raise ValueError(f"unknown method {method!r}; available: {', '.join(_METHODS)}")
        options = _library.CSignInOptions(
            method=_METHODS[method] if token is None else _TOKEN,
            replace=replace,
            token=text(token),
            timeout_seconds=whole_seconds("timeout", timeout),
        )
        return self.router.start("appcore_sign_in", text(account), byref(options))

    def sign_out(self, account: str | None, forget: bool, force: bool) -> Inbox:
        return self.router.start("appcore_sign_out", text(account), sign_out_flags(forget, force))

    def sign_out_of_all(self, forget: bool, force: bool) -> Inbox:
        flags = _library.SIGN_OUT_ALL | sign_out_flags(forget, force)
        return self.router.start("appcore_sign_out", None, flags)

    def request(self, function: str, *texts: str | None) -> Inbox:
        """Starts a request whose arguments are texts."""
        return self.router.start(function, *map(text, texts))

    # Records

    def invoices(self, **filters: Unpack[InvoiceFilters]) -> Rows[Invoice]:
        check_names("invoices", filters, InvoiceFilters.__annotations__)
        query, limit = invoice_query(**filters), filters.get("limit")
        return self._rows("appcore_invoice", "invoices", query, Invoice, limit)

    def contacts(self, **filters: Unpack[ContactFilters]) -> Rows[Contact]:
        check_names("contacts", filters, ContactFilters.__annotations__)
        query, limit = contact_query(**filters), filters.get("limit")
        return self._rows("appcore_contact", "contacts", query, Contact, limit)

    def _rows(
        self,
        function: str,
        member: str,
        query: _library.CQuery,
        kind: type[Any],
        limit: int | None,
    ) -> Rows[Any]:
        def read(offset: int, limit: int) -> list[Any]:
            # A copy, since several threads may iterate.
            page = _library.CQuery.from_buffer_copy(query)
            page.offset, page.limit = offset, limit
            document = self.handle.read(f"{function}s", byref(page))
            return [decode(kind, row) for row in document[member]]

        def count() -> int:
            return self.handle.count(f"{function}_count", query)

        return Rows(read, count, query.offset, limit)

    def invoice(self, id: str, account: str | None) -> InvoiceDetails:
        document = self.handle.read("appcore_invoice", text(account), text(id))
        return decode(InvoiceDetails, document["invoice"])

    def contact(self, name: str, account: str | None) -> Contact:
        document = self.handle.read("appcore_contact", text(account), text(name))
        return decode(Contact, document["contact"])

    def summary(self, by: str, **filters: Unpack[InvoiceChoice]) -> list[Total]:
        if by == "ageing":
            raise ValueError("ageing() returns the amounts due by age")
        check_names("summary", filters, InvoiceChoice.__annotations__)
        query = invoice_query(**filters)
        document = self.handle.read("appcore_invoice_summary", byref(query), text(by))
        rows: Iterable[dict[str, Any]] = document["groups" if "groups" in document else "months"]
        return [decode(Total, row) for row in rows]

    def ageing(self, **filters: Unpack[InvoiceChoice]) -> Ageing:
        check_names("ageing", filters, InvoiceChoice.__annotations__)
        query = invoice_query(**filters)
        document = self.handle.read("appcore_invoice_summary", byref(query), text("ageing"))
        return decode(Ageing, document)
