"""Speed of playouts: flat Monte Carlo with each playout policy, from the positions of whole matches.

Parameters: `matches` played by the policy `driver` in all of `seats`; in every position in which
seat 0 is on turn each of `runs` (a playout policy, with its random share) plays for `seconds` of
CPU time. A piece is one match, one run and one ply of seat 0; Gedda, Lagerkvist and Butler (2018,
figure 6) count by round, which in Kingdomino with three or four seats is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from engines.protocol import Budget
from games import registry as game_registry
from games import rng
from games.options import option
from games.protocol import CHANCE, Game, State
from worker import spec
from worker.analysis.moments import Moments
from worker.fields import Field
from worker.spec import SpecError, checks
from worker.studies import form, warm
from worker.studies.protocol import StudySpec

MAX_RUNS = 12
MAX_MATCHES = 1_000
MAX_SECONDS = 60.0
PIECE_S = 0.02
"""CPU seconds that a piece takes beside its playouts: the match up to its position, and the books."""
KEYS = {"matches": False, "seconds": False, "seats": False, "driver": False, "runs": False}
"""Parameter -> whether it must be there."""
RUN_KEYS = {"label": True, "policy": True, "epsilon": False}


@dataclass(frozen=True)
class Options:
    """Fields of the form."""

    matches: int = option(20, "Matches", "Their positions are where playouts begin.", minimum=1, maximum=MAX_MATCHES)
    seconds: float = option(
        0.05,
        "Seconds a position",
        "CPU time of the playouts of each policy in each position.",
        minimum=0.001,
        maximum=MAX_SECONDS,
    )


class PlayoutSpeed:
    """Playouts a second by policy and ply; see `worker.studies.protocol.StudyKind`."""

    id = "playout_speed"
    version = "1"
    label = "Playout speed"
    summary = "How many playouts a second each playout policy makes, from the first ply of a match to its last."
    row_fields: Mapping[str, Field] = {
        "match": Field("Number of the match whose position it is, from 0."),
        "run": Field("Number of the policy in the spec, from 0."),
        "ply": Field("Ply of seat 0, from 1.", unit="plies"),
        "playouts": Field("Playouts made; 0 where the match has no such ply.", unit="playouts"),
        "cpu_s": Field("CPU time that they took.", "double", "seconds"),
    }
    measures_time = True
    options = Options

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in defaults: as many seats as the game takes, every policy. Raises SpecError naming the place."""
        fields = checks.object_of(parameters, (), KEYS)
        if game.traits.has_hidden_information:
            raise SpecError((), f"{game.label} has hidden information: flat Monte Carlo does not play it")
        chosen = form.read_options(Options, {key: fields[key] for key in ("matches", "seconds") if key in fields})
        fewest, most = game.traits.min_seats, game.traits.max_seats
        return {
            "matches": chosen.matches,
            "seconds": chosen.seconds,
            "seats": checks.whole_number(fields.get("seats", most), ("seats",), fewest, most),
            "driver": checks.one_of(fields.get("driver", game.usual_policy), ("driver",), tuple(game.policies)),
            "runs": _runs(game, fields.get("runs", every_policy(game))),
        }

    def to_form(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the form would say for these parameters. Raises SpecError where it cannot."""
        asked = {key: parameters[key] for key in ("matches", "seconds")}
        if self.complete_parameters(game, asked) != parameters:
            raise SpecError((), "its policies, or who plays its matches, are none that the form offers")
        return asked

    def num_pieces(self, study: StudySpec) -> int:
        """One for each match, run and ply of seat 0."""
        return int(study.parameters["matches"] * len(study.parameters["runs"]) * _plies(study))

    def seconds(self, study: StudySpec) -> float:
        """The playouts, and what each piece takes beside them."""
        return self.num_pieces(study) * (float(study.parameters["seconds"]) + PIECE_S)

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Play from one position; no playouts where the match has no such ply. Raises what the engine raises."""
        game = game_registry.get(study.game)
        match, run, ply = piece_of(study, index)
        where = {"match": match, "run": run, "ply": ply}
        states = _positions(study.game, study.parameters["driver"], study.parameters["seats"], study.seed, match)
        if ply > len(states):
            return {**where, "playouts": 0, "cpu_s": 0.0}
        asked = study.parameters["runs"][run]
        engine = warm.engine(game.id, "flat_mc", {"policy": asked["policy"], "epsilon": asked["epsilon"]})
        budget = Budget(seconds_per_ply=study.parameters["seconds"])
        decision = engine.choose(
            game, states[ply - 1].copy(), 0, budget, rng.new_stream(study.seed, rng.SEARCH, match, ply)
        )
        return {**where, "playouts": int(decision.playouts), "cpu_s": float(decision.cpu_s)}

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Playouts a CPU second by run and ply of seat 0: mean over matches, its deviation and 95 % interval."""
        rates: dict[tuple[int, int], list[float]] = {}
        for index in sorted(rows):
            row = rows[index]
            if row["playouts"] and row["cpu_s"] > 0:
                rates.setdefault((row["run"], row["ply"]), []).append(row["playouts"] / row["cpu_s"])
        return {
            "matches": study.parameters["matches"],
            "seconds": study.parameters["seconds"],
            "missing": self.num_pieces(study) - len(rows),
            "runs": [
                {**run, "plies": [_summary(ply, rates[of, ply]) for of, ply in sorted(rates) if of == i]}
                for i, run in enumerate(study.parameters["runs"])
            ],
        }


def every_policy(game: Game) -> list[dict[str, Any]]:
    """A run for each policy that the game names, as it plays."""
    return [{"label": name, "policy": name, "epsilon": 0.0} for name in game.policies]


def piece_of(study: StudySpec, index: int) -> tuple[int, int, int]:
    """Match, run and ply (from 1) of a piece: a match is done before the next one."""
    rest, ply = divmod(index, _plies(study))
    match, run = divmod(rest, len(study.parameters["runs"]))
    return match, run, ply + 1


def _plies(study: StudySpec) -> int:
    """Plies of seat 0 in a match, at most."""
    return _own_plies(study.game, study.parameters["seats"])


@cache
def _own_plies(game_id: str, seats: int) -> int:
    game = game_registry.get(game_id)
    return game.plies_left(game.initial_state(game.options(), seats), 0)


def _runs(game: Game, data: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for i, row in enumerate(checks.list_of(data, ("runs",), 1, MAX_RUNS)):
        fields = checks.object_of(row, ("runs", i), RUN_KEYS)
        label = checks.name_of(fields["label"], ("runs", i, "label"))
        if label in [run["label"] for run in found]:
            raise SpecError(("runs", i, "label"), f"{label!r} is the label of another run")
        options = {"policy": fields["policy"], "epsilon": fields.get("epsilon", 0.0)}
        seat = spec.seat_from_json({"engine": "flat_mc", "options": options}, ("runs", i), game.id)
        found.append({"label": label, "policy": seat.options["policy"], "epsilon": seat.options["epsilon"]})
    return found


@lru_cache(maxsize=8)
def _positions(game_id: str, driver: str, seats: int, seed: int, match: int) -> Sequence[State]:
    """The positions of a match in which seat 0 is on turn."""
    game = game_registry.get(game_id)
    engine = warm.engine(game_id, "scripted", {"policy": driver})
    state = game.initial_state(game.options(), seats)
    luck, thought = rng.new_stream(seed, rng.DEAL, match), rng.new_stream(seed, rng.ANALYSIS, match)
    found: list[State] = []
    while not game.is_terminal(state):
        seat = game.current_player(state)
        if seat == CHANCE:
            state = game.apply(state, game.sample_chance(state, luck))
            continue
        if seat == 0:
            found.append(state)
        state = game.apply(state, int(engine.choose(game, state, seat, Budget(), thought).action))
    return tuple(found)


def _summary(ply: int, rates: Sequence[float]) -> dict[str, Any]:
    moments = Moments.of(rates)
    interval = moments.interval()
    return {
        "ply": ply,
        "matches": moments.n,
        "per_s": moments.mean,
        "deviation": moments.deviation,
        "interval": None if interval is None else list(interval),
    }
