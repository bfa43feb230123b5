"""Turns JSON documents into dataclasses.

A class declares the members that it knows. Others are ignored, since later versions of the library
may add some.
"""

import functools
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from appcore._options import member

T = TypeVar("T")
Converter = Callable[[Any], Any]
Plan = tuple[tuple[str, str, Converter | None], ...]

_plans: dict[type, Plan] = {}


def decode(cls: type[T], document: Mapping[str, Any]) -> T:
    """Returns the value of a document."""
    # The constructor of a frozen dataclass sets one field at a time, which takes far longer.
    value = object.__new__(cls)
    get = document.get
    value.__dict__.update(
        {
            name: found if (found := get(key)) is None or convert is None else convert(found)
            for name, key, convert in _plan(cls)
        }
    )
    return value


def _plan(cls: type) -> Plan:
    """Returns the name, the member and the converter of each property of a dataclass."""
    if (plan := _plans.get(cls)) is None:
        hints = typing.get_type_hints(cls)
        plan = _plans[cls] = tuple(
            (name, member(name), _converter(hint)) for name, hint in hints.items()
        )
    return plan


def _converter(hint: Any) -> Converter | None:
    """Returns the converter of what is not null; ``None`` if JSON has the type itself."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        known = [kind for kind in arguments if kind not in (str, types.NoneType)]
        return _converter(known[0]) if known else None
    if origin is tuple:
        return _list(_converter(arguments[0]))
    if origin is Mapping:
        return _mapping(_converter(arguments[1]))
    if is_dataclass(hint):
        return functools.partial(decode, typing.cast(type, hint))
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return _words(hint)
    if hint is datetime:
        return datetime.fromisoformat
    if hint is Path:
        return Path
    if hint is date:
        return date.fromisoformat
    return Decimal if hint is Decimal else None


def _list(convert: Converter | None) -> Converter:
    return tuple if convert is None else lambda values: tuple(map(convert, values))


def _mapping(convert: Converter | None) -> Converter:
    if convert is None:
        return dict
    return lambda values: {key: convert(value) for key, value in values.items()}


def _words(kinds: type[StrEnum]) -> Converter:
    known = {kind.value: kind for kind in kinds}
    # A word that this version does not know stays a text.
    return lambda word: known.get(word, word)
