"""A pytest plugin (``-p tests.services``): one Postgres and one Valkey per test run.

It is a plugin and not a conftest because pytest-django reads the settings before any conftest
runs, and they must name the sockets by then. The servers start when the first test asks for
them and stop with the run, also when it is killed. DATABASE_URL and REDIS_URL replace them.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from webapp.ops import launch, postgres, valkey
from webapp.ops.data_folder import DataFolder
from webapp.ops.postgres import PostgresServer
from webapp.ops.valkey import ValkeyServer

START_DEADLINE_S = 60
STOP_DEADLINE_S = 15

FOLDER = DataFolder(Path(tempfile.mkdtemp(prefix="lab-test-")))
"""The data folder of this run; the settings find it through LAB_DATA."""

FOLDER.root.chmod(0o755)  # Postgres may run as another user
atexit.register(shutil.rmtree, FOLDER.root, ignore_errors=True)
os.environ["LAB_DATA"] = str(FOLDER.root)
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright's synchronous face runs a loop
for setting in ("PUBLIC_URL", "DEBUG", "LAB_STATIC_COLLECTED"):
    os.environ.pop(setting, None)


@pytest.fixture(scope="session")
def postgres_service() -> Iterator[str]:
    """A Postgres that the settings name: the embedded one, not durable, or DATABASE_URL."""
    if given := os.environ.get("DATABASE_URL"):
        yield given
        return
    server = PostgresServer(FOLDER, postgres.find(), is_durable=False)
    with running(server, "SIGINT"):
        yield str(FOLDER.postgres_socket_folder)


@pytest.fixture(scope="session")
def valkey_service() -> Iterator[str]:
    """Address of a Valkey that the settings name: the embedded one, or REDIS_URL."""
    if given := os.environ.get("REDIS_URL"):
        yield given
        return
    with running(ValkeyServer(FOLDER, valkey.find()), "SIGTERM"):
        yield f"unix://{FOLDER.valkey_socket}"


@contextmanager
def running(server: PostgresServer | ValkeyServer, stop_signal: str) -> Iterator[None]:
    """Run a server; its output goes to the run's data folder."""
    server.prepare()
    log = FOLDER.root / f"{type(server).__name__}.log"
    with log.open("ab") as output:
        command = launch.command(server.command(), stop_signal, user=server.user)
        process = subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)
    try:
        deadline = time.monotonic() + START_DEADLINE_S
        while not server.is_ready():
            if process.poll() is not None or time.monotonic() > deadline:
                pytest.exit(f"the server did not start:\n{log.read_text()}", returncode=3)
            time.sleep(0.02)
        yield
    finally:
        process.send_signal(signal.Signals[stop_signal])
        try:
            process.wait(STOP_DEADLINE_S)
        except subprocess.TimeoutExpired:
            process.kill()
