"""The numbers of a run so far, summed up by the database."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import connection
from psycopg import sql

from webapp.lab.presets.models import PresetRun
from webapp.lab.results import counted
from webapp.lab.results.cache import per_version
from webapp.lab.results.queries import snapshot
from webapp.lab.studies import selectors as studies
from webapp.records import metric_numbers
from webapp.records.metric_numbers import Names
from webapp.records.models import Experiment, Study
from worker.analysis.moments import BlockMoments, Moments
from worker.presets import pooling, registry
from worker.presets.model import Preset
from worker.presets.numbers import (
    DRAWS,
    MARGIN,
    SCORE,
    WINS,
    Key,
    Numbers,
    Quantity,
    SeatTally,
    Side,
    Together,
    num_speakers,
)

SEATS = """
SELECT arm_index, side, seat,
       count(*) FILTER (WHERE result = 'win'), count(*) FILTER (WHERE result = 'draw'),
       count(*) FILTER (WHERE result = 'loss'), count(*),
       sum(score)::float8, sum(score::float8 * score), min(score), max(score)
FROM {seats} AS s WHERE lineup_index < {speakers} GROUP BY arm_index, side, seat
"""

BLOCKS = """
SELECT arm_index, side, count(*) FILTER (WHERE n > 0), sum(n), sum(t), sum(t * t), sum(t * n), sum(n * n)
FROM (SELECT arm_index, side, deal, {top}::float8 AS t, {per}::float8 AS n
      FROM {seats} AS s WHERE lineup_index < {speakers} GROUP BY arm_index, side, deal) AS block
GROUP BY arm_index, side
"""
DEALS = """
SELECT arm_index, side, seat, deal,
       count(*), count(*) FILTER (WHERE result = 'win'), sum(score)::float8, sum(margin)::float8
FROM {seats} AS s WHERE lineup_index < {speakers} GROUP BY arm_index, side, seat, deal
"""
MATCHES = sql.SQL("count(*)")
RESULTS = (
    (WINS, sql.SQL("count(*) FILTER (WHERE result = 'win')"), MATCHES),
    (DRAWS, sql.SQL("count(*) FILTER (WHERE result = 'draw')"), MATCHES),
    (SCORE, sql.SQL("sum(score)"), MATCHES),
    (MARGIN, sql.SQL("sum(margin)"), MATCHES),
)


def numbers(preset: Preset, run: PresetRun) -> Numbers:
    """The numbers of a run: of an experiment, results by seat and the preset's quantities; of a study, its result."""
    return MAKERS[run.job.word](preset, run.job)


def with_pools(preset: Preset, run: PresetRun, found: Numbers) -> Numbers:
    """The numbers of a run that has ended, with the cells that are pooled; nothing more of a study."""
    job = run.job
    if not isinstance(job, Experiment):
        return found
    described, as_run = together(job, preset.id)
    return replace(found, together=described, as_run=as_run)


def _of_study(_: Preset, study: Study) -> Numbers:
    return Numbers(study=studies.presentation_of(study).current.result or {})


def _of_experiment(preset: Preset, experiment: Experiment) -> Numbers:
    return _summed(experiment, preset.quantities).moved(_places(preset, experiment))


def _places(preset: Preset, experiment: Experiment) -> tuple[int, ...]:
    """The preset's arm of each arm of a run; a sweep has all of its arms in their order."""
    spec = experiment.spec
    return tuple(range(len(counted.seating(experiment)))) if "sweep" in spec else preset.places(spec)


@per_version
def _summed(experiment: Experiment, counted_too: tuple[Quantity, ...]) -> Numbers:
    """Results by seat and the sums of results and quantities, kept until something new is written."""
    with snapshot():
        blocks: dict[Side, dict[str, BlockMoments]] = {}
        names = metric_numbers.of_game(experiment.game)
        quantities = [(q.id, _top(names, q), _total(names, q.per) if q.per else _held(names, q)) for q in counted_too]
        for name, top, per in (*RESULTS, *quantities):
            for side, moments in _blocks(experiment, top, per):
                blocks.setdefault(side, {})[name] = moments
        sides = {arm: seating.sides for arm, seating in enumerate(counted.seating(experiment))}
        return Numbers(_seats(experiment), blocks, sides=sides)


