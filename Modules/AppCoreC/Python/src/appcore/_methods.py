"""The methods of a core, for programs with threads and with asyncio."""

import itertools
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, Unpack

from appcore import _changes, _events
from appcore._calls import Started, lists, opens, reads, starts, syncs, waits
from appcore._documents import decode
from appcore._files import ExportedFiles, FetchEvent, FetchReport, InvoiceFile
from appcore._handle import Document, Handle, text
from appcore._options import (
    AccountOptions,
    ContactFilters,
    DocumentFilters,
    Duration,
    ExportOptions,
    FetchOptions,
    InvoiceChoice,
    InvoiceFilters,
    PaymentFilters,
    SyncOptions,
    document,
    members,
    seconds,
    unknown,
)
from appcore._records import (
    Ageing,
    Contact,
    ConvertedTaxes,
    ConvertedTotals,
    Invoice,
    InvoiceDetails,
    Payment,
    TaxTotal,
    Total,
)
from appcore._requests import every, first, nothing
from appcore._router import EventRouter
from appcore._rows import Rows
from appcore._setup import Provider, SavedAccount, SignInWays

SignInMethod: TypeAlias = Literal["browser", "device", "client-credentials"]
Grouping: TypeAlias = Literal[
    "month", "quarter", "year", "contact", "status", "currency", "account"
]

# Each list reads under a name of its own, with which it can be cancelled.
_numbers = itertools.count()


