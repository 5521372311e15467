"""Runs workers of a lab that is on another machine: what starts, and how it ends.

The lab's database and queue are named by DATABASE_URL and REDIS_URL. Ctrl-C breaks off the matches being played and
gives them back; SIGUSR1 lets them end first.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Sequence

import psycopg
from django.db import Error as DatabaseError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games import compile_locks
from webapp.ops import children, data_folder, lock, programs
from webapp.ops.children import Child
from webapp.ops.data_folder import DataFolder
from webapp.ops.programs import Options
from webapp.ops.supervisor import Supervisor, SupervisorError, interruptible, uninterrupted
from webapp.ops.terminal import complain, say, say_plain
from webapp.records import codes, orders, worker_processes
from worker import machine

DRAIN_SIGNAL = signal.SIGUSR1
LOOK_S = 5.0
"""How often the lab is asked whether it still gives work to these workers."""
NAMED = ("DATABASE_URL", "REDIS_URL")
AWAY = "the lab's database cannot be reached"


class NoLabError(Exception):
    """There is no lab to work for; the message says why and what to do."""


def serve(workers: int, queues: Sequence[str]) -> int:
    """Work for the lab until interrupted or drained; returns the exit code. workers: processes for the first queue."""
    folder = data_folder.locate()
    try:
        check_lab()
        folder.create()
        os.environ.setdefault("LAB_MACHINE", folder.machine_name())
        with lock.hold(folder.lock_file), interruptible():
            return WorkerRun(folder, workers, queues).run()
    except NoLabError as error:
        complain("worker", str(error))
    except lock.AlreadyRunningError as error:
        complain("worker", f"Meeple Lab is running on {folder.root} already: {error.holder}.")
        complain("worker", "A lab has its own workers; name another data folder in LAB_DATA for more of them.")
    except data_folder.DataFolderError as error:
        complain("worker", str(error))
    except KeyboardInterrupt:
        return 0
    return 1


def check_lab() -> None:
    """Raises NoLabError where the lab is not named, cannot be reached, or gives no work to this code."""
    missing = [name for name in NAMED if not os.environ.get(name)]
    if missing:
        raise NoLabError(
            f"{' and '.join(missing)} must name the lab's servers. `up --serve-workers ADDRESS` on the lab's machine "
            "writes both into a file: copy it here and start ./lab worker FILE."
        )
    try:
        connection.ensure_connection()
        executor = MigrationExecutor(connection)
        ahead = executor.loader.applied_migrations.keys() - executor.loader.disk_migrations.keys()
        behind = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise NoLabError(f"The lab's database cannot be reached: {str(error).strip()}") from error
    if refusal := refusal_now():
        raise NoLabError(f"The lab refuses this worker. {refusal}")
    if behind or ahead:
        whose = "older" if behind else "newer"
        raise NoLabError(
            f"The lab's tables are of {'an' if behind else 'a'} {whose} version than this code: "
            "bring this checkout to the lab's commit."
        )


def refusal_now() -> str:
    """Why the lab gives no work to this code; empty where it does."""
    connection.ensure_connection()
    return codes.refusal(worker_processes.standing(connection.connection, ""))


class WorkerRun:
    """One run of workers, from start to stop."""

    def __init__(self, folder: DataFolder, workers: int, queues: Sequence[str]) -> None:
        self.folder = folder
        self.processes = {queue: workers if queue == queues[0] else 1 for queue in queues}
        self.supervisor = Supervisor(folder, programs.environment(folder, Options(workers=workers), 8000))
        self.children: list[Child] = []
        self._refusal = ""
        self._looked_at = 0.0
        self._is_draining = False

    def run(self) -> int:
        """Start the workers, look after them, stop them."""
        say_plain(f"Workers keep their logs in {self.folder.root}")
        for place in (self.folder.logs, self.folder.processes):
            data_folder.own_folder(place, 0o700)
        for name in children.end_leftovers(self.folder):
            say(name, "ended: it was left over from a killed run")
        previous = signal.signal(DRAIN_SIGNAL, lambda *_: self._ask_to_drain())
        try:
            self._start()
            while not self._is_drained():
                self.supervisor.tick()
                self._look()
            say("worker", "drained: nothing is held any more")
            return 0
        except KeyboardInterrupt:
            return 0
        except SupervisorError:
            return 1
        finally:
            with uninterrupted():
                self.supervisor.stop_all_but_services()
            signal.signal(DRAIN_SIGNAL, previous)
            say("worker", "stopped; no process is left")

    def _start(self) -> None:
        self.supervisor.run_to_end(programs.warm_first())
        for queue, number in self.processes.items():
            self.children.append(self.supervisor.start(programs.worker(queue, number)))
        self.supervisor.start(programs.warm_rest())
        numbers = ", ".join(f"{number} for {queue}" for queue, number in self.processes.items())
        say("worker", f"processes: {numbers}; {machine.processor()}")
        say("worker", "Ctrl-C gives back what is played; SIGUSR1 lets it end first")

    def _ask_to_drain(self) -> None:
        self._is_draining = True

    def _is_drained(self) -> bool:
        """Whether an order to drain was given and nothing is held any more; gives the order when it is asked for."""
        if not self._is_draining:
            return False
        with contextlib.suppress(DatabaseError, psycopg.Error):
            orders.give(orders.Order.DRAIN, programs=self._names())
            return not orders.are_at_work(self._names())
        connection.close()
        return False

    def _names(self) -> list[str]:
        host = compile_locks.process_name().rpartition(":")[0]
        return [f"{host}:{child.process.pid}" for child in self.children if child.process is not None]

    def _look(self) -> None:
        """Say on the terminal what the lab says of these workers, when it changes."""
        if time.monotonic() - self._looked_at < LOOK_S:
            return
        self._looked_at = time.monotonic()
        try:
            refusal = refusal_now()
        except (DatabaseError, psycopg.Error) as error:
            connection.close()
            refusal = f"{AWAY}: {str(error).strip().splitlines()[0]}. It is tried again until it answers."
            if self._refusal.startswith(AWAY):
                return
        if refusal != self._refusal:
            self._refusal = refusal
            complain("worker", refusal or "it gets work again")
