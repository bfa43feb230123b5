"""Routes the events of a core to the requests that wait for them."""

import contextlib
import os
import select
import threading
import weakref
from collections.abc import Callable

from appcore import _library
from appcore._errors import AppCoreError, closed
from appcore._handle import Handle, RawEvent


class Inbox:
    """The events of one request that nobody has taken yet.

    Like the queue of the library it holds at most one event of progress, and one change of a kind,
    so that a slow reader needs bounded memory.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.has_ended = False
        """True once the last event was taken."""
        self.on_arrival: Callable[[], None] | None = None
        """Called in the thread that fetched an event for this inbox."""
        self._events: dict[object, RawEvent] = {}

    def add(self, event: RawEvent) -> None:
        key: object = object()
        if event.type == _library.PROGRESS:
            key = "progress"
        elif event.type == _library.CHANGED:
            key = event.json
        # The newest comes last.
        self._events.pop(key, None)
        self._events[key] = event
        if self.on_arrival is not None:
            self.on_arrival()

    def take(self) -> RawEvent | None:
        """Returns the oldest event, and removes it."""
        for key in self._events:
            event = self._events.pop(key)
            self.has_ended = event.is_last
            return event
        return None

    def __bool__(self) -> bool:
        return bool(self._events)


class EventRouter:
    """Fetches the events of a core.

    With threads, one of those that wait fetches the events of all. With asyncio, the loop does.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._inboxes: dict[int, Inbox] = {}
        self._state = threading.Condition()
        self._is_fetching = False
        self._is_closing = False
        self._closing = os.eventfd(0, os.EFD_CLOEXEC)
        self._release = weakref.finalize(self, os.close, self._closing)

    def start(self, function: str, *arguments: object) -> Inbox:
        """Starts a request."""
        # No event may be routed before its inbox is known.
        with self._state:
            if self._is_closing:
                raise closed()
            inbox = Inbox(self._handle.start(function, *arguments))
            self._inboxes[inbox.number] = inbox
        return inbox

    def cancel(self, inbox: Inbox) -> None:
        """Cancels a request; its last event follows."""
        self._handle.cancel(inbox.number)

    def abandon(self, inbox: Inbox) -> None:
        """Cancels a request whose events nobody wants any more.

        The garbage collector may call this at any point of any thread, so it takes no lock.
        """
        if self._inboxes.pop(inbox.number, None) is not None:
            with contextlib.suppress(AppCoreError):
                self._handle.cancel(inbox.number)

    def fetch(self) -> None:
        """Routes all events that have come, without waiting for others."""
        with self._state:
            if self._is_closing:
                return
            while (event := self._handle.next_event()) is not None:
                if event.is_last:
                    inbox = self._inboxes.pop(event.request, None)
                else:
                    inbox = self._inboxes.get(event.request)
                if inbox is not None:
                    inbox.add(event)
            self._state.notify_all()

    def take(self, inbox: Inbox) -> RawEvent | None:
        """Returns the next event of a request if it has come."""
        with self._state:
            return inbox.take()

    def wait(self, inbox: Inbox) -> RawEvent:
        """Waits for the next event of a request, while other threads may wait for theirs."""
        with self._state:
            while (event := inbox.take()) is None:
                if self._is_closing:
                    raise closed()
                if self._is_fetching:
                    self._state.wait()
                    continue
                self._is_fetching = True
                try:
                    self._wait_for_descriptor()
                finally:
                    # Also after an interrupt from the keyboard another thread takes over.
                    self._is_fetching = False
                    self._state.notify_all()
                self.fetch()
            return event

    def _wait_for_descriptor(self) -> None:
        poll = select.poll()
        poll.register(self._handle.descriptor(), select.POLLIN)
        poll.register(self._closing, select.POLLIN)
        self._state.release()
        try:
            poll.poll()
        finally:
            self._state.acquire()

    def close(self) -> None:
        """Ends all waits; those that wait get the error of a closed core."""
        with self._state:
            if self._is_closing:
                return
            self._is_closing = True
            os.eventfd_write(self._closing, 1)
            self._state.wait_for(lambda: not self._is_fetching)
            self._release()
            waiting = list(self._inboxes.values())
            self._inboxes.clear()
            self._state.notify_all()
        for inbox in waiting:
            if inbox.on_arrival is not None:
                inbox.on_arrival()

    @property
    def is_closing(self) -> bool:
        return self._is_closing
