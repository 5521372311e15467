"""Sources of engines of one's own: what may play here, under which name, and the hash of what it consists of.

The environment says what is allowed, for this process and those that it starts: LAB_OWN_ENGINES, a list of files,
folders and ``package:NAME`` between commas. Without it nothing is.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from engines.own.faults import SourceError

logger = logging.getLogger(__name__)

VARIABLE = "LAB_OWN_ENGINES"
PREFIX = "own:"
BETWEEN = "@"
COMMA = ","
GROUP = "meeple.engines"
PACKAGE = "package:"
NAME = re.compile(r"[A-Za-z0-9_-]{1,36}")
HASH_DIGITS = 16
"""Hexadecimal digits of the SHA-256 that stand in ids and records."""
_INIT = "__init__.py"
_PASSED_OVER = "__pycache__"


@dataclass(frozen=True)
class Source:
    """A file, a folder with an ``__init__.py``, or an entry point of an installed package.

    path: the file or folder; module, attribute: what an entry point names, else empty.
    """

    name: str
    path: Path
    module: str = ""
    attribute: str = "Engine"

    @property
    def version(self) -> str:
        """Hash of all its files as they are now. Raises SourceError where it cannot be read."""
        try:
            return _hash(self.path, _stamp(self.path))
        except OSError as error:
            raise SourceError(f"{self.path} cannot be read: {error.strerror}") from None

    @property
    def id(self) -> str:
        """The engine's id with its version: ``own:NAME@HASH``."""
        return f"{PREFIX}{self.name}{BETWEEN}{self.version}"


def is_own(engine_id: object) -> bool:
    """Whether an engine's id names one of somebody's own."""
    return isinstance(engine_id, str) and engine_id.startswith(PREFIX)


def split(engine_id: str) -> tuple[str, str]:
    """Name and version of an id; the version is empty where it has none."""
    name, _, version = engine_id.removeprefix(PREFIX).partition(BETWEEN)
    return name, version


def files(path: Path) -> list[Path]:
    """All files that a source consists of, in order; what Python compiled of them is none."""
    if not path.is_dir():
        return [path]
    found = (file for file in path.rglob("*") if file.is_file() and _PASSED_OVER not in file.parts)
    return sorted(found, key=lambda file: file.relative_to(path).as_posix())


def content_hash(path: Path) -> str:
    """SHA-256 of a file's bytes; of a folder, over the names and bytes of its files."""
    if path.is_file():
        return hash_of(path.read_bytes())
    digest = hashlib.sha256()
    for file in files(path):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(path).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:HASH_DIGITS]


def hash_of(content: bytes) -> str:
    """Hash of a source of one file."""
    return hashlib.sha256(content).hexdigest()[:HASH_DIGITS]


def _stamp(path: Path) -> tuple[tuple[str, int, int], ...]:
    """What changes when a source does: sizes and times of its files."""
    return tuple((str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files(path))


@cache
def _hash(path: Path, stamp: tuple[tuple[str, int, int], ...]) -> str:
    return content_hash(path)


def from_text(text: str) -> Source:
    """Read one entry of the list: a path, or ``package:NAME``. Raises SourceError."""
    if text.startswith(PACKAGE):
        name = text.removeprefix(PACKAGE)
        for point in entry_points(group=GROUP):
            if point.name == name:
                return _of_package(point)
        raise SourceError(f"no installed package has the entry point {name!r} in {GROUP}")
    path = Path(text).expanduser().resolve()
    if path.is_dir() and not (path / _INIT).is_file():
        raise SourceError(f"{path} is a folder without {_INIT}")
    if not path.exists() or (path.is_file() and path.suffix != ".py"):
        raise SourceError(f"{path} is no Python file and no folder with one")
    return Source(_checked(path.stem if path.is_file() else path.name), path)


def _of_package(point: EntryPoint) -> Source:
    """The source of an entry point; nothing of the package is executed."""
    top = point.module.partition(".")[0]
    spec = find_spec(top)
    if spec is None or not spec.origin:
        raise SourceError(f"{top}, which has the entry point {point.name!r}, cannot be found")
    origin = Path(spec.origin)
    path = origin.parent if spec.submodule_search_locations else origin
    return Source(_checked(point.name), path.resolve(), point.module, point.attr or "Engine")


def _checked(name: str) -> str:
    if not NAME.fullmatch(name):
        raise SourceError(f"{name!r} is no name of an engine: 1 to 36 letters, digits, - and _")
    return name


def installed() -> list[str]:
    """What installed packages have, as entries of the list."""
    return sorted(f"{PACKAGE}{point.name}" for point in entry_points(group=GROUP))


def texts() -> list[str]:
    """The list as it stands."""
    return [text for text in os.environ.get("LAB_OWN_ENGINES", "").split(COMMA) if text]


def allow(more: list[str]) -> None:
    """Add to the list, for this process and those that it starts.

    Paths are kept whole, so that a process in another folder finds them. Raises SourceError where one is no source,
    or has the name of another.
    """
    found, names = texts(), dict(_named())
    for text in more:
        source = from_text(text)
        whole = text if text.startswith(PACKAGE) else str(source.path)
        if names.setdefault(source.name, source) != source:
            raise SourceError(f"{names[source.name].path} and {source.path} have the same name, {source.name!r}")
        found += [] if whole in found else [whole]
    os.environ[VARIABLE] = COMMA.join(found)


def allowed() -> dict[str, Source]:
    """All sources that may play here, by name, in the order of the list; of one name the first."""
    found: dict[str, Source] = {}
    for name, source in _named():
        if found.setdefault(name, source) != source:
            complain(f"{found[name].path} and {source.path} have the same name, {name!r}: the first one plays")
    return found


def _named() -> Iterator[tuple[str, Source]]:
    """Those of the list that are sources; what is wrong with the others is logged, once."""
    for text in texts():
        try:
            source = _source(text)
        except SourceError as error:
            complain(str(error))
        else:
            yield source.name, source


@cache
def complain(reason: str) -> None:
    """Say in the log, once, what is wrong with the list."""
    logger.error("%s: %s", VARIABLE, reason)


@cache
def _source(text: str) -> Source:
    return from_text(text)
