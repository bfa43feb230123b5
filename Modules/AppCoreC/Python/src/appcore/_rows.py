"""Lists of records, which are read from the database page by page."""

import itertools
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from appcore._errors import Cancelled, ErrorKind
from appcore._options import whole

if TYPE_CHECKING:
    import asyncio
else:
    from appcore import _asyncio as asyncio

Row = TypeVar("Row")
Value = TypeVar("Value")

# The first rows come soon. Later pages are larger, since a call takes time by itself.
_GROWING = (100, 200, 400, 800, 1_600)


class Rows(Generic[Row]):
    """The rows that a query finds, read while they are iterated: a page at a time.

    Each iteration reads them again, and holds one page at a time. Each page is a moment of its own.
    A record that is there all the time, and whose place in the order does not change, comes exactly
    once, whatever is stored meanwhile; one whose place changes comes once, twice or not at all.
    With a limit of at most 1 600 there is one page.
    """

    def __init__(
        self,
        read: Callable[[int, int, str | None], tuple[list[Row], str | None]],
        count: Callable[[], int],
        interrupt: Callable[[], None],
        offset: int,
        limit: int | None,
    ) -> None:
        self._read = read
        self._count = count
        self._interrupt = interrupt
        self._is_cancelled = False
        self._offset = whole("offset", offset)
        self._limit = None if limit is None else whole("limit", limit)

    def __iter__(self) -> Iterator[Row]:
        for page in self.pages():
            yield from page

    def pages(self, size: int | None = None) -> Iterator[list[Row]]:
        """Yields the rows in lists of at most ``size``; in growing lists if it is absent."""
        return self._pages(None if size is None else whole("size", size, 1))

    def _pages(self, size: int | None) -> Iterator[list[Row]]:
        if size is None and self._limit is not None:
            size = min(self._limit, _GROWING[-1]) or None
        sizes = itertools.repeat(size) if size else _growing()
        offset = self._offset
        remaining = self._limit
        after = None
        while remaining is None or remaining > 0:
            if self._is_cancelled:
                raise Cancelled(ErrorKind.CANCELLED, "interrupted", "interrupted")
            wanted = next(sizes) if remaining is None else min(next(sizes), remaining)
            page, after = self._read(offset, wanted, after)
            if page:
                yield page
            if after is None:
                return
            offset = 0
            remaining = None if remaining is None else remaining - wanted

    def cancel(self) -> None:
        """Ends the iterations of these rows, also while another thread reads: they raise
        ``Cancelled``. Other lists are not affected."""
        self._is_cancelled = True
        self._interrupt()

    def count(self) -> int:
        """Returns the number of rows that the filters find, whatever offset and limit are."""
        return self._count()

    def __bool__(self) -> bool:
        """Returns whether iterating yields a row; reads at most one."""
        return self._limit != 0 and bool(self._read(self._offset, 1, None)[0])


class AsyncRows(Generic[Row]):
    """The rows that a query finds, for ``async for``; ``await`` returns a list of all.

    The database is read in a thread, so that the loop goes on. Cancelling the task that waits ends
    the reading. Otherwise like ``Rows``.
    """

    def __init__(self, rows: Rows[Row]) -> None:
        self._rows = rows

    async def __aiter__(self) -> AsyncIterator[Row]:
        async for page in self.pages():
            for row in page:
                yield row

    def __bool__(self) -> bool:
        """Raises ``TypeError``: the answer needs an ``await``."""
        raise TypeError("await the rows; the list of them is false if there are none")

    def __await__(self) -> Generator[Any, None, list[Row]]:
        return self._all().__await__()

    async def _all(self) -> list[Row]:
        return [row async for page in self.pages() for row in page]

    def pages(self, size: int | None = None) -> AsyncIterator[list[Row]]:
        """Yields the rows in lists of at most ``size``; in growing lists if it is absent."""
        return self._in_threads(self._rows.pages(size))

    async def _in_threads(self, pages: Iterator[list[Row]]) -> AsyncIterator[list[Row]]:
        while (page := await self._in_thread(lambda: next(pages, None))) is not None:
            yield page

    async def count(self) -> int:
        """Returns the number of rows that the filters find, whatever offset and limit are."""
        return await self._in_thread(self._rows.count)

    async def _in_thread(self, work: Callable[[], Value]) -> Value:
        try:
            return await asyncio.to_thread(work)
        except asyncio.CancelledError:
            self._rows._interrupt()
            raise


def _growing() -> Iterator[int]:
    return itertools.chain(_GROWING, itertools.repeat(_GROWING[-1]))
