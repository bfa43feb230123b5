"""Requests: work that goes on while the program waits for its events."""

import contextlib
import functools
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from appcore import _events, _files, _library
from appcore._documents import decode
from appcore._errors import AppCoreError, Closed, closed
from appcore._handle import Document, RawEvent
from appcore._inbox import Inbox
from appcore._router import EventRouter

if TYPE_CHECKING:
    import asyncio
else:
    from appcore import _asyncio as asyncio

Event = TypeVar("Event")
Result = TypeVar("Result")
Finish = Callable[[Sequence[Any]], Result]


def first(results: Sequence[Any]) -> Any:
    """Returns the only result of a request."""
    return results[0]


def every(results: Sequence[Any]) -> tuple[Any, ...]:
    """Returns all results of a request."""
    return tuple(results)


def nothing(results: Sequence[Any]) -> None:
    """Returns the result of a request that has none."""


def _changes(document: Document) -> list[object]:
    match document["changed"]:
        case "records":
            return [_events.RecordsChanged()]
        case "login":
            return [decode(_events.LoginChanged, document)]
        case _:
            # A change of a kind that this version does not know.
            return []


def _reports(document: Document) -> list[object]:
    return [decode(_events.SyncReport, report) for report in document.get("reports", [document])]


def _responses(document: Document) -> list[object]:
    kind = _events.Response if document["file"] is None else _events.Download
    return [decode(kind, document)]


# Each returns the values of a document; there are several reports of a sync of everything.
_VALUES: dict[int, Callable[[Document], list[object]]] = {
    _library.PROGRESS: lambda document: [decode(_events.Progress, document)],
    _library.REPORT: _reports,
    _library.OPEN_URL: lambda document: [decode(_events.OpenURL, document)],
    _library.DEVICE_CODE: lambda document: [decode(_events.DeviceCode, document)],
    _library.SIGNED_IN: lambda document: [decode(_events.SignedIn, document)],
    _library.SIGNED_OUT: lambda document: [
        decode(_events.SignedOut, account) for account in document["accounts"]
    ],
    _library.STATUS: lambda document: [decode(_events.Status, document)],
    _library.ORGANISATIONS: lambda document: [decode(_events.Organisations, document)],
    _library.CHANGED: _changes,
    _library.TRANSFER: lambda document: [decode(_events.Transfer, document)],
    _library.RESPONSE: _responses,
    _library.DOCUMENT_PROGRESS: lambda document: [decode(_files.FetchProgress, document)],
    _library.DOCUMENT_REPORT: lambda document: [decode(_files.FetchReport, document)],
    _library.DOCUMENT_EXPORT: lambda document: [decode(_files.ExportedFiles, document)],
}

_RESULTS = (
    _library.REPORT,
    _library.SIGNED_IN,
    _library.SIGNED_OUT,
    _library.STATUS,
    _library.ORGANISATIONS,
    _library.RESPONSE,
    _library.DOCUMENT_REPORT,
    _library.DOCUMENT_EXPORT,
)


class RequestBase(Generic[Event, Result]):
    """What requests of threads and of asyncio have in common."""

    _way: str
    """The way to wait for the result, for the warning about a request that is not used."""

    def __init__(self, router: EventRouter, inbox: Inbox, finish: Finish[Result]) -> None:
        self._router = router
        self._inbox = inbox
        self._finish = finish
        self._values: list[Event] = []
        self._results: list[Any] = []
        self._failure: AppCoreError | None = None
        # True once the program has done anything with the request.
        self._is_used = False

    def _take(self, event: RawEvent) -> None:
        """Keeps the values of an event, or how the request ended."""
        if event.is_last:
            self._failure = event.error
        elif (values := _VALUES.get(event.type)) is not None:
            found: list[Any] = values(event.document)
            if event.type in _RESULTS:
                self._results += found
            self._values += found

    @property
    def has_ended(self) -> bool:
        """True once all events were taken."""
        return self._inbox.has_ended and not self._values

    def _ending(self) -> Result:
        """Returns the result of a request that has ended, or raises its error."""
        if (failure := self._failure) is not None:
            # A new one: its traceback refers to this request, which must not refer back.
            raise type(failure)(*failure.args)
        return self._finish(self._results)

    def cancel(self) -> None:
        """Cancels the request, which then ends with ``Cancelled`` if it was not faster."""
        self._is_used = True
        if not self._inbox.has_ended and not self._router.is_closing:
            self._router.cancel(self._inbox)

    def paste_redirect(
        self: "RequestBase[_events.SignInEvent, _events.SignedIn]", address: str
    ) -> None:
        """Passes a sign-in the address on which the browser ended, if it is on another machine.

        Such a browser cannot load its last page, whose address begins with ``http://127.0.0.1``.
        If ``OpenURL.paste_required`` is true, the browser ends on an https page instead. Let the
        user copy the address from there, after ``OpenURL``. The sign-in then goes on.

        Raises ``AppCoreError`` with the code ``not-redirect`` or ``foreign-redirect`` for another
        text: let the user try again. The code is ``no-redirect-expected`` if the request is not a
        sign-in that waits for the browser.
        """
        self._is_used = True
        self._router.paste_redirect(self._inbox, address)

    def __del__(self) -> None:
        # A request that could not be started has no inbox.
        inbox = getattr(self, "_inbox", None)
        if inbox is not None and not inbox.has_ended:
            self._router.abandon(inbox)
            if not self._is_used and not self._router.is_closing:
                # As Python does for a coroutine that nobody awaits.
                warnings.warn(
                    "a request was cancelled because nothing waited for it; iterate over it, "
                    f"or {self._way}",
                    RuntimeWarning,
                    stacklevel=2,
                    source=self,
                )


