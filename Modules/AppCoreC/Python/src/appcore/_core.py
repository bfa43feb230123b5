"""The core for programs with threads, or with a single one."""

import warnings
from types import TracebackType
from typing import Literal, Self, Unpack, overload

from appcore._async import AsyncCore
from appcore._events import (
    Change,
    Organisations,
    SignedIn,
    SignedOut,
    SignInEvent,
    SignOutEvent,
    Status,
    SyncEvent,
    SyncReport,
)
from appcore._handle import Handle, PathLike, path, text
from appcore._library import COptions
from appcore._numbers import Duration
from appcore._query import ContactFilters, InvoiceChoice, InvoiceFilters
from appcore._records import Ageing, Contact, Invoice, InvoiceDetails, Total
from appcore._requests import Request, every, first, nothing
from appcore._rows import Rows
from appcore._session import Grouping, Resource, Session, SignInMethod
from appcore._sync import SyncOptions

LogLevel = Literal["debug", "info", "warning", "error"]


def open(
    config: PathLike | None = None,
    *,
    data_folder: PathLike | None = None,
    state_folder: PathLike | None = None,
    database: PathLike | None = None,
    log_level: LogLevel | None = None,
) -> "Core":
    """Opens a core: reads the configuration, and checks it.

    Use it as a context manager: ``with`` gives a ``Core``, and ``async with`` an ``AsyncCore``. The
    database, the keyring and the network are used only when they are first needed. Within one
    process, two open cores need different stores of logins, or opening the second raises ``Misuse``
    with the code ``already-open``.

    config: the configuration file; ``$APPCORE_CONFIG``, or else
        ``$XDG_CONFIG_HOME/appcore/config.yaml`` if absent.
    data_folder: the folder of the database; ``$XDG_DATA_HOME/appcore`` if absent.
    state_folder: the folder of locks and other state; ``$XDG_STATE_HOME/appcore`` if absent.
    database: the database file; the configured one if absent.
    log_level: the least level of what is logged on standard error; nothing if absent.
    """
    options = COptions(
        config=path(config),
        data_folder=path(data_folder),
        state_folder=path(state_folder),
        database=path(database),
        log_level=text(log_level),
    )
    return Core(Session(Handle(options)))


