"""Rows of a job, fetched part by part: a part that has come is not asked for again.

Parts of a job that is over are always the same. While it runs there are none: its rows come in one piece.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from meeple_client.errors import LabError
from meeple_client.transport import Transport

if TYPE_CHECKING:
    import pyarrow as pa

MATCHES_A_PART = 20_000
LAST = "last"
"""What a kept part is called behind which nothing comes."""


@dataclass(frozen=True)
class Rows:
    """Rows of a job. place: its address in the API; name: matches, plies or rows."""

    transport: Transport
    place: str
    name: str
    is_over: bool

    def table(self) -> pa.Table:
        """All of them as a table of Arrow."""
        parquet = _parquet()
        import pyarrow as pa

        parts = [parquet.read_table(BytesIO(part)) for part, _ in self.parts("parquet")]
        return pa.concat_tables(parts, promote_options="permissive")

    def parts(self, kind: str, after: int = 0) -> Iterator[tuple[bytes, int | None]]:
        """Files from the match after this number on, each with the number of its last one; None behind the last."""
        path = f"{self.place}/export/{self.name}.{kind}"
        if not self.is_over:
            yield self.transport.call("GET", path).content, None
            return
        following: int | None = after
        while following is not None:
            answer = self.transport.call("GET", path, query={"after": following, "limit": MATCHES_A_PART})
            said = answer.headers.get("Meeple-Next")
            following = None if said is None else int(said)
            yield answer.content, following

    def write(self, path: Path) -> Path:
        """Write them to a file, by way of a folder of parts beside it."""
        kind = path.suffix.removeprefix(".")
        if kind not in JOINERS:
            raise LabError(f"{path.name} ends in none of {', '.join(f'.{known}' for known in JOINERS)}.")
        folder = path.with_name(f"{path.name}.parts")
        if not self.is_over:
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        _check_origin(folder / "of", f"{self.transport.url}{self.place}/{self.name}.{kind}")
        kept = _kept(folder)
        if not kept or kept[-1].stem != LAST:
            for part, following in self.parts(kind, int(kept[-1].stem) if kept else 0):
                _replace(folder / f"{LAST if following is None else f'{following:020d}'}.part", part)
        joined = folder / "whole"
        JOINERS[kind](_kept(folder), joined)
        os.replace(joined, path)
        shutil.rmtree(folder)
        return path


def _parquet() -> Any:
    """The module that reads and writes it. Raises LabError."""
    try:
        from pyarrow import parquet
    except ModuleNotFoundError:
        raise LabError(
            "Tables of Arrow and files of Parquet in several parts need pyarrow: pip install pyarrow. "
            "Files in .csv and .jsonl need nothing."
        ) from None
    return parquet


def _kept(folder: Path) -> list[Path]:
    """Parts that are there, in their order: numbers before the last one."""
    return sorted(folder.glob("*.part"))


def _check_origin(note: Path, origin: str) -> None:
    """Raises LabError where the parts are those of something else."""
    kept = note.read_text(encoding="utf-8") if note.exists() else origin
    if kept != origin and _kept(note.parent):
        raise LabError(f"{note.parent} holds parts of {kept}: delete it, or take another name.")
    note.write_text(origin, encoding="utf-8")


def _replace(path: Path, content: bytes) -> None:
    """Write a file at once."""
    written = path.with_name(f"{path.name}.new")
    written.write_bytes(content)
    os.replace(written, path)


def _join_lines(parts: list[Path], path: Path) -> None:
    with path.open("wb") as file:
        for part in parts:
            with part.open("rb") as source:
                shutil.copyfileobj(source, file)


def _join_csv(parts: list[Path], path: Path) -> None:
    """All of the first, and of the others what follows the line of names."""
    with path.open("wb") as file:
        for index, part in enumerate(parts):
            with part.open("rb") as source:
                if index:
                    source.readline()
                shutil.copyfileobj(source, file)


def _join_parquet(parts: list[Path], path: Path) -> None:
    if len(parts) == 1:
        shutil.copyfile(parts[0], path)
        return
    parquet = _parquet()
    with parquet.ParquetWriter(path, parquet.read_schema(parts[0])) as writer:
        for part in parts:
            writer.write_table(parquet.read_table(part))


JOINERS: dict[str, Callable[[list[Path], Path], Any]] = {
    "csv": _join_csv,
    "jsonl": _join_lines,
    "parquet": _join_parquet,
}
