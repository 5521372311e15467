"""Puts a backup in the place of a lab's database and files: all of it or nothing, whenever it is killed.

The database changes in one transaction, which also leaves the backup's mark on the schema. The files wait beside
their places until it is over: with the mark there they belong to the new database and take their places, without
it they go (`finish`, which `manage.py up` calls, too).
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tempfile
from typing import IO

import psycopg
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from webapp.ops import backup, postgres_clients
from webapp.ops.backup_file import BLOCK, Backup, BackupError
from webapp.ops.data_folder import KEPT, DataFolder, own_folder

MARK = "restored from backup "
HEADER_LINES = 60
TIMEOUT_SINCE = 17
"""Postgres that knows `transaction_timeout`, which newer pg_dumps set in their header."""


def refuse_what_does_not_fit(found: Backup) -> None:
    """Refuse a backup of a newer lab than this code, or of a newer Postgres than the server."""
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    unknown = [name for name in found.manifest.migrations if name not in known]
    if unknown:
        raise BackupError(
            f"The backup is of a newer lab ({found.manifest.lab}): this code lacks its migration {unknown[-1]}. "
            "Restore it with that version, or a later one."
        )
    major, made_on = postgres_clients.server_version()[0], int(found.manifest.postgres.split(".")[0])
    if made_on > major:
        raise BackupError(f"The backup was made on Postgres {made_on}, and the server here is Postgres {major}.")


def refuse_to_replace(what: str) -> None:
    """Refuse where the lab holds what people have made."""
    with psycopg.connect(**postgres_clients.connection_parameters()) as reader:
        held = {kind: count for kind, count in backup.counts(reader).items() if count}
    if held:
        raise BackupError(
            f"The lab in {what} is not empty: {backup.in_words(held)}. --force replaces all of it by the backup."
        )


def restore(found: Backup, folder: DataFolder) -> None:
    """Replace database and files. Raises BackupError, with everything as it was."""
    finish(folder)
    mark = _mark_of(found)
    staged = folder.restoring / "files"
    own_folder(folder.restoring, 0o700)
    try:
        found.extract_files(staged)
        names = sorted({path.relative_to(staged).parts[0] for path in staged.rglob("*") if path.is_file()})
        (folder.restoring / "mark.json").write_text(json.dumps({"mark": mark, "names": names}))
        _replace_database(found, mark)
    except BaseException:
        connection.close()
        if _mark_in_database() != mark:
            shutil.rmtree(folder.restoring)
        raise
    finish(folder)


def finish(folder: DataFolder) -> None:
    """Bring a restore that was broken off to its end, or undo what little it left: database and files agree then."""
    described = folder.restoring / "mark.json"
    if not folder.restoring.exists():
        return
    plan = json.loads(described.read_text()) if described.exists() else {"mark": None, "names": []}
    if plan["mark"] is not None and plan["mark"] == _mark_in_database():
        _place_files(folder, plan["names"])
        with connection.cursor() as cursor:
            cursor.execute("comment on schema public is 'standard public schema'")
    shutil.rmtree(folder.restoring)


def _place_files(folder: DataFolder, names: list[str]) -> None:
    """Put the staged files in their places; what has been placed before is left alone."""
    for name in KEPT:
        place, new = folder.root / name, folder.restoring / "files" / name
        if (name in names and not new.exists()) or not (place.exists() or new.exists()):
            continue
        if place.is_dir():
            place.rename(folder.restoring / f"replaced-{name}")
        elif place.exists() and not new.exists():
            place.unlink()
        if new.exists():
            new.rename(place)


def _mark_of(found: Backup) -> str:
    sums = json.dumps(found.manifest.members, sort_keys=True)
    return MARK + hashlib.sha256(sums.encode()).hexdigest()


def _mark_in_database() -> str | None:
    with connection.cursor() as cursor:
        cursor.execute("select obj_description(to_regnamespace('public'), 'pg_namespace')")
        row = cursor.fetchone()
    return None if row is None or row[0] is None else str(row[0])


def _replace_database(found: Backup, mark: str) -> None:
    """Carry out the backup's SQL in one transaction, which psql breaks off where its input ends without a commit."""
    major, _ = postgres_clients.server_version()
    connection.close()
    programs = postgres_clients.fitting(major)
    arguments, environment = postgres_clients.connection_arguments()
    command = [str(programs.shell), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", *arguments]
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=complaints, env=environment
        )
        with process:
            assert process.stdin is not None
            try:
                _write_script(found, process.stdin, mark, major)
            except BrokenPipeError:
                pass  # psql has ended, and says why
            except BaseException:
                process.kill()
                raise
        if process.returncode != 0:
            message = f"The database could not be restored, and is as it was:\n{backup.last_lines(complaints)}"
            raise BackupError(message)


def _write_script(found: Backup, sink: IO[bytes], mark: str, major: int) -> None:
    sink.write(b"begin;\ndrop schema if exists public cascade;\ncreate schema public;\n")
    sink.write(b"grant usage on schema public to public;\n")  # as initdb makes it
    with found.database() as source:
        for _ in range(HEADER_LINES):
            line = source.readline()
            if major >= TIMEOUT_SINCE or not line.startswith(b"SET transaction_timeout"):
                sink.write(line)
        shutil.copyfileobj(source, sink, BLOCK)
    sink.write(f"\ncomment on schema public is '{mark}';\ncommit;\nanalyze;\n".encode())
    sink.close()