class Request(RequestBase[Event, Result], Iterator[Event]):
    """A request that goes on: an iterator of its events, which has a result.

    Iterating waits for the next event, and ends when the request does. It raises the error of a
    request that fails. A request that nobody refers to any more is cancelled.
    """

    _way = "call result()"

    def __next__(self) -> Event:
        self._is_used = True
        while not self._values:
            if self._inbox.has_ended:
                self._ending()
                raise StopIteration
            self._take(self._router.wait(self._inbox))
        return self._values.pop(0)

    def result(self) -> Result:
        """Waits until the request has ended, and returns its result."""
        for _ in self:
            pass
        return self._ending()

    def pending(self) -> list[Event]:
        """Returns the events that have come, without waiting.

        For main loops that wait for ``Core.fileno()`` themselves. Raises the error of a request
        that has failed, or that a closed core has ended, once its other events were returned.
        """
        self._is_used = True
        self._router.fetch()
        while (event := self._router.take(self._inbox)) is not None:
            self._take(event)
        events, self._values = self._values, []
        if not events:
            if self._inbox.has_ended:
                self._ending()
            elif self._router.is_closing:
                raise closed()
        return events

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Cancels the request unless it has ended, and waits for its end."""
        self.cancel()
        # A core that is closed meanwhile has ended the request.
        with contextlib.suppress(Closed):
            while not self._inbox.has_ended:
                self._take(self._router.wait(self._inbox))


class AsyncRequest(RequestBase[Event, Result], AsyncIterator[Event], Awaitable[Result]):
    """A request that goes on: an asynchronous iterator of its events, and awaitable.

    ``async for`` waits for the next event, and ends when the request does; ``await`` waits for the
    result. Both raise the error of a request that fails. Cancelling the task that waits cancels the
    request and waits for its end. A request that nobody refers to any more is cancelled.
    """

    _way = "await it"

    async def __anext__(self) -> Event:
        self._is_used = True
        while not self._values:
            if self._inbox.has_ended:
                self._ending()
                raise StopAsyncIteration
            self._take(await self._next())
        return self._values.pop(0)

    def __await__(self) -> Generator[Any, None, Result]:
        return self.result().__await__()

    async def result(self) -> Result:
        """Waits until the request has ended, and returns its result."""
        async for _ in self:
            pass
        return self._ending()

    async def _next(self) -> RawEvent:
        try:
            return await self._arrival()
        except asyncio.CancelledError:
            await self._end()
            raise

    async def _end(self) -> None:
        """Cancels the request, and waits for its end."""
        self.cancel()
        # A core that is closed meanwhile has ended the request.
        with contextlib.suppress(Closed):
            while not self._inbox.has_ended:
                self._take(await self._arrival())

    async def _arrival(self) -> RawEvent:
        """Waits for the next event."""
        if self._inbox.on_arrival is not None:
            raise RuntimeError("another task waits for the events of this request")
        loop = asyncio.get_running_loop()
        try:
            while True:
                arrival: asyncio.Future[None] = loop.create_future()
                wake = functools.partial(_wake, loop, arrival)
                if (event := self._router.take(self._inbox, wake)) is not None:
                    return event
                if self._router.is_closing:
                    raise closed()
                await arrival
        finally:
            self._inbox.on_arrival = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Cancels the request unless it has ended, and waits for its end."""
        await self._end()


def _wake(loop: "asyncio.AbstractEventLoop", arrival: "asyncio.Future[None]") -> None:
    """Ends a wait for an arrival, from any thread."""
    # A loop that was closed has no task that waits.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(_end, arrival)


def _end(arrival: "asyncio.Future[None]") -> None:
    if not arrival.done():
        arrival.set_result(None)
