"""`manage.py archive`: plies of finished experiments as files."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.common.formats import bytes_size
from webapp.records.archive import checks, moving, plies, returning
from webapp.records.archive.errors import ArchiveError
from webapp.records.models import Experiment, PlyFile

BUSY = "plies are being moved just now, by the sweeper or another command: try again in a minute"


class Command(BaseCommand):
    """List files of plies, write those of an experiment, bring them back, or check all."""

    help = (
        "Plies of finished experiments as Parquet files of the data folder: list them, archive those of an "
        "experiment, restore them as rows of Postgres, or check all checksums (exit status 1 where one is wrong)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare what is to be done."""
        todo = parser.add_subparsers(dest="todo", metavar="TODO")
        todo.add_parser("list", help="files by experiment (without anything)")
        for name, words in (("archive", "write the files of an experiment"), ("restore", "make its plies rows again")):
            todo.add_parser(name, help=words).add_argument("experiment", type=int, metavar="EXPERIMENT")
        todo.add_parser("check", help="compare all files with their checksums")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it."""
        todo = options["todo"] or "list"
        try:
            if todo in ("archive", "restore"):
                self._move(todo, options["experiment"])
            else:
                self._check() if todo == "check" else self._list()
        except ArchiveError as error:
            raise CommandError(f"{error.sentence} {error.advice}") from error
        except OSError as error:
            raise CommandError(f"the folder of the archive cannot be written: {error}. The rows stay.") from error

    def _list(self) -> None:
        files = PlyFile.objects.select_related("experiment").order_by("experiment", "number")
        for file in files:
            where = "rows gone" if file.rows_gone_at else "rows still there"
            state = file.damage or where
            self.stdout.write(
                f"{file.name}\t{file.matches} matches\t{file.plies} plies\t{bytes_size(file.size)}\t"
                f"{file.written_at:%Y-%m-%d %H:%M}\t{file.sha256}\t{state}"
            )
        if not files:
            self.stdout.write("No plies are in files.")

    def _move(self, todo: str, pk: int) -> None:
        experiment = Experiment.objects.filter(pk=pk).first()
        if experiment is None:
            raise CommandError(f"there is no experiment {pk}")
        with moving.alone() as is_mine:
            if not is_mine:
                raise CommandError(BUSY)
            if todo == "archive":
                self._archive(experiment)
            else:
                self._restore(experiment)

    def _archive(self, experiment: Experiment) -> None:
        if why := moving.refusal(experiment):
            raise CommandError(f"the plies of experiment {experiment.pk} stay where they are: {why}")
        while moving.step(experiment):
            self.stderr.write(f"experiment {experiment.pk}: {experiment.ply_files.count()} files")
        found = list(experiment.ply_files.all())
        if not found:
            raise CommandError(f"experiment {experiment.pk} has no matches")
        size = bytes_size(sum(file.size for file in found))
        self.stdout.write(
            f"Experiment {experiment.pk}: {sum(file.plies for file in found)} plies in {len(found)} files, {size}. "
            "The sweeper removes the rows, an hour after the last file was written."
        )

    def _restore(self, experiment: Experiment) -> None:
        if experiment.plies_filed_at is None or not plies.files(experiment):
            raise CommandError(f"no plies of experiment {experiment.pk} are in files")
        rows = returning.restore(experiment, lambda file: self.stderr.write(f"{file.name}: {file.plies} plies"))
        self.stdout.write(f"Experiment {experiment.pk}: {rows} plies are rows again, and its files are removed.")

    def _check(self) -> None:
        wrong = 0
        for file in PlyFile.objects.order_by("experiment", "number"):
            try:
                plies.check(file)
            except ArchiveError as error:
                wrong += 1
                self.stderr.write(f"{error.sentence} {error.advice}")
        for path in checks.unknown():
            self.stderr.write(f"{path}: no experiment has this file. Delete it if no other lab uses the folder.")
        number = PlyFile.objects.count()
        if wrong:
            raise CommandError(f"{wrong} of {number} files are not as they were written", returncode=1)
        self.stdout.write(f"{number} files are as they were written.")
