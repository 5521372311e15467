"""A receiver of webhooks on loopback, and a deliverer that runs beside a test."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from webapp.table.hooks.deliverer import Deliverer

DEADLINE_S = 20


class Receiver:
    """Answers every POST with what `answer` says and keeps what came."""

    def __init__(self) -> None:
        self.answer: Callable[[dict[str, Any]], int] = lambda request: 204
        self.location = ""
        self.got: list[dict[str, Any]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                request = {"path": self.path, "headers": dict(self.headers), "body": body, "at": time.monotonic()}
                receiver.got.append(request)
                self.send_response(receiver.answer(request))
                if receiver.location:
                    self.send_header("Location", receiver.location)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server.server_address[1])

    def url(self, host: str = "127.0.0.1") -> str:
        """Its address under some name."""
        return f"http://{host}:{self.port}/hook?x=1"

    def bodies(self) -> list[dict[str, Any]]:
        """What came, read."""
        return [json.loads(request["body"]) for request in self.got]

    def close(self) -> None:
        """Stop listening."""
        self.server.shutdown()
        self.server.server_close()


@contextmanager
def delivering(allowed: Collection[str] = ("127.0.0.1",)) -> Iterator[None]:
    """Run a deliverer while the block runs; its errors fail the test."""
    loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
    began = threading.Event()
    failed: list[Exception] = []

    async def run() -> None:
        ended = asyncio.Event()
        loops.append((asyncio.get_running_loop(), ended))
        began.set()
        await Deliverer(allowed, period_s=0.02).run(ended)

    def in_thread() -> None:
        try:
            asyncio.run(run())
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=in_thread)
    thread.start()
    try:
        assert began.wait(DEADLINE_S)
        yield
    finally:
        loop, ended = loops[0]
        loop.call_soon_threadsafe(ended.set)
        thread.join(DEADLINE_S)
    assert failed == []
    assert not thread.is_alive()


def wait_for(condition: Callable[[], Any]) -> Any:
    """Wait until something holds, and return it."""
    deadline = time.monotonic() + DEADLINE_S
    while not (found := condition()):
        assert time.monotonic() < deadline, "it did not come to pass in time"
        time.sleep(0.02)
    return found
