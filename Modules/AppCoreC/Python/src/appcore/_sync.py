"""The choices for a sync."""

from datetime import UTC, date, datetime
from typing import TypedDict

from appcore._handle import text
from appcore._library import CSyncOptions
from appcore._numbers import Duration, milliseconds, positive


class SyncOptions(TypedDict, total=False):
    """The choices for a sync, as of ``appcore sync --help``."""

    full: bool
    """True to read everything again; records no longer listed count as deleted."""
    verify: bool
    """True to compare everything with the server afterwards, and to correct differences."""
    dry_run: bool
    """True to store nothing, and to report what would change."""
    wait: bool
    """False to raise ``TryAgainLater`` immediately if another process syncs the same list."""
    allow_mass_deletion: bool
    """True to allow this run to delete more than ``sync.maximumDeletedPercent``."""
    same_organisation: bool
    """True to confirm that the login belongs to the organisation already stored."""
    since: date | str | None
    """The day or instant since which changes are read; if absent, what was read before."""
    limit: int | None
    """Stop after so many records, at the end of a page."""
    max_duration: Duration | None
    """Stop after so long."""
    max_wait: Duration | None
    """The longest wait for a rate limit; 60 seconds if absent."""


def sync_options(
    *,
    full: bool = False,
    verify: bool = False,
    dry_run: bool = False,
    wait: bool = True,
    allow_mass_deletion: bool = False,
    same_organisation: bool = False,
    since: date | str | None = None,
    limit: int | None = None,
    max_duration: Duration | None = None,
    max_wait: Duration | None = None,
) -> CSyncOptions:
    """Returns the choices for the library."""
    return CSyncOptions(
        full=full,
        verify=verify,
        dry_run=dry_run,
        no_wait=not wait,
        allow_mass_deletion=allow_mass_deletion,
        same_organisation=same_organisation,
        since=text(_instant(since)),
        limit=positive("limit", limit),
        max_duration_ms=milliseconds("max_duration", max_duration),
        max_wait_ms=milliseconds("max_wait", max_wait),
    )


def _instant(value: date | str | None) -> str | None:
    if not isinstance(value, datetime):
        return value.isoformat() if isinstance(value, date) else value
    if value.tzinfo is None:
        raise ValueError("the instant needs a time zone, such as datetime.timezone.utc")
    try:
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except OverflowError:
        raise ValueError("the instant is out of range") from None
