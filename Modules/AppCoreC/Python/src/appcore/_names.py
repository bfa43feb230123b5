"""The names of keyword arguments."""

from collections.abc import Iterable, Mapping


def check_names(method: str, arguments: Mapping[str, object], known: Iterable[str]) -> None:
    """Raises ``TypeError`` for a keyword argument that a public method does not have.

    Python's own error would name a function that the caller has never seen.
    """
    names = list(known)
    for name in arguments:
        if name in names:
            continue
        # Few programs need this module.
        from difflib import get_close_matches

        meant = get_close_matches(name, names, n=1)
        cure = f"did you mean {meant[0]!r}?" if meant else f"available: {', '.join(names)}"
        raise TypeError(f"{method}() got an unexpected keyword argument {name!r}; {cure}")
