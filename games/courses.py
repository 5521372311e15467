"""How a game's matches are played whole by one kernel: a `CourseKernels` has what that needs besides the rules.

Each game has one in its `course` package, with kernels in `course/kernels/course.py` (a template over the rules, R,
that no rule and no search depends on). The luck is that of the game's `deal`, number by number: memory is an
``int64[LUCK]`` instead of a Python object. r: the generator that a deal is made with, `rng.DEAL` of its seed.

``deal(s, luck, r)``             fix the luck of a match whose state is `s`, before anything has happened
``draw(s, luck, r) -> outcome``  what chance does next
``spelling(s, action) -> int64`` a number from which `spell` makes the notation of a legal action
``NOTES``, ``note(s, points, out)``  what a ply notes of the position after it (`Game.ply_notes`, in its order):
int64[NOTES, seats]; points: int64[MAX_SEATS], overwritten

A game whose seats may also be filled by what plays from numbers of its own (`Program`) has

``choose(policy, program, s, r, buffer, j, work) -> action``  as `R.policies.choose`, by the program, int64[:], where
the policy is PROGRAM; ``WORK``: words of its memory, work: int64[WORK]
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from games import loader
from games.protocol import Game

PROGRAM = -2
"""In place of the number of a policy: the seat plays by a program."""
Program = tuple[int, ...]
"""A player as numbers, which `choose` of its game's course reads."""


@dataclass(frozen=True)
class CourseKernels:
    """The kernels of a game's course.

    spell: the notation of an action from its `spelling`; players: templates over the rules that `choose` calls, by
    the names under which it sees them.
    """

    folder: Path
    spell: Callable[[int], str]
    players: Mapping[str, Path] = field(default_factory=dict)

    @property
    def template(self) -> Path:
        """The kernels."""
        return self.folder / "kernels" / "course.py"

    @property
    def digest(self) -> str:
        """Stands in a tag for what a template over a course depends on: the loader sees one file a template."""
        text = b"".join(path.read_bytes() for path in (self.template, *self.players.values()))
        return hashlib.sha256(text).hexdigest()[:8]

    def load(self, game: Game, *, journal: bool) -> ModuleType:
        """The kernels over a variant of a game's rules."""
        names: tuple[tuple[str, Any], ...] = loader.frame(journal=journal)
        tag = f"{game.folder.name}_course_j{int(journal)}_{self.digest}"
        rules = loader.rules(game.folder, journal)
        players = ((name, loader.algorithm(path, game.folder, journal)) for name, path in self.players.items())
        return loader.template(self.template, game.folder, tag, injected=(*names, ("R", rules), *players))
