"""Every table of the lab's files with its columns, as they are declared where they are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from games import registry as game_registry
from games.protocol import Game
from webapp.lab.results import columns
from webapp.lab.results.columns import Column
from webapp.lab.studies import exports as study_exports
from worker.fields import Field
from worker.studies import registry as study_registry

ANY_AXIS, ANY_SEAT = "sweep_{axis}", "score_{seat}"
"""Names of columns of which a table may have several, with what tells them apart in braces."""


@dataclass(frozen=True)
class Entry:
    """One column of a table.

    games: those whose files have it, none where all have; only: which files else have it, in words;
    group, case: of a metric, as in the table of metrics.
    """

    name: str
    field: Field
    games: tuple[str, ...] = ()
    only: str = ""
    group: str = ""
    case: str = ""


@dataclass(frozen=True)
class Table:
    """One table. key: columns whose values are those of one row alone; study: kind of study that has it, or ""."""

    id: str
    title: str
    about: str
    key: tuple[str, ...]
    entries: Sequence[Entry]
    study: str = ""

    def of_game(self, game: str) -> Table:
        """The table as files of one game have it."""
        return replace(self, entries=[entry for entry in self.entries if not entry.games or game in entry.games])


def _entries(listed: Sequence[Column]) -> list[Entry]:
    return [Entry(column.name, column.field) for column in listed]


@cache
def games() -> tuple[Game, ...]:
    """All games."""
    return tuple(map(game_registry.get, game_registry.ids()))


def _matches() -> Iterator[Entry]:
    yield from _entries(columns.MATCH_COLUMNS)
    yield Entry(columns.TEAM.name, columns.TEAM.field, tuple(game.id for game in games() if game.traits.has_teams))
    yield Entry("counts", columns.COUNTS)
    yield Entry("player", columns.PLAYER, only="ladders")
    yield Entry(ANY_AXIS, columns.of_sweep("the axis"), only="sweeps")
    for game in games():
        yield from metrics(game)


def metrics(game: Game) -> list[Entry]:
    """The metrics of a game: columns of matches, ids in the table of metrics."""
    return [
        Entry(metric.id, columns.of_metric(game, metric).field, (game.id,), group=metric.group, case=metric.kind)
        for metric in game.metric_table
    ]


def _plies() -> Iterator[Entry]:
    yield from _entries(columns.PLY_COLUMNS)
    yield Entry(ANY_SEAT, replace(columns.of_score(0).field, meaning="Points of a seat after the ply."))
    yield Entry(columns.INFO.name, columns.INFO.field)


@cache
def tables() -> tuple[Table, ...]:
    """All tables, those of studies last."""
    return (
        Table(columns.MATCHES, "Matches", "A row for each match and seat.", ("match", "seat"), list(_matches())),
        Table(
            columns.METRICS,
            "Metrics",
            "The metrics of matches once more, long: a row for each number that a seat has.",
            ("match", "seat", "metric"),
            _entries(columns.METRIC_COLUMNS),
        ),
        Table(
            columns.PLIES,
            "Plies",
            "A row for each action, where the spec records them.",
            ("match", "ply"),
            list(_plies()),
        ),
        *map(_of_study, study_registry.ids()),
    )


def get(table_id: str, study: str = "") -> Table:
    """One table. study: the kind of study whose rows they are. Raises KeyError."""
    if study:
        return _of_study(study)
    return {table.id: table for table in tables() if not table.study}[table_id]


def _of_study(kind_id: str) -> Table:
    kind = study_registry.get(kind_id)
    own = [Entry(study_exports.name_of(key), field) for key, field in kind.row_fields.items()]
    about = f"{kind.summary} A row for each piece that ended."
    return Table(
        study_exports.TABLE,
        f"Rows of the study “{kind.label}”",
        about,
        ("piece",),
        _entries(study_exports.BASE) + own,
        kind_id,
    )
