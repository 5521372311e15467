"""Loads what the lab's Python programs have in common, once, and forks them: ``python -m webapp.ops.fork_server FD``.

Programs, pages and kernels take some 400 MB in a process, which those forked share: each has for itself what it
writes to. What is forked becomes a child of the supervisor, in a process group of its own, as if that had started it:
this process may die without them. Linux alone lets a supervisor adopt it so (`forking.is_possible`).

A request is a message with two open files, the log and a socket for the answer (`forking.ForkServer.start`).
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import runpy
import signal
import socket
import sys
import threading
import time
import traceback
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
    "scipy.special",
    "webapp.records.archive.arrow",
    "pyarrow.parquet",
    "pyarrow.csv",
    "pyarrow.compute",
    "uvicorn.supervisors.multiprocess",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
    "webapp.ops.management.commands.sweep",
    "webapp.table.hooks.management.commands.deliver",
    "worker.tasks",
    "webapp.table.live.work_source",
    "httpcore",
    "anyio",
    "celery.bin.celery",
    "celery.app.amqp",
    "celery.app.control",
    "celery.app.events",
    "celery.app.log",
    "celery.app.routes",
    "celery.apps.worker",
    "celery.backends.base",
    "celery.concurrency.prefork",
    "celery.contrib.django.task",
    "celery.events.dispatcher",
    "celery.worker.autoscale",
    "celery.worker.components",
    "celery.worker.consumer",
    "celery.worker.consumer.delayed_delivery",
    "celery.worker.strategy",
    "billiard.heap",
    "billiard.popen_fork",
    "billiard.sharedctypes",
)
"""Modules that the programs begin with, some of them late; `webapp.asgi` sets up Django."""


@dataclass(frozen=True)
class Request:
    """A program to become: its name; ``module argument ...`` as for ``python -m``; the signal of its parent's end."""

    name: str
    command: list[str]
    death_signal: str


def load() -> None:
    """Load programs and pages, and the kernels that are compiled, of which there are more the next time.

    Ends this process where something has started a thread.
    """
    for name in PROGRAMS:
        import_module(name)
    from django.db import connections

    from webapp.common import memory
    from webapp.play import first_pages
    from worker import warm_up
    from worker.celery_app import app

    app.finalize()
    first_pages.load()
    warm_up.load_levels()
    connections.close_all()  # a connection has one process
    memory.give_back()
    first_pages.keep_for_good()
    others = [thread.name for thread in threading.enumerate() if thread is not threading.main_thread()]
    if others:  # a lock that another thread holds would stay locked in what is forked
        sys.exit(f"nothing may be forked beside the threads {', '.join(others)}")


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
    code = _run(request.command)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # taking all modules apart would copy what is shared, only to throw it away


def _run(command: list[str]) -> int:
    """Run ``module argument ...`` to its end; returns its exit code."""
    sys.argv = command
    try:
        runpy.run_module(command[0], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def main() -> None:
    """Load everything, say so, and serve."""
    supervisor = os.getppid()
    with socket.socket(fileno=int(sys.argv[1])) as channel:
        load()
        channel.sendall(READY)
        serve(channel, supervisor)


if __name__ == "__main__":
    main()
