"""When matches are won, and what is left in hand: lines over plies with intervals over deals, a line a side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games import registry as game_registry
from webapp.common.formats import THIN, count, interval_text, number, signed
from webapp.lab.results import ply_sums
from webapp.lab.results.charts import by_ply, kinds, number_lines
from webapp.lab.results.charts.by_ply import KEEPS_NONE, NO_PLIES
from webapp.lab.results.charts.figure import (
    SCORE,
    Chart,
    Column,
    Figure,
    Group,
    Number,
    Trace,
    band,
    by_arm,
    counts,
    keyed,
    kind_label,
    legend,
    nothing_yet,
    of_group,
    plain,
    signed_ticks,
)
from webapp.lab.results.charts.margin_distribution import margin_numbers
from webapp.lab.results.method import method
from webapp.lab.results.ply_sums import AtPly
from webapp.lab.results.selectors import results
from webapp.lab.results.sides import Side
from webapp.records.models import Experiment
from worker.analysis.intervals import Interval
from worker.analysis.moments import BlockMoments

LEAD, IN_HAND = "Lead by ply", "Meeples in hand by ply"
MOST = 2_000
"""Matches of an arm whose plies are read."""
TABLE_ROWS = 8
COLUMNS = (Column("Side", False), *map(Column, ("Ply", "Matches", "Mean", f"95{THIN}% interval")))
AXIS = {"title": {"text": "Ply"}, "rangemode": "tozero"}
PROJECTED = "Projected: what would be scored if the match ended at that ply, so nothing jumps at the end."
SO_FAR = "Points so far; the open mark at the end has what the final scoring adds."


@dataclass(frozen=True)
class _Point:
    """One side at one ply, counted from 1."""

    ply: int
    sums: BlockMoments
    mean: float
    interval: Interval | None

    @property
    def bounds(self) -> tuple[float, float]:
        """Of the interval; the mean twice where there is none."""
        return self.interval or (self.mean, self.mean)


@dataclass(frozen=True)
class _Line:
    side: Side
    key: int
    points: tuple[_Point, ...]


def _read(experiment: Experiment, sides: Sequence[Side]) -> dict[tuple[int, int], tuple[AtPly, ...]]:
    """What plies say, by side."""
    places = {side.key: ply_sums.side_of(experiment, side.arm, side.place) for side in sides}
    found = ply_sums.at_plies(
        experiment, tuple(places.values()), tuple(kinds.deals(experiment, side.arm, MOST) for side in sides)
    )
    return {key: found[place] for key, place in places.items() if place in found}


def _lines(
    experiment: Experiment,
    sides: Sequence[Side],
    found: dict[tuple[int, int], tuple[AtPly, ...]],
    value: Callable[[AtPly], BlockMoments],
) -> list[_Line]:
    how, lines = method(experiment), []
    for side in sides:
        rows = [(row.ply + 1, sums) for row in found.get(side.key, ()) if (sums := value(row)).n]
        points = [_Point(ply, sums, sums.total / sums.n, how.mean(sums)) for ply, sums in rows]
        if points:
            lines.append(_Line(side, kinds.key_of(experiment, side), tuple(points)))
    return lines


def _traces(lines: Sequence[_Line], hover: str) -> list[Trace]:
    """Bands of a few below, lines above. hover: words with places for the ply and the value."""
    banded = number_lines.with_bands([drawn.points[-1].mean for drawn in lines])
    bands, strokes = [], []
    for i, drawn in enumerate(lines):
        x, y = [point.ply for point in drawn.points], [point.mean for point in drawn.points]
        low, high = (list(column) for column in zip(*(point.bounds for point in drawn.points), strict=True))
        if i in banded:
            bands.append(keyed(band(x, low, high, drawn.side.colour), drawn.key))
        words = f"{hover}<extra>{plain(drawn.side.name)}</extra>"
        strokes.append(keyed(number_lines.side_line(x, y, drawn.side, words, i), drawn.key))
    return [*bands, *strokes]


def _rows(lines: Sequence[_Line], words: Callable[[float], str]) -> list[list[str]]:
    """Some plies of each side, evenly spread, the last among them."""
    rows = []
    for drawn in lines:
        step = max(1, -(-len(drawn.points) // TABLE_ROWS))
        for point in reversed(drawn.points[::-1][::step]):
            interval = interval_text(point.interval, 1)
            rows.append([drawn.side.name, count(point.ply), count(point.sums.n), words(point.mean), interval])
    return rows


def build_lead(experiment: Experiment, choice: int | None) -> Figure:
    """Own points less the best opponent's, ply by ply."""
    subtitle = f"Mean lead over the best opponent, 95{THIN}% intervals as bands."
    sides = kinds.drawn_sides(experiment, choice)
    if choice is None and len(sides) == 2 and sides[0].arm == sides[1].arm:
        sides = sides[:1]  # the other's lead mirrors it
    found = _read(experiment, sides)
    every = [row for rows in found.values() for row in rows]
    is_projected = bool(every) and all(row.is_projected for row in every)
    has_jump = not is_projected and ply_sums.PROJECTED in game_registry.get(experiment.game).ply_notes
    lines = _lines(experiment, sides, found, lambda row: row.projected if is_projected else row.lead)
    if not lines:
        return nothing_yet(LEAD, subtitle, KEEPS_NONE if not experiment.keeps_plies else NO_PLIES)
    if has_jump:
        lines = [_Line(drawn.side, drawn.key, drawn.points[:-1] or drawn.points) for drawn in lines]
    ends = [end for drawn in lines for point in drawn.points for end in point.bounds]
    last = max(row.ply for row in every) + 1
    finals = [_final(experiment, drawn, last) for drawn in lines] if has_jump else []
    ends += [trace["y"][0] for trace in finals]
    low, high = min(0.0, *ends), max(0.0, *ends)
    an_end = "; ".join(f"{drawn.side.name} {signed(drawn.points[-1].mean)}" for drawn in lines)
    some = f" {number_lines.SOME_BANDS}" if len(lines) > number_lines.MOST_BANDS else ""
    of_one = f" {lines[0].side.name}," if len(lines) == 1 else ""
    return Figure(
        title=LEAD,
        subtitle=f"{subtitle}{of_one} {kinds.matches_in_words(experiment, [line.side for line in lines], MOST)}.",
        name=f"Lead at ply {lines[0].points[-1].ply}: {an_end}",
        note=f"{SO_FAR if has_jump else PROJECTED} A match that is over keeps its last lead.{some}",
        data=[*_traces(lines, "ply %{x}: %{y:+.1f}"), *finals],
        layout={
            "xaxis": AXIS,
            "yaxis": {"title": {"text": "Lead, points"}, "zeroline": True} | signed_ticks(low, high),
        },
        legend=legend([drawn.side for drawn in lines], is_dashed=True) if len(lines) > 1 else (),
        columns=COLUMNS,
        rows=_rows(lines, signed),
        is_keyed=True,
    )


