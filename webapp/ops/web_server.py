"""The pages' server: processes that share one port, forked from one that has loaded what they have in common.

    python -m webapp.ops.web_server --host 127.0.0.1 --port 8000 --processes 2

The process that leads them answers nothing. It replaces those that end, or do not answer it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import socket
from importlib import import_module

from uvicorn import Config, Server
from uvicorn.supervisors import multiprocess

from webapp.ops import launch

APPLICATION = "webapp.asgi:web_process"
KEEP_ALIVE_S = 130
"""A connection without requests is kept for so long: longer than proxies (60 to 120 s) and most browsers keep theirs,
so that they close it, and no move is sent into one that is just being closed."""
PATIENCE_S = 60
"""A web process that does not answer the one that leads it for so long is replaced; on a busy machine 5 s are short."""
STOP_S = 3
HEARD = (signal.SIGTERM, signal.SIGINT)


def config(host: str, port: int, processes: int) -> Config:
    """How the pages are served."""
    return Config(
        APPLICATION,
        factory=True,
        host=host,
        port=port,
        workers=processes,
        lifespan="off",
        access_log=False,
        log_config=None,  # that of the settings
        timeout_graceful_shutdown=STOP_S,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_worker_healthcheck=PATIENCE_S,
    )


class ForkedServer(multiprocess.Process):
    """One of the processes, which has from its beginning what the one that leads it has loaded."""

    def __init__(self, config: Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        self._leader = os.getpid()
        context = multiprocessing.get_context("fork")
        self.process = context.Process(target=self.target, args=(sockets,))  # type: ignore[assignment]

    def start(self) -> None:
        """Begin; a stop that is asked for meanwhile is heard."""
        signal.pthread_sigmask(signal.SIG_BLOCK, HEARD)
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)

    def target(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve, with signals as in a process that nobody leads."""
        for number in multiprocess.SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, HEARD)
        launch.die_with_parent(signal.SIGTERM, self._leader)
        super().target(sockets)


multiprocess.Process = ForkedServer  # type: ignore[misc]  # it starts those of before by a fresh interpreter


def serve(host: str, port: int, processes: int) -> None:
    """Serve until a signal comes."""
    served = config(host, port, processes)
    if processes == 1:
        Server(served).run()
        return
    import_module("webapp.asgi")  # sets up Django
    from webapp.play import first_pages

    first_pages.load()
    multiprocess.Multiprocess(served, sockets=[served.bind_socket()]).run()


def main() -> None:
    """Read the arguments, and serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    serve(given.host, given.port, given.processes)


if __name__ == "__main__":
    main()
