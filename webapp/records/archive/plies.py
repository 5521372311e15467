"""Plies, wherever they are: whoever reads plies of a match that is over asks here.

They are rows in Postgres until all of an experiment's are in files (`Experiment.plies_filed_at`); from then on the
files are what is read, also while the rows still go.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from webapp.records.archive import columns
from webapp.records.archive.errors import ArchiveError, DamagedError, MissingError
from webapp.records.archive.parquet_file import Reader, file_sha256
from webapp.records.models import Experiment, Match, Ply, PlyFile

KEPT_MATCHES = 8
"""Matches of files that a process remembers: a page asks for the same one several times."""
Stamp = tuple[int, int, int]
logger = logging.getLogger(__name__)


def plies_of(match: Match) -> list[Ply]:
    """The plies of a match in order; none where none were kept. Raises ArchiveError."""
    file = file_of(match)
    if file is not None:
        try:
            return list(_read(file, match.pk))
        except MissingError:
            if PlyFile.objects.filter(pk=file.pk).exists():
                raise  # else they came back into Postgres just now
    return list(match.plies.order_by("ply"))


def has_plies(match: Match) -> bool:
    """Whether any of its plies are kept. Raises ArchiveError."""
    return bool(plies_of(match)) if match.experiment.plies_filed_at else match.plies.exists()


def actions_of(match: Match) -> list[int]:
    """The actions of a match in order. Raises ArchiveError."""
    return [ply.action for ply in plies_of(match)]


def of_matches(matches: Sequence[Match], unreadable: dict[int, str] | None = None) -> dict[int, list[Ply]]:
    """Match id -> its plies in order, as far as any are kept.

    unreadable: takes the matches of files that cannot be read, with a sentence; without it such a file raises
    ArchiveError.
    """
    found: dict[int, list[Ply]] = defaultdict(list)
    in_files = _files_of(matches)
    for file, wanted in in_files:
        try:
            for match, plies in _read_some(file, wanted):
                found[match] = plies
        except ArchiveError as error:
            if unreadable is None:
                raise
            unreadable |= {match: error.sentence for match in wanted if match not in found}
    filed = {match for _, wanted in in_files for match in wanted}
    rest = [match.pk for match in matches if match.pk not in filed]
    for ply in Ply.objects.filter(match_id__in=rest).order_by("match_id", "ply") if rest else ():
        found[ply.match_id].append(ply)
    return found


def file_of(match: Match) -> PlyFile | None:
    """The file that holds its plies; None where they are rows, or none are kept."""
    if match.experiment.plies_filed_at is None:
        return None
    return files(match.experiment).filter(first_match__lte=match.pk, last_match__gte=match.pk).first()


def files(experiment: Experiment) -> QuerySet[PlyFile]:
    """The files that an experiment's plies are read from, in the order of its matches."""
    return PlyFile.objects.filter(
        experiment=experiment, experiment__plies_filed_at__isnull=False, experiment__plies_gone_to=None
    ).order_by("number")


def path_of(file: PlyFile) -> Path:
    """Where a file is."""
    return settings.ARCHIVE_FOLDER / file.name


def reader(file: PlyFile) -> Reader:
    """Open a file. Raises ArchiveError."""
    return Reader(path_of(file), file.name, file.list_sha256)


def check(file: PlyFile, *, is_whole: bool = True) -> None:
    """Compare a file with its size, and its checksum where it `is_whole`; note what was found.

    Raises ArchiveError.
    """
    try:
        stamp = _stamp(file)
        if stamp[1] != file.size:
            raise DamagedError(file.name, f"it has {stamp[1]:,} bytes, and was written with {file.size:,}")
        if is_whole and file_sha256(path_of(file)) != file.sha256:
            raise DamagedError(file.name, "its checksum is another one")
    except ArchiveError as error:
        note(file, error.sentence)
        raise
    if is_whole:
        PlyFile.objects.filter(pk=file.pk).update(damage="", checked_at=timezone.now())


def note(file: PlyFile, sentence: str) -> None:
    """Note what is wrong with a file, for whoever runs the lab; nothing where nothing can be written now."""
    if sentence and sentence != file.damage:
        logger.error("%s", sentence)
    try:
        with transaction.atomic():
            PlyFile.objects.filter(pk=file.pk).exclude(damage=sentence).update(damage=sentence)
    except DatabaseError as error:
        logger.warning("what is wrong with %s could not be noted: %s", file.name, error)


def _read(file: PlyFile, match: int) -> Sequence[Ply]:
    """Plies of one match, checked. Raises ArchiveError, having noted why."""
    try:
        return _kept(file.name, file.list_sha256, match, _stamp(file))
    except ArchiveError as error:
        if not isinstance(error, MissingError) or PlyFile.objects.filter(pk=file.pk).exists():
            note(file, error.sentence)
        raise


@lru_cache(maxsize=KEPT_MATCHES)
def _kept(name: str, list_sha256: str, match: int, stamp: Stamp) -> tuple[Ply, ...]:
    """stamp: of the file, so that one that changes is read again."""
    with Reader(settings.ARCHIVE_FOLDER / name, name, list_sha256) as opened:
        return tuple(ply for table in opened.groups([match]) for ply in columns.plies(table))


def _stamp(file: PlyFile) -> Stamp:
    try:
        status = path_of(file).stat()
    except FileNotFoundError:
        raise MissingError(file.name) from None
    except OSError as error:
        raise DamagedError(file.name, error.strerror or "it cannot be read") from error
    return status.st_mtime_ns, status.st_size, status.st_ino


def _read_some(file: PlyFile, wanted: Iterable[int]) -> Iterator[tuple[int, list[Ply]]]:
    try:
        with reader(file) as opened:
            for table in opened.groups(wanted):
                for match, first, end in columns.by_match(table):
                    yield match, columns.plies(table.slice(first, end - first))
    except ArchiveError as error:
        note(file, error.sentence)
        raise


def _files_of(matches: Sequence[Match]) -> list[tuple[PlyFile, list[int]]]:
    """Files that hold plies of these matches, each with their ids."""
    by_experiment: dict[int, list[int]] = defaultdict(list)
    for match in matches:
        by_experiment[match.experiment_id].append(match.pk)
    filed = Experiment.objects.filter(pk__in=by_experiment, plies_filed_at__isnull=False)
    return [
        (file, wanted)
        for experiment in filed
        for file in files(experiment)
        if (wanted := [pk for pk in by_experiment[experiment.pk] if file.first_match <= pk <= file.last_match])
    ]
