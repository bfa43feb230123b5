"""The events of a request until the program takes them."""

from collections.abc import Callable

from appcore import _library
from appcore._handle import RawEvent

_PROGRESS = (_library.PROGRESS, _library.TRANSFER)
_MOST_LOGINS = 256


class Inbox:
    """The events of one request that nobody has taken yet.

    Like the queue of the library it holds at most one event of progress, one change of records and
    the newest changes of logins, so that a slow reader needs bounded memory.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.has_ended = False
        """True once the last event was taken."""
        self.on_arrival: Callable[[], None] | None = None
        """Called in the thread that fetched an event for this inbox."""
        self._events: dict[object, RawEvent] = {}
        self._newest: RawEvent | None = None
        self._logins = 0

    def add(self, event: RawEvent) -> None:
        # After an interrupt from the keyboard the same event may come again.
        if event is self._newest:
            return
        self._newest = event
        key: object = object()
        if event.type in _PROGRESS:
            key = "progress"
        elif event.type == _library.CHANGED:
            if event.document["changed"] == "records":
                key = "records"
            else:
                self._logins += 1
                key = ("login", self._logins)
                self._events.pop(("login", self._logins - _MOST_LOGINS), None)
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
