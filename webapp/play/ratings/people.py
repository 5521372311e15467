"""Engines against people: finished matches in which nobody was helped, counted for the engine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db import connection

from engines import levels
from engines import registry as engine_registry
from games import registry
from webapp.play.ratings.outcomes import LEFT
from webapp.table.live import rated_rules, unaided
from worker.analysis.intervals import Interval, wilson

KEPT_S = 300
MOST = 100_000
"""Matches of a game that are looked at, the last ones: two seconds of Postgres."""
CACHE_KEY = "engines-against-people"
OWN_SETTINGS = "with settings of one's own"
"""All of an engine that are no level are one row: what somebody set, or called a strategy, is theirs."""

_counting = threading.Lock()


@dataclass(frozen=True)
class Row:
    """One level, or one engine with settings of one's own, at one kind of table and by one set of rules.

    left: matches that their person left, which the engine won; independent: so many matches, each
    of another person, would say as much, were all of one person's alike.
    """

    game: str
    rules: str
    engine: str
    level: str
    words: str
    table: str
    won: int
    drawn: int
    lost: int
    left: int
    people: int
    independent: float

    @property
    def matches(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost

    @property
    def interval(self) -> Interval | None:
        """Interval of the share that the engine won, 95 %, whatever the matches of one person have in common."""
        return wilson(self.independent * (self.won / self.matches), self.independent)


def rows() -> list[Row]:
    """All engines that people have met, by game, weakest level first; as they were at most `KEPT_S` ago."""
    found: list[Row] | None = cache.get(CACHE_KEY)
    if found is not None:
        return found
    with _counting:  # a request that comes meanwhile waits for these
        found = cache.get(CACHE_KEY)
        if found is None:
            found = [row for game in registry.ids() for pool in rated_rules.pools(game) for row in _rows(game, pool)]
            cache.set(CACHE_KEY, found, KEPT_S)
    return found


# Matches of one person against engines that are all alike (`unaided`). One that was left was left by
# the person: engines do not leave. Sizes of clusters after Kish (1965): with n_i matches of person i,
# (sum n_i)^2 / sum n_i^2 are independent even where a person's come out alike.
_COUNT = f"""
with looked_at as (
    select id, num_seats, match_id, status = 'ended' as has_left from live_livematch
    where {unaided.MATCH}
        and (status = 'finished' and match_id is not null or status = 'ended' and ending ->> 'kind' = any(%(left)s))
    order by id desc limit %(most)s
), played as (
    select m.num_seats, m.match_id, m.has_left,
        min(s.seat) filter (where s.kind = 'person') as seat,
        min(s.person_id) filter (where s.kind = 'person') as person,
        max(s.level) filter (where s.kind = 'engine') as level,
        max(s.configuration_id) filter (where s.kind = 'engine') as configuration
    from looked_at m join live_liveseat s on s.match_id = m.id
    group by m.id, m.num_seats, m.match_id, m.has_left
    having count(*) filter (where s.kind = 'person') = 1
        and count(*) filter (where s.kind = 'engine') = m.num_seats - 1
        and {unaided.SEATS}
), told as (
    select p.num_seats, p.person, p.has_left,
        case when p.level = any(%(levels)s) then p.level else '' end as level,
        case when p.level = any(%(levels)s) then '' else c.engine end as engine,
        case when p.has_left then 'loss' else r.result end as result
    from played p join records_engineconfiguration c on c.id = p.configuration
    left join records_seat r on r.match_id = p.match_id and r.seat = p.seat
), persons as (
    select num_seats, level, engine, count(*) as matches,
        count(*) filter (where result = 'loss') as won, count(*) filter (where result = 'draw') as drawn,
        count(*) filter (where result = 'win') as lost, count(*) filter (where has_left) as gone
    from told group by num_seats, level, engine, person
)
select num_seats, level, engine, sum(won)::bigint, sum(drawn)::bigint, sum(lost)::bigint, sum(gone)::bigint,
    count(*), (sum(matches) * sum(matches) / sum(matches * matches))::float
from persons group by num_seats, level, engine
"""


def _rows(game_id: str, pool: str) -> Iterator[Row]:
    """Rows of one game by one set of rules: no more than it has levels and engines, for each size of table."""
    game, name = registry.get(game_id), rated_rules.POOLS[pool]
    known = {level.id: (strength, level) for strength, level in enumerate(levels.for_game(game_id))}
    values: dict[str, Any] = {
        **unaided.values(game_id, name),
        "left": list(LEFT),
        "most": MOST,
        "levels": list(known),
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, values)
        found = cursor.fetchall()
    for num_seats, level_id, engine_id, *counts in sorted(
        found, key=lambda row: (known[row[1]][0] if row[1] else len(known), *row[:3])
    ):
        level = known[level_id][1] if level_id else None
        yield Row(
            game_id,
            name if game.presets else "",
            _engine_label(engine_id if level is None else level.engine),
            "" if level is None else level.label,
            OWN_SETTINGS if level is None else level.summary,
            _table(game_id, num_seats),
            *counts,
        )


def _engine_label(engine_id: str) -> str:
    """Name of an engine on pages; its id where it is one of another version of the lab."""
    return engine_registry.get(engine_id).label if engine_id in engine_registry.ids() else engine_id


def _table(game_id: str, num_seats: int) -> str:
    """Words for who plays against whom there."""
    if registry.get(game_id).traits.has_teams:
        return "as partner and rivals"
    return "one rival" if num_seats == 2 else f"{num_seats - 1} rivals, all alike"