def _final(experiment: Experiment, drawn: _Line, ply: int) -> Trace:
    """The mean margin of all matches, where the match ends."""
    rows = results(experiment).sides[drawn.side.arm]
    margin = next(row.result.mean_margin for row in rows if row.side.place == drawn.side.place)
    colour = f"@{drawn.side.colour}"
    return keyed(
        {
            "type": "scatter",
            "mode": "markers",
            "x": [ply],
            "y": [margin if margin is not None else drawn.points[-1].mean],
            "marker": {"color": colour, "size": 10, "symbol": f"{drawn.side.symbol}-open", "line": {"width": 2}},
            "cliponaxis": False,
            "hovertemplate": f"at the end: %{{y:+.1f}}<extra>{plain(drawn.side.name)}</extra>",
        },
        drawn.key,
    )


def build_score(experiment: Experiment, choice: int | None) -> Figure:
    """Points if the match had ended there, where plies note them; else those so far, as `by_ply` draws them."""
    sides = kinds.drawn_sides(experiment, choice)
    found = _read(experiment, sides) if choice is None else {}
    every = [row for rows in found.values() for row in rows]
    if not every or not all(row.is_projected for row in every):
        return by_ply.build_score(experiment, choice)
    lines = _lines(experiment, sides, found, lambda row: row.points)
    some = f" {number_lines.SOME_BANDS}" if len(lines) > number_lines.MOST_BANDS else ""
    return Figure(
        title=by_ply.SCORE,
        subtitle=f"Mean projected score, 95{THIN}% intervals as bands."
        f" {kinds.matches_in_words(experiment, [line.side for line in lines], MOST)}.",
        name="; ".join(f"{drawn.side.name} ends at {number(drawn.points[-1].mean)} points" for drawn in lines),
        note=f"{PROJECTED}{some}",
        data=_traces(lines, "ply %{x}: %{y:.1f}"),
        layout={"xaxis": AXIS, "yaxis": {"title": {"text": "Projected score, points"}, "rangemode": "tozero"}},
        legend=legend([drawn.side for drawn in lines], is_dashed=True),
        columns=COLUMNS,
        rows=_rows(lines, number),
        is_keyed=True,
    )


