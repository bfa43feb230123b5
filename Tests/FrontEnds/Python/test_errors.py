"""Errors, wrong arguments, and use after the end."""

import gc
import math
import os
import pickle
import threading
import warnings
import weakref
from datetime import datetime, timedelta, timezone
from pathlib import Path

import appcore
import pytest
from support import Home, Sandbox, sign_in


def test_an_error_says_what_the_user_can_do(home: Home) -> None:
    with home.open() as core, pytest.raises(appcore.SignInRequired) as caught:
        core.sync().result()
    error = caught.value
    assert (error.kind, error.code) == (appcore.ErrorKind.SIGN_IN_REQUIRED, "sign-in-required")
    assert not error.retryable
    assert error.hint is not None and f"appcore --config {home.config} login" in error.hint
    assert str(error) == error.message
    assert error.document is not None and error.document["error"]["code"] == error.code
    # A debugger or a pool of processes may pickle it.
    assert vars(pickle.loads(pickle.dumps(error))) == vars(error)


def test_an_unknown_account_is_an_error_of_the_configuration(home: Home) -> None:
    with home.open() as core, pytest.raises(appcore.ConfigurationError) as caught:
        core.sync(account="elsewhere").result()
    assert caught.value.code == "unknown-account"


def test_a_server_that_is_gone_may_be_tried_again_later(synced: Home) -> None:
    synced.sandbox.stop()
    with synced.open() as core:
        with pytest.raises(appcore.Unavailable) as caught:
            core.sync().result()
        assert caught.value.retryable
        assert core.invoices().count() > 0


def test_a_broken_configuration_opens_no_core(tmp_path: Path) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("accounts: 7")
    with pytest.raises(appcore.ConfigurationError) as caught:
        appcore.open(config)
    assert str(config) in caught.value.message


def test_a_partial_sync_reports_and_then_raises(home: Home) -> None:
    with home.open() as core:
        sign_in(core)
        sync = core.sync(limit=1)
        events: list[appcore.SyncEvent] = []
        with pytest.raises(appcore.TryAgainLater) as caught:
            events.extend(sync)
        assert caught.value.code == "budget-spent"
        assert isinstance(events[-1], appcore.SyncReport)
        assert events[-1].result == appcore.SyncResult.PARTIAL


def test_no_record_and_several_records_are_different_errors(core: appcore.Core) -> None:
    with pytest.raises(appcore.NotFound) as caught:
        core.invoice("no such number")
    assert isinstance(caught.value, LookupError)
    with pytest.raises(appcore.NotFound):
        core.contact("nobody at all")
    assert core.invoice(next(iter(core.invoices())).id).lines


def test_wrong_arguments_are_refused(core: appcore.Core) -> None:
    with pytest.raises(appcore.Misuse, match="oppen"):
        list(core.invoices(status="oppen"))
    with pytest.raises(appcore.Misuse, match="from 2026-02-01 is after to 2026-01-31"):
        list(core.invoices(issued_from="2026-02", issued_to="2026-01"))
    with pytest.raises(appcore.Misuse, match="max is less than min"):
        list(core.invoices(min=2, max="1.99"))
    with pytest.raises(ValueError, match="null character"):
        core.invoice("a\0b")
    with pytest.raises(ValueError, match="status is an empty list"):
        core.invoices(status=[])
    with pytest.raises(TypeError, match="expected a str, not int"):
        core.invoices(search=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="limit must be an int, not float"):
        core.invoices(limit=2.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="min must be a Decimal, an int or a str, not float"):
        core.invoices(min=0.1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="method"):
        core.sign_in(method="telepathy")  # type: ignore[arg-type]


def test_numbers_that_the_library_cannot_hold_are_refused(core: appcore.Core) -> None:
    for use in (
        lambda: core.invoices(limit=-1),
        lambda: core.invoices(limit=2**64 + 1),
        lambda: core.invoices(offset=2**64 + 1),
        lambda: core.invoices().pages(2**64 + 1),
        lambda: core.invoices().pages(0),
        lambda: core.sync(limit=2**64 + 1),
        lambda: core.sync(max_duration=0),
        lambda: core.sync(max_duration=1e300),
        lambda: core.sync(max_wait=math.nan),
        lambda: core.sync(since=datetime.min.replace(tzinfo=timezone(timedelta(hours=1)))),
        lambda: core.sign_in(timeout=2**32 + 1),
    ):
        # A refusal of the library is a ValueError as well.
        with pytest.raises(ValueError):
            use()
    assert list(core.invoices(offset=2**63 - 1)) == []


