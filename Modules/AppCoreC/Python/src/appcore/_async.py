"""The core for programs with asyncio."""

import contextlib
import os
import weakref
from typing import TYPE_CHECKING, Literal, Unpack, overload

from appcore._errors import Closed
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
from appcore._numbers import Duration
from appcore._query import ContactFilters, InvoiceChoice, InvoiceFilters
from appcore._records import Ageing, Contact, Invoice, InvoiceDetails, Total
from appcore._requests import AsyncRequest, every, first, nothing
from appcore._rows import AsyncRows
from appcore._session import Grouping, Resource, Session, SignInMethod
from appcore._sync import SyncOptions

if TYPE_CHECKING:
    import asyncio
else:
    from appcore import _asyncio as asyncio


class AsyncCore:
    """An open core whose events arrive in the running loop.

    Get one with ``async with appcore.open() as core``. Use it in the thread of that loop. The
    methods are those of ``Core``, where they are described.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._loop = asyncio.get_running_loop()
        # A copy, since another thread may close the core while the loop waits for it.
        self._descriptor = os.dup(session.handle.descriptor())
        self._release = weakref.finalize(self, os.close, self._descriptor)
        self._loop.add_reader(self._descriptor, self._read)

    async def close(self) -> None:
        """Closes the core. Tasks that still wait for a request get ``Closed``.

        Does nothing in a forked process, like ``Core.close``.
        """
        handle = self._session.handle
        if handle.is_forked:
            return
        self._leave()
        self._session.router.close()
        closing = self._loop.run_in_executor(None, handle.close)
        interruption = None
        while not closing.done():
            try:
                await asyncio.wait([closing])
            except asyncio.CancelledError as error:
                # The core must be closed when its block ends.
                interruption = error
        closing.result()
        if interruption is not None:
            raise interruption

    def _read(self) -> None:
        with contextlib.suppress(Closed):
            self._session.router.fetch()
        if self._session.router.is_closing:
            self._leave()

    def _leave(self) -> None:
        """Ends the loop's wait for events."""
        if self._release.alive:
            self._loop.remove_reader(self._descriptor)
            self._release()

    def _here(self) -> Session:
        """Returns the session.

        Raises ``RuntimeError`` outside of the loop, where no events would ever come.
        """
        if asyncio.get_running_loop() is not self._loop:
            raise RuntimeError("this core belongs to another event loop")
        return self._session

    # Accounts

    def sign_in(
        self,
        account: str | None = None,
        *,
        method: SignInMethod = "browser",
        token: str | None = None,
        replace: bool = False,
        timeout: Duration | None = None,
    ) -> AsyncRequest[SignInEvent, SignedIn]:
        """Signs an account in, and stores the login; see ``Core.sign_in``."""
        inbox = self._here().sign_in(account, method, token, replace, timeout)
        return AsyncRequest(self._session.router, inbox, first)

    def sign_out(
        self, account: str | None = None, *, forget: bool = False, force: bool = False
    ) -> AsyncRequest[SignOutEvent, SignedOut]:
        """Revokes a login, and removes it from this machine; see ``Core.sign_out``."""
        inbox = self._here().sign_out(account, forget, force)
        return AsyncRequest(self._session.router, inbox, first)

    def sign_out_of_all(
        self, *, forget: bool = False, force: bool = False
    ) -> AsyncRequest[SignOutEvent, tuple[SignedOut, ...]]:
        """Signs out of every account; see ``Core.sign_out_of_all``."""
        inbox = self._here().sign_out_of_all(forget, force)
        return AsyncRequest(self._session.router, inbox, every)

    async def status(self, account: str | None = None) -> Status:
        """Returns accounts, logins, last syncs, database and keyring."""
        inbox = self._here().request("appcore_status", account)
        return await AsyncRequest[Status, Status](self._session.router, inbox, first)

    async def organisations(self, account: str | None = None) -> Organisations:
        """Asks the provider which organisations a login reaches."""
        inbox = self._here().request("appcore_organisations", account)
        return await AsyncRequest[Organisations, Organisations](self._session.router, inbox, first)

    async def choose_organisation(self, id: str, account: str | None = None) -> None:
        """Chooses the organisation that syncs of an account read, until the next sign-in."""
        inbox = self._here().request("appcore_choose_organisation", account, id)
        await AsyncRequest[None, None](self._session.router, inbox, nothing)

    # Syncing

    @overload
    def sync(
        self,
        resource: Resource = "invoices",
        account: str | None = None,
        **options: Unpack[SyncOptions],
    ) -> AsyncRequest[SyncEvent, SyncReport]: ...

    @overload
    def sync(
        self, resource: Literal["all"], account: str | None = None, **options: Unpack[SyncOptions]
    ) -> AsyncRequest[SyncEvent, tuple[SyncReport, ...]]: ...

    def sync(
        self, resource: str = "invoices", account: str | None = None, **options: Unpack[SyncOptions]
    ) -> AsyncRequest[SyncEvent, SyncReport] | AsyncRequest[SyncEvent, tuple[SyncReport, ...]]:
        """Fetches what changed at the provider into the local database; see ``Core.sync``."""
        inbox = self._here().sync(resource, account, **options)
        if resource == "all":
            return AsyncRequest(self._session.router, inbox, tuple)
        return AsyncRequest(self._session.router, inbox, first)

    def changes(self) -> AsyncRequest[Change, None]:
        """Watches invoices, contacts and logins until it is cancelled; see ``Core.changes``."""
        return AsyncRequest(self._session.router, self._here().request("appcore_watch"), nothing)

    # Reading

    def invoices(self, **filters: Unpack[InvoiceFilters]) -> AsyncRows[Invoice]:
        """Returns the invoices that match all filters, without their lines.

        ``async for`` reads page by page, and ``await`` returns a list.
        """
        return AsyncRows(self._here().invoices(**filters))

    async def invoice(self, id: str, account: str | None = None) -> InvoiceDetails:
        """Returns one invoice with everything that is stored; see ``Core.invoice``."""
        return await asyncio.to_thread(self._here().invoice, id, account)

    def contacts(self, **filters: Unpack[ContactFilters]) -> AsyncRows[Contact]:
        """Returns the contacts that match all filters, like ``invoices``."""
        return AsyncRows(self._here().contacts(**filters))

    async def contact(self, name: str, account: str | None = None) -> Contact:
        """Returns one contact; see ``Core.contact``."""
        return await asyncio.to_thread(self._here().contact, name, account)

    async def summary(
        self, by: Grouping = "month", **filters: Unpack[InvoiceChoice]
    ) -> list[Total]:
        """Returns sums of the invoices that match all filters; see ``Core.summary``."""
        return await asyncio.to_thread(self._here().summary, by, **filters)

    async def ageing(self, **filters: Unpack[InvoiceChoice]) -> Ageing:
        """Returns the amounts due of unpaid invoices, by days since they were due."""
        return await asyncio.to_thread(self._here().ageing, **filters)
