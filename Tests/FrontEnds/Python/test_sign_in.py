"""Signing in without a user, with a browser elsewhere, and out of all accounts."""

import asyncio
import re
from pathlib import Path

import appcore
import pytest
from support import INVOICES, Home, Sandbox, redirect

RESPONSE = '{"access_token": "sk_live_1", "token_type": "Bearer", "expires_in": 600}'


@pytest.mark.parametrize("token", ["sk_live_1", RESPONSE], ids=["token", "response"])
def test_a_token_signs_in(home: Home, token: str) -> None:
    with home.open() as core:
        signed_in = core.sign_in(token=token).result()
        assert signed_in.organisation is not None
        assert (signed_in.expires_at is None) == (token != RESPONSE)
        assert core.sync().result().inserted == INVOICES


def test_a_refused_token_leaves_the_login(home: Home) -> None:
    with home.open() as core:
        core.sign_in(token="sk_live_1").result()
        with pytest.raises(appcore.SignInRequired) as caught:
            core.sign_in(token="canary").result()
        assert "The logins are unchanged." in str(caught.value.hint)
        assert "canary" not in repr(vars(caught.value))
        assert core.status().accounts[0].login == appcore.LoginState.VALID


def test_a_client_signs_itself_in(tmp_path: Path, sandbox: Sandbox) -> None:
    name, secret = sandbox.machine
    file = tmp_path / "secret"
    file.write_text(secret)
    file.chmod(0o600)
    home = Home(tmp_path, sandbox, client=f"clientID: {name}, clientSecretFile: {file}")
    with home.open() as core:
        assert core.sign_in(method="client-credentials").result().expires_at is not None
        assert core.sync().result().inserted == INVOICES


def test_a_user_pastes_the_address_of_a_browser_elsewhere(home: Home) -> None:
    with home.open() as core:
        request = core.sign_in()
        page = next(request)
        assert isinstance(page, appcore.OpenURL)
        address = redirect(page.url)
        foreign = re.sub("state=[^&]+", "state=another", address)
        for text, code in (
            ("", "not-redirect"),
            (page.url, "not-redirect"),
            (foreign, "foreign-redirect"),
        ):
            with pytest.raises(appcore.AppCoreError) as caught:
                request.paste_redirect(text)
            assert caught.value.code == code
        request.paste_redirect(f"  {address}\n")
        assert request.result().account == "default"
        with pytest.raises(appcore.AppCoreError) as caught:
            request.paste_redirect(address)
        assert caught.value.code == "no-redirect-expected"
    with pytest.raises(appcore.Closed):
        request.paste_redirect(address)


def test_a_task_pastes_the_address_of_a_browser_elsewhere(home: Home) -> None:
    async def program() -> None:
        async with home.open() as core:
            request = core.sign_in()
            page = await anext(request)
            assert isinstance(page, appcore.OpenURL)
            request.paste_redirect(await asyncio.to_thread(redirect, page.url))
            assert (await request).account == "default"

    asyncio.run(program())


def test_one_call_signs_out_of_all_accounts(tmp_path: Path, sandbox: Sandbox) -> None:
    home = Home(tmp_path, sandbox, client="clientID: a }\n  other: { clientID: b")
    with home.open() as core:
        assert core.sign_out_of_all().result() == tuple(
            appcore.SignedOut(name, False, False, False, ()) for name in ("default", "other")
        )
        for account in ("default", "other"):
            core.sign_in(account, token="sk_live_1").result()
        core.sync(account="other").result()
        ended = core.sign_out_of_all(forget=True).result()
        assert [(login.account, login.was_signed_in) for login in ended] == [
            ("default", True),
            ("other", True),
        ]
        states = [account.login for account in core.status().accounts]
        assert states == [appcore.LoginState.SIGNED_OUT] * 2
        assert list(core.invoices(all=True)) == []
