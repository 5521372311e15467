"""Backups and restores of a lab in a folder of its own: beside one that runs, and killed anywhere."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.ops.labs import Commands, temporary
from tests.releases.__main__ import RELEASES
from tests.services import running
from webapp.ops import postgres
from webapp.ops.backup_file import PART, Backup
from webapp.ops.data_folder import DataFolder
from webapp.ops.postgres import PostgresServer

pytestmark = pytest.mark.slow

KILLS = 6
OPENED = """
import django; django.setup()
from django.conf import settings
from django.db import connection
from webapp.ops import data_folder, restore
from webapp.ops.open_database import open_database
folder = data_folder.locate()
with open_database(folder, is_exclusive=True), connection.cursor() as cursor:
"""
WRITING = """
    cursor.execute("create table pair_a (n int); create table pair_z (n int)")
    print("writing", flush=True)
    for n in range(10**9):
        cursor.execute("begin; insert into pair_a values (%s); insert into pair_z values (%s); commit", [n, n])
"""
PAIRS = """
    cursor.execute("select (select count(*) from pair_a), (select count(*) from pair_z)")
    print(*cursor.fetchone())
"""
MARKING = """
    cursor.execute("create table only_in_the_second (n int); insert into accounts_user (username, password, "
        "is_superuser, first_name, last_name, email, is_staff, is_active, date_joined, is_guest, preferences) "
        "select 'late', '', false, '', '', '', false, true, now(), false, '{}'")
"""
DIRTYING = """
with connection.cursor() as cursor:
    cursor.execute("insert into accounts_user (username, password, "
        "is_superuser, first_name, last_name, email, is_staff, is_active, date_joined, is_guest, preferences) "
        "select 'late', '', false, '', '', '', false, true, now(), false, '{}'")
"""
LOOKING = """
    restore.finish(folder)
    cursor.execute("select count(*) from accounts_user where username = 'late'")
    late = cursor.fetchone()[0]
    cursor.execute("select count(*), to_regclass('only_in_the_second') is not null from records_match")
    print(late, *cursor.fetchone(), folder.secret_key_file.read_text(), folder.restoring.exists())
"""


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    with temporary() as found:
        yield found


@pytest.fixture(scope="module")
def lab(place: Path) -> Commands:
    """The stored lab of a release, restored."""
    made = Commands(place / "lab")
    made.manage("restore", str(RELEASES / "second.zip"))
    return made


def key_of(lab: Commands) -> str:
    return lab.folder.secret_key_file.read_text()


def test_a_backup_beside_a_lab_that_writes_is_of_one_moment(lab: Commands, place: Path) -> None:
    with lab.start("-c", OPENED + WRITING) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "writing\n"
        said = lab.manage("backup", str(place / "beside.zip"))
        assert "2 accounts" in said
        assert "is running on" in lab.manage("restore", "--force", str(place / "beside.zip"), fails=True)
        writer.send_signal(signal.SIGINT)
    other = Commands(place / "other")
    other.manage("restore", str(place / "beside.zip"))
    first, second = other.run("-c", OPENED + PAIRS).split()
    assert int(first) == int(second) > 0
    assert key_of(other) == key_of(lab)
    assert "is not empty: 2 accounts" in lab.manage("restore", str(place / "beside.zip"), fails=True)


def kill_after(process: Any, seconds: float) -> bool:
    """Kill a process outright; whether it was still at work."""
    with process:
        time.sleep(seconds)
        is_at_work = process.poll() is None
        process.kill()
        process.communicate()
    return is_at_work


def seconds_of(lab: Commands, *arguments: str) -> float:
    started = time.monotonic()
    lab.manage(*arguments)
    return time.monotonic() - started


def test_a_backup_that_is_killed_leaves_no_file(lab: Commands, place: Path) -> None:
    folder = place / "backups"
    folder.mkdir()
    whole_s = seconds_of(lab, "backup", str(folder / "whole.zip"))
    killed = 0
    for n in range(KILLS):
        path = folder / f"{n}.zip"
        killed += kill_after(lab.start("manage.py", "backup", str(path)), whole_s * (n + 0.5) / KILLS)
        if path.exists():
            with Backup(path) as found:
                found.check()
    assert killed >= KILLS / 2
    lab.manage("backup", str(folder / "last.zip"))
    assert not list(folder.glob(f".*{PART}"))


def test_a_restore_that_is_killed_leaves_the_old_lab_or_the_new_one(lab: Commands, place: Path) -> None:
    lab.manage("backup", str(place / "old.zip"))
    second = Commands(place / "second")
    second.manage("restore", str(place / "old.zip"))
    second.folder.secret_key_file.write_text("of the second")
    second.run("-c", OPENED + MARKING)
    second.manage("backup", str(place / "new.zip"))
    matches = Backup(place / "old.zip").manifest.counts["matches"]
    old, new = f"0 {matches} False {key_of(lab)} False\n", f"1 {matches} True of the second False\n"
    assert lab.run("-c", OPENED + LOOKING) == old
    whole_s = seconds_of(second, "restore", "--force", str(place / "new.zip"))
    seen, killed = [], 0
    for n in range(KILLS):
        process = lab.start("manage.py", "restore", "--force", str(place / "new.zip"))
        killed += kill_after(process, whole_s * (n + 0.5) / KILLS)
        seen.append(lab.run("-c", OPENED + LOOKING))
        assert seen[-1] in (old, new)
        if seen[-1] == new:
            lab.manage("restore", "--force", str(place / "old.zip"))
    assert killed >= KILLS / 2
    assert old in seen
    lab.manage("restore", "--force", str(place / "new.zip"))
    assert lab.run("-c", OPENED + LOOKING) == new


def test_a_postgres_of_ones_own_is_backed_up_by_the_programs_of_its_version(lab: Commands, place: Path) -> None:
    """One of the system, of another major version; its backup goes into a newer one, not the other way."""
    older = [one for one in postgres.all_clients() if not one.embedded and one.server.exists()]
    if not older or older[0].major >= postgres.find().major:
        pytest.skip("the system has no older Postgres")
    server = PostgresServer(DataFolder(place / "server"), older[0])
    with running(server, "SIGINT"):
        address = f"postgres://lab@/lab?host={quote(str(server.folder.postgres_socket_folder))}"
        own = Commands(place / "own", DATABASE_URL=address)
        own.manage("migrate", "--verbosity", "0")
        said = own.manage("restore", str(RELEASES / "second.zip"), fails=True)
        assert f"made on Postgres {postgres.find().major}, and the server here is Postgres {older[0].major}" in said
        own.manage("backup", str(place / "own.zip"))
        with Backup(place / "own.zip") as found:
            assert found.manifest.dumped_by == older[0].version
        own.run("-c", "import django; django.setup()\nfrom django.db import connection\n" + DIRTYING)
        assert "is not empty: 1 account" in own.manage("restore", str(place / "own.zip"), fails=True)
        assert "Restored" in own.manage("restore", "--force", str(place / "own.zip"))
        assert "Restored" in own.manage("restore", str(place / "own.zip")), "it is empty again"
    assert "Restored" in lab.manage("restore", "--force", str(place / "own.zip"))
