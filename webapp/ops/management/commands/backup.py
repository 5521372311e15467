"""`manage.py backup`: the whole lab in one file, while it runs."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from webapp.ops import backup, data_folder
from webapp.ops.backup_file import BackupError
from webapp.ops.data_folder import DataFolderError
from webapp.ops.open_database import open_database
from webapp.ops.postgres import PostgresError


class Command(BaseCommand):
    """Writes database, secret key and archive into one file with checksums."""

    help = (
        "Write the whole lab into one file, as of one moment, while it runs or not: the database (embedded, or the one "
        "in DATABASE_URL), the secret key, the archive. The file holds passwords' hashes and the key: keep it private. "
        "Kernels, logs and static files are made anew and left out. The lab notes how it went, and a bad end is an "
        "alarm. `manage.py restore FILE` reads it."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the file."""
        parser.add_argument("file", type=Path, help="the file to write, or a folder: then its name has the date")

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the backup and say what it holds."""
        folder, started = data_folder.locate(), time.monotonic()
        path = backup.target(options["file"], datetime.now(UTC))
        try:
            with open_database(folder, is_exclusive=False):
                manifest = backup.write_and_report(path, folder)
        except (BackupError, PostgresError, DataFolderError) as error:
            raise CommandError(str(error)) from error
        except (psycopg.OperationalError, OperationalError) as error:
            raise CommandError(f"The database cannot be reached: {error}") from error
        seconds = time.monotonic() - started
        held = backup.in_words(manifest.counts)
        self.stdout.write(f"{path}: {held}; {path.stat().st_size / 1e6:,.1f} MB in {seconds:.1f} s")
        if manifest.dumped_by.split(".")[0] != manifest.postgres.split(".")[0]:
            self.stderr.write(
                f"The server is Postgres {manifest.postgres}; no pg_dump of that version was found, so "
                f"{manifest.dumped_by} wrote the backup. Try it out: manage.py restore, with another LAB_DATA.",
                self.style.NOTICE,
            )
