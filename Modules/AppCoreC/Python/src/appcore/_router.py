"""Routes the events of a core to the requests that wait for them."""

import contextlib
import select
import threading
from collections import deque
from collections.abc import Callable

from appcore import _library
from appcore._errors import AppCoreError, TryAgainLater, closed
from appcore._flag import Flag, Readiness
from appcore._handle import Handle, RawEvent
from appcore._inbox import Inbox

_MOST_FORGOTTEN = 16


class EventRouter:
    """Fetches the events of a core.

    With threads, one of those that wait fetches the events of all. With asyncio, the loop does, and
    with other main loops any request that is asked. The handler of a signal may call anything, also
    while its thread waits.
    """

    def __init__(self, handle: Handle, log: Callable[[RawEvent], None] | None = None) -> None:
        self._handle = handle
        self._log = log
        self._lines: deque[RawEvent] = deque()
        # Those whose last event was not fetched, and those that have events.
        self._inboxes: dict[int, Inbox] = {}
        self._unread: set[Inbox] = set()
        self._abandoned: deque[Inbox] = deque()
        # The numbers of those whose last event is still to come.
        self._forgotten: set[int] = set()
        self._state = threading.Condition()
        # The thread that waits for the descriptor of the library.
        self._poller: int | None = None
        self._is_closing = False
        self._wake = Flag()
        self._readiness: Readiness | None = None

    def start(self, function: str, *arguments: object) -> Inbox:
        """Starts a request."""
        # No event may be routed before its inbox is known.
        with self._state:
            if self._is_closing:
                raise closed()
            # Their last events would wait in the library until somebody waits for another request.
            if len(self._forgotten) > _MOST_FORGOTTEN:
                self.fetch()
            try:
                number = self._handle.start(function, *arguments)
            except TryAgainLater as error:
                if error.code != "too-many-requests":
                    raise
                # Forgotten requests count until their last events are fetched.
                self.fetch()
                number = self._handle.start(function, *arguments)
            inbox = self._inboxes[number] = Inbox(number)
            self._update()
        return inbox

    def cancel(self, inbox: Inbox) -> None:
        """Cancels a request; its last event follows."""
        self._handle.cancel(inbox.number)

    def paste_redirect(self, inbox: Inbox, address: str) -> None:
        """Passes a sign-in the address on which the browser ended."""
        self._handle.paste_redirect(inbox.number, address)

    def abandon(self, inbox: Inbox) -> None:
        """Cancels a request whose events nobody wants any more.

        The garbage collector may call this at any point of any thread, so it waits for no lock.
        """
        self._abandoned.append(inbox)
        with contextlib.suppress(AppCoreError):
            self._handle.cancel(inbox.number)
        if self._state.acquire(blocking=False):
            try:
                self._update()
            finally:
                self._state.release()

    def fetch(self) -> None:
        """Routes all events that have come, without waiting for others."""
        with self._state:
            if self._is_closing:
                return
            try:
                while (event := self._handle.next_event()) is not None:
                    self._route(event)
                    # Only now: an interrupt from the keyboard must lose no event.
                    self._handle.drop_event()
            finally:
                self._update()
                if self._poller is not None:
                    self._wake.set()
                self._state.notify_all()
        # Without the lock: the program's handler of the log may do anything.
        with contextlib.suppress(IndexError):
            while self._log is not None:
                self._log(self._lines.popleft())

    def take(self, inbox: Inbox, on_arrival: Callable[[], None] | None = None) -> RawEvent | None:
        """Returns the next event of a request if it has come.

        on_arrival: called when the next event comes, if none has come.
        """
        with self._state:
            event = inbox.take()
            if event is None:
                inbox.on_arrival = on_arrival
            elif not inbox:
                self._unread.discard(inbox)
            self._update()
            return event

    def wait(self, inbox: Inbox) -> RawEvent:
        """Waits for the next event of a request, while other threads may wait for theirs."""
        me = threading.get_ident()
        while True:
            # The handler of a signal may interrupt this thread while it polls.
            outer = me if self._poller == me else None
            try:
                with self._state:
                    if (event := self.take(inbox)) is not None:
                        return event
                    if self._is_closing:
                        raise closed()
                    if self._poller not in (None, me):
                        self._state.wait()
                        continue
                    self._poller = me
                self._poll()
            finally:
                # Also after an interrupt from the keyboard another thread takes over.
                with self._state:
                    if self._poller == me:
                        self._poller = outer
                        self._state.notify_all()
            self.fetch()

    def _poll(self) -> None:
        poll = select.poll()
        poll.register(self._handle.descriptor(), select.POLLIN)
        poll.register(self._wake, select.POLLIN)
        poll.poll()
        with self._state:
            if not self._is_closing:
                self._wake.clear()

    def fileno(self) -> int:
        """Returns the descriptor that is readable while there are events to take."""
        with self._state:
            source = self._handle.descriptor()
            if self._is_closing:
                raise closed()
            if self._readiness is None:
                self._readiness = Readiness(source)
                self._update()
            return self._readiness.fileno()

    def close(self) -> None:
        """Ends all waits; those that wait get the error of a closed core."""
        with self._state:
            if self._is_closing:
                return
            self._is_closing = True
            self._wake.set()
            # In the handler of a signal, the interrupted wait of this thread ends afterwards.
            here = (None, threading.get_ident())
            self._state.wait_for(lambda: self._poller in here)
            if self._poller is None:
                self._wake.close()
            if self._readiness is not None:
                self._readiness.close()
                self._readiness = None
            waiting = list(self._inboxes.values())
            self._inboxes.clear()
            self._state.notify_all()
        for inbox in waiting:
            if inbox.on_arrival is not None:
                inbox.on_arrival()

    @property
    def is_closing(self) -> bool:
        return self._is_closing

    def _route(self, event: RawEvent) -> None:
        if event.type == _library.LOG:
            self._lines.append(event)
            return
        inbox = self._inboxes.get(event.request)
        if inbox is None:
            if event.is_last:
                self._forgotten.discard(event.request)
            return
        inbox.add(event)
        self._unread.add(inbox)
        if event.is_last:
            self._inboxes.pop(event.request, None)

    def _update(self) -> None:
        """Forgets abandoned inboxes, and sets what ``fileno`` has returned."""
        with contextlib.suppress(IndexError):
            while True:
                inbox = self._abandoned.popleft()
                if self._inboxes.pop(inbox.number, None) is not None:
                    self._forgotten.add(inbox.number)
                self._unread.discard(inbox)
        if self._readiness is not None:
            self._readiness.update(bool(self._unread), bool(self._inboxes))
