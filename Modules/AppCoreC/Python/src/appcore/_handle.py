"""An open core of the C library, with Python's types in place of C's."""

import json
import os
import threading
import weakref
from collections.abc import Callable
from ctypes import POINTER, byref, c_int64, c_uint64, c_void_p, string_at
from dataclasses import dataclass
from typing import Any

from appcore import _library
from appcore._errors import AppCoreError, Misuse, closed, error_class

_c = _library.load()

Document = dict[str, Any]
PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class RawEvent:
    """An event as the library has it."""

    type: int
    request: int
    json: bytes | None
    error: AppCoreError | None

    @property
    def is_last(self) -> bool:
        return self.type >= _library.DONE

    @property
    def document(self) -> Document:
        document: Document = json.loads(self.json or b"{}")
        return document


def text(value: str | None) -> bytes | None:
    """Returns a text for the library."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(f"expected a str, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError("embedded null character")
    return value.encode()


def path(value: PathLike | None) -> str | None:
    """Returns a path for the library."""
    if value is None:
        return None
    path = os.fspath(value)
    text(path)
    return path


def absolute(value: PathLike | None) -> str | None:
    """Returns an absolute path for the library, which takes no other."""
    return None if value is None else os.path.abspath(path(value) or "")


def library_version() -> str:
    """Returns the version of the library ``libappcore.so.0``."""
    version: bytes = _c.appcore_version()
    return version.decode()


class Handle:
    """An open core of the library.

    All methods may be called from any thread, as those of the library.
    """

    def __init__(self, config: str | None, options: bytes) -> None:
        core = c_void_p()
        _call(_c.appcore_open, text(config), options, byref(core))
        self._core = core.value
        self._process = os.getpid()
        # The event that was fetched and not dropped.
        self._event = POINTER(_library.CEvent)()
        self._raw_event: RawEvent | None = None
        # The handler of a signal may close the core while its thread does.
        self._closing = threading.RLock()
        # Closes the core also if the program forgets to, at its end at the latest.
        self._finalizer = weakref.finalize(self, _close_forgotten, self._core, self._process)

    @property
    def core(self) -> int | None:
        """The handle of the library, which fails there once it is closed."""
        if self.is_forked:
            raise Misuse(64, "forked", "after a fork, only the parent may use its core")
        return self._core

    @property
    def is_forked(self) -> bool:
        """True in a child process, which inherited the core but cannot use it."""
        return os.getpid() != self._process

    def close(self) -> None:
        """Closes the core; does nothing if it is closed."""
        with self._closing:
            if self._finalizer.detach() is not None:
                _call(_c.appcore_close, self.core)

    @property
    def is_closed(self) -> bool:
        return not self._finalizer.alive

    def descriptor(self) -> int:
        """Returns the descriptor that is readable while there are events."""
        descriptor: int = _c.appcore_event_fd(self.core)
        if descriptor < 0:
            raise closed()
        return descriptor

    def next_event(self) -> RawEvent | None:
        """Returns the next event, without waiting for one; the same until it is dropped."""
        if self._raw_event is not None:
            return self._raw_event
        if not self._event:
            _call(_c.appcore_next_event, self.core, 0, byref(self._event))
        if not self._event:
            return None
        event = self._event.contents
        error = None
        if event.error:
            details = json.loads(event.json) if event.json else None
            error = _error(event.error.contents, details)
        self._raw_event = RawEvent(event.type, event.request, event.json, error)
        return self._raw_event

    def drop_event(self) -> None:
        """Frees the event that ``next_event`` has returned."""
        event, self._event = self._event, POINTER(_library.CEvent)()
        self._raw_event = None
        _c.appcore_event_free(event)

    def start(self, function: str, *arguments: object) -> int:
        """Starts a request, and returns its number."""
        request = c_uint64()
        _call(getattr(_c, function), self.core, *arguments, byref(request))
        return request.value

    def cancel(self, request: int) -> None:
        """Cancels a request, if it has not ended."""
        _call(_c.appcore_cancel, self.core, request)

    def set_session(self, module: str, values: bytes) -> None:
        """Sets the values of a module's session."""
        _call(_c.appcore_session, self.core, text(module), values)

    def cancel_session(self, module: str) -> None:
        """Cancels the requests of a module."""
        _call(_c.appcore_cancel_session, self.core, text(module))

    def paste_redirect(self, request: int, address: str) -> None:
        """Passes a sign-in the address on which the browser ended."""
        _call(_c.appcore_paste_redirect, self.core, request, text(address))

    def read(self, function: str, *arguments: object) -> Document:
        """Returns the document of a function that reads the database."""
        pointer = c_void_p()
        _call(getattr(_c, function), self.core, *arguments, byref(pointer))
        try:
            document: Document = json.loads(string_at(pointer.value or 0))
            return document
        finally:
            _c.appcore_string_free(pointer)

    def cancel_reading(self, reading: str) -> None:
        """Ends what other threads read under a name."""
        _call(_c.appcore_cancel_reading, self.core, text(reading))

    def count(self, function: str, query: bytes) -> int:
        """Returns the number that a function counts."""
        number = c_int64()
        _call(getattr(_c, function), self.core, query, byref(number))
        return number.value


def _call(function: Callable[..., int], *arguments: object) -> None:
    """Calls a function of the library, and raises its error."""
    pointer = POINTER(_library.CError)()
    if function(*arguments, byref(pointer)) == 0:
        return
    try:
        raise _error(pointer.contents)
    finally:
        _c.appcore_error_free(pointer)


def _error(error: _library.CError, document: Document | None = None) -> AppCoreError:
    code = error.code.decode()
    hint = error.hint.decode() if error.hint is not None else None
    said = error.provider_message
    kind = error_class(error.kind, code)
    return kind(
        error.kind,
        code,
        error.message.decode(),
        hint,
        error.retryable != 0,
        document,
        said.decode() if said is not None else None,
    )


def _close_forgotten(core: int | None, process: int) -> None:
    if os.getpid() == process:
        _c.appcore_close(core, None)
