"""Workers of other machines: how they are let in, and what they are told where they are not."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import OperationalError

from tests.services import running
from webapp.ops import postgres, valkey, worker_stack
from webapp.ops.data_folder import CHECKOUT, DataFolder, DataFolderError
from webapp.ops.postgres import PostgresServer
from webapp.ops.valkey import ValkeyServer
from webapp.ops.worker_access import ROLE, VALKEY_PORT, WorkerAccess
from webapp.records import codes
from webapp.records.worker_models import CodeVersion

ADDRESS = "127.0.0.77"
"""Loopback, where no other server listens."""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    root = tmp_path_factory.mktemp("lab")
    for place in (root, *root.parents[:2]):
        place.chmod(0o755)  # Postgres may run as another user
    return DataFolder(root)


def _manage(folder: DataFolder, *arguments: str) -> None:
    named = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    named["LAB_DATA"] = str(folder.root)
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=CHECKOUT, env=named, check=True)


@pytest.mark.slow  # a cluster of its own
def test_workers_come_in_by_their_password_and_own_nothing(folder: DataFolder) -> None:
    import psycopg
    import redis

    access = WorkerAccess(folder, ADDRESS)
    access.check()
    password = folder.worker_password()
    with (
        running(PostgresServer(folder, postgres.find(), is_durable=False, access=access), "SIGINT"),
        running(ValkeyServer(folder, valkey.find(), access), "SIGTERM"),
    ):
        _manage(folder, "migrate", "--no-input", "--verbosity", "0")
        for _ in range(2):  # each start of the lab does it
            _manage(folder, "workers_role")
            file = access.write_environment()
        assert file.stat().st_mode & 0o777 == 0o600
        lines = dict(line.split("=", 1) for line in file.read_text().splitlines())
        assert lines["DATABASE_URL"] == f"postgres://{ROLE}:{password}@{ADDRESS}:5432/lab"
        with psycopg.connect(lines["DATABASE_URL"], autocommit=True) as worker:
            worker.execute(
                "insert into records_workertally (worker, queue, claims, busy_s) values ('w', 'batch', 1, 1)"
            )
            for forbidden in ("drop table records_match", "select password from accounts_user"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    worker.execute(forbidden)
        for stranger in ("lab", ROLE):
            with pytest.raises(psycopg.OperationalError):
                psycopg.connect(host=ADDRESS, user=stranger, dbname="lab", password="guessed")
        assert redis.Redis.from_url(lines["REDIS_URL"]).ping()
        assert redis.Redis.from_url(folder.queue_url()).ping()
        with pytest.raises(redis.AuthenticationError):
            redis.Redis(host=ADDRESS, port=VALKEY_PORT).ping()


def test_a_taken_port_and_a_foreign_address_are_said_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind((ADDRESS, VALKEY_PORT))
        taken.listen()
        with pytest.raises(DataFolderError, match="port 6379 is taken"):
            WorkerAccess(DataFolder(tmp_path), ADDRESS).check()
    with pytest.raises(DataFolderError, match=r"cannot be served at 192\.0\.2\.1"):
        WorkerAccess(DataFolder(tmp_path), "192.0.2.1").check()


def test_without_a_password_nothing_changes(tmp_path: Path) -> None:
    folder = DataFolder(tmp_path)
    assert folder.queue_url() == f"unix://{folder.valkey_socket}"
    assert "listen_addresses=" in PostgresServer(folder, postgres.find()).command()
    folder.worker_password()
    assert folder.queue_url().startswith("unix://:")


@pytest.mark.django_db
def test_a_worker_is_told_what_is_wrong_before_it_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in worker_stack.NAMED:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(worker_stack.NoLabError, match="DATABASE_URL and REDIS_URL must name"):
        worker_stack.check_lab()
    for name in worker_stack.NAMED:
        monkeypatch.setenv(name, "somewhere")
    codes.make_labs()
    worker_stack.check_lab()
    CodeVersion.objects.update(hash="f" * 64)
    with pytest.raises(worker_stack.NoLabError, match=r"The lab refuses this worker\. Its code"):
        worker_stack.check_lab()


@pytest.mark.django_db
def test_the_terminal_says_once_that_the_lab_is_away_and_that_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = ["connection refused\nIs the server running?", "connection refused", ""]
    monkeypatch.setattr(worker_stack, "LOOK_S", 0.0)
    run = worker_stack.WorkerRun(DataFolder(tmp_path), 1, ("batch",))
    for answer in said:

        def refusal(answer: str = answer) -> str:
            if answer:
                raise OperationalError(answer)
            return answer

        monkeypatch.setattr(worker_stack, "refusal_now", refusal)
        run._look()
    assert capsys.readouterr().err.splitlines() == [
        "[worker] the lab's database cannot be reached: connection refused. It is tried again until it answers.",
        "[worker] it gets work again",
    ]
