"""Waits: of main loops, threads, tasks, handlers of signals, and forked processes."""

import asyncio
import os
import select
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import appcore
import pytest
from support import Home

# The time after which a wait counts as endless; no test waits so long.
ENDLESS = 120


def readable(core: appcore.Core, seconds: float = ENDLESS) -> bool:
    poll = select.poll()
    poll.register(core, select.POLLIN)
    return poll.poll(seconds * 1000) != []


@contextmanager
def fork() -> Iterator[bool]:
    """Runs the block in a child too, for which it gives True, and expects that both succeed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = 1
        try:
            yield True
            status = 0
        finally:
            os._exit(status)
    yield False
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_call_that_fetches_the_events_of_others_leaves_the_descriptor_readable(
    synced: Home,
) -> None:
    with synced.open() as core:
        changes = core.changes()
        assert readable(core)
        assert changes.pending() == [appcore.RecordsChanged()]
        assert not readable(core, 0)
        synced.change()
        assert readable(core)
        core.status()
        assert readable(core, 0)
        assert changes.pending() == [appcore.RecordsChanged()]


def test_a_main_loop_with_two_requests_sleeps_through_no_event(synced: Home) -> None:
    with synced.open() as core:
        changes = core.changes()
        for _ in range(50):
            sync = core.sync(dry_run=True)
            while not sync.has_ended:
                assert readable(core)
                sync.pending()
                changes.pending()


def test_a_main_loop_and_a_waiting_thread_share_the_events(synced: Home) -> None:
    with synced.open() as core:
        changes = core.changes()
        statuses: list[appcore.Status] = []
        thread = threading.Thread(
            target=lambda: statuses.extend(core.status() for _ in range(200)), daemon=True
        )
        thread.start()
        while thread.is_alive() and readable(core, 0.05) is not None:
            before = len(statuses)
            changes.pending()
            if len(statuses) == before:
                thread.join(0.01)
        assert len(statuses) == 200


@pytest.mark.filterwarnings("ignore:a request was cancelled")
def test_events_of_a_forgotten_request_alone_wake_no_main_loop(synced: Home) -> None:
    with synced.open() as core:
        sync = core.sync(dry_run=True)
        assert readable(core)
        del sync
        assert not readable(core, 0)
        # The core goes on to serve others.
        assert core.sync(dry_run=True).result()
        assert not readable(core, 0)


@pytest.mark.parametrize(
    ("action", "outcome"),
    [
        ("core.close()", "Closed"),
        ("changes.cancel()", "Cancelled"),
        ("print(core.status().accounts[0].name); changes.cancel()", "default\nCancelled"),
        ("print(core.invoices().count()); core.close()", "0\nClosed"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
def test_the_handler_of_a_signal_may_call_anything(home: Home, action: str, outcome: str) -> None:
    printed = home.run(
        f"""
        import os, signal, threading, appcore
        core = appcore.open()
        changes = core.changes()
        next(changes)
        def handler(*_):
            {action}
        signal.signal(signal.SIGTERM, handler)
        def interrupt():
            while core._router._poller is None:
                pass
            os.kill(os.getpid(), signal.SIGTERM)
        threading.Thread(target=interrupt).start()
        try:
            next(changes)
        except BaseException as error:
            print(type(error).__name__, flush=True)
        core.close()
        """
    )
    assert printed == outcome + "\n"


def test_the_handler_of_a_signal_may_close_a_core_that_is_being_closed(synced: Home) -> None:
    # Closing waits for the renewal.
    path = "/connect/token"
    synced.sandbox.post("tokens/expire")
    synced.sandbox.post("faults", {"path": path, "kind": "delay", "delayMilliseconds": 3_000})
    printed = synced.run(
        """
        import os, signal, threading, appcore
        core = appcore.open()
        sync = core.sync()
        def handler(*_):
            core.close()
            print("handled", flush=True)
        signal.signal(signal.SIGTERM, handler)
        def interrupt():
            while not core._router.is_closing:
                pass
            os.kill(os.getpid(), signal.SIGTERM)
        next(sync)
        threading.Thread(target=interrupt).start()
        core.close()
        print("closed", flush=True)
        """
    )
    assert printed == "handled\nclosed\n"


def test_a_thread_and_a_loop_share_one_core(synced: Home) -> None:
    async def program() -> None:
        core = synced.open()
        async with core as asynchronous:
            async with asyncio.timeout(ENDLESS):
                for _ in range(50):
                    of_loop, of_thread = await asyncio.gather(
                        asynchronous.status(), asyncio.to_thread(core.status)
                    )
                    assert of_loop.accounts == of_thread.accounts

    asyncio.run(program())


def test_a_loop_survives_a_core_that_was_closed_in_another_way(synced: Home) -> None:
    async def program() -> None:
        core = synced.open()
        async with core as asynchronous:
            await asynchronous.status()
            core.close()
            with pytest.raises(appcore.Closed):
                await asynchronous.status()
        async with synced.open() as second, asyncio.timeout(ENDLESS):
            assert (await second.status()).accounts

    asyncio.run(program())


def test_another_loop_is_refused(synced: Home) -> None:
    async def program() -> None:
        async with synced.open() as core:

            async def misuse() -> None:
                with pytest.raises(RuntimeError, match="another event loop"):
                    await core.status()

            await asyncio.to_thread(asyncio.run, misuse())
            assert (await core.status()).accounts

    asyncio.run(program())


def test_a_core_is_closed_even_if_that_is_cancelled_twice(synced: Home) -> None:
    async def program() -> None:
        async with synced.open() as core:
            closing = asyncio.create_task(core.close())
            for _ in range(2):
                await asyncio.sleep(0)
                closing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await closing
        synced.open().close()

    asyncio.run(program())


def test_a_forked_child_leaves_the_core_of_its_parent_alone(synced: Home) -> None:
    async def program() -> None:
        async with synced.open() as core:
            with fork() as is_child:
                if is_child:
                    await core.close()
            async with asyncio.timeout(ENDLESS):
                assert (await core.status()).accounts

    asyncio.run(program())
