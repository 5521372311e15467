"""All that a comparison says: one value, which the page and the file of numbers read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from games import registry as game_registry
from webapp.lab.comparison.beside import Column, Section, column_of, side_by_side
from webapp.lab.comparison.chosen import Chosen
from webapp.lab.comparison.spec_diff import Setting, spec_diff
from webapp.lab.pooling import lines, pooled, words
from webapp.lab.pooling.contrasts import contrasts, measures
from webapp.lab.pooling.differing import obstacle
from webapp.lab.pooling.groups import Group, groups
from webapp.lab.pooling.lines import Entry, Forest
from webapp.lab.pooling.words import Facts
from webapp.lab.results import queries
from webapp.lab.results.comparisons import measure_of
from worker.analysis.stop_rules.model import WIN_RATE

NOT_COMMON = (
    "No two of these compare the same: each asks a question of its own. They stand on one axis, but nothing is pooled,"
    " and no difference between them is claimed."
)


@dataclass(frozen=True)
class Tick:
    """A box that says whether an experiment is pooled. why: what keeps it out unless somebody wishes; or for good."""

    entry: Entry
    is_pooled: bool
    is_possible: bool
    why: str


@dataclass(frozen=True)
class Comparison:
    """What is said of the chosen experiments.

    games: the labels of several games, which no axis holds, with what of each may be compared; forest: None where
    nothing is compared in any. is_common: whether two have a question in common; alone: then what only one of them
    compares, and which. chosen_pool: whether somebody said what is pooled.
    """

    chosen: Chosen
    columns: tuple[Column, ...]
    diff: tuple[Setting, ...] = ()
    games: tuple[tuple[str, tuple[str, ...]], ...] = ()
    measure: str = WIN_RATE
    measures: tuple[str, ...] = ()
    forest: Forest | None = None
    sentence: str = ""
    under: str = ""
    facts: tuple[Facts, ...] = ()
    ticks: tuple[Tick, ...] = ()
    beside: tuple[Section, ...] = ()
    alone: tuple[tuple[str, str], ...] = ()
    chosen_pool: bool = False
    is_common: bool = False

    @property
    def entries(self) -> Mapping[int, Entry]:
        """The experiments by their places."""
        return self.chosen.entries

    @property
    def differing(self) -> list[Setting]:
        """Settings that are not the same everywhere."""
        return [row for row in self.diff if row.differs]

    @property
    def alike(self) -> list[Setting]:
        """The others."""
        return [row for row in self.diff if not row.differs]


@queries.snapshot()
def comparison(chosen: Chosen, measure: str, pool: Collection[str] | None) -> Comparison:
    """Compare. measure: that is wished; pool: the references of those that are to be pooled, None: the usual ones."""
    columns = tuple(column_of(entry) for entry in chosen.entries.values())
    by_game: dict[str, list[str]] = {}
    for column in columns:
        by_game.setdefault(column.entry.experiment.game, []).append(column.entry.ref)
    if len(columns) < 2:
        return Comparison(chosen, columns)
    if len(by_game) > 1:
        games = tuple((game_registry.get(game).label, tuple(refs)) for game, refs in by_game.items())
        return Comparison(chosen, columns, games=games)
    diff = tuple(spec_diff([column.entry.experiment for column in columns]))
    every = groups([contrasts(column.entry.experiment) for column in columns])
    if not every:
        return Comparison(chosen, columns, diff)
    return _compared(Comparison(chosen, columns, diff), every, measure, pool)


def _compared(bare: Comparison, every: Sequence[Group], measure: str, pool: Collection[str] | None) -> Comparison:
    """With all that is said of the questions."""
    chosen, columns = bare.chosen, bare.columns
    found = [group for group in every if len(group.rows) > 1] or every
    offered = measures([row for group in found for row in group.rows.values()])
    shown = _measure(measure, offered, columns)
    members = None if pool is None else {i for i, entry in chosen.entries.items() if entry.ref in pool}
    pools = [pooled.pool(group, members) for group in found]
    drawn = lines.forest(found, chosen.entries, pools, shown)
    facts = (words.facts(table, chosen.entries, shown) for table in drawn.tables)
    is_common = len(found[0].rows) > 1
    return replace(
        bare,
        is_common=is_common,
        measure=shown,
        measures=tuple(offered),
        forest=drawn,
        sentence=words.sentence(drawn.tables[0], chosen.entries, shown) if is_common else NOT_COMMON,
        under=words.under(drawn, chosen.entries),
        facts=tuple(found for found in facts if found),
        ticks=_ticks(found[0], chosen.entries, drawn),
        beside=side_by_side(columns, found),
        alone=tuple(_alone(group, chosen.entries) for group in every if group not in found),
        chosen_pool=pool is not None,
    )


def _alone(group: Group, entries: Mapping[int, Entry]) -> tuple[str, str]:
    side, other = group.names
    return f"{side} less {other}", entries[next(iter(group.rows))].name


def _measure(wished: str, offered: Sequence[str], columns: Sequence[Column]) -> str:
    """What is wished; else what the pages of all experiments judge, if that is one thing."""
    usual = {measure_of(one.entry.experiment, one.found.lineups) for one in columns}
    wishes = [wished, *(usual if len(usual) == 1 else ())]
    return next((name for name in wishes if name in offered), offered[0])


def _ticks(group: Group, entries: Mapping[int, Entry], drawn: Forest) -> tuple[Tick, ...]:
    """A box for each experiment that asks the first question."""
    table = drawn.tables[0]
    members = table.pool.members if table.pool else ()
    rows = []
    for (i, row), line in zip(group.rows.items(), table.lines, strict=False):
        never = obstacle(row, group.first)
        rows.append(Tick(entries[i], i in members, not never, never or line.state.words))
    return tuple(rows)
