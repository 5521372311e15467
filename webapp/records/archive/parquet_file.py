"""One file of plies: Parquet with a list of its matches and their digests.

A group of rows holds whole matches, GROUP of them, so that one match is read without the others. The list stands in
the file's own metadata, and its SHA-256 in Postgres (`PlyFile`): from there each match is checked by itself, and
the whole file by its own SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from webapp.records.archive import columns
from webapp.records.archive.arrow import pa, parquet, pc
from webapp.records.archive.errors import DamagedError, MissingError

GROUP = 32
"""Matches of one group of rows."""
LIST = b"meeple-lab:matches"
"""Key of the list: JSON of the matches in the order of the file, each with its digest."""
TEMPORARY = ".writing"
BLOCK = 1 << 20


@dataclass(frozen=True)
class Sums:
    """Checksums and size of a written file. list_sha256: of the list of its matches; plies: its rows."""

    sha256: str
    list_sha256: str
    size: int
    plies: int
    matches: tuple[int, ...]


def write(path: Path, seats: int, groups: Iterable[pa.Table]) -> Sums:
    """Write a file from groups of whole matches: under another name first, on disk before it has its own.

    A kill leaves the file as it was, or whole. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + TEMPORARY)
    listed: dict[str, str] = {}
    rows = 0
    with temporary.open("wb") as file:
        with parquet.ParquetWriter(
            file, columns.schema(seats), compression="zstd", write_statistics=["match"], store_schema=False
        ) as writer:
            for group in groups:
                writer.write_table(group, row_group_size=max(1, len(group)))
                listed |= {str(match): digest for match, digest in columns.digests(group).items()}
                rows += len(group)
            text = json.dumps(listed, separators=(",", ":"))
            writer.add_key_value_metadata({LIST: text})
        file.flush()
        os.fsync(file.fileno())
    sums = Sums(file_sha256(temporary), _sha256(text), temporary.stat().st_size, rows, tuple(map(int, listed)))
    temporary.rename(path)
    for folder in (path.parent, path.parent.parent):
        _sync(folder)
    return sums


def _sync(folder: Path) -> None:
    """Have the names in a folder on disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def file_sha256(path: Path) -> str:
    """SHA-256 of a whole file. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, partial(hashlib.sha256)).hexdigest()


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class Reader:
    """Reads matches of one file, each checked. Raises MissingError and DamagedError, also while it reads.

    label: its name in sentences; list_sha256: see `Sums`.
    """

    def __init__(self, path: Path, label: str, list_sha256: str) -> None:
        self._path, self._label = path, label
        self._file = self._open()
        text = (self._file.metadata.metadata or {}).get(LIST, b"").decode(errors="replace")
        if _sha256(text) != list_sha256:
            self.close()
            raise DamagedError(label, "its list of matches is not the one that was written")
        self._digests: dict[int, str] = {int(match): digest for match, digest in json.loads(text).items()}
        self._groups = {match: place // GROUP for place, match in enumerate(self._digests)}

    def _open(self) -> parquet.ParquetFile:
        try:
            return parquet.ParquetFile(self._path)
        except FileNotFoundError:
            raise MissingError(self._label) from None
        except (OSError, pa.ArrowException, ValueError) as error:
            raise DamagedError(self._label, _reason(error)) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def matches(self) -> list[int]:
        """Ids of its matches, in the order of the file."""
        return list(self._digests)

    def groups(self, wanted: Iterable[int] | None = None) -> Iterator[pa.Table]:
        """Rows of some matches, or of all, group by group: those of matches that the file lacks are left out."""
        chosen = None if wanted is None else {match for match in wanted if match in self._groups}
        for group in sorted({self._groups[match] for match in (self._digests if chosen is None else chosen)}):
            table = self._group(group)
            if chosen is not None:
                own = [match for match in chosen if self._groups[match] == group]
                table = table.filter(pc.is_in(table["match"], pa.array(own, pa.int64())))
            self._check(table)
            yield table

    def _group(self, number: int) -> pa.Table:
        try:
            return self._file.read_row_group(number, use_threads=False)
        except (OSError, pa.ArrowException, ValueError, IndexError) as error:
            raise DamagedError(self._label, _reason(error)) from error

    def _check(self, table: pa.Table) -> None:
        for match, digest in columns.digests(table).items():
            if self._digests.get(match) != digest:
                raise DamagedError(self._label, f"the plies of match {match} are not those that were written")


def _reason(error: Exception) -> str:
    """What a library says about a file, in one line without its full stop."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
