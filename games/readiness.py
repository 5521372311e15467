"""Whether a game's rules are compiled yet, for processes that rather go slowly than let people wait.

Cold kernels take a minute or more. A process that has called `leave_compiling` (the web server)
plays by the plain Python twins of the rules until another process has compiled them, and leaves
word that somebody waits for the game: `python -m engines warm` does that game next. What has no
such twin, or too slow a one, is not offered before `is_ready`. Workers at tables do the same, and
within `plainly` engines too decide by the twins: what they choose is the same, only later.
"""

from __future__ import annotations

import fcntl
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType

from games import compile_locks, loader
from games.protocol import Game

_WANTED, _WANTED_BY_JOBS = "wanted", "wanted-by-jobs"
_APART = "-"
_WARMING = "warming.lock"
_leaves_compiling = False
_told: set[str] = set()
_plays_plainly: ContextVar[bool] = ContextVar("plays_plainly", default=False)


def leave_compiling() -> None:
    """Stop compiling rules in this process from now on: others do."""
    global _leaves_compiling
    _leaves_compiling = True
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning)  # hashes are meant to


def may_compile() -> bool:
    """Whether this process compiles what it meets, and plays by what is compiled."""
    return not _leaves_compiling and not is_plain()


def is_cold(rules: ModuleType) -> bool:
    """Whether compiled rules (`loader.rules`) would have to be compiled first."""
    folder: Path | None = getattr(rules, "CACHE_FOLDER", None)
    return (
        folder is not None and not getattr(rules, "IS_LOADED", False) and not (folder / compile_locks.MARKER).exists()
    )


@contextmanager
def plainly() -> Iterator[None]:
    """Within it this thread plays and searches by the plain twins of all kernels."""
    token = _plays_plainly.set(True)
    try:
        yield
    finally:
        _plays_plainly.reset(token)


def is_plain() -> bool:
    """Whether this thread is within `plainly`."""
    return _plays_plainly.get()


def usual_mode() -> str:
    """Mode of kernels for those who name none: "jit", within `plainly` "plain"."""
    return "plain" if is_plain() else "jit"


def mode(folder: Path) -> str:
    """Mode in which this process plays a game's rules now: "jit", or "plain" while they are cold elsewhere."""
    if is_plain():
        return "plain"
    if not _leaves_compiling or not is_cold(loader.rules(folder)):
        return "jit"
    if folder.name not in _told:
        _told.add(folder.name)
        request(folder.name)
    return "plain"


def rules(game: Game) -> ModuleType:
    """A game's kernels as this process plays them now, for what draws and reads positions."""
    return game.kernels(mode=mode(game.folder))


def is_ready(game_id: str, engine_id: str, *modules: ModuleType) -> bool:
    """Whether this process may call kernels now; if not, word is left that somebody waits for them.

    modules: all that hold them; engine_id: whose warm-up compiles these.
    """
    if not _leaves_compiling or not any(map(is_cold, modules)):
        return True
    request(game_id, engine_id)
    return False


def request(game_id: str, engine_id: str = "", *, by_jobs: bool = False) -> None:
    """Leave word that somebody waits for a game, or for what one engine needs for it.

    by_jobs: no person does, an experiment or a study; people come first.
    """
    mark = _mark(game_id, engine_id, by_jobs)
    mark.parent.mkdir(exist_ok=True)
    mark.touch()


def pending_requests(*, by_jobs: bool = False) -> set[tuple[str, str]]:
    """Requests of people, or of jobs: (game, engine), or (game, "") for all of a game."""
    marks = loader.cache_root() / (_WANTED_BY_JOBS if by_jobs else _WANTED)
    names = [mark.name.partition(_APART) for mark in marks.iterdir()] if marks.is_dir() else []
    return {(game_id, engine_id) for game_id, _, engine_id in names}


def is_done(game_id: str, engine_id: str = "") -> None:
    """All of it is compiled: nobody waits for it any more."""
    for by_jobs in (False, True):
        _mark(game_id, engine_id, by_jobs).unlink(missing_ok=True)


def _mark(game_id: str, engine_id: str, by_jobs: bool) -> Path:
    name = f"{game_id}{_APART}{engine_id}" if engine_id else game_id
    return loader.cache_root() / (_WANTED_BY_JOBS if by_jobs else _WANTED) / name


@contextmanager
def warming() -> Iterator[None]:
    """Within it this process compiles ahead, and does next what it is asked for."""
    with (loader.cache_root() / _WARMING).open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_SH)
        yield


def is_warming() -> bool:
    """Whether some process compiles ahead at this moment."""
    with (loader.cache_root() / _WARMING).open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def is_compiling(game_id: str) -> bool:
    """Whether some process compiles kernels of the game at this moment."""
    return any(map(compile_locks.is_busy, loader.cache_root().glob(f"{game_id}_*")))
