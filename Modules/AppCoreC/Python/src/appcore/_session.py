"""The session of a feature module: requests of the program's own to the provider's API."""

import base64
from collections.abc import Callable, Mapping
from typing import Any

from appcore import _events
from appcore._calls import Started, starts, waits
from appcore._handle import PathLike, absolute, text
from appcore._options import Duration, document, seconds
from appcore._requests import first


class SessionBase:
    """What the sessions of ``Core`` and ``AsyncCore`` have in common."""

    def __init__(self, core: Any, name: str, account: str | None) -> None:
        # A Core or an AsyncCore, which decides how results come.
        self._core = core
        self._name = name
        self._account = account

    @waits
    def get(
        self,
        address: str,
        *,
        headers: Mapping[str, str] | None = None,
        timeout: Duration | None = None,
        max_wait: Duration | None = None,
        maximum_size: int | None = None,
    ) -> Started[_events.Response, _events.Response]:
        """Waits for the response to a GET, and returns it, whatever its status.

        address: a path below the address of the provider's API, in which ``{tenantID}`` stands for
            the organisation; or an absolute address. One at another origin gets no login.
        headers: header fields; the provider's own are added.
        timeout: the time for one attempt, in place of the session's.
        max_wait: the longest single wait for a limit or before another attempt.
        maximum_size: the largest body that is read, in bytes.
        """
        options = {"maximumSize": maximum_size, **_limits(headers, timeout, max_wait)}
        return self._send(address, options)

    @waits
    def send(
        self,
        method: str,
        address: str,
        body: bytes | str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        timeout: Duration | None = None,
        max_wait: Duration | None = None,
        maximum_size: int | None = None,
        safe_to_retry: bool | None = None,
    ) -> Started[_events.Response, _events.Response]:
        """Returns the response to a request, whatever its status; otherwise like ``get``.

        safe_to_retry: True if sending the request twice does no harm; by default that of its
            method.
        """
        is_text = isinstance(body, str)
        options = {
            "method": method,
            "body": body if is_text else None,
            "bodyBase64": None
            if body is None or isinstance(body, str)
            else base64.b64encode(body).decode(),
            "maximumSize": maximum_size,
            "safeToRetry": safe_to_retry,
            **_limits(headers, timeout, max_wait),
        }
        return self._send(address, options)

    @starts
    def download(
        self,
        address: str,
        to: PathLike,
        *,
        headers: Mapping[str, str] | None = None,
        timeout: Duration | None = None,
        max_wait: Duration | None = None,
    ) -> Started[_events.DownloadEvent, _events.Download]:
        """Downloads into a file, in constant memory, and continues what was interrupted.

        Its events are ``Transfer``, and at the end ``Download``, which is the result too. The file
        is there once it is complete; what has arrived before is in a file with ``.part`` at its
        end. A response other than the file raises an error, such as ``NotFound``.

        to: the file.
        The other arguments are those of ``get``.
        """
        return self._send(address, {"to": absolute(to), **_limits(headers, timeout, max_wait)})

    def cancel_all(self) -> None:
        """Cancels the requests of this module, of all accounts, and no other.

        They raise ``Cancelled``. The session can be used again at once.
        """
        self._core._handle.cancel_session(self._name)

    def _send(self, address: str, options: Mapping[str, Any]) -> Started[Any, Any]:
        started: Started[Any, Any] = self._core._begin(
            "appcore_send",
            text(self._account),
            text(self._name),
            text(address),
            document(options),
            finish=first,
        )
        return started

    # How results come

    def _start(self, start: Callable[[], Started[Any, Any]]) -> Any:
        return self._core._start(start)

    def _wait(self, start: Callable[[], Started[Any, Any]]) -> Any:
        return self._core._wait(start)


def _limits(
    headers: Mapping[str, str] | None, timeout: Duration | None, max_wait: Duration | None
) -> dict[str, Any]:
    return {
        "headers": None if headers is None else dict(headers),
        "timeoutSeconds": None if timeout is None else seconds("timeout", timeout),
        "maxWaitSeconds": None if max_wait is None else seconds("max_wait", max_wait),
    }
