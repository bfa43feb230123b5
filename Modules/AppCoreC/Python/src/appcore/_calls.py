"""The decorators of the methods that ``Core`` and ``AsyncCore`` have in common.

A method is stated once, in ``Methods``, and the class of its core decides what a call returns:

| decorator | ``Core``      | ``AsyncCore``      |
|-----------|---------------|--------------------|
| starts    | ``Request``   | ``AsyncRequest``   |
| waits     | its result    | a coroutine of it  |
| reads     | the value     | a coroutine of it  |
| lists     | ``Rows``      | ``AsyncRows``      |
| opens     | ``Session``   | ``AsyncSession``   |

The methods of a session are stated once as well.
"""

import functools
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    Unpack,
    cast,
    overload,
)

from appcore._events import SyncEvent, SyncReport
from appcore._inbox import Inbox
from appcore._options import SyncOptions
from appcore._requests import AsyncRequest, Finish, Request
from appcore._rows import AsyncRows, Rows

if TYPE_CHECKING:
    from appcore._async import AsyncCore, AsyncSession
    from appcore._core import Core, Session

P = ParamSpec("P")
Event = TypeVar("Event")
Result = TypeVar("Result")
Value = TypeVar("Value", covariant=True)
One = TypeVar("One", covariant=True)
All = TypeVar("All", covariant=True)
Resource: TypeAlias = Literal[
    "invoices",
    "credit-notes",
    "external-invoices",
    "bills",
    "payments",
    "prepayments",
    "overpayments",
    "contacts",
]


@dataclass(frozen=True)
class Started(Generic[Event, Result]):
    """A request that was started, and the way to its result."""

    inbox: Inbox
    finish: Finish[Result]


class Starting(Protocol[P, Event, Result]):
    @overload
    def __get__(
        self, core: "Core | Session", kind: object = None
    ) -> Callable[P, Request[Event, Result]]: ...
    @overload
    def __get__(
        self, core: "AsyncCore | AsyncSession", kind: object = None
    ) -> Callable[P, AsyncRequest[Event, Result]]: ...


class Waiting(Protocol[P, Value]):
    @overload
    def __get__(self, core: "Core | Session", kind: object = None) -> Callable[P, Value]: ...
    @overload
    def __get__(
        self, core: "AsyncCore | AsyncSession", kind: object = None
    ) -> Callable[P, Coroutine[Any, Any, Value]]: ...


class Listing(Protocol[P, Result]):
    @overload
    def __get__(self, core: "Core", kind: object = None) -> Callable[P, Rows[Result]]: ...
    @overload
    def __get__(self, core: "AsyncCore", kind: object = None) -> Callable[P, AsyncRows[Result]]: ...


class Opening(Protocol[P]):
    @overload
    def __get__(self, core: "Core", kind: object = None) -> Callable[P, "Session"]: ...
    @overload
    def __get__(self, core: "AsyncCore", kind: object = None) -> Callable[P, "AsyncSession"]: ...


class Sync(Protocol[One, All]):
    @overload
    def __call__(
        self,
        resource: Resource = "invoices",
        account: str | None = None,
        **options: Unpack[SyncOptions],
    ) -> One: ...
    @overload
    def __call__(
        self, resource: Literal["all"], account: str | None = None, **options: Unpack[SyncOptions]
    ) -> All: ...


Reports: TypeAlias = tuple[SyncReport, ...]


class Syncing(Protocol):
    @overload
    def __get__(
        self, core: "Core", kind: object = None
    ) -> Sync[Request[SyncEvent, SyncReport], Request[SyncEvent, Reports]]: ...
    @overload
    def __get__(
        self, core: "AsyncCore", kind: object = None
    ) -> Sync[AsyncRequest[SyncEvent, SyncReport], AsyncRequest[SyncEvent, Reports]]: ...


def _by(way: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a method that leaves to a core how its body is run."""

    @functools.wraps(method)
    def call(core: Any, *arguments: Any, **options: Any) -> Any:
        return getattr(core, way)(functools.partial(method, core, *arguments, **options))

    return call


def starts(
    method: Callable[Concatenate[Any, P], Started[Event, Result]],
) -> Starting[P, Event, Result]:
    return cast("Starting[P, Event, Result]", _by("_start", method))


def syncs(method: Callable[..., Started[SyncEvent, Any]]) -> Syncing:
    return cast("Syncing", _by("_start", method))


def waits(method: Callable[Concatenate[Any, P], Started[Any, Result]]) -> Waiting[P, Result]:
    return cast("Waiting[P, Result]", _by("_wait", method))


def reads(method: Callable[Concatenate[Any, P], Result]) -> Waiting[P, Result]:
    return cast("Waiting[P, Result]", _by("_read", method))


def lists(method: Callable[Concatenate[Any, P], Rows[Result]]) -> Listing[P, Result]:
    return cast("Listing[P, Result]", _by("_list", method))


def opens(method: Callable[Concatenate[Any, P], tuple[str, str | None]]) -> Opening[P]:
    return cast("Opening[P]", _by("_open", method))
