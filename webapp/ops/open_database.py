"""The lab's database, open for a command: that of a running lab, one of one's own, or the embedded one, started."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from django.db import connection

from webapp.ops import data_folder, launch, lock, postgres
from webapp.ops.backup_file import BackupError
from webapp.ops.data_folder import DataFolder
from webapp.ops.postgres import PostgresServer

START_S, STOP_S = 60.0, 60.0
PAUSE_S = 0.05
SETTLED_S = 1.0
"""A server whose command was killed has stopped answering by then."""


@contextmanager
def open_database(folder: DataFolder, *, is_exclusive: bool) -> Iterator[None]:
    """Have the database answer, and close it behind us if we opened it.

    is_exclusive: nobody else may use it meanwhile. Raises BackupError, PostgresError, DataFolderError.
    """
    with ExitStack() as stack:
        if not os.environ.get("DATABASE_URL"):
            stack.enter_context(_embedded(folder, is_exclusive))
        stack.callback(connection.close)
        if is_exclusive:
            _refuse_company()
        yield


@contextmanager
def _embedded(folder: DataFolder, is_exclusive: bool) -> Iterator[None]:
    server = PostgresServer(folder, postgres.find())
    if not is_exclusive and not (folder.postgres / "PG_VERSION").exists():
        raise BackupError(f"There is no lab in {folder.root}. LAB_DATA names another data folder.")
    folder.create()
    with ExitStack() as stack:
        try:
            stack.enter_context(lock.hold(folder.lock_file))
        except lock.AlreadyRunningError as error:
            if is_exclusive:
                message = f"Meeple Lab is running on {folder.root} ({error.holder}). Stop it first (Ctrl-C)."
                raise BackupError(message) from None
            if not server.is_ready():
                message = f"Meeple Lab on {folder.root} is starting or stopping. Try again in a minute."
                raise BackupError(message) from None
        else:
            _await_end_of_former(server)
            if not server.is_ready():
                stack.enter_context(_running(folder, server))
        yield


def _await_end_of_former(server: PostgresServer) -> None:
    """Wait while a server ends whose command was killed; one that goes on answering is taken as it is."""
    deadline = time.monotonic() + STOP_S
    settled = time.monotonic() + SETTLED_S
    while time.monotonic() < deadline and _has_process(server):
        if time.monotonic() > settled and server.is_ready():
            return
        time.sleep(PAUSE_S)


def _has_process(server: PostgresServer) -> bool:
    """Whether the process that the cluster names is there."""
    try:
        os.kill(int((server.folder.postgres / "postmaster.pid").read_text().split()[0]), 0)
    except PermissionError:
        return True
    except (OSError, ValueError, IndexError):
        return False
    return True


@contextmanager
def _running(folder: DataFolder, server: PostgresServer) -> Iterator[None]:
    """Run the server; it stops, too, when this process is killed."""
    server.prepare()
    data_folder.own_folder(folder.logs, 0o700)
    log = folder.logs / "postgres.log"
    command = launch.command(server.command(), "SIGINT", user=server.user)
    with log.open("ab") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
    try:
        deadline = time.monotonic() + START_S
        while not server.is_ready():
            if process.poll() is not None or time.monotonic() > deadline:
                raise BackupError(f"Postgres did not start; the last lines of {log} say why.")
            time.sleep(PAUSE_S)
        yield
    finally:
        connection.close()
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _refuse_company() -> None:
    """Refuse where others are connected to the database."""
    query = """
        select count(*) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    """
    with connection.cursor() as cursor:
        cursor.execute(query)
        others = cursor.fetchone()[0]
    if others:
        raise BackupError(
            f"The database is in use: {others} other connections. Stop pages, workers, sweeper and webhooks first."
        )
