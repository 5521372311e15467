"""Live tables: what papers printed of matches against people, beside those that people have finished here.

Counted are finished matches in which nobody was helped (`table.live.unaided`), by the paper's own engines and by
levels. Names are neither read nor shown.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db import connection

from engines import levels
from engines import registry as engine_registry
from games import registry as games
from webapp.common import formats
from webapp.table.live import rated_rules, unaided
from worker.analysis.intervals import Interval, wilson
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.presets import human_tests
from worker.presets.human_tests import HumanTable, HumanTest

KEPT_S = 300
MOST = 100_000
"""Matches of a game that are looked at, the last ones."""
OWN_SETTINGS = "with settings of one's own"
POINTS: Mapping[str, float] = {"loss": 0.0, "draw": 0.0, "win": 1.0}

_counting = threading.Lock()

_MATCHES = f"""
with looked_at as (
    select id, match_id, deal_seed from live_livematch
    where {unaided.MATCH} and num_seats = %(seats)s and status = 'finished' and match_id is not null
    order by id desc limit %(most)s
), seated as (
    select m.match_id, m.deal_seed, max(s.level) filter (where s.kind = 'engine') as level,
        min(s.configuration_id) filter (where s.kind = 'engine') as configuration,
        array_agg(s.kind = 'person' order by s.seat) as people,
        array_agg(s.person_id order by s.seat) filter (where s.kind = 'person') as persons
    from looked_at m join live_liveseat s on s.match_id = m.id
    group by m.id, m.match_id, m.deal_seed
    having count(*) filter (where s.kind = 'person') = %(num_people)s
        and count(*) filter (where s.kind = 'engine') = %(seats)s - %(num_people)s
        and {unaided.SEATS}
)
select w.deal_seed, w.level, c.engine, c.options, c.budget, w.people, w.persons,
    (select array_agg(r.result order by r.seat) from records_seat r where r.match_id = w.match_id)
from seated w join records_engineconfiguration c on c.id = w.configuration
"""


@dataclass(frozen=True)
class Played:
    """One counted match: its deal, who of the people sat there (numbers, for clusters alone), and how the engine did.

    kind: of engine, by which rows are made; rules: their name.
    """

    deal: int
    persons: tuple[int | None, ...]
    result: str
    kind: tuple[str, str]
    rules: str
    seat: Mapping[str, Any]


@dataclass(frozen=True)
class Line:
    """One kind of engine, by one set of rules, as words; share and size empty where nobody has met it.

    is_of_paper: whether it is an engine of the paper.
    """

    name: str
    words: str
    rules: str
    won: int
    drawn: int
    lost: int
    share: str
    size: str
    is_of_paper: bool

    @property
    def matches(self) -> int:
        """All of them."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True)
class Printed:
    """One printed row. share: with its interval, empty where the paper has no number."""

    test: HumanTest
    share: str


@dataclass(frozen=True)
class Setting:
    """One row of a printed configuration. ours: (player, the same of ours)."""

    name: str
    printed: str
    ours: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class PeopleTable:
    """A published table against people, and ours. matches: that count, of all lines."""

    table: HumanTable
    printed: tuple[Printed, ...]
    lines: tuple[Line, ...]
    settings: tuple[Setting, ...]

    @property
    def matches(self) -> int:
        """Counted matches of all levels and engines; one in two lines once."""
        return sum(line.matches for line in self.lines if not line.is_of_paper)


def tables(paper_id: str) -> list[PeopleTable]:
    """The live tables of a paper, as they were at most `KEPT_S` ago; none for a paper without matches of people."""
    return [_kept(table) for table in human_tests.TABLES if table.paper_id == paper_id]


def _kept(table: HumanTable) -> PeopleTable:
    key = f"people-table-{table.id}"
    found: PeopleTable | None = cache.get(key)
    if found is not None:
        return found
    with _counting:  # a request that comes meanwhile waits for these
        found = cache.get(key)
        if found is None:
            found = _counted(table)
            cache.set(key, found, KEPT_S)
    return found


def _counted(table: HumanTable) -> PeopleTable:
    matches = [match for pool in rated_rules.pools(table.game) for match in _matches(table, rated_rules.POOLS[pool])]
    return PeopleTable(
        table=table,
        printed=tuple(Printed(test, _share(test.won, test.matches, test.interval)) for test in table.tests),
        lines=(*_lines_of_paper(table, matches), *_lines_of_levels(table, matches)),
        settings=tuple(Setting(name, printed, _ours(table, field)) for name, printed, field in table.setup),
    )


