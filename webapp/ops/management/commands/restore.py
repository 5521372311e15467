"""`manage.py restore`: a backup in the place of the lab."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import psycopg
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError

from webapp.ops import backup, data_folder, restore
from webapp.ops.backup_file import Backup, BackupError
from webapp.ops.data_folder import DataFolder, DataFolderError
from webapp.ops.open_database import open_database
from webapp.ops.postgres import PostgresError


class Command(BaseCommand):
    """Replaces database, secret key and archive by those of a backup, whole or not at all."""

    help = (
        "Put a backup of `manage.py backup` in the place of the lab: its database, secret key and archive. The lab "
        "must not run. All is replaced or all is as it was, whenever this is killed. An older lab's backup is migrated."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the file and what may be done with it."""
        parser.add_argument("file", type=Path, nargs="?", help="the backup")
        parser.add_argument("--force", action="store_true", help="replace a lab that is not empty")
        parser.add_argument("--check", action="store_true", help="only compare the file with its checksums")
        parser.add_argument("--finish", action="store_true", help="only bring a restore that was broken off to its end")

    def handle(self, *args: Any, **options: Any) -> None:
        """Check, refuse or restore, and say what is there now."""
        folder = data_folder.locate()
        if options["file"] is None and not options["finish"]:
            raise CommandError("Name the backup: manage.py restore FILE")
        try:
            if options["finish"]:
                restore.finish(folder)
            else:
                self._restore(folder, options)
        except (BackupError, PostgresError, DataFolderError) as error:
            raise CommandError(str(error)) from error
        except (psycopg.OperationalError, OperationalError) as error:
            raise CommandError(f"The database cannot be reached: {error}") from error

    def _restore(self, folder: DataFolder, options: dict[str, Any]) -> None:
        path, started = options["file"].expanduser().resolve(), time.monotonic()
        with Backup(path) as found:
            manifest = found.manifest
            held = backup.in_words(manifest.counts)
            found.check()
            made = f"{manifest.made_at}, Meeple Lab {manifest.lab}, Postgres {manifest.postgres}"
            self.stdout.write(f"{path}: of {made}; {held}; all checksums are right")
            if options["check"]:
                return
            with open_database(folder, is_exclusive=True):
                restore.finish(folder)
                restore.refuse_what_does_not_fit(found)
                if not options["force"]:
                    restore.refuse_to_replace(str(folder.root))
                restore.restore(found, folder)
                call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
        self.stdout.write(
            f"Restored in {time.monotonic() - started:.1f} s. `./lab up` starts it; then "
            "`manage.py verify --sample 100` plays some matches again."
        )
