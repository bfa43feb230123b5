"""The C library: its structures, its functions, and the places where it is found.

The declarations repeat ``appcore.h``; a test compares them with it.
"""

import ctypes
import os
from collections.abc import Iterator
from ctypes import POINTER, c_char_p, c_int, c_int64, c_uint64, c_void_p
from pathlib import Path
from typing import Any

SONAME = "libappcore.so.0"

PROGRESS = 1
REPORT = 2
OPEN_URL = 3
DEVICE_CODE = 4
SIGNED_IN = 5
SIGNED_OUT = 6
STATUS = 7
ORGANISATIONS = 8
CHANGED = 9
TRANSFER = 10
RESPONSE = 11
LOG = 12
DOCUMENT_PROGRESS = 13
DOCUMENT_REPORT = 14
DOCUMENT_EXPORT = 15
DONE = 100
FAILED = 101
CANCELLED = 102


class CError(ctypes.Structure):
    """``appcore_error``."""

    _fields_ = (
        ("kind", c_int),
        ("retryable", c_int),
        ("code", c_char_p),
        ("message", c_char_p),
        ("hint", c_char_p),
        ("provider_message", c_char_p),
    )


class CEvent(ctypes.Structure):
    """``appcore_event``."""

    _fields_ = (
        ("type", c_int),
        ("request", c_uint64),
        ("json", c_char_p),
        ("error", POINTER(CError)),
    )


_CORE = c_void_p
_ERROR = POINTER(POINTER(CError))
_REQUEST = POINTER(c_uint64)
_TEXT = POINTER(c_void_p)

FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "appcore_error_free": (None, [POINTER(CError)]),
    "appcore_string_free": (None, [c_void_p]),
    "appcore_version": (c_char_p, []),
    "appcore_interface_version": (c_int, []),
    "appcore_event_is_last": (c_int, [c_int]),
    "appcore_next_request": (c_uint64, [_CORE]),
    "appcore_open": (c_int, [c_char_p, c_char_p, POINTER(_CORE), _ERROR]),
    "appcore_close": (c_int, [_CORE, _ERROR]),
    "appcore_event_free": (None, [POINTER(CEvent)]),
    "appcore_event_fd": (c_int, [_CORE]),
    "appcore_next_event": (c_int, [_CORE, c_int, POINTER(POINTER(CEvent)), _ERROR]),
    "appcore_cancel": (c_int, [_CORE, c_uint64, _ERROR]),
    "appcore_sign_in": (c_int, [_CORE, c_char_p, c_char_p, _REQUEST, _ERROR]),
    "appcore_paste_redirect": (c_int, [_CORE, c_uint64, c_char_p, _ERROR]),
    "appcore_sign_out": (c_int, [_CORE, c_char_p, c_char_p, _REQUEST, _ERROR]),
    "appcore_status": (c_int, [_CORE, c_char_p, _REQUEST, _ERROR]),
    "appcore_organisations": (c_int, [_CORE, c_char_p, _REQUEST, _ERROR]),
    "appcore_choose_organisation": (c_int, [_CORE, c_char_p, c_char_p, _REQUEST, _ERROR]),
    "appcore_providers": (c_int, [_CORE, _TEXT, _ERROR]),
    "appcore_sign_in_ways": (c_int, [_CORE, c_char_p, _TEXT, _ERROR]),
    "appcore_add_account": (c_int, [_CORE, c_char_p, c_char_p, _TEXT, _ERROR]),
    "appcore_rename_account": (c_int, [_CORE, c_char_p, c_char_p, _REQUEST, _ERROR]),
    "appcore_remove_account": (c_int, [_CORE, c_char_p, c_char_p, _REQUEST, _ERROR]),
    "appcore_cancel_reading": (c_int, [_CORE, c_char_p, _ERROR]),
    "appcore_sync": (c_int, [_CORE, c_char_p, c_char_p, c_char_p, _REQUEST, _ERROR]),
    "appcore_watch": (c_int, [_CORE, _REQUEST, _ERROR]),
    "appcore_documents": (c_int, [_CORE, c_char_p, _TEXT, _ERROR]),
    "appcore_fetch_documents": (c_int, [_CORE, c_char_p, c_char_p, _REQUEST, _ERROR]),
    "appcore_export_documents": (c_int, [_CORE, c_char_p, c_char_p, _REQUEST, _ERROR]),
    "appcore_session": (c_int, [_CORE, c_char_p, c_char_p, _ERROR]),
    "appcore_send": (c_int, [_CORE, c_char_p, c_char_p, c_char_p, c_char_p, _REQUEST, _ERROR]),
    "appcore_cancel_session": (c_int, [_CORE, c_char_p, _ERROR]),
    "appcore_invoices": (c_int, [_CORE, c_char_p, _TEXT, _ERROR]),
    "appcore_invoice_count": (c_int, [_CORE, c_char_p, POINTER(c_int64), _ERROR]),
    "appcore_invoice": (c_int, [_CORE, c_char_p, c_char_p, _TEXT, _ERROR]),
    "appcore_invoice_summary": (c_int, [_CORE, c_char_p, c_char_p, _TEXT, _ERROR]),
    "appcore_contacts": (c_int, [_CORE, c_char_p, _TEXT, _ERROR]),
    "appcore_contact_count": (c_int, [_CORE, c_char_p, POINTER(c_int64), _ERROR]),
    "appcore_contact": (c_int, [_CORE, c_char_p, c_char_p, _TEXT, _ERROR]),
    "appcore_changes": (c_int, [_CORE, c_char_p, _TEXT, _ERROR]),
    "appcore_payments": (c_int, [_CORE, c_char_p, _TEXT, _ERROR]),
    "appcore_payment_count": (c_int, [_CORE, c_char_p, POINTER(c_int64), _ERROR]),
    "appcore_payment": (c_int, [_CORE, c_char_p, c_char_p, _TEXT, _ERROR]),
}


def _places() -> Iterator[str]:
    """Yields the places where the library may be, the first to try first."""
    if named := os.environ.get("APPCORE_LIBRARY"):
        # A wrong name must not end in the use of another library.
        yield named
        return
    yield SONAME
    yield str(Path(__file__).parent / SONAME)
    # Config/scripts/install installs there, where the loader does not look.
    yield str(Path("~/.local/lib").expanduser() / SONAME)


def load() -> ctypes.CDLL:
    """Loads the library, and declares its functions.

    Raises ImportError if the library is not found, or is too old for this package.
    """
    failures = []
    for place in _places():
        try:
            library = ctypes.CDLL(place)
            break
        except OSError as error:
            failures.append(f"  {error}")
    else:
        raise ImportError(
            f"appcore needs the library {SONAME}, which was not found:\n"
            + "\n".join(failures)
            + "\nInstall it, or set APPCORE_LIBRARY to its path."
        )
    for name, (result, arguments) in FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(
                f"the library {place} has no function {name}: it is older than this package, "
                "or another library. Install the library of this version, "
                "or set APPCORE_LIBRARY to its path."
            ) from None
        function.restype = result
        function.argtypes = arguments
    return library
