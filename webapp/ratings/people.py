"""Engines against people: finished matches in which nobody was helped, counted for the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Count, F, Max, Min, Q, QuerySet

from engines import levels
from engines import registry as engine_registry
from games import options as option_tools
from games import registry
from webapp.live.models import LiveMatch, LiveSeat
from webapp.ratings.outcomes import LEFT
from webapp.records.models import EngineConfiguration, Seat
from webapp.results.sides import configuration_words
from worker.analysis.intervals import Interval, wilson

Kind = LiveSeat.Kind
KEPT_S = 30
CACHE_KEY = "engines-against-people"
WON, DRAWN, LOST = "loss", "draw", "win"
"""What the person's result is for the engine."""


@dataclass(frozen=True)
class Row:
    """One engine at one kind of table. left: matches that its person left, which it won."""

    game: str
    engine: str
    level: str
    words: str
    table: str
    won: int
    drawn: int
    lost: int
    left: int

    @property
    def matches(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost

    @property
    def interval(self) -> Interval | None:
        """Of the share that the engine won, 95 %."""
        return wilson(self.won, self.matches)


def rows() -> list[Row]:
    """All engines that people have met, by game, weakest level first; a few seconds old at most half a minute."""
    found: list[Row] = cache.get_or_set(CACHE_KEY, lambda: list(_rows()), KEPT_S)
    return found


def _rows() -> Iterator[Row]:
    for game_id in registry.ids():
        counted: dict[tuple[int, str, int], Counter[str]] = {}
        matches = list(_matches(game_id))
        results = _results([match_id for *_, match_id, seat in matches])
        for num_seats, level, configuration, status, match_id, seat in matches:
            has_left = status == LiveMatch.Status.ENDED
            key = (num_seats, level, 0 if level else configuration)
            counts = counted.setdefault(key, Counter())
            counts[WON if has_left else results[match_id, seat]] += 1
            counts["left"] += has_left
        configurations = EngineConfiguration.objects.in_bulk([key[2] for key in counted])
        for key in sorted(counted, key=lambda key: (_strength(game_id, key[1]), key)):
            yield _row(game_id, key, counted[key], configurations.get(key[2]))


def _matches(game_id: str) -> QuerySet[Any, Any]:
    """Matches of one person against engines that are all alike: from the start, nothing taken back, no hints."""
    person = Q(seats__kind=Kind.PERSON)
    engine = Q(seats__kind=Kind.ENGINE)
    by_rule = option_tools.to_json(option_tools.from_json(registry.get(game_id).options, {}))
    is_played = Q(status=LiveMatch.Status.FINISHED, match__isnull=False)
    is_left = Q(status=LiveMatch.Status.ENDED, ending__kind__in=LEFT)  # by the person: engines do not leave
    return (
        LiveMatch.objects.filter(
            game=game_id,
            options__contained_by=by_rule,
            experiment=None,
            is_taken_back=False,
            begun_at_ply=0,
            challenge=None,
        )
        .annotate(
            people=Count("seats__seat", filter=person),
            engines=Count("seats__seat", filter=engine),
            kinds=Count("seats__configuration", filter=engine, distinct=True),
            changed=Count("seats__seat", filter=Q(seats__replaced__isnull=False) | Q(seats__hints_used__gt=0)),
            person_seat=Min("seats__seat", filter=person),
            level=Max("seats__level", filter=engine),
            configuration=Max("seats__configuration", filter=engine),
        )
        .filter(is_played | is_left, people=1, kinds=1, changed=0, engines=F("num_seats") - 1)
        .values_list("num_seats", "level", "configuration", "status", "match_id", "person_seat")
    )


def _results(match_ids: Sequence[int | None]) -> dict[tuple[int, int], str]:
    """Win, draw or loss of each seat of the records."""
    rows = Seat.objects.filter(match__in=[match_id for match_id in match_ids if match_id is not None])
    return {(match_id, seat): result for match_id, seat, result in rows.values_list("match_id", "seat", "result")}


def _strength(game_id: str, level_id: str) -> int:
    """A level's place; settings of one's own come last."""
    known = [level.id for level in levels.of(game_id)]
    return known.index(level_id) if level_id in known else len(known)


def _row(
    game_id: str, key: tuple[int, str, int], counts: Counter[str], configuration: EngineConfiguration | None
) -> Row:
    num_seats, level_id, _ = key
    level = next((level for level in levels.of(game_id) if level.id == level_id), None)
    engine_id = level.engine if level is not None else configuration.engine if configuration is not None else ""
    words = level.summary if level is not None else ""
    if configuration is not None and level is None:
        spec = {"engine": engine_id, "options": configuration.options, "budget": configuration.budget}
        words = ", ".join(configuration_words(spec))
    known = engine_id in engine_registry.ids()
    return Row(
        game=game_id,
        engine=engine_registry.get(engine_id).label if known else engine_id or level_id,
        level=level.label if level is not None else "",
        words=words,
        table=_table(game_id, num_seats),
        won=counts[WON],
        drawn=counts[DRAWN],
        lost=counts[LOST],
        left=counts["left"],
    )


def _table(game_id: str, num_seats: int) -> str:
    """Who plays against whom there."""
    if registry.get(game_id).traits.has_teams:
        return "as partner and rivals"
    return "one rival" if num_seats == 2 else f"{num_seats - 1} rivals, all alike"