class Methods:
    """The methods of an open core; ``Core`` and ``AsyncCore`` decide how their results come."""

    def __init__(self, handle: Handle, router: EventRouter) -> None:
        self._handle = handle
        self._router = router

    # Accounts

    @starts
    def sign_in(
        self,
        account: str | None = None,
        *,
        method: SignInMethod = "browser",
        token: str | None = None,
        replace: bool = False,
        timeout: Duration | None = None,
    ) -> Started[_events.SignInEvent, _events.SignedIn]:
        """Signs an account in, and stores the login in the keyring or the configured file.

        Its events ask the user to act: ``OpenURL``, or ``DeviceCode``. The last is ``SignedIn``,
        which is the result too. If the browser is on another machine, pass on where it ends with
        ``Request.paste_redirect``.

        account: the default account if absent.
        method: ``"browser"`` on this machine, ``"device"`` for a code on any other, or
            ``"client-credentials"`` without a user.
        token: a token to store instead: an access token, or the response of a token endpoint.
        replace: True to replace a login of another server or client.
        timeout: the time that the user has in the browser; 300 seconds if absent.
        """
        options = {
            # The token is a way to sign in by itself.
            "method": method if token is None else None,
            "token": token,
            "replace": replace,
            "timeoutSeconds": None if timeout is None else seconds("timeout", timeout),
        }
        return self._begin("appcore_sign_in", text(account), document(options), finish=first)

    @starts
    def sign_out(
        self, account: str | None = None, *, forget: bool = False, force: bool = False
    ) -> Started[_events.SignOutEvent, _events.SignedOut]:
        """Revokes a login at the provider, and removes it from this machine.

        account: the default account if absent.
        forget: True to delete the account's invoices and contacts from this machine as well.
        force: True to remove also a login of another server or client, which is not revoked.
        """
        options = document({"forget": forget, "force": force})
        return self._begin("appcore_sign_out", text(account), options, finish=first)

    @starts
    def sign_out_of_all(
        self, *, forget: bool = False, force: bool = False
    ) -> Started[_events.SignOutEvent, tuple[_events.SignedOut, ...]]:
        """Signs out of every account, and removes the logins that no account uses any more.

        The result has each login that ended once. The options are those of ``sign_out``.
        """
        options = document({"forget": forget, "force": force, "all": True})
        return self._begin("appcore_sign_out", None, options, finish=every)

    @waits
    def status(self, account: str | None = None) -> Started[_events.Status, _events.Status]:
        """Returns accounts, logins, last syncs, database and keyring; waits for the keyring.

        account: all accounts if absent.
        """
        return self._begin("appcore_status", text(account), finish=first)

    @waits
    def organisations(
        self, account: str | None = None
    ) -> Started[_events.Organisations, _events.Organisations]:
        """Asks the provider which organisations a login reaches; waits for the answer."""
        return self._begin("appcore_organisations", text(account), finish=first)

    @waits
    def choose_organisation(self, id: str, account: str | None = None) -> Started[None, None]:
        """Chooses the organisation that syncs of an account read, until the next sign-in."""
        arguments = (text(account), text(id))
        return self._begin("appcore_choose_organisation", *arguments, finish=nothing)

    # Setting up

    @reads
    def providers(self) -> list[Provider]:
        """Returns the providers that accounts can have."""
        found = self._handle.read("appcore_providers")
        return [decode(Provider, each) for each in found["providers"]]

    @reads
    def sign_in_ways(self, account: str | None = None) -> SignInWays:
        """Returns the ways to sign in to an account, for the buttons and fields of a screen.

        account: the default account if absent.
        """
        return decode(SignInWays, self._handle.read("appcore_sign_in_ways", text(account)))

    @reads
    def add_account(self, account: str, **options: Unpack[AccountOptions]) -> SavedAccount:
        """Adds an account to the configuration, and creates the file for the first one.

        This core does not change: close it and open another one, which has the account; then sign
        in. Raises ``ConfigurationError`` with the value to correct.

        account: the new account's name.
        provider: the name of a provider, which is required.
        client_id: the client identifier of the user's app; none for a token.
        client_secret: its secret, which goes to a file that only the user can read.
        base_url: the address of the API, for a provider that has another one for each customer.
        tenant_id: the organisation, for a provider whose requests name one.
        redirect_uri: the https page on which the sign-in ends.
        redirect_host, redirect_port: the redirect URI on this machine; the usual one if absent.
        environment: ``"production"``, or ``"sandbox"`` for the provider's made-up books.
        encrypted_file: True to keep the logins of a new configuration in an encrypted file with a
            new key, where there is no keyring.
        """
        chosen = document(members(AccountOptions, "add_account", options))
        found = self._handle.read("appcore_add_account", text(account), chosen)
        return decode(SavedAccount, found)

    @waits
    def rename_account(self, account: str, name: str) -> Started[None, None]:
        """Renames an account, with its login and its records.

        Repeat it if it fails. Close this core then, and open another one.
        """
        arguments = (text(account), text(name))
        return self._begin("appcore_rename_account", *arguments, finish=nothing)

    @waits
    def remove_account(self, account: str, *, forget: bool = False) -> Started[None, None]:
        """Removes an account that has a file of its own; sign out first.

        forget: True to delete the account's invoices and contacts from this machine as well.
        """
        options = document({"forget": forget})
        return self._begin("appcore_remove_account", text(account), options, finish=nothing)

    # Syncing

    @syncs
    def sync(
        self, resource: str = "invoices", account: str | None = None, **options: Unpack[SyncOptions]
    ) -> Started[_events.SyncEvent, Any]:
        """Fetches what changed at the provider into the local database.

        Its events are ``Progress``, and at the end ``SyncReport``, which is the result too. A sync
        that ends early raises why, after its report; one that fails has no report. The next one
        continues there.

        resource: ``"invoices"``, ``"credit-notes"``, ``"external-invoices"``, ``"bills"``,
            ``"payments"``, ``"prepayments"``, ``"overpayments"``, ``"contacts"``, or ``"all"``,
            whose result is a tuple of reports.
        account: the default account if absent.
        full: True to read everything again; records no longer listed count as deleted.
        verify: True to compare everything with the server afterwards.
        dry_run: True to store nothing, and to report what would change.
        wait: False to raise ``TryAgainLater`` if another process syncs the same list.
        allow_mass_deletion: True to delete more than ``sync.maximumDeletedPercent``.
        same_organisation: True to confirm that the login belongs to the stored organisation.
        since: the day or instant since which changes are read again.
        limit, max_duration: stop after so many records, or so many seconds.
        max_wait: the longest wait for a rate limit, in seconds; 60 if absent.
        """
        chosen = document(members(SyncOptions, "sync", options))
        finish = every if resource == "all" else first
        return self._begin("appcore_sync", text(account), text(resource), chosen, finish=finish)

    @starts
    def changes(self) -> Started[_events.Change, None]:
        """Watches invoices, contacts and logins: yields their changes, by any process.

        The first is a ``RecordsChanged`` when the watch begins; a login has no such first change.
        It never ends by itself. Several changes of records in quick succession may yield one, and
        a sync that changed none yields none: read again what is on display. Each sign-in, renewal
        and sign-out yields a ``LoginChanged`` of its own, in their order; a program that takes
        none has the newest 256.
        """
        return self._begin("appcore_watch", finish=nothing)

    # Files of invoices

    @starts
    def fetch_documents(self, **options: Unpack[FetchOptions]) -> Started[FetchEvent, FetchReport]:
        """Fetches the files of invoices that are missing or whose invoice has changed.

        The newest invoices' come first. Its events are ``FetchProgress``, and at the end
        ``FetchReport``, which is the result too. A run after which files are missing raises why,
        after its report. What the provider does not have is in the report, and raises nothing.

        account: the default account if absent.
        invoice: the number or id of an invoice, in place of the filters of ``invoices``.
        kind: ``"pdf"``, ``"attachment"`` or ``"ubl"``, or several; PDFs and attachments if absent.
        refresh: ``"changed"`` to fetch a stored file again if its invoice has changed, the default,
            ``"never"`` or ``"all"``.
        limit, max_duration: stop after so many files, or so many seconds.
        max_wait: the longest wait for a rate limit, in seconds; 60 if absent.
        dry_run: True to send nothing, and to report how many files would be fetched.
        The others are the filters of ``invoices``, without its order.
        """
        chosen = members(FetchOptions, "fetch_documents", options)
        account = text(chosen.pop("account", None))
        return self._begin("appcore_fetch_documents", account, document(chosen), finish=first)

    @waits
    def export_documents(
        self, **options: Unpack[ExportOptions]
    ) -> Started[ExportedFiles, ExportedFiles]:
        """Writes fetched files of invoices to a folder or a ZIP file, with a list and checksums.

        account: the default account if absent, ``appcore.ALL_ACCOUNTS`` for all.
        folder: the folder.
        zip: the ZIP file in place of a folder; it is replaced.
        name: the pattern of names, such as ``"{year}/{date} {number}{ext}"``.
        skip_existing: True to leave another file of the same name in the folder.
        clobber: True to replace it. Without either, it raises an error.
        The others choose files, as in ``fetch_documents``.
        """
        chosen = members(ExportOptions, "export_documents", options)
        account = text(chosen.pop("account", None))
        return self._begin("appcore_export_documents", account, document(chosen), finish=first)

    # Feature modules

    @opens
    def session(
        self,
        /,
        name: str,
        account: str | None = None,
        *,
        request_timeout: Duration | None = None,
        connect_timeout: Duration | None = None,
        idle_timeout: Duration | None = None,
        operation_timeout: Duration | None = None,
        concurrency: int | None = None,
        attempts: int | None = None,
        **settings: Any,
    ) -> tuple[str, str | None]:
        """Returns the session of a feature module, a part of the program with its own requests.

        Sessions have their own time-outs, limits and cancellation. All of an account, its syncs
        included, share its login and the provider's limits. What the user's configuration file
        states under ``sessions`` goes before these values; they are set before the first request.

        name: the name of the module, such as ``"documents"``: ASCII letters, digits, ``.``, ``_``
            or ``-``; not ``"auth"``, ``"invoices"``, ``"payments"`` or
            ``"contacts"``.
        account: the default account if absent.
        request_timeout: the time for one attempt, without its wait for others to end.
        connect_timeout: the time for a connection.
        idle_timeout: the time between two pieces of a response.
        operation_timeout: the time for everything: all attempts, and waits, also for others to end.
        concurrency: the largest number of requests at a time.
        attempts: the largest number of attempts, the first included.
        settings: further keys of ``sessions`` in the configuration file, as it writes them, such
            as ``userAgent="blue"``.
        """
        timeouts = {
            "request": request_timeout,
            "connect": connect_timeout,
            "idle": idle_timeout,
            "operation": operation_timeout,
        }
        # Keys of the configuration file have no such character, so it is an option misspelt.
        for misspelt in (key for key in settings if "_" in key):
            known = [f"{key}_timeout" for key in timeouts] + ["concurrency", "attempts"]
            raise TypeError(unknown("session", misspelt, known))
        stated = {
            key: f"{max(1, round(seconds(f'{key}_timeout', value) * 1_000))}ms"
            for key, value in timeouts.items()
            if value is not None
        }
        values = {
            "timeout": stated or None,
            "concurrency": concurrency,
            "retry": None if attempts is None else {"attempts": attempts},
            **settings,
        }
        if any(value is not None for value in values.values()):
            self._handle.set_session(name, document(values))
        return (name, account)

    # Reading

    @lists
    def invoices(self, **filters: Unpack[InvoiceFilters]) -> Rows[Invoice]:
        """Returns the invoices that match all filters, without their lines.

        account: the default account if absent, ``appcore.ALL_ACCOUNTS`` for all.
        search: words that all stand in number, contact, reference or lines.
        contact: the other party's id, or words of its name.
        status, type, currency: a value such as ``"open"``, ``"bill"`` or ``"EUR"``, or several.
        overdue: True for those that are past their due date and unpaid.
        unpaid: True for those that wait for a payment, due or not.
        issued: True to leave out drafts, scheduled, void and deleted ones, whatever else is asked
            for.
        changed_since: a day or an instant: what a sync has stored, changed or marked as deleted
            since, void and deleted ones included.
        min, max: the smallest and the largest total.
        issued_from, issued_to: the first and the last day of issue: a date, or a text such as
            ``"2026-03"``, ``"2026-Q1"``, ``"30d"``, ``"last-month"`` or ``"today"``.
        all: True to include void and deleted invoices.
        sort: ``"issueDate"``, ``"dueDate"``, ``"updatedAt"``, ``"total"``, ``"amountDue"``,
            ``"number"``, ``"contact"`` or ``"stored"``; a leading ``-`` reverses it.
            ``"-issueDate"`` if absent.
        offset, limit: the number of rows to skip, and the largest number to return.
        """
        return self._rows("invoice", InvoiceFilters, Invoice, filters)

    @reads
    def invoice(self, id: str, account: str | None = None) -> InvoiceDetails:
        """Returns one invoice with everything that is stored.

        Raises ``NotFound`` or ``Ambiguous``.

        id: its number or id, in any case, or the first 8 letters of its id.
        account: the default account if absent.
        """
        found = self._handle.read("appcore_invoice", text(account), text(id))
        return decode(InvoiceDetails, found["invoice"])

    @lists
    def contacts(self, **filters: Unpack[ContactFilters]) -> Rows[Contact]:
        """Returns the contacts that match all filters, with what their invoices amount to.

        account: the default account if absent, ``appcore.ALL_ACCOUNTS`` for all.
        search: words of name or e-mail.
        all: True to include deleted contacts.
        owing: True for those that have to pay something.
        sort: ``"name"``, ``"updatedAt"``, ``"receivable"`` or ``"stored"``; a leading ``-``
            reverses it.
        offset, limit: the number of rows to skip, and the largest number to return.
        """
        return self._rows("contact", ContactFilters, Contact, filters)

    @reads
    def contact(self, name: str, account: str | None = None) -> Contact:
        """Returns one contact. Raises ``NotFound`` or ``Ambiguous``.

        name: its id, or words of its name.
        account: the default account if absent.
        """
        found = self._handle.read("appcore_contact", text(account), text(name))
        return decode(Contact, found["contact"])

    @lists
    def payments(self, **filters: Unpack[PaymentFilters]) -> Rows[Payment]:
        """Returns the payments that match all filters, with the invoices that they pay.

        account: the default account if absent, ``appcore.ALL_ACCOUNTS`` for all.
        search: words that all stand in reference, method, contact, id or numbers of invoices.
        contact: the other party's id, or words of its name.
        invoice: the number or id of an invoice that is paid.
        status, type, currency: a value such as ``"completed"``, `x ``"EUR"``, or
            several.
        unallocated: True for those of which a part pays no document yet.
        changed_since: a day or an instant: what a sync has stored, changed or marked as deleted
            since, void and deleted ones included.
        paid_from, paid_to: the first and the last day: a date, or a text such as ``"2026-03"``,
            ``"2026-Q1"``, ``"30d"``, ``"last-month"`` or ``"today"``.
        all: True to include void and deleted payments.
        sort: ``"date"``, ``"amount"``, ``"updatedAt"``, ``"contact"`` or ``"stored"``; a leading
            ``-`` reverses it. ``"-date"`` if absent.
        offset, limit: the number of rows to skip, and the largest number to return.
        """
        return self._rows("payment", PaymentFilters, Payment, filters)

    @reads
    def payment(self, id: str, account: str | None = None) -> Payment:
        """Returns one payment. Raises ``NotFound`` or ``Ambiguous``.

        id: its id or the first 8 letters of it, or its reference.
        account: the default account if absent.
        """
        found = self._handle.read("appcore_payment", text(account), text(id))
        return decode(Payment, found["payment"])

    @reads
    def changes_after(
        self,
        position: str | None = None,
        *,
        kinds: Iterable[_changes.ChangedKind] | None = None,
        account: str | None = None,
        limit: int | None = None,
    ) -> _changes.ChangePage:
        """Returns what has changed since a position, in order, also what was deleted or forgotten.

        Call it with ``next`` of the last page until ``has_more`` is false. A record that a sync
        found unchanged does not come.

        position: ``next`` of a page, which can be stored; all records if absent.
        kinds: ``"account"``, ``"contact"``, ``"invoice"``, ``"payment"``; all if absent.
        account: all accounts if absent.
        limit: the number of changes after which the page ends; 1 000 if absent.
        """
        query = {
            "after": position,
            "kind": None if kinds is None else ",".join(kinds),
            "account": account,
            "limit": limit,
        }
        return _changes.page(self._handle.read("appcore_changes", document(query)))

    @reads
    def documents(self, **filters: Unpack[DocumentFilters]) -> list[InvoiceFile]:
        """Returns the files of invoices that match all filters, the newest invoices' first.

        ``path`` is where a fetched file is; never change it there. The files of an invoice are
        known once they were fetched.

        account: the default account if absent, ``appcore.ALL_ACCOUNTS`` for all.
        invoice: the number or id of an invoice, in place of the filters of ``invoices``.
        kind: ``"pdf"``, ``"attachment"`` or ``"ubl"``, or several.
        state: ``"missing"``, ``"stored"``, ``"gone"``, ``"unsupported"`` or ``"failed"``, or
            several.
        stale: True for those whose invoice has changed since.
        offset, limit: the number of files to skip, and the largest number to return.
        The others are the filters of ``invoices``, without its order.
        """
        query = document(members(DocumentFilters, "documents", filters))
        found = self._handle.read("appcore_documents", query)
        return [decode(InvoiceFile, row) for row in found["documents"]]

    @reads
    def summary(self, by: Grouping = "month", **filters: Unpack[InvoiceChoice]) -> list[Total]:
        """Returns sums of the invoices that match all filters, by currency and type.

        by: the value to group by.
        filters: those of ``invoices``, without order, offset and limit.
        """
        found = self._sums("summary", by, filters)
        rows: Iterable[Document] = found["groups" if "groups" in found else "months"]
        return [decode(Total, row) for row in rows]

    @reads
    def taxes(self, **filters: Unpack[InvoiceChoice]) -> list[TaxTotal]:
        """Returns sums of the invoices that match all filters, by tax, currency and type.

        filters: those of ``invoices``, without order, offset and limit.
        """
        return [decode(TaxTotal, row) for row in self._sums("taxes", "tax-rate", filters)["taxes"]]

    @reads
    def summary_in(
        self, target: str, by: Grouping = "month", **filters: Unpack[InvoiceChoice]
    ) -> ConvertedTotals:
        """Returns sums as ``summary`` does, all of them in one currency.

        Each invoice is converted by what it states: its home amounts, or else its rate.

        target: the currency of all sums, such as ``"EUR"``.
        by: the value to group by.
        filters: those of ``invoices``, without order, offset and limit.
        """
        found = self._sums("summary_in", by, filters, target)
        rows = found["groups" if "groups" in found else "months"]
        return decode(ConvertedTotals, {**found, "totals": rows})

    @reads
    def taxes_in(self, target: str, **filters: Unpack[InvoiceChoice]) -> ConvertedTaxes:
        """Returns sums as ``taxes`` does, all of them in one currency.

        target: the currency of all sums, such as ``"EUR"``.
        filters: those of ``invoices``, without order, offset and limit.
        """
        return decode(ConvertedTaxes, self._sums("taxes_in", "tax-rate", filters, target))

    @reads
    def ageing(
        self, by: Literal["type", "contact"] = "type", **filters: Unpack[InvoiceChoice]
    ) -> Ageing:
        """Returns the amounts due of unpaid invoices, by days since they were due, and the money on
        account, which is below zero.

        by: ``"type"``, or ``"contact"`` for what each contact has to pay and what you owe it.
        filters: those of ``invoices``, without order, offset and limit.
        """
        grouping = "ageing" if by == "type" else f"ageing-by-{by}"
        return decode(Ageing, self._sums("ageing", grouping, filters))

    # What the methods share

    def _begin(self, function: str, *arguments: object, finish: Any) -> Started[Any, Any]:
        return Started(self._router.start(function, *arguments), finish)

    def _rows(
        self, name: str, filters: type[Any], kind: type[Any], chosen: Mapping[str, Any]
    ) -> Rows[Any]:
        reading = f"rows {next(_numbers)}"
        query = {**members(filters, f"{name}s", chosen), "reading": reading}

        def read(offset: int, limit: int, after: str | None) -> tuple[list[Any], str | None]:
            page = {**query, "offset": offset, "limit": limit}
            page |= {} if after is None else {"after": after}
            found = self._handle.read(f"appcore_{name}s", document(page))
            return [decode(kind, row) for row in found[f"{name}s"]], found.get("next")

        def count() -> int:
            return self._handle.count(f"appcore_{name}_count", document(query))

        def interrupt() -> None:
            self._handle.cancel_reading(reading)

        return Rows(read, count, interrupt, chosen.get("offset", 0), chosen.get("limit"))

    def _sums(
        self, method: str, by: str, filters: Mapping[str, Any], currency: str | None = None
    ) -> Document:
        if method.startswith("summary") and str(by).startswith("ageing"):
            raise ValueError("ageing() returns the amounts due by age")
        if method.startswith("summary") and by == "tax-rate":
            raise ValueError(f"{method.replace('summary', 'taxes')}() returns the sums by tax rate")
        chosen = members(InvoiceChoice, method, filters)
        query = document(chosen if currency is None else {**chosen, "in": currency})
        return self._handle.read("appcore_invoice_summary", query, text(by))
