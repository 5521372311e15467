"""Plies of files as a table that SQL reads as it reads `records_ply`: for charts, exports, comparison and return.

It is a temporary one, of a connection and empty after each transaction.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import psycopg
from django.db import connection
from psycopg import sql

from webapp.records.archive import columns, plies
from webapp.records.archive.arrow import pa, pc
from webapp.records.archive.errors import ArchiveError
from webapp.records.models import Experiment, Match, Ply, PlyFile

Connection = psycopg.Connection[Any]
ROWS = sql.Identifier(Ply._meta.db_table)
TABLE = sql.Identifier("pg_temp", "archived_ply")
_MAKE = """
create temp table if not exists archived_ply (like records_ply including defaults including indexes)
on commit delete rows
"""
_COPY = f"copy pg_temp.archived_ply ({', '.join(columns.ROW)}) from stdin (format csv)"
_EMPTY = "delete from pg_temp.archived_ply"
PORTION = 16
"""Groups of a file that an export reads at once."""


@dataclass(frozen=True)
class Wanted:
    """Plies that a statement reads: of the first deals, or of some matches; of these plies; with what they note."""

    deals: int | None = None
    matches: Sequence[int] | None = None
    plies: Sequence[int] | None = None
    has_info: bool = False


def is_filed(experiment: Experiment) -> bool:
    """Whether an experiment's plies are read from files."""
    return experiment.plies_filed_at is not None and experiment.plies_gone_to is None


def refuse_unreadable(experiment: Experiment, match: Match | None = None) -> None:
    """Refuse where a file of an experiment is missing or cut off, or a match cannot be read. Raises ArchiveError."""
    if match is not None:
        plies.plies_of(match)
        return
    for file in plies.files(experiment):
        plies.check(file, is_whole=False)


def prepare(experiment: Experiment) -> None:
    """Make the table where it will be needed: inside of a transaction that only reads, none can be made."""
    if is_filed(experiment):
        make(_own())


def relation(experiment: Experiment, wanted: Wanted) -> sql.Identifier:
    """The table with the plies that a statement of this transaction reads. Raises ArchiveError.

    Where they are in files they are read into a temporary one first, which `prepare` made.
    """
    if not is_filed(experiment):
        return ROWS
    own = _own()
    own.execute(_EMPTY)
    for file in plies.files(experiment):
        ids = _ids(experiment, file, wanted)
        if ids or ids is None:
            _fill(own, file, ids, wanted)
    own.execute("analyze pg_temp.archived_ply")
    return TABLE


@contextmanager
def filled(own: Connection, tables: Sequence[pa.Table]) -> Iterator[None]:
    """A transaction in which the table holds these rows."""
    with own.transaction():
        make(own)
        own.execute(_EMPTY)
        for table in tables:
            copy(own, table)
        own.execute("analyze pg_temp.archived_ply")
        yield


def portions(
    own: Connection, experiment: Experiment, match: Match | None = None, span: tuple[int, int] | None = None
) -> Generator[None]:
    """The plies of an experiment, or of one match, in the table bit by bit: at least once. Raises ArchiveError.

    span: numbers of matches, after one and up to another; others may be in the table, too.

    Of an experiment each file is compared with its checksum before it is read.
    """
    number = 0
    for file in _of_span(plies.files(experiment), span) if match is None else filter(None, [plies.file_of(match)]):
        plies.check(file, is_whole=match is None)
        with plies.reader(file) as opened:
            held: list[pa.Table] = []
            for table in opened.groups(None if match is None else [match.pk]):
                held.append(table)
                if len(held) == PORTION:
                    with filled(own, held):
                        yield
                    number, held = number + 1, []
            if held:
                with filled(own, held):
                    yield
                number += 1
    if not number:
        with filled(own, ()):
            yield


def _of_span(files: Iterable[PlyFile], span: tuple[int, int] | None) -> list[PlyFile]:
    """The files that may hold matches of a span; all without one."""
    return [file for file in files if span is None or (file.last_match > span[0] and file.first_match <= span[1])]


def make(own: Connection) -> None:
    """Make the table where this connection has none yet."""
    own.execute(_MAKE)


def copy(own: Connection, table: pa.Table, *, has_info: bool = True) -> None:
    """Read rows of a file into the table."""
    if len(table):
        with own.cursor() as cursor, cursor.copy(_COPY) as sink:
            sink.write(columns.to_csv(table, has_info=has_info))


def _own() -> Connection:
    connection.ensure_connection()
    return cast(Connection, connection.connection)


def _ids(experiment: Experiment, file: PlyFile, wanted: Wanted) -> list[int] | None:
    """Matches of a file that are wanted; None: all."""
    own = Match.objects.filter(experiment=experiment, pk__gte=file.first_match, pk__lte=file.last_match)
    if wanted.matches is not None:
        return [pk for pk in wanted.matches if file.first_match <= pk <= file.last_match]
    if wanted.deals is None:
        return None
    return list(own.filter(deal__lt=wanted.deals).values_list("pk", flat=True))


def _fill(own: Connection, file: PlyFile, ids: Sequence[int] | None, wanted: Wanted) -> None:
    try:
        with plies.reader(file) as opened:
            for table in opened.groups(ids):
                some = table
                if wanted.plies is not None:
                    some = table.filter(pc.is_in(table["ply"], pa.array(list(wanted.plies), pa.int64())))
                copy(own, some, has_info=wanted.has_info)
    except ArchiveError as error:
        plies.note(file, error.sentence)
        raise
