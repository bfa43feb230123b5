"""Runs localstripe on a free port of the loopback interface, and prints the port.

It keeps its data in memory: by itself, localstripe writes them to a file in /tmp. With --account, it
answers GET /v1/account, which localstripe does not know. It ends with its standard input.
"""

import os
import socket
import sys
import threading

from aiohttp import web
from localstripe import resources, server

ACCOUNT = {
    "id": "acct_localstripe",
    "object": "account",
    "settings": {"dashboard": {"timezone": "Etc/UTC"}},
}


async def account(_: web.Request) -> web.Response:
    return server.json_response(ACCOUNT)


def end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=end_with_input, daemon=True).start()
    resources.Store.dump_to_disk = lambda self: None
    if "--account" in sys.argv:
        server.app.router.add_get("/v1/account", account)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    web.run_app(server.app, sock=listener, print=None)
