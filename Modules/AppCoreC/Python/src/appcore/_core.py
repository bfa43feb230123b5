"""The core for programs with threads, or with a single one."""

import functools
import warnings
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

from appcore._async import AsyncCore
from appcore._calls import Started
from appcore._handle import Handle, PathLike, RawEvent, absolute, path
from appcore._methods import Methods
from appcore._options import document
from appcore._requests import Request
from appcore._router import EventRouter
from appcore._rows import Rows
from appcore._session import SessionBase

if TYPE_CHECKING:
    import logging

Value = TypeVar("Value")
LogLevel = Literal["debug", "info", "warning", "error"]


def open(
    config: PathLike | None = None,
    *,
    data_folder: PathLike | None = None,
    state_folder: PathLike | None = None,
    database: PathLike | None = None,
    new_config: bool = False,
    log_level: LogLevel | None = None,
    logger: "logging.Logger | None" = None,
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
    new_config: True if ``config`` may be absent, because ``Core.add_account`` is to create it.
    log_level: the least level of what is logged on standard error; nothing if absent.
    logger: receives the log in place of standard error, while the program waits for any request;
        the level is then ``"info"`` if absent.
    """
    options = {
        "dataFolder": absolute(data_folder),
        "stateFolder": absolute(state_folder),
        "database": absolute(database),
        "newConfig": new_config,
        "logLevel": log_level,
        "logEvents": logger is not None,
    }
    handle = Handle(path(config), document(options))
    log = None if logger is None else functools.partial(_log, logger)
    return Core(handle, EventRouter(handle, log))


# The levels of the module logging, which a program without a log need not import.
_LEVELS = {"trace": 5, "debug": 10, "info": 20, "notice": 20, "warning": 30, "error": 40}


def _log(logger: "logging.Logger", event: RawEvent) -> None:
    line = event.document
    fields = "".join(f" {name}={value}" for name, value in sorted(line["metadata"].items()))
    level = _LEVELS.get(line["level"], 50)
    logger.log(level, "%s: %s%s", line["label"], line["message"], fields)


class Session(SessionBase):
    """The session of a feature module: its own time-outs, limits and cancellation.

    Get one from ``Core.session``. Any thread may use it.
    """


class Core(Methods):
    """An open core.

    All methods may be called from any thread. Those that return a ``Request`` do not wait; close
    the core, or leave its ``with`` block, to cancel all of them.
    """

    def __init__(self, handle: Handle, router: EventRouter) -> None:
        super().__init__(handle, router)
        self._asynchronous: AsyncCore | None = None

    # Opening and closing

    def close(self) -> None:
        """Closes the core: cancels its requests, and lets a renewal of a login finish.

        Usually takes milliseconds. Raises ``TryAgainLater`` with the code ``login-not-saved`` if a
        renewed login could not be stored; the core is closed all the same. Afterwards all other
        methods raise ``Closed``. Closing a closed core does nothing, and neither does closing one
        in a forked process, whose parent goes on to use it.
        """
        if self._handle.is_forked:
            return
        self._router.close()
        self._handle.close()

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
        self._asynchronous = AsyncCore(self._handle, self._router)
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
        # A core that could not be opened has no handle.
        handle = getattr(self, "_handle", None)
        if handle is None or handle.is_forked or handle.is_closed:
            return
        if self._asynchronous is None:
            warnings.warn(f"unclosed {self!r}", ResourceWarning, source=self, stacklevel=2)

    def fileno(self) -> int:
        """Returns the descriptor that is readable while requests have events.

        For main loops other than asyncio's: when it is readable, call ``Request.pending`` of each
        request. It stays readable until all events were taken, also if another call has fetched
        them. Only wait for it; do not read it or close it, and stop waiting before the core closes.
        """
        return self._router.fileno()

    # How results come

    def _start(self, start: Callable[[], Started[Any, Any]]) -> Request[Any, Any]:
        started = start()
        return Request(self._router, started.inbox, started.finish)

    def _wait(self, start: Callable[[], Started[Any, Value]]) -> Value:
        result: Value = self._start(start).result()
        return result

    def _read(self, work: Callable[[], Value]) -> Value:
        return work()

    def _list(self, make: Callable[[], Rows[Value]]) -> Rows[Value]:
        return make()

    def _open(self, name: Callable[[], tuple[str, str | None]]) -> Session:
        return Session(self, *name())
