"""What a screen needs to set up accounts."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Provider:
    """A provider that accounts can have."""

    name: str
    """The name in the configuration, such as ``xero``."""
    title: str
    """The vendor's own spelling of the name."""
    records: str
    """The records that a sync fetches, as words."""
    reads: str
    """The part of the list that a sync reads, as words."""
    sign_in: tuple[str, ...]
    """The ways to sign in, the usual one first: ``browser``, ``device``, ``token``."""
    registration_url: str | None
    """The page on which the user registers an app, or gets a token."""
    steps: str | None
    """The steps on that page that are easily missed."""
    sandbox_steps: str | None
    """The same for an app of the sandbox."""
    token_steps: str | None
    """The steps to a token, if an app has others."""
    token_name: str
    """The provider's word for a token."""
    client_id_name: str
    """The provider's word for the client identifier."""
    redirect_name: str
    """The provider's word for the redirect URI."""
    redirect_uri: str | None
    """The redirect URI to register."""
    needs_redirect_page: bool
    """True if the redirect URI has to be an https page; the user owns it if there is no other."""
    client_secret: str
    """``required``, ``none``, or ``optional`` if it depends on the app."""
    has_sandbox: bool
    """True if the provider has a sandbox with made-up books."""
    lists_organisations: bool
    """True if the user may have to choose an organisation after signing in."""
    site: str | None
    """The address to set as ``base_url``, in words; ``None`` if it is the same for all."""
    needs_address: bool
    """True if an account has to set ``base_url``."""
    needs_organisation: bool
    """True if an account has to name its organisation, as ``tenant_id``."""
    is_from_documentation: bool
    """True if it is described from the vendor's documentation, and untried with its servers."""


@dataclass(frozen=True)
class SignInWays:
    """The ways to sign in to an account."""

    account: str
    """The account."""
    login: str
    """The account that has the login: another one, if this one shares it."""
    provider: str
    """The provider's name in the configuration."""
    title: str
    """The vendor's own spelling of it."""
    sign_in: tuple[str, ...]
    """The ways, the usual one first: ``browser``, ``device``, ``token``."""
    token_name: str
    """The provider's word for a token: the label of its field."""
    registration_url: str | None
    """The page on which the user registers an app, or gets a token."""
    redirect_uri: str | None
    """The redirect URI that the app has to register."""
    paste_required: bool
    """True if the user pastes the address on which the browser ends."""


@dataclass(frozen=True)
class SavedAccount:
    """An account that was added to the configuration."""

    account: str
    """The account."""
    file: Path
    """The file that configures it."""
