"""Findings of an analysis' runs in words, and the variations that the board shows for them."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from games import draws, variations
from games.protocol import Game, IllegalActionError, State
from webapp.common import naming
from webapp.common.formats import count, number, percent, plural, seconds, signed
from webapp.common.naming import with_names
from webapp.lab.results.sides import short_names
from webapp.matches.positions import compare
from webapp.matches.positions.compare import RunComparison
from webapp.matches.positions.situation import Situation
from webapp.records.models import Study, StudyPiece
from webapp.table.live import action_words
from worker.analysis.intervals import student
from worker.studies import position

SHOWN_ROWS = 10
LARGE_SAMPLE = 10_000
"""Degrees of freedom beyond which Student's interval is the normal one."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Move:
    """One weighed action, in words. variation: its number on the board; half: of its 95 % interval."""

    words: str
    notation: str
    value: str
    half: str
    is_bound: bool
    visits: str
    variation: int
    is_chosen: bool
    is_played: bool
    is_further: bool


@dataclass(frozen=True)
class LineStep:
    """One action or chance outcome of a line, in words; step: plies of the line played with it."""

    is_chance: bool
    words: str
    notation: str
    seat: int
    step: int


@dataclass(frozen=True)
class RunView:
    """One engine's answer; status is that of its piece, row None while there is none."""

    index: int
    name: str
    description: str
    status: str
    failure: str = ""
    row: Row | None = None
    chosen: str = ""
    value: str = ""
    cpu: str = ""
    depth: str = ""
    work: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    choice: int | None = None
    line: tuple[LineStep, ...] = ()
    line_variation: int | None = None
    beside: RunComparison | None = None
    share: str = ""

    @property
    def is_done(self) -> bool:
        """Whether there is an answer."""
        return self.row is not None

    @property
    def num_further(self) -> int:
        """Moves behind "show all"."""
        return sum(move.is_further for move in self.moves)

    @property
    def num_steps(self) -> int:
        """Plies of the line."""
        return self.line[-1].step if self.line else 0

    @property
    def has_bounds(self) -> bool:
        """Whether some values are only known not to be better."""
        return any(move.is_bound for move in self.moves)

    @property
    def has_intervals(self) -> bool:
        """Whether values are means of samples."""
        return any(move.half for move in self.moves)


@dataclass
class _Variations:
    """Numbers the variations of the board: one for each action shown, one for each line.

    state: as the seat on turn sees it; names: of seats.
    """

    game: Game
    state: State
    names: Sequence[str]
    states: list[list[State]] = field(default_factory=list)
    by_action: dict[int, int] = field(default_factory=dict)

    def action(self, action: int) -> int:
        """Number of the variation that plays one action."""
        if action not in self.by_action:
            self.by_action[action] = self._add([action])
        return self.by_action[action]

    def words(self, action: int, notation: str) -> str:
        """An action in words; its notation where it was found under other rules."""
        if action not in self.legal:
            return notation
        return action_words.choice_line(self.game, self.state, action, self.names)

    @cached_property
    def legal(self) -> frozenset[int]:
        """Legal actions."""
        return frozenset(self.game.legal_actions(self.state).tolist())

    def line(self, numbers: Sequence[int]) -> int:
        """Number of the variation that plays a line."""
        return self._add(numbers)

    def _add(self, numbers: Sequence[int]) -> int:
        found: list[State] = []
        with contextlib.suppress(IllegalActionError):  # found under other rules: shown as far as those of today go
            found.extend(step.state for step in position.line(self.game, self.state, numbers) if step.kind == "action")
        self.states.append(found)
        return len(self.states) - 1


@dataclass(frozen=True)
class Analysis:
    """A study of this position. version: changes whenever there is something new to show."""

    study: Study
    runs: tuple[RunView, ...]
    version: str
    states: tuple[tuple[State, ...], ...]

    @property
    def is_live(self) -> bool:
        """Whether an answer may still come by itself."""
        return self.study.status == Study.Status.RUNNING

    @property
    def num_ended(self) -> int:
        """Runs that answered or failed."""
        return sum(run.status in (StudyPiece.Status.DONE, StudyPiece.Status.FAILED) for run in self.runs)

    @property
    def said(self) -> str:
        """Progress in words, read aloud."""
        return f"{self.num_ended} of {plural(len(self.runs), 'engine has', 'engines have')} answered"

    @property
    def has_playouts(self) -> bool:
        """Whether some runs played matches to their end in thought."""
        return any(run.row is not None and run.row["playouts"] for run in self.runs)

    @property
    def has_share(self) -> bool:
        """Whether some runs stand beside Expectimax."""
        return any(run.share for run in self.runs)


def board(here: Situation, found: Analysis | None) -> str:
    """The position as SVG, with every variation of the analysis in it."""
    assert here.game is not None
    assert here.state is not None
    drawn = variations.svg(here.game, here.state, found.states if found else (), prefix="board-")
    return naming.name_seats(drawn, here.names)


