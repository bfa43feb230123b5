"""The core for programs with asyncio."""

import contextlib
import os
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from appcore._calls import Started
from appcore._errors import Closed
from appcore._handle import Handle
from appcore._methods import Methods
from appcore._requests import AsyncRequest
from appcore._router import EventRouter
from appcore._rows import AsyncRows, Rows
from appcore._session import SessionBase

if TYPE_CHECKING:
    import asyncio
else:
    from appcore import _asyncio as asyncio


Value = TypeVar("Value")


class AsyncSession(SessionBase):
    """The session of a feature module, for programs with asyncio; otherwise like ``Session``."""


class AsyncCore(Methods):
    """An open core whose events arrive in the running loop.

    Get one with ``async with appcore.open() as core``. Use it in the thread of that loop. The
    methods are those of ``Core``. Those that wait or read return a coroutine, and lists are for
    ``async for`` or ``await``.
    """

    def __init__(self, handle: Handle, router: EventRouter) -> None:
        super().__init__(handle, router)
        self._loop = asyncio.get_running_loop()
        # A copy, since another thread may close the core while the loop waits for it.
        self._descriptor = os.dup(handle.descriptor())
        self._release = weakref.finalize(self, os.close, self._descriptor)
        self._loop.add_reader(self._descriptor, self._fetch)

    async def close(self) -> None:
        """Closes the core. Tasks that still wait for a request get ``Closed``.

        Does nothing in a forked process, like ``Core.close``.
        """
        if self._handle.is_forked:
            return
        self._leave()
        self._router.close()
        closing = self._loop.run_in_executor(None, self._handle.close)
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

    def _fetch(self) -> None:
        with contextlib.suppress(Closed):
            self._router.fetch()
        if self._router.is_closing:
            self._leave()

    def _leave(self) -> None:
        """Ends the loop's wait for events."""
        if self._release.alive:
            self._loop.remove_reader(self._descriptor)
            self._release()

    # How results come

    def _check_loop(self) -> None:
        """Raises ``RuntimeError`` outside of the loop, where no events would ever come."""
        if asyncio.get_running_loop() is not self._loop:
            raise RuntimeError("this core belongs to another event loop")

    def _start(self, start: Callable[[], Started[Any, Any]]) -> AsyncRequest[Any, Any]:
        self._check_loop()
        started = start()
        return AsyncRequest(self._router, started.inbox, started.finish)

    async def _wait(self, start: Callable[[], Started[Any, Value]]) -> Value:
        result: Value = await self._start(start)
        return result

    async def _read(self, work: Callable[[], Value]) -> Value:
        self._check_loop()
        return await asyncio.to_thread(work)

    def _list(self, make: Callable[[], Rows[Value]]) -> AsyncRows[Value]:
        self._check_loop()
        return AsyncRows(make())

    def _open(self, name: Callable[[], tuple[str, str | None]]) -> AsyncSession:
        self._check_loop()
        return AsyncSession(self, *name())
