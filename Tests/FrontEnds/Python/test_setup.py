"""Adding, renaming and removing accounts, and what a sign-in screen shows."""

import asyncio
from pathlib import Path

import appcore
import pytest
from support import Home


def test_a_screen_knows_the_providers(core: appcore.Core) -> None:
    providers = {each.name: each for each in core.providers()}
    xero, stripe = providers["xero"], providers["stripe"]
    assert xero.title == "Xero" and xero.sign_in[0] == "browser"
    assert xero.redirect_uri is not None and xero.redirect_uri.endswith("/callback")
    assert xero.lists_organisations and not xero.needs_redirect_page
    assert stripe.sign_in[0] == "token" and stripe.client_secret == "optional"
    assert stripe.registration_url is not None
    moco = providers["moco"]
    assert moco.needs_address and moco.is_from_documentation and not stripe.is_from_documentation
    assert moco.site is not None and "DOMAIN" in moco.site and not moco.needs_organisation


def test_a_screen_knows_how_an_account_signs_in(core: appcore.Core) -> None:
    ways = core.sign_in_ways()
    assert ways.account == ways.login == "default" and ways.title == "Xero"
    assert ways.sign_in == ("browser", "device", "token") and not ways.paste_required
    with pytest.raises(appcore.ConfigurationError):
        core.sign_in_ways("nobody")


def test_a_first_account_creates_the_configuration(tmp_path: Path) -> None:
    config = tmp_path / "new" / "config.yaml"
    with pytest.raises(appcore.ConfigurationError):
        appcore.open(config)
    data, state = tmp_path / "data", tmp_path / "state"
    with appcore.open(config, data_folder=data, state_folder=state, new_config=True) as core:
        with pytest.raises(appcore.ConfigurationError) as caught:
            core.add_account("shop", provider="xero", encrypted_file=True)
        assert "client ID" in str(caught.value)
        with pytest.raises(appcore.ConfigurationError, match="baseURL"):
            core.add_account("books", provider="moco", encrypted_file=True)
        saved = core.add_account(
            "shop", provider="xero", client_id="c", client_secret="canary", encrypted_file=True
        )
        assert saved == appcore.SavedAccount("shop", config)
    text = config.read_text()
    assert "clientID: c" in text and "redirectPort: 14285" in text and "canary" not in text
    assert (tmp_path / "new" / "shop.secret").read_text() == "canary"
    with appcore.open(config, data_folder=data, state_folder=state) as core:
        assert core.sign_in_ways("shop").sign_in == ("browser", "token")
        with pytest.raises(TypeError):
            core.add_account("other", providr="xero")  # type: ignore[call-arg]


def test_an_account_is_added_renamed_and_removed(home: Home) -> None:
    with home.open() as core:
        core.add_account("second", provider="stripe")
        with pytest.raises(appcore.ConfigurationError):
            core.add_account("second", provider="stripe")

    async def rename() -> None:
        async with home.open() as core:
            assert (await core.sign_in_ways("second")).sign_in == ("token",)
            await core.rename_account("second", "third")

    asyncio.run(rename())
    with home.open() as core:
        assert [each.name for each in core.status().accounts] == ["default", "third"]
        core.remove_account("third", forget=True)
    with home.open() as core:
        assert [each.name for each in core.status().accounts] == ["default"]