class Core:
    """An open core.

    All methods may be called from any thread. Those that return a ``Request`` do not wait; close
    the core, or leave its ``with`` block, to cancel all of them.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._asynchronous: AsyncCore | None = None

    # Opening and closing

    def close(self) -> None:
        """Closes the core: cancels its requests, and lets a renewal of a login finish.

        Usually takes milliseconds. Raises ``TryAgainLater`` with the code ``login-not-saved`` if a
        renewed login could not be stored; the core is closed all the same. Afterwards all other
        methods raise ``Closed``. Closing a closed core does nothing, and neither does closing one
        in a forked process, whose parent goes on to use it.
        """
        if self._session.handle.is_forked:
            return
        self._session.router.close()
        self._session.handle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> AsyncCore:
        self._asynchronous = AsyncCore(self._session)
        return self._asynchronous

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._asynchronous is not None:
            await self._asynchronous.close()

    def __del__(self) -> None:
        # A core that could not be opened has no session.
        session = getattr(self, "_session", None)
        if session is None or session.handle.is_forked or session.handle.is_closed:
            return
        if self._asynchronous is None:
            warnings.warn(f"unclosed {self!r}", ResourceWarning, source=self, stacklevel=2)

    def fileno(self) -> int:
        """Returns the descriptor that is readable while requests have events.

        For main loops other than asyncio's: when it is readable, call ``Request.pending`` of each
        request. It stays readable until all events were taken, also if another call has fetched
        them. Only wait for it; do not read it or close it, and stop waiting before the core closes.
        """
        return self._session.router.fileno()

    # Accounts

    def sign_in(
        self,
        account: str | None = None,
        *,
        method: SignInMethod = "browser",
        token: str | None = None,
        replace: bool = False,
        timeout: Duration | None = None,
    ) -> Request[SignInEvent, SignedIn]:
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
        inbox = self._session.sign_in(account, method, token, replace, timeout)
        return Request(self._session.router, inbox, first)

    def sign_out(
        self, account: str | None = None, *, forget: bool = False, force: bool = False
    ) -> Request[SignOutEvent, SignedOut]:
        """Revokes a login at the provider, and removes it from this machine.

        account: the default account if absent.
        forget: True to delete the account's invoices and contacts from this machine as well.
        force: True to remove also a login of another server or client, which is not revoked.
        """
        inbox = self._session.sign_out(account, forget, force)
        return Request(self._session.router, inbox, first)

    def sign_out_of_all(
        self, *, forget: bool = False, force: bool = False
    ) -> Request[SignOutEvent, tuple[SignedOut, ...]]:
        """Signs out of every account, and removes the logins that no account uses any more.

        The result has each login that ended once. The options are those of ``sign_out``.
        """
        inbox = self._session.sign_out_of_all(forget, force)
        return Request(self._session.router, inbox, every)

    def status(self, account: str | None = None) -> Status:
        """Returns accounts, logins, last syncs, database and keyring; waits for the keyring.

        account: all accounts if absent.
        """
        inbox = self._session.request("appcore_status", account)
        return Request[Status, Status](self._session.router, inbox, first).result()

    def organisations(self, account: str | None = None) -> Organisations:
        """Asks the provider which organisations a login reaches; waits for the answer."""
        inbox = self._session.request("appcore_organisations", account)
        return Request[Organisations, Organisations](self._session.router, inbox, first).result()

    def choose_organisation(self, id: str, account: str | None = None) -> None:
        """Chooses the organisation that syncs of an account read, until the next sign-in."""
        inbox = self._session.request("appcore_choose_organisation", account, id)
        Request[None, None](self._session.router, inbox, nothing).result()

    # Syncing

    @overload
    def sync(
        self,
        resource: Resource = "invoices",
        account: str | None = None,
        **options: Unpack[SyncOptions],
    ) -> Request[SyncEvent, SyncReport]: ...

    @overload
    def sync(
        self, resource: Literal["all"], account: str | None = None, **options: Unpack[SyncOptions]
    ) -> Request[SyncEvent, tuple[SyncReport, ...]]: ...

    def sync(
        self, resource: str = "invoices", account: str | None = None, **options: Unpack[SyncOptions]
    ) -> Request[SyncEvent, SyncReport] | Request[SyncEvent, tuple[SyncReport, ...]]:
        """Fetches what changed at the provider into the local database.

        Its events are ``Progress``, and at the end ``SyncReport``, which is the result too. A sync
        that ends early raises why, after its report; one that fails has no report. The next one
        continues there.

        resource: ``"invoices"``, ``"contacts"`` or ``"all"``, whose result is a tuple of reports.
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
        inbox = self._session.sync(resource, account, **options)
        if resource == "all":
            return Request(self._session.router, inbox, tuple)
        return Request(self._session.router, inbox, first)

    def changes(self) -> Request[Change, None]:
        """Watches invoices, contacts and logins: yields a change after each commit.

        The first is a ``RecordsChanged`` when the watch begins; a login has no such first change.
        It never ends by itself. Changes come from this process and from others; several in quick
        succession may yield one. Read again what is on display.
        """
        return Request(self._session.router, self._session.request("appcore_watch"), nothing)

    # Reading

    def invoices(self, **filters: Unpack[InvoiceFilters]) -> Rows[Invoice]:
        """Returns the invoices that match all filters, without their lines.

        account: the default account if absent, ``appcore.ALL_ACCOUNTS`` for all.
        search: words that all stand in number, contact, reference or lines.
        contact: the other party's id, or words of its name.
        status, type, currency: a value such as ``"open"``, ``"bill"`` or ``"EUR"``, or several.
        overdue: True for those that are past their due date and unpaid.
        min, max: the smallest and the largest total.
        issued_from, issued_to: the first and the last day of issue: a date, or a text such as
            ``"2026-03"``, ``"30d"`` or ``"today"``.
        all: True to include void and deleted invoices.
        sort: ``"issueDate"``, ``"dueDate"``, ``"updatedAt"``, ``"total"``, ``"number"``,
            ``"contact"`` or ``"stored"``; a leading ``-`` reverses it. ``"-issueDate"`` if absent.
        offset, limit: the number of rows to skip, and the largest number to return.
        """
        return self._session.invoices(**filters)

    def invoice(self, id: str, account: str | None = None) -> InvoiceDetails:
        """Returns one invoice with everything that is stored.

        Raises ``NotFound`` or ``Ambiguous``.

        id: its number or id, in any case, or the first 8 letters of its id.
        account: the default account if absent.
        """
        return self._session.invoice(id, account)

    def contacts(self, **filters: Unpack[ContactFilters]) -> Rows[Contact]:
        """Returns the contacts that match all filters, with what their invoices amount to.

        account: the default account if absent, ``appcore.ALL_ACCOUNTS`` for all.
        search: words of name or e-mail.
        all: True to include deleted contacts.
        sort: ``"name"``, ``"updatedAt"`` or ``"stored"``; a leading ``-`` reverses it.
        offset, limit: the number of rows to skip, and the largest number to return.
        """
        return self._session.contacts(**filters)

    def contact(self, name: str, account: str | None = None) -> Contact:
        """Returns one contact. Raises ``NotFound`` or ``Ambiguous``.

        name: its id, or words of its name.
        account: the default account if absent.
        """
        return self._session.contact(name, account)

    def summary(self, by: Grouping = "month", **filters: Unpack[InvoiceChoice]) -> list[Total]:
        """Returns sums of the invoices that match all filters, by currency and type.

        by: the value to group by.
        filters: those of ``invoices``, without order, offset and limit.
        """
        return self._session.summary(by, **filters)

    def ageing(self, **filters: Unpack[InvoiceChoice]) -> Ageing:
        """Returns the amounts due of unpaid invoices, by days since they were due.

        filters: those of ``invoices``, without order, offset and limit.
        """
        return self._session.ageing(**filters)
