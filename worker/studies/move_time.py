"""Thinking time of searches for a move of Dominion, by turn: Jansen and Tollisen 2014, section 4.8.

Parameters: `runs` (a label and a seat as experiments write it), timed in the positions of `matches`
that `driver` plays against `opponent` (seats, too), the driver beginning every other one. Moves
that leave no choice, or that a search takes without thinking, are left out, as in the thesis. Of
every `PARTS` other moves of the driver `parts` are timed; none of these decisions is played. A
piece is one match, one run and one part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engines import registry as engine_registry
from games import registry as game_registry
from games.dominion import reading
from games.dominion import state as layout
from games.protocol import TERMINAL, Game, State
from worker import engine_decision, estimate
from worker import spec as specs
from worker.analysis.moments import BlockMoments, Moments
from worker.course import Course
from worker.engine_decision import Question
from worker.fields import Field
from worker.spec import SpecError, checks
from worker.studies import duels, form, warm
from worker.studies.protocol import StudySpec

PARTS = 8
MOVES = 42
"""Moves of a match that take thinking, about."""
EARLY = 10
"""The thesis tells the first ten turns from later ones."""
MAX_MATCHES, MAX_RUNS = 1_000, 32
KEYS = {"runs": True, "driver": True, "opponent": True, "matches": False, "parts": False}
"""Parameter -> whether it must be there."""
SPANS = {"all": (1, layout.MAX_TURN_LIMIT), "early": (1, EARLY), "late": (EARLY + 1, layout.MAX_TURN_LIMIT)}
"""First and last turn that is counted, by name."""


class MoveTime:
    """Seconds a move by search and turn; see `worker.studies.protocol.StudyKind`."""

    id = "move_time"
    version = "1"
    label = "Time per move"
    summary = "How many seconds searches think about a move, in early turns and in late ones."
    row_fields: Mapping[str, Field] = {
        "match": Field("Number of the match, from 0."),
        "run": Field("Number of the timed player in the spec, from 0."),
        "part": Field("Which part of the moves of the match the piece timed."),
        "moves": Field("Of each timed move the turn, and the CPU time of the decision in seconds.", "json", "seconds"),
    }
    measures_time = True
    games = ("dominion",)

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults. Raises SpecError naming the place."""
        form.refuse_others(game, self.games, "turns of this kind")
        fields = checks.object_of(parameters, (), KEYS)
        runs = []
        for i, row in enumerate(checks.list_of(fields["runs"], ("runs",), 1, MAX_RUNS)):
            run = checks.object_of(row, ("runs", i), {"label": True, "player": True})
            player = duels.seat(run["player"], ("runs", i, "player"), game.id)
            runs.append({"label": checks.name_of(run["label"], ("runs", i, "label")), "player": player})
        if len({run["label"] for run in runs}) < len(runs):
            raise SpecError(("runs",), "must have different labels")
        return {
            "runs": runs,
            **{name: duels.seat(fields[name], (name,), game.id) for name in ("driver", "opponent")},
            "matches": checks.whole_number(fields.get("matches", 10), ("matches",), 1, MAX_MATCHES),
            "parts": checks.whole_number(fields.get("parts", PARTS), ("parts",), 1, PARTS),
        }

    def num_pieces(self, study: StudySpec) -> int:
        """One for each match, run and part."""
        chosen = study.parameters
        return int(chosen["matches"] * len(chosen["runs"]) * chosen["parts"])

    def seconds(self, study: StudySpec) -> float:
        """Decisions that are timed, and those of both in the match, which every piece plays anew."""
        cost, chosen = estimate.match_costs(study.game, {}, duels.SEATS), study.parameters
        thinking = [
            estimate.thinking_s(cost, specs.seat_from_json(seat, (), study.game), duels.SEATS)
            for seat in (chosen["driver"], chosen["opponent"], *(run["player"] for run in chosen["runs"]))
        ]
        each = MOVES * (len(chosen["runs"]) * sum(thinking[:2]) + sum(thinking[2:]) / PARTS)
        return float(chosen["matches"] * chosen["parts"] * each)

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Time some moves of one match. Raises what an engine raises."""
        chosen = study.parameters
        rest, part = divmod(index, chosen["parts"])
        match, run = divmod(rest, len(chosen["runs"]))
        player = specs.seat_from_json(chosen["runs"][run]["player"], ("player",), study.game)
        engine = warm.engine(study.game, player.engine, player.options)
        timed = []
        for i, question in enumerate(_moves(study, match)):
            if i % PARTS == part:
                asked = Question(
                    question.game, question.state, question.seat, question.ply, question.seed, player.budget
                )
                decision = engine_decision.decide(engine, asked, np.zeros(4, np.uint64)).decision
                timed.append([_turn(question.state, question.seat), float(decision.cpu_s)])
        return {"match": match, "run": run, "part": part, "moves": timed}

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Result by run: moves, mean, deviation and interval of the mean, over all turns, early and late ones."""
        chosen = study.parameters
        return {
            "matches": chosen["matches"],
            "parts": chosen["parts"],
            "early": EARLY,
            "runs": [
                {"label": run["label"], **_spans([row for row in rows.values() if row["run"] == place])}
                for place, run in enumerate(chosen["runs"])
            ],
        }


def _moves(study: StudySpec, number: int) -> Iterator[Question]:
    """Every move of the driver in one match that it thinks about."""
    chosen = study.parameters
    match = duels.match(study, (chosen["driver"], chosen["opponent"]), number, sizes="thesis")
    game, luck = game_registry.get(study.game), np.zeros(4, np.uint64)
    engines = [engine_registry.make(seat.engine, seat.options) for seat in match.seats]
    own = match.lineup.index(0)
    course = Course(game, match.options, len(match.seats), match.deal_seed)
    while (seat := course.player) != TERMINAL:
        question = Question(game, course.state, seat, course.ply, match.seed, match.seats[seat].budget)
        answer = engine_decision.decide(engines[seat], question, luck)
        if seat == own and answer.legal_count > 1 and answer.decision.playouts:
            yield question
        course.advance(answer.action)


def _turn(state: State, seat: int) -> int:
    """Turns that a seat has had, the present one included."""
    return int(state[reading.seat_at(seat) + layout.TURNS])


def _spans(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {name: _told(rows, first, last) for name, (first, last) in SPANS.items()}


def _told(rows: Iterable[Mapping[str, Any]], first: int, last: int) -> dict[str, Any]:
    """Moves of some turns; the interval takes the match as the unit."""
    by_match: dict[int, list[float]] = {}
    for row in rows:
        by_match.setdefault(row["match"], []).extend(s for turn, s in row["moves"] if first <= turn <= last)
    moments = Moments.of([second for seconds in by_match.values() for second in seconds])
    interval = BlockMoments.of([Moments.of(seconds) for seconds in by_match.values() if seconds]).interval()
    return {
        "moves": moments.n,
        "mean": moments.mean,
        "deviation": moments.deviation,
        "interval": None if interval is None else list(interval),
    }
