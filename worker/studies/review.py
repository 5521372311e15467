"""A match that is over, looked at again: how it stood at every ply, what decisions cost, what was luck.

Parameters: the match (`options`, `seats`, `deal_seed`, `actions`, `renewal` where it has one),
`first` (plies before it were another match's) and `playouts`. A piece is one decision.
Values are expected margins in points, seat by seat, if all played on by the game's best quick
policy (`worker.action_values.action_playouts`); whether a decision cost something is judged by what its seat
could know. Of a match that was cut short what was expected where it stood is in place of its end.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from games import draws, rng
from games import registry as game_registry
from games.protocol import TERMINAL, Game, IllegalActionError, State
from worker import course as courses
from worker import estimate, spec
from worker.action_values import action_playouts, best_actions
from worker.action_values.action_playouts import Playouts
from worker.action_values.best_actions import Effort
from worker.analysis.luck import Estimate, MarginParts, difference, joint_confidence, split_margin
from worker.course import Renewal
from worker.fields import Field
from worker.spec import SpecError, checks
from worker.studies import position
from worker.studies.protocol import StudySpec

KEYS = {
    "options": False,
    "seats": True,
    "deal_seed": True,
    "actions": True,
    "renewal": False,
    "first": False,
    "playouts": False,
}
"""Parameter -> whether it must be there."""
PLAYOUTS, MIN_PLAYOUTS, MAX_PLAYOUTS = 500, 10, 10_000
SETS = 5
"""Number of playouts per decision, in sets: of the action, the policy's, the search (two), the best other one."""
CALL_S = 1.5e-5
"""Calling one playout."""
MAX_DRAWN = 240
"""Characters that tell what was drawn."""


@dataclass(frozen=True)
class Moment:
    """A match before one of its plies, or at its end. drawn: what chance did since the ply before, in words."""

    state: State
    player: int
    drawn: str


class Review:
    """Looks at the decisions of a match; see `worker.studies.protocol.StudyKind`."""

    id = "review"
    version = "2"
    label = "Match analysis"
    summary = "How a match stood at every ply, which decisions cost most, and what was luck."
    row_fields: Mapping[str, Field] = {
        "ply": Field("Number of the action in its match, from 0."),
        "seat": Field("Seat that acted, counted from 0."),
        "drawn": Field("What chance did since the ply before, in words.", "string"),
        "before": Field(
            "Of every seat the margin expected before the action, and its standard error.", "json", "points"
        ),
        "after": Field("The same after the action that was played.", "json", "points"),
        "gain": Field("The difference of both, paired, and its standard error.", "json", "points"),
        "num_legal": Field("Actions that were legal.", unit="actions"),
        "notation": Field("The action that was played, in the notation of the game.", "string"),
        "best": Field(
            "The best other action found and what the one played loses against it; empty where none is better.",
            "json",
            "points",
        ),
        "start": Field(
            "Of every seat the margin expected before anything was drawn, "
            "and its standard error; in the first row alone.",
            "json",
            "points",
        ),
        "end": Field("The same at the place where the match was cut; in the last row alone.", "json", "points"),
    }

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Walk the match to its end. Raises SpecError naming the place."""
        checks.object_of(parameters, (), KEYS)
        seats = checks.whole_number(parameters["seats"], ("seats",), game.traits.min_seats, game.traits.max_seats)
        checked = {
            "options": spec.rules_from_json(parameters.get("options", {}), game, seats),
            "seats": seats,
            "deal_seed": checks.whole_number(parameters["deal_seed"], ("deal_seed",), 0, spec.MAX_SEED),
            "actions": position.actions_of(game, parameters["actions"]),
            **position.read_renewal(parameters),
        }
        plies = len(checked["actions"])
        checked["first"] = checks.whole_number(parameters.get("first", 0), ("first",), 0, max(0, plies - 1))
        wanted = parameters.get("playouts", PLAYOUTS)
        checked["playouts"] = checks.whole_number(wanted, ("playouts",), MIN_PLAYOUTS, MAX_PLAYOUTS)
        try:
            walk_match(game.id, checked)
        except IllegalActionError as error:
            raise SpecError(("actions",), str(error)) from None
        if not plies:
            raise SpecError(("actions",), "must have a ply to look at")
        return checked

    def num_pieces(self, study: StudySpec) -> int:
        """One for each decision."""
        return len(study.parameters["actions"]) - int(study.parameters["first"])

    def seconds(self, study: StudySpec) -> float:
        """All pieces: playouts get shorter as the match goes on."""
        given = study.parameters
        cost = estimate.match_costs(study.game, given["options"], given["seats"])
        policy = action_playouts.quick_policy(game_registry.get(study.game))[0]
        each = cost.played_s(cost.policy_s(policy))
        level = best_actions.searcher(game_registry.get(study.game))
        search_s = (level.decision_s or 0.0) if level is not None else 0.0
        return self.num_pieces(study) * (SETS * int(given["playouts"]) * (each + CALL_S) + search_s)

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Look at one decision. Everything in the row depends on spec and ply alone."""
        ply = int(study.parameters["first"]) + index
        moments = walk_match(study.game, study.parameters)
        look, moment = _Look(study, moments[ply], ply), moments[ply]
        row = {"ply": ply, "seat": moment.player, "drawn": moment.drawn, **look.steps(), **look.cost()}
        if index == 0:
            row["start"] = look.start(study)
        if _is_cut(moments) and index == self.num_pieces(study) - 1:
            row["end"] = look.expected(moments[-1].state)
        return row

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Everything that the rows known so far say; parts and draws need all, or both, of theirs.

        end: each seat's margin and its error; None as long as that of a cut match is not known.
        """
        moments = walk_match(study.game, study.parameters)
        game, first = game_registry.get(study.game), int(study.parameters["first"])
        known = [rows[index] for index in sorted(rows)]
        num_plies = self.num_pieces(study)
        end = rows.get(num_plies - 1, {}).get("end") if _is_cut(moments) else _margins(game, moments[-1])
        parts = _parts(known, end, game.traits.has_teams) if len(known) == num_plies and end is not None else []
        sides = 2 if game.traits.has_teams else int(study.parameters["seats"])
        tests = 1 if sides == 2 else sides  # of two sides one's gain is the other's loss
        steps = {index: row | {"drawn": moments[first + index].drawn} for index, row in rows.items()}
        if _is_cut(moments) and end is not None:
            steps[num_plies] = {"ply": first + num_plies, "drawn": moments[-1].drawn, "before": end}
        return {
            "first": first,
            "num_plies": num_plies,
            "by": action_playouts.quick_policy(game)[1],
            "is_cut": _is_cut(moments),
            "end": end,
            "curve": [{key: row[key] for key in ("ply", "seat", "before", "after")} for row in known],
            "decisions": _decisions(known, _num_choices(game, moments[first:-1])),
            "draws": _draws(steps, first, (num_plies + _is_cut(moments)) * tests),
            "parts": [{name: [part.mean, *part.interval()] for name, part in vars(seat).items()} for seat in parts],
            "favoured": _favoured(parts[:sides], tests),
        }


class _Look:
    """One decision of a match, with the playouts that it is judged by."""

    def __init__(self, study: StudySpec, moment: Moment, ply: int) -> None:
        self.game = game_registry.get(study.game)
        self.playouts: Playouts = action_playouts.playouts_of(study.game)
        self.moment, self.count = moment, int(study.parameters["playouts"])
        self.played = int(study.parameters["actions"][ply])
        self.seed = rng.mix(study.seed, ply)
        self.num_legal = len(self.game.legal_actions(moment.state))

    def start(self, study: StudySpec) -> list[list[float]]:
        """Before anything was drawn: of each seat mean and error. A match that was played on starts where it did."""
        if study.parameters["first"]:
            return [[float(mean), float(error)] for mean, error in self.steps()["before"]]
        chosen = study.parameters
        options = courses.options_of(self.game, chosen["options"])
        state = self.game.initial_state(options, chosen["seats"])
        seed = rng.mix(self.seed, 1)
        return _estimates([self.playouts.margins(state, None, seed, k) for k in range(self.count)])

    def expected(self, state: State) -> list[list[float]]:
        """Expected margins where the match was cut, some plies on: of each seat mean and error, if all played on."""
        seed = rng.mix(self.seed, 4)
        return _estimates([self.playouts.margins(state, None, seed, k) for k in range(self.count)])

    def steps(self) -> dict[str, Any]:
        """before: as the policy would decide; after: the action that was played; gain: the difference, paired."""
        state, before, after = self.moment.state, [], []
        for k in range(self.count):
            after.append(self.playouts.margins(state, self.played, self.seed, k))
            choice = self.played if self.num_legal == 1 else self.playouts.choice(state, self.seed, k)
            is_same = choice == self.played
            before.append(after[-1] if is_same else self.playouts.margins(state, choice, self.seed, k))
        gains = [then - now for then, now in zip(after, before, strict=True)]
        return {"before": _estimates(before), "after": _estimates(after), "gain": _estimates(gains)}

    def cost(self) -> dict[str, Any]:
        """The best other action that a search finds, and what the one played loses against it; None: nothing."""
        row: dict[str, Any] = {"num_legal": self.num_legal, "notation": self._words(self.played), "best": None}
        if self.num_legal == 1:
            return row
        seat, seed = self.moment.player, rng.mix(self.seed, 2)
        view = self.game.view(self.moment.state, seat)
        actions = best_actions.proposals(self.game, view, seat, seed)
        effort = Effort(2 * self.count)
        best = best_actions.best(self.playouts, view, seat, actions, seed, effort, 1, lambda _: None)[0].action
        if best == self.played:
            return row
        lost = Estimate.of(self._lost(view, best, seat, rng.mix(self.seed, 3)))
        return row | {"best": {"notation": self._words(best), "loss": list(lost)}}

    def _lost(self, view: State, best: int, seat: int, seed: int) -> list[float]:
        """Loss by playouts that did not choose it: what is chosen by its luck must be judged by other luck."""
        found = []
        for k in range(self.count):
            world = self.playouts.world(view, seed, k)
            ours, theirs = (self.playouts.margins(world, action, seed, k)[seat] for action in (best, self.played))
            found.append(float(ours - theirs))
        return found

    def _words(self, action: int) -> str:
        return self.game.notation(self.moment.state, action)


def walk_match(game_id: str, parameters: Mapping[str, Any]) -> tuple[Moment, ...]:
    """The match before every ply and at its end; walked once a process. Raises IllegalActionError."""
    match = {key: parameters.get(key) for key in ("options", "seats", "deal_seed", "actions", "renewal")}
    return _walked(game_id, json.dumps(match, sort_keys=True))


@lru_cache(maxsize=4)
def _walked(game_id: str, match_json: str) -> tuple[Moment, ...]:
    match = json.loads(match_json)
    renewal = Renewal.from_json(match["renewal"])
    walk = courses.replay(game_id, match["options"], match["seats"], match["deal_seed"], match["actions"], renewal)
    moments = []
    for course in walk:
        drawn = draws.describe_draws(course.game, course.drawn_from, course.outcomes)
        moments.append(Moment(course.state.copy(), course.player, _short(drawn)))
    return tuple(moments)


def _is_cut(moments: Sequence[Moment]) -> bool:
    """Whether the match was not played to its end."""
    return moments[-1].player != TERMINAL


def _margins(game: Game, end: Moment) -> list[list[float]]:
    """Margins of each seat in a match that was played to its end, without error."""
    points = np.array(game.scores(end.state), np.int64)
    return [[float(margin), 0.0] for margin in action_playouts.margins(points, game.traits.has_teams)]


def _short(text: str) -> str:
    return text if len(text) <= MAX_DRAWN else f"{text[: MAX_DRAWN - 1]}…"


def _estimates(margins: Sequence[Any]) -> list[list[float]]:
    """Mean and standard error of each seat, JSON-ready."""
    return [[float(part) for part in Estimate.of(values)] for values in np.array(margins).T]


def _num_choices(game: Game, moments: Sequence[Moment]) -> int:
    """Plies at which there was something to decide."""
    return sum(len(game.legal_actions(moment.state)) > 1 for moment in moments)


def _decisions(rows: Sequence[Mapping[str, Any]], looks: int) -> list[dict[str, Any]]:
    """Decisions that lost something, the greatest loss first, with intervals that hold for the match together.

    is_mistake: its interval leaves out zero.
    """
    found = []
    for row in rows:
        if row["best"] is None:
            continue
        loss = Estimate(*row["best"]["loss"])
        low, high = loss.interval(joint_confidence(max(1, looks)))
        named = {"ply": row["ply"], "seat": row["seat"], "played": row["notation"], "best": row["best"]["notation"]}
        found.append(named | {"loss": loss.mean, "low": low, "high": high, "is_mistake": low > 0})
    return sorted(found, key=lambda row: (-row["loss"], row["ply"]))


def _draws(rows: Mapping[int, Mapping[str, Any]], first: int, looks: int) -> list[dict[str, Any]]:
    """Changes by the draws before a ply for each seat: mean, low and high, as far as the plies beside them are known.

    looks: draws times the sides that each is tested for: intervals hold for all of them together.
    What was drawn before a match was played on is not counted.
    """
    found = []
    for index, row in sorted(rows.items()):
        earlier = rows.get(index - 1, {}).get("after") if index else None if first else row["start"]
        if not row["drawn"] or earlier is None:
            continue
        changes = []
        for before, after in zip(earlier, row["before"], strict=True):
            step = difference(Estimate(*after), Estimate(*before))
            changes.append([step.mean, *step.interval(joint_confidence(looks))])
        found.append({"ply": row["ply"], "drawn": row["drawn"], "changes": changes})
    return found


def _favoured(parts: Sequence[MarginParts], tests: int) -> int | None:
    """The seat, of one a side, that had the most luck, where it surely had some; so many are tested."""
    if not parts:
        return None
    seat = max(range(len(parts)), key=lambda seat: parts[seat].luck.mean)
    return seat if parts[seat].luck.interval(joint_confidence(max(1, tests))).low > 0 else None


def _parts(rows: Sequence[Mapping[str, Any]], end: Sequence[Sequence[float]], has_teams: bool) -> list[MarginParts]:
    """Parts of each seat's margin: start, own decisions, the others' and luck.

    has_teams: decisions of the partner are one's own.
    """
    found = []
    for seat, margin in enumerate(end):
        start = Estimate(*rows[0]["start"][seat])
        is_own = [row["seat"] % 2 == seat % 2 if has_teams else row["seat"] == seat for row in rows]
        gains = list(zip(is_own, (Estimate(*row["gain"][seat]) for row in rows), strict=True))
        own, others = ([gain for is_ours, gain in gains if is_ours == wanted] for wanted in (True, False))
        found.append(split_margin(start, own, others, Estimate(*margin)))
    return found
