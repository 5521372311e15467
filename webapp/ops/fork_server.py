"""Loads what the lab's Python programs have in common, once, and forks them: ``python -m webapp.ops.fork_server FD``.

Programs, pages and kernels take some 400 MB in a process, which those forked share: each has for itself what it
writes to. What is forked becomes a child of the supervisor, in a process group of its own, as if that had started it:
this process may die without them. Linux alone lets a supervisor adopt it so (`forking.is_possible`).

A request is a message with two open files, the log and a socket for the answer (`forking.ForkServer.start`).
"""

from __future__ import annotations

import ctypes
import json
import os
import runpy
import signal
import socket
import sys
import threading
import time
from dataclasses import dataclass
from importlib import import_module
from typing import NoReturn

from webapp.ops import launch

READY = b"ready"
GO = b"go"
LONGEST = 65_536
ADOPTION_S = 10.0
PR_SET_NAME = 15

PROGRAMS = (
    "webapp.asgi",
    "webapp.ops.web_server",
    "webapp.ops.management.commands.sweep",
    "webapp.table.hooks.management.commands.deliver",
    "worker.tasks",
    "webapp.table.live.work_source",
    "celery.bin.worker",
    "celery.apps.worker",
    "celery.concurrency.prefork",
    "celery.worker.consumer",
)
"""Modules that the programs begin with; `webapp.asgi` sets up Django."""


@dataclass(frozen=True)
class Request:
    """A program to become: its name; ``module argument ...`` as for ``python -m``; the signal of its parent's end."""

    name: str
    command: list[str]
    death_signal: str


def load() -> None:
    """Load programs and pages, and the kernels that are compiled, of which there are more the next time."""
    for name in PROGRAMS:
        import_module(name)
    from django.db import connections

    from webapp.play import first_pages
    from worker import warm_up

    first_pages.load()
    warm_up.load_levels()
    connections.close_all()  # a connection has one process
    first_pages.keep_for_good()


def serve(channel: socket.socket, supervisor: int) -> None:
    """Fork what is asked for, until the supervisor has gone."""
    while True:
        message, files, _, _ = socket.recv_fds(channel, LONGEST, 2)
        if not message:
            return
        if not files:
            load()
            continue
        log, answer = files
        if _fork_twice():
            channel.close()
            _become(Request(**json.loads(message)), log, socket.socket(fileno=answer), supervisor)
        os.close(log)
        os.close(answer)


def _fork_twice() -> bool:
    """Fork a process whose parent ends at once, so that the supervisor adopts it; True there, False here."""
    between = os.fork()
    if between == 0:
        if os.fork() == 0:
            return True
        os._exit(0)
    os.waitpid(between, 0)
    return False


def _become(request: Request, log: int, answer: socket.socket, supervisor: int) -> NoReturn:
    """Be the program, once the supervisor knows this process and says so."""
    os.setpgid(0, 0)
    os.dup2(log, sys.stdout.fileno())
    os.dup2(log, sys.stderr.fileno())
    os.close(log)
    ctypes.CDLL(None).prctl(PR_SET_NAME, request.name.encode(), 0, 0, 0)
    ends_at = time.monotonic() + ADOPTION_S
    while os.getppid() != supervisor and time.monotonic() < ends_at:
        time.sleep(0.001)
    launch.die_with_parent(signal.Signals[request.death_signal], supervisor)
    with answer:
        answer.sendall(str(os.getpid()).encode())
        if answer.recv(len(GO)) != GO:
            sys.exit("the supervisor has started it otherwise")
    sys.argv = request.command
    runpy.run_module(request.command[0], run_name="__main__", alter_sys=True)
    sys.exit(0)


def main() -> None:
    """Load everything, say so, and serve."""
    supervisor = os.getppid()
    with socket.socket(fileno=int(sys.argv[1])) as channel:
        load()
        others = [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]
        if others:  # a lock that another thread holds would stay locked in what is forked
            sys.exit(f"nothing may be forked beside the threads {', '.join(others)}")
        channel.sendall(READY)
        serve(channel, supervisor)


if __name__ == "__main__":
    main()