def version_of(study: Study) -> str:
    """Names what is known of a study by now, without reading its rows."""
    return f"{study.status}-" + "".join(
        status[0] for status in study.pieces.order_by("index").values_list("status", flat=True)
    )


def run_names(runs: Sequence[Row]) -> list[str]:
    """Short names of runs; equal ones are numbered as on the form."""
    return short_names([compare.words(run) for run in runs], "engine")


def analysis(here: Situation, study: Study) -> Analysis:
    """Everything that a study says about its position."""
    assert here.game is not None
    assert here.state is not None
    pieces = list(study.pieces.order_by("index"))
    runs = study.spec["parameters"]["runs"]
    rows = [piece.row for piece in pieces]
    view = here.game.view(here.state, here.game.current_player(here.state))
    numbered = _Variations(here.game, view, here.names)
    both = zip(pieces, run_names(runs), compare.compare_runs(runs, rows), strict=True)
    views = [_run(here, piece, name, runs[piece.index], beside, numbered) for piece, name, beside in both]
    return Analysis(study, tuple(views), version_of(study), tuple(map(tuple, numbered.states)))


def _run(
    here: Situation, piece: StudyPiece, name: str, run: Row, beside: RunComparison | None, numbered: _Variations
) -> RunView:
    said = f", {name},"  # what the name says already
    row, words = piece.row, ", ".join(word for word in compare.words(run)[1:] if f", {word}," not in said)
    if row is None:
        return RunView(piece.index, name, words, piece.status, piece.failure)
    digits = _digits(row)
    moves = tuple(_move(here, row, rank, digits, numbered) for rank in range(len(row["table"])))
    line = row["line"]
    return RunView(
        index=piece.index,
        name=name,
        description=words,
        status=piece.status,
        row=row,
        chosen=numbered.words(row["action"], row["notation"]),
        value=signed(row["value"], digits) if row["value"] is not None else "",
        cpu=seconds(row["cpu_s"]),
        depth=count(row["depth"]) if row["depth"] else "",
        work=_work(row),
        moves=moves,
        choice=numbered.action(row["action"]),
        line=_line(numbered, line),
        line_variation=numbered.line([entry[1] for entry in line]) if line else None,
        beside=beside,
        share=percent(beside.share, 1 if beside.share < 0.1 else 0) if beside else "",
    )


def _work(row: Row) -> tuple[str, ...]:
    """Amount of work done: "1 000 playouts", "48 600 nodes"."""
    parts = []
    if row["playouts"]:
        parts.append(plural(row["playouts"], "playout", "playouts"))
    if row["nodes"]:
        parts.append(plural(row["nodes"], "node", "nodes"))
    return tuple(parts)


def _digits(row: Row) -> int:
    """Decimals for the values of a run: they are points, shares of a win or weighted sums."""
    values = [abs(entry["value"]) for entry in row["table"] if entry["value"] is not None]
    values += [abs(row["value"])] if row["value"] is not None else []
    return 3 if max(values, default=0.0) < 2 else 1


def _move(here: Situation, row: Row, rank: int, digits: int, numbered: _Variations) -> Move:
    entry = row["table"][rank]
    action, value, deviation, visits = entry["action"], entry["value"], entry["deviation"], entry["visits"]
    half = ""
    if value is not None and deviation is not None and visits > 1:
        found = student(value, deviation / visits**0.5, min(visits - 1, LARGE_SAMPLE))
        half = f"±{number((found.high - found.low) / 2, digits)}" if found else ""
    return Move(
        words=numbered.words(action, entry["notation"]),
        notation=entry["notation"],
        value=signed(value, digits) if value is not None else "",
        half=half,
        is_bound=entry["is_bound"],
        visits=count(visits),
        variation=numbered.action(action),
        is_chosen=action == row["action"],
        is_played=action == here.played,
        is_further=rank >= SHOWN_ROWS and action not in (row["action"], here.played),
    )


def _line(numbered: _Variations, line: Sequence[Sequence[Any]]) -> tuple[LineStep, ...]:
    """The line in words; each action counts one ply on the board."""
    game, state = numbered.game, numbered.state
    steps, plies = [], 0
    for kind, action, notation in line:
        seat, is_chance = game.current_player(state), kind == "chance"
        plies += not is_chance
        try:
            after = game.apply(state, action)
        except IllegalActionError:
            steps.append(LineStep(is_chance, notation, notation, seat, plies))
            break
        words = (
            draws.describe_draws(game, state, [action])
            if is_chance
            else action_words.phrase_action(game, state, action)
        )
        steps.append(
            LineStep(is_chance, action_words.capitalise(with_names(words, numbered.names)), notation, seat, plies)
        )
        state = after
    return tuple(steps)