@per_version
def together(experiment: Experiment, preset_id: str) -> tuple[Mapping[str, Together], Mapping[str, Together]]:
    """The cells of a preset that are pooled, of an experiment that has ended: as described, by the authors' program."""
    preset = registry.get(preset_id)
    if not pooling.pools_of(preset):
        return {}, {}
    sides, places = [arm.sides for arm in counted.seating(experiment)], _places(preset, experiment)
    found: dict[Key, dict[int, tuple[float, float]]] = {}
    for arm, side, seat, deal, n, *totals in _rows(DEALS, experiment):
        for quantity, total in zip((WINS, SCORE, MARGIN), totals, strict=True):
            for key in (Key(arm, side, seat, quantity), Key(arm, side, None, quantity)):
                deals = found.setdefault(key, {})
                before = deals.get(deal, (0.0, 0.0))
                deals[deal] = (before[0] + n, before[1] + total)

    def of_key(key: Key) -> Mapping[int, tuple[float, float]]:
        """Empty for an arm that this run does not have."""
        if key.arm not in places:
            return {}
        arm = places.index(key.arm)
        return found.get(key._replace(arm=arm, place=key.place % sides[arm]), {})

    return pooling.together(preset, of_key), pooling.together(preset.of_program, of_key)


MAKERS: Mapping[str, Callable[[Preset, Any], Numbers]] = {"experiment": _of_experiment, "study": _of_study}
"""Word of a kind of job (`Job.word`) -> the function that sums one up."""


def _seats(experiment: Experiment) -> dict[tuple[int, int, int], SeatTally]:
    found = {}
    for arm, side, seat, wins, draws, losses, n, total, squares, low, high in _rows(SEATS, experiment):
        found[arm, side, seat] = SeatTally(wins, draws, losses, Moments(n, total, squares), low, high)
    return found


def _blocks(experiment: Experiment, top: sql.Composable, per: sql.Composable) -> list[tuple[Side, BlockMoments]]:
    return [
        ((arm, side), BlockMoments(blocks, round(n), total, squares, cross, round(n_squares)))
        for arm, side, blocks, n, total, squares, cross, n_squares in _rows(BLOCKS, experiment, top=top, per=per)
        if total is not None
    ]


def _top(names: Names, quantity: Quantity) -> sql.Composed:
    """The total of a quantity over the rows of a group, or how many of them reach it."""
    if quantity.reaches is None:
        return _total(names, quantity.top)
    of_row = _of_row(names, quantity.top)
    return sql.SQL("count(*) FILTER (WHERE {} >= {})").format(of_row, sql.Literal(quantity.reaches))


def _held(names: Names, quantity: Quantity) -> sql.Composed:
    """The number of rows of a group that have the metrics: older matches may lack some."""
    return sql.SQL("count({})").format(_of_row(names, quantity.top))


def _total(names: Names, metrics: Sequence[str]) -> sql.Composed:
    """The sum of some metrics over the rows of a group."""
    return sql.SQL("sum({})").format(_of_row(names, metrics))


def _of_row(names: Names, metrics: Sequence[str]) -> sql.Composed:
    return sql.SQL(" + ").join(names.expression(name, "s") for name in metrics)


def _rows(statement: str, experiment: Experiment, **parts: sql.Composable) -> Sequence[tuple[Any, ...]]:
    arms = counted.seating(experiment)
    speakers = [num_speakers(experiment.game, arm.sides, arm.seats) for arm in arms]
    listed = sql.SQL(", ").join(map(sql.Literal, speakers))
    query = sql.SQL(statement).format(
        seats=counted.seats(experiment), speakers=sql.SQL("(ARRAY[{}])[arm_index + 1]").format(listed), **parts
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows
