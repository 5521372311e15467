"""A recorded match walked again: positions, points by kind, and whether it replays exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games import registry as game_registry
from games.protocol import Event, Game, IllegalActionError, State
from webapp.lab.results.charts.figure import kind_label
from webapp.records.archive.plies import plies_of
from webapp.records.models import Match
from webapp.table.live import action_words
from worker import course as courses

KEPT_MATCHES = 8
"""A match of 72 plies holds 2.5 MB of positions."""


@dataclass(frozen=True)
class Standing:
    """After a number of plies: points so far by kind of what scored, and what is still open.

    open_by_kind: points more if the match ended here.
    """

    scores: tuple[int, ...]
    by_kind: dict[str, tuple[int, ...]]
    open_by_kind: dict[str, tuple[int, ...]]
    projected: tuple[int, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Replay:
    """A match as its rows tell it.

    standings: before the first ply and after each; states likewise; words: of the plies, as at a
    table. first_difference: ply (counted from 1) whose position is not the recorded one; error:
    why the walk ended early.
    """

    game: Game
    standings: tuple[Standing, ...]
    states: tuple[State, ...]
    words: tuple[str, ...] = ()
    first_difference: int | None = None
    error: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether every position is the one that was recorded."""
        return self.first_difference is None and not self.error

    def recorded(self, ply: int) -> State | None:
        """The position that a ply (counted from 0) was played in; None where it is another one today."""
        is_known = self.first_difference is None or ply < self.first_difference
        return self.states[ply] if is_known else None

    @property
    def kinds(self) -> dict[str, str]:
        """Kinds of scores with their labels, in the game's order; `points_<kind>` are its metrics.

        Empty where no ply is told to have scored: of a game whose points are those of the board as it stands.
        """
        known = {
            m.id.removeprefix("points_"): kind_label(m.kind) for m in self.game.metric_table if m.group == "points"
        }
        seen = {kind for standing in self.standings for kind in standing.by_kind | standing.open_by_kind}
        if not seen:
            return {}
        return known | {kind: kind_label(kind) for kind in sorted(seen - known.keys())}


def walk(match: Match) -> Replay:
    """Replay a match from its plies; the same match is walked once per process. Raises ArchiveError."""
    spec = match.experiment.spec
    plies = [(ply.action, ply.digest) for ply in plies_of(match)]
    return _walk(
        match.experiment.game,
        tuple(sorted(spec["options"].items())),
        int(spec["seats"]),
        match.deal_seed,
        courses.Renewal.from_json(match.renewal),
        tuple(action for action, _ in plies),
        tuple(digest for _, digest in plies),
    )


@lru_cache(maxsize=KEPT_MATCHES)
def _walk(
    game_id: str,
    options: tuple[tuple[str, Any], ...],
    num_seats: int,
    deal_seed: int,
    renewal: courses.Renewal | None,
    actions: tuple[int, ...],
    digests: tuple[int, ...],
) -> Replay:
    game = game_registry.get(game_id)
    states: list[State] = []
    standings: list[Standing] = []
    words: list[str] = []
    points: Counter[tuple[str, int]] = Counter()
    first_difference, error = None, ""
    try:
        for course in courses.replay(game_id, dict(options), num_seats, deal_seed, actions, renewal):
            if states:
                words.append(action_words.describe_action(game, states[-1], actions[len(words)]))
            states.append(course.state.copy())
            standings.append(_standing(game, course.state, course.ply, points))
            if course.ply and first_difference is None and course.digest != digests[course.ply - 1]:
                first_difference = course.ply
    except IllegalActionError as illegal:
        error = str(illegal)
    return Replay(game, tuple(standings), tuple(states), tuple(words), first_difference, error)


def _standing(game: Game, state: State, ply: int, points: Counter[tuple[str, int]]) -> Standing:
    """The standing in a state; adds what the last ply scored to `points`."""
    events = game.events(state) if ply else ()
    for event in events:
        for seat in event.seats:
            points[event.kind, seat] += event.points
    num_seats = game.num_seats(state)
    open_points = Counter[tuple[str, int]]()
    for event in () if game.is_terminal(state) else game.open_features(state):
        for seat in event.seats:
            open_points[event.kind, seat] += event.points
    return Standing(
        scores=tuple(game.scores(state)),
        by_kind=_by_kind(points, num_seats),
        open_by_kind=_by_kind(open_points, num_seats),
        projected=tuple(game.projected_scores(state)),
        events=tuple(events),
    )


def _by_kind(points: Counter[tuple[str, int]], num_seats: int) -> dict[str, tuple[int, ...]]:
    return {kind: tuple(points[kind, seat] for seat in range(num_seats)) for kind, _ in points}


def gains(standings: Sequence[Standing], ply: int) -> tuple[int, ...]:
    """Points per seat that ply `ply` (counted from 1) brought."""
    before, after = standings[ply - 1].scores, standings[ply].scores
    return tuple(new - old for old, new in zip(before, after, strict=True))
