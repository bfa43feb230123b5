"""The module ``asyncio``, imported by the first program that uses it.

Its import takes a third of the time of ``import appcore``, and programs with threads do without.
"""

from typing import Any


def __getattr__(name: str) -> Any:
    import asyncio

    return getattr(asyncio, name)