def build_in_hand(experiment: Experiment, choice: int | None) -> Figure:
    """Meeples left in hand, ply by ply."""
    subtitle = f"Mean number in hand after each ply, 95{THIN}% intervals as bands."
    sides = kinds.drawn_sides(experiment, choice)
    lines = _lines(experiment, sides, _read(experiment, sides), lambda row: row.in_hand)
    if not lines:
        keeps_none = not experiment.keeps_plies
        never = "Its plies have not noted what was in hand." if results(experiment).finished else NO_PLIES
        return nothing_yet(IN_HAND, subtitle, KEEPS_NONE if keeps_none else never)
    fewest = [min(drawn.points, key=lambda point: point.mean) for drawn in lines]
    some = f" {number_lines.SOME_BANDS}" if len(lines) > number_lines.MOST_BANDS else ""
    return Figure(
        title=IN_HAND,
        subtitle=f"{subtitle} {kinds.matches_in_words(experiment, [line.side for line in lines], MOST)}.",
        name="; ".join(
            f"{drawn.side.name}: fewest at ply {point.ply}, {number(point.mean)}"
            for drawn, point in zip(lines, fewest, strict=True)
        ),
        note=f"Few in hand: the next placing may have to wait for one to come home.{some}",
        data=_traces(lines, "ply %{x}: %{y:.2f} in hand"),
        layout={"xaxis": AXIS, "yaxis": {"title": {"text": "Meeples in hand"}, "rangemode": "tozero"}},
        legend=legend([drawn.side for drawn in lines], is_dashed=True),
        columns=COLUMNS,
        rows=_rows(lines, lambda mean: number(mean, 2)),
        is_keyed=True,
    )


def score_numbers(_: Experiment) -> list[Number]:
    """The final score."""
    return [Number("Score", SCORE)]


def notes_hand(experiment: Experiment) -> bool:
    """Whether plies of the game note what is in hand."""
    return ply_sums.IN_HAND in game_registry.get(experiment.game).ply_notes


CHART_SCORE = Chart(
    "score-by-ply",
    by_ply.SCORE,
    build_score,
    Group.SCORES,
    details=by_arm,
    fits=counts(by_ply.scores_at_plies),
    numbers=score_numbers,
    needs_plies=True,
    repeats="score-by-round",
)
CHART = Chart(
    "lead-by-ply",
    LEAD,
    build_lead,
    Group.SCORES,
    details=by_arm,
    numbers=margin_numbers,
    needs_plies=True,
    repeats="lead-by-turn",
)


def hand_numbers(experiment: Experiment) -> list[Number]:
    """What was stranded: it is what is missing in hand at the end."""
    stranded = of_group(game_registry.get(experiment.game).metric_table, "meeples stranded")
    return [Number(kind_label(kind), metric.id) for kind, metric in stranded.items()]


CHART_IN_HAND = Chart(
    "in-hand-by-ply",
    IN_HAND,
    build_in_hand,
    Group.MEEPLES,
    details=by_arm,
    fits=notes_hand,
    numbers=hand_numbers,
    needs_plies=True,
)