def _matches(table: HumanTable, rules: str) -> Iterable[Played]:
    """The matches by one set of rules whose people sit as in the paper."""
    game = games.get(table.game)
    sides = 2 if game.traits.has_teams else table.seats
    values = {"seats": table.seats, "num_people": sum(table.people), "most": MOST}
    with connection.cursor() as cursor:
        cursor.execute(_MATCHES, unaided.values(table.game, rules) | values)
        found = cursor.fetchall()
    known = {level.id for level in levels.for_game(table.game)}
    for deal, level, engine, options, budget, people, persons, results in found:
        counts = [sum(people[side::sides]) for side in range(sides)]
        if results is None or None in results or sorted(counts) != sorted(table.people):
            continue
        side = counts.index(table.people[0])  # that of the engine, whose seats share a result
        kind = (level, "") if level in known else ("", engine)
        seat = {"engine": engine, "options": json.loads(options), "budget": json.loads(budget)}
        yield Played(deal, tuple(persons), results[side], kind, rules if game.presets else "", seat)


# ---- lines


def _lines_of_paper(table: HumanTable, matches: Sequence[Played]) -> Iterable[Line]:
    for name, player in table.players.items():
        its = [match for match in matches if _is_like(match.seat, player)]
        for rules in dict.fromkeys(match.rules for match in its) or [""]:
            yield _line(name, "the paper's engine", rules, [one for one in its if one.rules == rules], is_of_paper=True)


def _lines_of_levels(table: HumanTable, matches: Sequence[Played]) -> Iterable[Line]:
    """Every level of the game, met or not; then engines with settings of one's own that somebody has met."""
    by_kind: dict[tuple[str, str], list[Played]] = {(level.id, ""): [] for level in levels.for_game(table.game)}
    for match in matches:
        by_kind.setdefault(match.kind, []).append(match)
    for (level_id, engine), its in by_kind.items():
        name, words = _named(table.game, level_id, engine)
        for rules in dict.fromkeys(match.rules for match in its) or [""]:
            yield _line(name, words, rules, [one for one in its if one.rules == rules])


def _named(game: str, level_id: str, engine: str) -> tuple[str, str]:
    if not level_id:
        return (engine_registry.get(engine).label if engine in engine_registry.ids() else engine), OWN_SETTINGS
    level = levels.get(game, level_id)
    return level.label, f"{engine_registry.get(level.engine).label}. {level.summary}"


def _line(name: str, words: str, rules: str, its: Sequence[Played], *, is_of_paper: bool = False) -> Line:
    counts = Counter(match.result for match in its)
    deals, people = len({match.deal for match in its}), len({person for match in its for person in match.persons})
    size = f"{formats.plural(deals, 'deal', 'deals')}, {formats.plural(people, 'person', 'people')}" if its else ""
    return Line(
        name=name,
        words=words,
        rules=rules,
        won=counts["win"],
        drawn=counts["draw"],
        lost=counts["loss"],
        share=_share(counts["win"], len(its), interval(its)),
        size=size,
        is_of_paper=is_of_paper,
    )


def interval(its: Sequence[Played]) -> Interval | None:
    """95 % interval of the share that the engine won: by deals, or as if all of one person's matches were alike.

    The wider of the two: deals are the unit of chance, and people the unit of skill. None without matches.
    """
    blocks: dict[Hashable, list[float]] = {}
    for match in its:
        blocks.setdefault(match.deal, []).append(POINTS[match.result])
    share = Share.of_blocks(BlockMoments.of(Moments.of(values) for values in blocks.values()))
    if share is None:
        return None
    sizes = Counter(match.persons for match in its).values()  # Kish (1965): so many would say as much
    independent = len(its) ** 2 / sum(size * size for size in sizes)
    found = (share.interval(), wilson(independent * share.successes / share.trials, independent))
    return max((one for one in found if one is not None), key=lambda one: one.high - one.low)


def _share(won: int | None, matches: int | None, found: Interval | None) -> str:
    """A share in words: "87.5 % (52.9 to 97.8)"."""
    if won is None or not matches or found is None:
        return ""
    return f"{formats.percent(won / matches)} ({formats.span(100 * found.low, 100 * found.high)})"


# ---- configurations


def _is_like(seat: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether an engine has all that the paper says of its own."""
    parts = (("options", wanted.get("options", {})), ("budget", wanted.get("budget", {})))
    same = all(seat[part].get(name) == value for part, values in parts for name, value in values.items())
    return same and bool(seat["engine"] == wanted["engine"])


def _ours(table: HumanTable, field: str) -> tuple[tuple[str, str], ...]:
    """A setting of each player: what a match must have to count for it."""
    every = {name: {**player.get("options", {}), **player.get("budget", {})} for name, player in table.players.items()}
    return tuple((name, _setting(values.get(field))) for name, values in every.items())


def _setting(value: Any) -> str:
    return formats.count(value) if isinstance(value, int) else str(value)