def test_an_unknown_filter_is_named_with_the_method_and_those_that_exist(
    core: appcore.Core,
) -> None:
    with pytest.raises(TypeError) as caught:
        core.invoices(stauts="open")  # type: ignore[call-arg]
    assert str(caught.value) == (
        "invoices() got an unexpected keyword argument 'stauts'; did you mean 'status'?"
    )
    with pytest.raises(TypeError) as caught:
        core.contacts(colour="red")  # type: ignore[call-arg]
    assert str(caught.value) == (
        "contacts() got an unexpected keyword argument 'colour'; "
        "available: account, search, sort, offset, limit, all, owing"
    )
    with pytest.raises(TypeError, match=r"^invoices\(\) .* available: account, .*, limit$"):
        core.invoices(xyz=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^summary\(\) .*'limit'"):
        core.summary(limit=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^ageing\(\) .*'sort'"):
        core.ageing(sort="total")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"^sync\(\) .*'dryrun'; did you mean 'dry_run'\?"):
        core.sync(dryrun=True)  # type: ignore[call-overload]


def test_ages_are_no_grouping_of_a_summary(core: appcore.Core) -> None:
    with pytest.raises(ValueError, match=r"ageing\(\)"):
        core.summary("ageing")  # type: ignore[arg-type]


def test_everything_fails_after_closing(synced: Home) -> None:
    core = synced.open()
    rows = core.invoices()
    watch = core.changes()
    core.close()
    core.close()
    for use in (
        core.status,
        core.changes,
        core.sync,
        core.sign_in,
        core.fileno,
        watch.result,
        rows.count,
        lambda: list(rows),
        lambda: core.invoice("1"),
        lambda: core.summary(),
    ):
        with pytest.raises(appcore.Closed):
            use()
    watch.cancel()
    with pytest.raises(appcore.Closed):
        watch.pending()


def test_a_failed_request_does_not_keep_its_core(home: Home) -> None:
    gc.disable()
    try:
        core = home.open()
        router = weakref.ref(core._router)
        with pytest.raises(appcore.SignInRequired):
            core.sync().result()
        core.close()
        del core
        assert router() is None
    finally:
        gc.enable()


def test_closing_ends_the_waits_of_other_threads(home: Home) -> None:
    core = home.open()
    outcomes: list[BaseException | None] = []

    def follow() -> None:
        try:
            core.changes().result()
            outcomes.append(None)
        except appcore.Closed as error:
            outcomes.append(error)

    threads = [threading.Thread(target=follow) for _ in range(4)]
    for thread in threads:
        thread.start()
    core.close()
    for thread in threads:
        thread.join()
    assert [type(outcome) for outcome in outcomes] == [appcore.Closed] * 4


def test_a_second_core_needs_a_store_of_its_own(home: Home, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    with home.open() as core, Home(other, home.sandbox).open() as second:
        with pytest.raises(appcore.Misuse) as caught:
            home.open()
        assert caught.value.code == "already-open"
        assert second.status().database != core.status().database


def test_only_the_parent_may_use_its_core_after_a_fork(home: Home) -> None:
    with home.open() as core, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
        if child == 0:
            try:
                core.close()
                core.fileno()
                os._exit(1)
            except appcore.Misuse as error:
                os._exit(0 if error.code == "forked" else 2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert core.status().accounts


def test_a_forked_child_opens_no_core(home: Home) -> None:
    # It would wait for threads that only the parent has.
    printed = home.run(
        """
        import os, signal, appcore
        appcore.open().close()
        if os.fork() == 0:
            signal.alarm(60)
            try:
                appcore.open()
            except appcore.Misuse as error:
                print(error.code, flush=True)
            os._exit(0)
        print("ended with", os.wait()[1])
        """
    )
    assert printed == "forked\nended with 0\n"


def test_a_program_may_close_its_core_at_exit(home: Home) -> None:
    printed = home.run(
        """
        import atexit
        atexit.register(lambda: core.close())
        import appcore
        core = appcore.open()
        print(core.status().accounts[0].name)
        """
    )
    assert printed == "default\n"


def test_a_forgotten_core_is_closed_with_a_warning(home: Home) -> None:
    core = home.open()
    with pytest.warns(ResourceWarning, match="unclosed"):
        del core
        gc.collect()
    home.open().close()


def test_a_login_in_the_error_texts_is_never_shown(home: Home, sandbox: Sandbox) -> None:
    token = "a-token-that-no-server-gave-out"
    with home.open() as core:
        with pytest.raises(appcore.AppCoreError) as caught:
            core.sign_in(token=token).result()
            core.sync().result()
        assert token not in repr(caught.value) and token not in str(caught.value.document)


def test_tracebacks_name_exceptions_as_programs_do() -> None:
    assert appcore.SignInRequired.__module__ == "appcore"
