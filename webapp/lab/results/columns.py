"""The columns of the tables that an experiment is exported as: each with its SQL, and what it means.

This is the only place that lists them: files, the data dictionary and descriptors of data sets read it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from psycopg import sql

from games import registry as game_registry
from games.protocol import NUM_TEAMS, Game, Metric
from webapp.lab.results import counted
from webapp.records.models import Experiment
from worker import spec as specs
from worker.fields import Field, Kind
from worker.files import METRIC_FIELDS
from worker.spec import sweep
from worker.spec.model import combinations

MATCHES, METRICS, PLIES = TABLES = ("matches", "metrics", "plies")


@dataclass(frozen=True)
class Column:
    """One column: its SQL, and what it means.

    expression: over m (match), s (seat), x (its metrics), n (one of them), c (configuration), a (arm) or p (ply).
    is_secret: empty while agents still play in the experiment; is_typed: text that people may have
    typed; unnamed: its SQL where other people go without their names.
    """

    name: str
    expression: str
    field: Field
    is_secret: bool = False
    is_typed: bool = False
    unnamed: str = ""

    @property
    def kind(self) -> str:
        """Its type in a file whose rows are flat."""
        return "string" if self.is_json else self.field.kind

    @property
    def is_json(self) -> bool:
        """Whether its values are JSON."""
        return self.field.kind == "json"


INSTANT = """to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
_PLAIN_OPTIONS = "CASE WHEN c.engine IN ('person', 'replaced') THEN '{}' ELSE c.options END"
_CODE = "(select c.{} from records_codeversion c where c.id = m.code_id)"

PLACE_OF_MATCH = (
    Column("match", "m.id", Field("Number of the match, by which rows of all tables are joined.")),
    Column("arm", "m.arm_index", METRIC_FIELDS["arm"]),
    Column("deal", "m.deal", METRIC_FIELDS["deal"]),
    Column("rotation", "m.rotation", METRIC_FIELDS["rotation"]),
)
SEAT = Column("seat", "s.seat", METRIC_FIELDS["seat"])
PLACE = Column("place", "s.lineup_index", METRIC_FIELDS["place"])
MATCH_COLUMNS = (
    *PLACE_OF_MATCH[:2],
    Column("arm_name", "a.name", Field("Name of the line-up.", "string"), is_typed=True),
    *PLACE_OF_MATCH[2:],
    SEAT,
    PLACE,
    Column("engine", "c.engine", Field("Id of the engine of this seat; “person” where somebody played.", "string")),
    Column(
        "options",
        "c.options",
        Field("Options of the engine, those left at their defaults included.", "json"),
        unnamed=_PLAIN_OPTIONS,
    ),
    Column(
        "budget",
        "c.budget",
        Field("What the engine may spend, by name, e.g. playouts.", "json"),
    ),
    Column("status", "m.status", Field("“finished”, or “failed”: then there is no result.", "string")),
    Column("result", "s.result", Field("“win”, “draw” or “loss” of the seat, or of its team.", "string")),
    Column("score", "s.score", Field("Points of the seat at the end.", unit="points")),
    Column("margin", "s.margin", Field("Own score less the best opponent's.", unit="points")),
    Column("rank", "s.rank", Field("Place at the end, from 1; equals share the best of their places.", unit="places")),
    Column("plies", "m.num_plies", Field("Actions of all seats in the match.", unit="plies")),
    Column("seed", "m.seed", Field("Seed of what engines draw by lot. Signed, 64 bits."), is_secret=True),
    Column("deal_seed", "m.deal_seed", Field("Seed of the deal. Signed, 64 bits."), is_secret=True),
    Column(
        "renewal_ply",
        "(m.renewal->>'ply')::bigint",
        Field("Of a match that was played on from another: ply from which draws are of another seed.", unit="plies"),
        is_secret=True,
    ),
    Column("renewal_seed", "(m.renewal->>'seed')::bigint", Field("That seed. Signed, 64 bits."), is_secret=True),
    Column(
        "digest",
        "m.digest",
        Field("Chained hash of all positions: equal digests, equal matches. Signed, 64 bits."),
        is_secret=True,
    ),
    Column("elapsed_s", "m.elapsed_s", Field("Wall time of the match.", "double", "seconds")),
    Column("cpu_s", "m.cpu_s", Field("CPU time of the match.", "double", "seconds")),
    Column("finished_at", INSTANT.format("m.finished_at"), Field("Instant at which it ended, in UTC.", "timestamp")),
    Column(
        "failure_kind",
        "m.failure->>'kind'",
        Field(
            "Why a failed match has no result: “exception”, “illegal_action”, “over_time” or another word.", "string"
        ),
    ),
    Column("failure_seat", "(m.failure->>'seat')::int", Field("Seat whose engine failed; empty where none did.")),
    Column(
        "failure_message",
        "m.failure->>'message'",
        Field("What was said of the failure. Left out of public files.", "string"),
        is_typed=True,
        unnamed="NULL::text",
    ),
    Column("versions", "m.versions", Field("Versions of the game and the engines that played, by id.", "json")),
    Column("code", _CODE.format("hash"), Field("SHA-256 of the code of games, engines and worker.", "string")),
    Column("commit", _CODE.format("commit"), Field("Commit of that code, where it is known.", "string")),
)
TEAM = Column(
    "team",
    f"mod(s.lineup_index, {NUM_TEAMS})",
    Field("Team of the place, 0 or 1: partners have result, score and margin in common."),
)
COUNTS = Field("1 where the match is in the numbers of the page: of a whole deal, no repeat, not beyond the stop.")
PLAYER = Field("Engine of the place, by its name in the ladder.", "string")
METRIC_COLUMNS = (
    *PLACE_OF_MATCH,
    SEAT,
    PLACE,
    Column("metric", "n.metric", METRIC_FIELDS["metric"]),
    Column("group", "n.group_name", METRIC_FIELDS["group"]),
    Column("case", "n.kind", METRIC_FIELDS["case"]),
    Column("value", "n.value", METRIC_FIELDS["value"]),
)
PLY_COLUMNS = (
    *PLACE_OF_MATCH,
    Column("ply", "p.ply", Field("Number of the action in its match, from 0.")),
    Column("seat", "p.seat", Field("Seat that acted, counted from 0.")),
    Column("action", "p.action", Field("The action, as a number of the game.")),
    Column("notation", "p.notation", Field("The action in the notation of the game.", "string")),
    Column("legal_count", "p.legal_count", Field("Actions that were legal.", unit="actions")),
    Column("value", "p.value", Field("What the engine thought the action worth, in its own utility.", "double")),
    Column("playouts", "p.playouts", Field("Matches simulated to their end for it.", unit="playouts")),
    Column("nodes", "p.nodes", Field("Positions that the search visited.", unit="nodes")),
    Column("depth", "p.depth", Field("Greatest depth that the search reached.", unit="plies")),
    Column("elapsed_s", "p.elapsed_s", Field("Wall time of the decision.", "double", "seconds")),
    Column("cpu_s", "p.cpu_s", Field("CPU time of the decision.", "double", "seconds")),
    Column(
        "digest", "p.digest", Field("Chained hash of all positions up to this ply. Signed, 64 bits."), is_secret=True
    ),
)
INFO = Column(
    "info",
    "p.info",
    Field(
        "What the engine noted: under “best” up to five actions with notation, value, visits, standard error.", "json"
    ),
)


