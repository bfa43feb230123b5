"""The exceptions of the package."""

from enum import IntEnum
from typing import Any


class ErrorKind(IntEnum):
    """The kinds of errors; their values are also the exit codes of the program appcore."""

    FAILED = 1
    MISUSE = 64
    UNREADABLE_DATA = 65
    UNAVAILABLE = 69
    BUG = 70
    INPUT_OUTPUT = 74
    TRY_AGAIN = 75
    SIGN_IN_REQUIRED = 77
    CONFIGURATION = 78
    CANCELLED = 130


class AppCoreError(Exception):
    """An error of appcore, and the base class of all others.

    Catch a subclass to react, compare ``code`` to be precise, and show ``message`` and ``hint``
    to the user. Neither contains a secret.
    """

    kind: int
    """The kind: an ``ErrorKind``, or a number that this version does not know."""
    code: str
    """The stable code of the cause, such as ``"sign-in-required"``."""
    message: str
    """A sentence for the user."""
    hint: str | None
    """The user's way out, if there is one; often a command of the program ``appcore``."""
    retryable: bool
    """True if the same call can succeed later without any correction."""
    document: dict[str, Any] | None
    """The document of a failed command, for requests; it lists records that cannot be read."""

    provider_message: str | None
    """The words with which the provider's server refused the request, if there are any."""

    def __init__(
        self,
        kind: int,
        code: str,
        message: str,
        hint: str | None = None,
        retryable: bool = False,
        document: dict[str, Any] | None = None,
        provider_message: str | None = None,
    ) -> None:
        super().__init__(kind, code, message, hint, retryable, document, provider_message)
        self.kind = kind
        self.code = code
        self.message = message
        self.hint = hint
        self.retryable = retryable
        self.document = document
        self.provider_message = provider_message
        if provider_message is not None:
            self.add_note(f"The provider says: {provider_message}")
        if hint is not None:
            self.add_note(hint)

    def __str__(self) -> str:
        return self.message


class Misuse(AppCoreError):
    """The program passed something that cannot be."""


class BadArgument(Misuse, ValueError):
    """An argument has a value that it cannot have."""


class Closed(Misuse):
    """The core is closed."""


class UnreadableData(AppCoreError):
    """The provider's data cannot be read."""


class Unavailable(AppCoreError):
    """The server or the network is unavailable; try again later."""


class Bug(AppCoreError):
    """A bug of appcore."""


class InputOutputError(AppCoreError):
    """The disk or the database failed."""


class TryAgainLater(AppCoreError):
    """A limit, a lock or the keyring is in the way; try again later."""


class SignInRequired(AppCoreError):
    """The user has to sign in."""


class ConfigurationError(AppCoreError):
    """The user has to correct the configuration."""


class Cancelled(AppCoreError):
    """The request was cancelled."""


class NotFound(AppCoreError, LookupError):
    """No record has this name or id."""


class Ambiguous(AppCoreError, LookupError):
    """Several records match this name or id."""


_BY_KIND: dict[int, type[AppCoreError]] = {
    ErrorKind.MISUSE: Misuse,
    ErrorKind.UNREADABLE_DATA: UnreadableData,
    ErrorKind.UNAVAILABLE: Unavailable,
    ErrorKind.BUG: Bug,
    ErrorKind.INPUT_OUTPUT: InputOutputError,
    ErrorKind.TRY_AGAIN: TryAgainLater,
    ErrorKind.SIGN_IN_REQUIRED: SignInRequired,
    ErrorKind.CONFIGURATION: ConfigurationError,
    ErrorKind.CANCELLED: Cancelled,
}

_BY_CODE: dict[str, type[AppCoreError]] = {
    "bad-argument": BadArgument,
    "bad-handle": Closed,
    "not-found": NotFound,
    "ambiguous": Ambiguous,
}


def error_class(kind: int, code: str) -> type[AppCoreError]:
    """Returns the exception for an error of the library."""
    return _BY_CODE.get(code) or _BY_KIND.get(kind, AppCoreError)


def closed() -> Closed:
    """Returns the error of a core that this process has closed."""
    return Closed(ErrorKind.MISUSE, "bad-handle", "the core is closed")
