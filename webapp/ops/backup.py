"""Writes a backup of the lab, consistent while it runs: database and files as of one moment.

All of the database is read in one snapshot. Files follow it: a secret key never changes, an archived experiment is in
files before its rows go, and no file goes while a backup is made.
"""

from __future__ import annotations

import logging
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import psycopg
from django.conf import settings
from django.db import DatabaseError, transaction

from webapp.common.formats import plural
from webapp.lab.watch import reports
from webapp.ops import postgres_clients
from webapp.ops.backup_file import DATABASE, FILES, BackupError, Manifest, Writer, writing
from webapp.ops.data_folder import KEPT, DataFolder
from webapp.records import locks
from worker import code_version

LAST_LINES = 6
logger = logging.getLogger(__name__)
_SINGULAR = {
    "accounts": "account",
    "experiments": "experiment",
    "studies": "study",
    "matches": "match",
    "tables": "table",
}
_COUNTS = {
    "accounts": "select count(*) from accounts_user where username <> %s and is_guest is not true",
    "experiments": "select count(*) from records_experiment",
    "studies": "select count(*) from records_study",
    "matches": "select count(*) from records_match",
    "tables": "select count(*) from live_livematch",
}


def target(given: Path, now: datetime) -> Path:
    """The file to write: the one named, or one with its date in a folder."""
    path = given.expanduser().resolve()
    return path / f"meeple-lab-{now:%Y-%m-%d-%H%M%S}.zip" if path.is_dir() else path


def write_and_report(path: Path, folder: DataFolder) -> Manifest:
    """Write a backup, and note in the lab how it went: a bad end is an alarm. Raises as `write` does."""
    try:
        manifest = write(path, folder)
    except Exception as error:
        _report(is_ok=False, sentence=str(error))
        raise
    _report(is_ok=True, sentence=f"{path}: {in_words(manifest.counts)}")
    return manifest


def _report(*, is_ok: bool, sentence: str) -> None:
    """Note it where the database takes it; tables of an older lab have no place for it."""
    try:
        with transaction.atomic():
            reports.note(reports.BACKUP, is_ok=is_ok, sentence=sentence)
    except DatabaseError as error:
        logger.warning("the lab does not know of this backup: %s", error)


def write(path: Path, folder: DataFolder) -> Manifest:
    """Write a backup of the open database and this data folder. Raises BackupError, PostgresError."""
    major, whole_version = postgres_clients.server_version()
    programs = postgres_clients.fitting(major)
    with writing(path) as writer, _snapshot() as (reader, snapshot):
        manifest = Manifest(
            lab=code_version.lab_version(),
            made_at=datetime.now(UTC).isoformat(timespec="seconds"),
            postgres=whole_version,
            dumped_by=programs.version,
            migrations=[f"{app}.{name}" for app, name in _rows(reader, "select app, name from django_migrations")],
            counts=counts(reader),
        )
        arguments, environment = postgres_clients.connection_arguments()
        options = ["--format=plain", "--no-owner", "--no-privileges", "--encoding=UTF8", f"--snapshot={snapshot}"]
        _dump(writer, [str(programs.dump), *options, *arguments], environment)
        for file in kept_files(folder):
            _add(writer, folder, file)
        writer.finish(manifest)
    return manifest


def kept_files(folder: DataFolder) -> list[Path]:
    """Files of the data folder that are not made anew."""
    found: list[Path] = []
    for name in KEPT:
        place = folder.root / name
        found += [place] if place.is_file() else sorted(path for path in place.rglob("*") if path.is_file())
    return found


def counts(reader: psycopg.Connection[Any]) -> dict[str, int]:
    """Rows by kind, of a database of any version; the system's account and guests are none of anybody's."""
    found = {}
    for kind, query in _COUNTS.items():
        with reader.transaction(force_rollback=True):
            try:
                row = reader.execute(query, [settings.LAB_ACCOUNT] if "%s" in query else None).fetchone()
            except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn):
                continue
            found[kind] = row[0] if row else 0
    return found


def in_words(held: Mapping[str, int]) -> str:
    """Rows by kind: "1 account, 12 experiments"."""
    return ", ".join(plural(count, _SINGULAR[kind], kind) for kind, count in held.items())


def last_lines(complaints: IO[bytes]) -> str:
    """What a program said last before it failed."""
    complaints.seek(0)
    return "\n".join(complaints.read().decode(errors="replace").strip().splitlines()[-LAST_LINES:])


def _rows(reader: psycopg.Connection[Any], query: str) -> list[tuple[str, str]]:
    return reader.execute(query + " order by id").fetchall()


@contextmanager
def _snapshot() -> Iterator[tuple[psycopg.Connection[Any], str]]:
    """A connection of its own that holds what it sees, and the name under which pg_dump sees the same."""
    known = postgres_clients.connection_parameters()
    with psycopg.connect(**known, autocommit=True) as reader:
        reader.execute("select pg_advisory_lock_shared(%s::int, 0)", (locks.BACKUP,))  # no file of the archive goes
        reader.autocommit = False
        reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reader.read_only = True
        row = reader.execute("select pg_export_snapshot()").fetchone()
        assert row is not None
        yield reader, str(row[0])
        reader.rollback()


def _dump(writer: Writer, command: list[str], environment: dict[str, str]) -> None:
    with tempfile.TemporaryFile() as complaints:
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, env=environment)
        except OSError as error:
            raise BackupError(f"{command[0]} does not start: {error.strerror}.") from error
        with process:
            assert process.stdout is not None
            try:
                writer.add(DATABASE, process.stdout)
            except BaseException:
                process.kill()
                raise
        if process.returncode != 0:
            raise BackupError(f"pg_dump failed, nothing was written:\n{last_lines(complaints)}")


def _add(writer: Writer, folder: DataFolder, file: Path) -> None:
    """Add a file; one that has gone since it was listed is left out."""
    try:
        content = file.open("rb")
    except FileNotFoundError:
        return
    with content:
        mode = file.stat().st_mode & 0o777
        writer.add(FILES + file.relative_to(folder.root).as_posix(), content, mode)
