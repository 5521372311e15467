"""The programs that make up the lab: how each is started, asked whether it is ready, stopped."""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import dataclass

from webapp.common import connection_counts
from webapp.ops import ports
from webapp.ops.children import Program
from webapp.ops.data_folder import DataFolder
from webapp.ops.forking import ForkServer
from webapp.ops.ports import EVERYWHERE
from webapp.ops.postgres import PostgresServer
from webapp.ops.valkey import ValkeyServer

ANALYSIS_PROCESSES, AGENTS_PROCESSES, INTERACTIVE_PROCESSES = 1, 1, 2
"""Processes for studies that somebody waits for, and for engines' plies at tables of agents, and with people."""

FIRST_PAGE, FIRST_PAGE_S = "/", 10.0
"""What people open first: a web process loads what pages need, which takes some seconds of CPU, and is ready then."""

CONNECTIONS_OF_WORKER = 3
"""One holds what it has claimed, by another one it asks and writes, by a third it says now and then that it lives."""
LEAST_CONNECTIONS, SPARE_CONNECTIONS = 100, 30
"""Spare ones are for sweeper, webhooks, commands and people."""

WORKER_OPTIONS = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "INFO"]
"""Workers need no word from each other: the truth is in Postgres."""


@dataclass(frozen=True)
class Options:
    """Options of the command line.

    workers: processes that play experiments; web: those that answer pages; serve_workers: the address at which
    workers of other machines are let in.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    web: int = 1
    serve_workers: str = ""

    def address(self, port: int) -> str:
        """Address at which a browser on this machine finds the pages."""
        host = "127.0.0.1" if self.host in EVERYWHERE else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def host_names(self) -> list[str]:
        """Names that pages answer to beside loopback: the one given, or all of this machine."""
        if self.host not in EVERYWHERE:
            return [f"[{self.host}]" if ":" in self.host else self.host]
        name = socket.gethostname()
        addresses = set(_own_addresses(name))
        return [name, socket.getfqdn(), *(f"[{item}]" if ":" in item else item for item in sorted(addresses))]


def _own_addresses(name: str) -> list[str]:
    try:
        return [str(info[4][0]) for info in socket.getaddrinfo(name, None)]
    except OSError:
        return []


def connections(options: Options) -> int:
    """Connections to Postgres that the lab's programs have at most, and some for people who look after it."""
    processes = options.workers + ANALYSIS_PROCESSES + AGENTS_PROCESSES + INTERACTIVE_PROCESSES
    working = CONNECTIONS_OF_WORKER * processes + connection_counts.MOST * options.web + connection_counts.DOWNLOADS
    return max(LEAST_CONNECTIONS, working + SPARE_CONNECTIONS)


def environment(folder: DataFolder, options: Options, port: int) -> dict[str, str]:
    """The environment of all children."""
    given = os.environ.get("ALLOWED_HOSTS", "")
    names = options.host_names() + [name for name in given.split(",") if name]
    return {
        **os.environ,
        "LAB_DATA": str(folder.root),
        "LAB_STATIC_COLLECTED": "1",
        "ALLOWED_HOSTS": ",".join(names),
        "PUBLIC_URL": os.environ.get("PUBLIC_URL") or options.address(port),
        "LAB_WORKERS": str(options.workers),
        "LAB_WEB_PROCESSES": str(options.web),
        "PYTHONUNBUFFERED": "1",
        # One process per core plays matches: threads inside numerical libraries only get in the way.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def manage(*arguments: str) -> list[str]:
    """A command of Django's command line, with the settings that this process has."""
    return [sys.executable, "-m", "django", *arguments]


def postgres(server: PostgresServer) -> Program:
    """The embedded database. SIGINT is its fast shutdown."""
    return Program(
        "postgres",
        server.command,
        prepare=server.prepare,
        is_ready=server.is_ready,
        stop_signal="SIGINT",
        death_signal="SIGINT",
        stop_seconds=15.0,
        user=server.user,
        is_essential=True,
    )


def valkey(server: ValkeyServer) -> Program:
    """The embedded queue."""
    return Program("valkey", server.command, prepare=server.prepare, is_ready=server.is_ready, is_essential=True)


def fork_server(forks: ForkServer) -> Program:
    """Loads what the programs of Python have in common, which are forked from it."""
    return Program(
        "loader",
        forks.command,
        prepare=forks.open,
        is_ready=forks.is_ready,
        death_signal="SIGKILL",
        stop_seconds=0.0,
        files=forks.files,
    )


def web(options: Options, port: int) -> Program:
    """The pages: processes that share one port, led by another one where there are several."""
    command = [sys.executable, "-m", "webapp.ops.web_server", "--host", options.host, "--port", str(port)]
    command += ["--processes", str(options.web)]
    probe = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(options.host, options.host)
    return Program(
        "web", lambda: command, is_ready=lambda: ports.serves(probe, port, FIRST_PAGE, FIRST_PAGE_S), is_forked=True
    )


def worker(queue: str, processes: int) -> Program:
    """A Celery worker. A killed supervisor kills it outright: an unfinished chunk is played again.

    Asked to stop, it breaks off the matches being played and gives their chunks back; after
    `stop_seconds` it is killed.
    """
    command = [sys.executable, "-m", "celery", "--app", "worker.celery_app", "worker", "--queues", queue]
    command += ["--concurrency", str(processes), "--hostname", f"{queue}@%h", *WORKER_OPTIONS]
    return Program(f"worker-{queue}", lambda: command, death_signal="SIGKILL", stop_seconds=5.0, is_forked=True)


def sweeper() -> Program:
    """Looks after what nobody does: work whose worker was lost, players who stay away."""
    return Program("sweeper", lambda: manage("sweep"), is_forked=True)


def deliverer() -> Program:
    """Tells agents' webhooks what has happened."""
    return Program("webhooks", lambda: manage("deliver"), is_forked=True)


def migrate() -> Program:
    """Brings the tables to this version."""
    return Program(
        "migrate", lambda: manage("migrate", "--no-input", "--skip-checks", "--verbosity", "0"), runs_once=True
    )


def workers_role() -> Program:
    """Lets workers of other machines in to the tables as they are now."""
    return Program("workers", lambda: manage("workers_role"), runs_once=True)


def finish_restore() -> Program:
    """Brings a restore that was killed to its end."""
    return Program("restore", lambda: manage("restore", "--finish"), runs_once=True)


def collect_static() -> Program:
    """Copies and compresses the static files."""
    command = manage("collectstatic", "--no-input", "--clear", "--skip-checks", "--verbosity", "0")
    return Program("static", lambda: command, runs_once=True)


def warm_first() -> Program:
    """Compiles what people and experiments begin with; fast when it is done already."""
    command = [sys.executable, "-m", "engines", "warm", "--first"]
    return Program("kernels", lambda: command, runs_once=True, is_shown=True)


def warm_rest() -> Program:
    """Compiles everything else, and says which games are ready. Steps back for nobody: a person may wait for it."""
    command = [sys.executable, "-m", "engines", "warm", "--brief"]
    return Program("kernels-rest", lambda: command, runs_once=True, is_shown=True)


def demo(is_once: bool) -> Program:
    """Makes the demo's experiment, shows its address and progress, ends when it is finished."""
    command = manage("demo_experiment", *(["--once"] if is_once else []))
    return Program("demo", lambda: command, runs_once=True, is_shown=True)
