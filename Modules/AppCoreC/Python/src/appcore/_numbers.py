"""Numbers for the library, whose integers have 64 bits."""

import math
import operator
from datetime import timedelta
from typing import TypeAlias

Duration: TypeAlias = timedelta | float
"""A duration; a number counts seconds."""

LARGEST = 2**63 - 1
_LONGEST_SECONDS = 2**31 - 1


def natural(name: str, value: int) -> int:
    """Returns a number that may be 0."""
    return _within(name, value, 0, LARGEST)


def positive(name: str, value: int | None) -> int:
    """Returns a limit for the library, for which 0 means none."""
    return 0 if value is None else _within(name, value, 1, LARGEST)


def milliseconds(name: str, value: Duration | None) -> int:
    """Returns a duration for the library, for which 0 means none."""
    if value is None:
        return 0
    seconds = value.total_seconds() if isinstance(value, timedelta) else float(value)
    if not math.isfinite(seconds):
        raise ValueError(f"{name} must be a number of seconds")
    return _within(name, math.ceil(seconds * 1000), 1, LARGEST)


def whole_seconds(name: str, value: Duration | None) -> int:
    """Returns a duration for the library, for which 0 means none."""
    seconds = -(-milliseconds(name, value) // 1000)
    return _within(name, seconds, 0, _LONGEST_SECONDS)


def _within(name: str, value: int, least: int, most: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an int, not {type(value).__name__}") from None
    if not least <= number <= most:
        raise ValueError(f"{name} must be between {least} and {most}")
    return number
