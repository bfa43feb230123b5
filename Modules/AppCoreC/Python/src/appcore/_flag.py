"""Descriptors that become readable when a program says so."""

import contextlib
import os
import select
import weakref


class Flag:
    """A descriptor that is readable while the flag is set: an eventfd(2)."""

    def __init__(self) -> None:
        self._descriptor = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._release = weakref.finalize(self, os.close, self._descriptor)
        # A program may close its core after the finalizers have run.
        self._release.atexit = False

    def fileno(self) -> int:
        return self._descriptor

    def set(self) -> None:
        os.eventfd_write(self._descriptor, 1)

    def clear(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._descriptor)

    def close(self) -> None:
        self._release()


class Readiness:
    """A descriptor that is readable while there may be events that the program has not taken.

    It is so while some were fetched for requests that have not taken them, and while the library
    has some and any request waits for its end. Events of forgotten requests alone do not count:
    nobody would take them.
    """

    def __init__(self, source: int) -> None:
        self._source = source
        self._arrived = Flag()
        self._epoll = select.epoll()
        self._epoll.register(self._arrived, select.EPOLLIN)
        self._has_events = False
        self._has_requests = False

    def fileno(self) -> int:
        return self._epoll.fileno()

    def update(self, has_events: bool, has_requests: bool) -> None:
        if has_events != self._has_events:
            self._has_events = has_events
            if has_events:
                self._arrived.set()
            else:
                self._arrived.clear()
        if has_requests != self._has_requests:
            self._has_requests = has_requests
            if has_requests:
                self._epoll.register(self._source, select.EPOLLIN)
            else:
                self._epoll.unregister(self._source)

    def close(self) -> None:
        self._epoll.close()
        self._arrived.close()