def of_score(seat: int) -> Column:
    """The column of a seat's points after a ply."""
    return Column(
        f"score_{seat}", f"p.scores[{seat + 1}]", Field(f"Points of seat {seat} after the ply.", unit="points")
    )


def of_metric(game: Game, metric: Metric) -> Column:
    """The column of a game's metric among the matches."""
    return Column(metric.id, f'x."{metric.id}"', Field(metric_meaning(game, metric), "double", metric.unit))


def metric_meaning(game: Game, metric: Metric) -> str:
    """What a metric counts, in a phrase with its full stop."""
    later = " Empty in matches recorded before it was counted." if is_later(game, metric) else ""
    return f"{metric.label}.{later}"


def is_later(game: Game, metric: Metric) -> bool:
    """Whether there are matches of this version of the game without the metric."""
    return any(fnmatchcase(metric.id, pattern) for pattern in game.later_metrics)


def of_sweep(axis: str) -> Field:
    """What the column of an axis means, but for its type."""
    return Field(f"Value of {axis} in this arm of the sweep.", "string")


def columns(experiment: Experiment, table: str) -> tuple[Column, ...]:
    """The columns of a table, the game's metrics or the seats' scores included."""
    if table == METRICS:
        return METRIC_COLUMNS
    if table == PLIES:
        return (*PLY_COLUMNS, *map(of_score, range(int(experiment.spec["seats"]))), INFO)
    game = game_registry.get(experiment.game)
    return (
        *MATCH_COLUMNS,
        *((TEAM,) if game.traits.has_teams else ()),
        _counts_column(experiment),
        *_player_column(experiment),
        *_swept_columns(experiment),
        *(of_metric(game, metric) for metric in game.metric_table),
    )


def _counts_column(experiment: Experiment) -> Column:
    seats = counted.seats(experiment).as_string()
    return Column("counts", f"(m.id IN (SELECT match_id FROM {seats} AS counted))::int", COUNTS)


def _player_column(experiment: Experiment) -> tuple[Column, ...]:
    """Of a ladder: the engine of the place; elsewhere none."""
    found = specs.from_json(experiment.spec).ladder if "ladder" in experiment.spec else None
    if found is None:
        return ()
    names = ", ".join(sql.quote(found.entries[i].name) for table in found.tables for i in table)
    at = f"m.arm_index * {found.sides} + mod(s.lineup_index, {found.sides}) + 1"
    return (Column("player", f"(ARRAY[{names}])[{at}]", PLAYER, is_typed=True),)


SQL_TYPES = {"int64": "bigint", "double": "float8", "string": "text"}


def _swept_columns(experiment: Experiment) -> tuple[Column, ...]:
    """What a sweep varies, a column an axis: ``sweep_c``, or ``sweep_seat1_c`` where two share a name."""
    axes = sweep.stored_axes(experiment.spec)
    shared = Counter(axis.name for axis in axes)
    found = []
    for index, axis in enumerate(axes):
        values = [axis.values[indices[index]] for indices in combinations(axes)]
        kind = _kind(values, is_numeric=axis.is_numeric)
        texts = [json.dumps(value) if not isinstance(value, str) else value for value in values]
        where = f"seat{axis.seats[0]}_" if shared[axis.name] > 1 else ""
        listed = ", ".join(sql.quote(text) for text in texts)
        by_arm = f"((ARRAY[{listed}])[m.arm_index + 1])::{SQL_TYPES[kind]}"
        field = Field(of_sweep(axis.name).meaning, kind)
        found.append(Column(f"sweep_{where}{axis.name}", by_arm, field, is_typed=kind == "string"))
    return tuple(found)


def _kind(values: Sequence[object], *, is_numeric: bool) -> Kind:
    if all(type(value) is int for value in values):
        return "int64"
    return "double" if is_numeric else "string"
