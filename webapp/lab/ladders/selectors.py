"""Reading: ratings of a ladder, its pairs, what is played next and what it costs, in numbers and in words.

All numbers of the page, the file, the shared page and its card are those of `standing`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.db import connection
from django.db.models import Sum

from webapp.common.formats import THIN, count, interval_text, number, plural, signed
from webapp.common.formats import seconds as seconds_text
from webapp.lab.results import cache
from webapp.records import ladders
from webapp.records.metrics import WHOLE_MATCH
from webapp.records.models import Experiment, Summary
from worker.analysis.intervals import Interval
from worker.analysis.rating_fit import PairResult
from worker.analysis.ratings import LEAST_DEALS, Ratings
from worker.ladders import report, rounds
from worker.ladders import standing as standings
from worker.ladders.report import Cost, Json
from worker.ladders.rounds import Round, Step
from worker.ladders.standing import Standing
from worker.spec import ExperimentSpec, Ladder, from_json

MEAN = 1500
"""Points of the mean of the pool, as pages show them."""
SURE = 99.0
ENOUGH_DEALS = 30
"""Deals under which no probability is said: it would know more of the tails than they do."""
LEAST_TICKS = 3
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000)
DOUBTFUL_P = 0.05
WHY = {
    rounds.ALL: "All its deals are played in one go.",
    rounds.START: "New here: these deals link it to the others.",
    rounds.LATE: "New here: until it has its deals, of its tables the one that tells most.",
    "order": "Their order is open, and this table settles most of it for its price.",
    "width": "Of all neighbours, the lead that is known worst.",
}
PAIRING_WORDS = {
    "round_robin": "All against all",
    "gauntlet": "Some against all",
    "uncertainty": "Where it tells most",
}
END_WORDS = {
    rounds.PLANNED: "All deals are played. Add an engine, or more deals, and it goes on.",
    rounds.SETTLED: "More deals would not change the order.",
}


@dataclass(frozen=True)
class State:
    """A ladder as its rows have it now."""

    spec: ExperimentSpec
    ladder: Ladder
    standing: Standing
    costs: Mapping[int, Cost]


@cache.patient
def state(experiment: Experiment) -> State:
    """Read the rows, and rate."""
    spec = from_json(experiment.spec)
    assert spec.ladder is not None
    connection.ensure_connection()
    found = standings.of_rows(spec, ladders.rows(connection.connection, experiment.pk))
    return State(spec, spec.ladder, found, _costs(experiment, spec.ladder))


def _costs(experiment: Experiment, ladder: Ladder) -> dict[int, Cost]:
    """Entry -> CPU seconds of its decisions; empty where plies are not recorded."""
    rows = Summary.objects.filter(experiment=experiment, metric="cpu_s", ply=WHOLE_MATCH)
    sums = rows.values_list("arm_index", "lineup_index").annotate(Sum("total"), Sum("n"))
    found: dict[int, Cost] = defaultdict(Cost)
    for arm, place, total, n in sums.order_by():
        entry = ladder.tables[arm][place % ladder.sides]
        found[entry] += Cost(total, n if place < ladder.sides else 0)
    return dict(found)


def last_round(experiment: Experiment) -> Round:
    """The round that is being played, or after which nothing came."""
    return Round.from_json(experiment.plan) if experiment.plan else Round(())


def result_json(experiment: Experiment) -> Json:
    """All numbers as a file."""
    now = state(experiment)
    return report.to_json(now.spec, now.standing, now.costs, last_round(experiment))


# ---- the page


@dataclass(frozen=True)
class Tick:
    """A mark of the axis. at: its place in per cent."""

    at: str
    text: str


@dataclass(frozen=True)
class RatingRow:
    """One engine. low, middle, high: places on the axis in per cent, empty without an interval.

    cut: at which edges the interval goes on, "low", "high" or both.
    """

    rank: int
    name: str
    description: str
    note: str
    rating: str
    ends: str
    order: str
    low: str
    middle: str
    high: str
    cut: str
    is_present: bool


@dataclass(frozen=True)
class Forest:
    """Ratings drawn in a table. zero: place of the mean on the axis."""

    rows: Sequence[RatingRow]
    ticks: Sequence[Tick]
    zero: str

    @property
    def is_cut(self) -> bool:
        """Whether some interval goes on beyond the axis."""
        return any(row.cut for row in self.rows)


@dataclass(frozen=True)
class Cell:
    """How one did against another. share: in per cent; words: for those who do not see the colour."""

    share: int
    text: str
    deals: str
    margin: str
    words: str


@dataclass(frozen=True)
class MatrixRow:
    """One engine against all; None where they have not met, or against itself."""

    rank: int
    name: str
    cells: Sequence[Cell | None]


@dataclass(frozen=True)
class NextRow:
    """A table that plays next: who, why, and what it gains."""

    names: Sequence[str]
    why: str
    gain: str


@dataclass(frozen=True)
class VersionRow:
    """Two versions of one engine."""

    later: str
    earlier: str
    lead: str
    words: str


@dataclass(frozen=True)
class LadderPage:
    """Everything that the page of a ladder says."""

    answer: str
    under: str
    forest: Forest
    unrated: Sequence[str]
    matrix: Sequence[MatrixRow]
    is_of_pairs: bool
    fit: str
    following: Sequence[NextRow]
    more_following: int
    end: str
    versions: Sequence[VersionRow]
    pairing: str
    warnings: Sequence[str]
    has_costs: bool


MAX_NEXT = 6


def page(experiment: Experiment) -> LadderPage:
    """The page of now."""
    now, last = state(experiment), last_round(experiment)
    order = report.ordered(now.standing)
    following = [_next_row(now, step) for step in last.steps]
    return LadderPage(
        answer=answer(now),
        under=_under(now),
        forest=_forest(now, order),
        unrated=[e.name for i, e in enumerate(now.ladder.entries) if i not in order],
        matrix=_matrix(now, order),
        is_of_pairs=now.ladder.sides == 2,
        fit=_fit_words(now),
        following=following[:MAX_NEXT],
        more_following=max(0, len(following) - MAX_NEXT),
        end=END_WORDS.get(last.end, ""),
        versions=[_version_row(now, pair) for pair in report.versions(now.spec)],
        pairing=PAIRING_WORDS[now.ladder.pairing],
        warnings=_warnings(now),
        has_costs=any(cost.a_match is not None for cost in now.costs.values()),
    )


def answer(now: State) -> str:
    """The sentence that a ladder begins with; empty before anything is known."""
    order = report.ordered(now.standing)
    if now.standing.ratings is None or len(order) < 2:
        return ""
    first, second = (now.standing.rated.index(i) for i in order[:2])
    names = [now.ladder.entries[i].name for i in order[:2]]
    lead, interval = now.standing.ratings.lead(first, second), now.standing.ratings.lead_interval(first, second)
    if interval is None:
        return f"No leader yet: {_least_deals(now, first, second)}, and an interval takes {LEAST_DEALS}."
    points = f"{names[0]} leads, {plural(round(lead), 'point', 'points')} above {names[1]}"
    if not round(lead):
        points = f"{names[0]} and {names[1]} lead, level so far"
    points = f"{points} ({interval_text(interval, 0)})"
    probability = _probability_above(now.standing.ratings, first, second)
    if probability is None:
        return f"{points}. That rests on few deals: {_least_deals(now, first, second)}."
    sure = _sure(probability, is_apart=now.standing.ratings.ranks(first) == (1, 1))
    return f"{points}: {sure} sure that it is the stronger."


def _least_deals(now: State, first: int, second: int) -> str:
    """Which of two rated engines has fewer deals, and how many; tables that play the same deals count once."""
    assert now.standing.ratings is not None
    deals = now.standing.ratings.deals
    few = min(first, second, key=lambda place: int(deals[place]))
    name = now.ladder.entries[now.standing.rated[few]].name
    return f"{name} has {plural(int(deals[few]), 'different deal', 'different deals')}"


def _probability_above(found: Ratings, first: int, second: int) -> float | None:
    """Probability that the first is the stronger; None where too few deals speak of it."""
    return found.probability_above(first, second) if found.least_deals(first, second) >= ENOUGH_DEALS else None


def _sure(probability: float, *, is_apart: bool = True) -> str:
    """A probability in words. is_apart: whether sets of ranks, for which all others count, hold the two apart."""
    percent = 100 * probability
    if percent > SURE and is_apart:
        return f"more than {number(SURE, 0)}{THIN}%"
    return f"{number(min(SURE, percent), 0)}{THIN}%"


def _under(now: State) -> str:
    standing = now.standing
    if not standing.meetings:
        return "Ratings come when every engine has met others on whole deals."
    matches = sum(len(m.ranks) for m in standing.meetings)
    played = f"{plural(matches, 'match', 'matches')} on {plural(len(standing.meetings), 'deal', 'deals')} of tables"
    model = (
        "Ratings explain all pairs at once (Bradley and Terry), a draw is half a win"
        if now.ladder.sides == 2
        else "Ratings explain all places at once (Plackett and Luce), a tie is each of its orders in equal parts"
    )
    chosen = (
        " Tables are chosen by what was seen, so intervals for one look are a guide: a decision between two engines"
        " needs an experiment with a stop rule."
        if now.ladder.pairing == "uncertainty"
        else " Intervals are for one look, at the end."
    )
    return (
        f"{played}, every seating once. {model}; intervals come from resampling whole deals. "
        f"{count(MEAN)} is the mean of the pool, no engine is exact by decree.{chosen}"
    )


def _forest(now: State, order: Sequence[int]) -> Forest:
    found = now.standing.ratings
    if found is None:
        return Forest((), (), "50")
    places = [now.standing.rated.index(i) for i in order]
    intervals = [found.interval(place) for place in places]
    low, high, ticks = _axis([float(found.elo[p]) for p in places], intervals)

    def at(value: float) -> str:
        return f"{max(0.0, min(100.0, 100 * (value - low) / (high - low))):.2f}"

    rows = []
    for rank, (entry, place, interval) in enumerate(zip(order, places, intervals, strict=True), start=1):
        elo = float(found.elo[place])
        known = now.ladder.entries[entry]
        rows.append(
            RatingRow(
                rank,
                known.name,
                f"{known.seat.engine}, version {known.version}",
                _note(now, entry),
                count(round(MEAN + elo)),
                "" if interval is None else _ends(elo, interval),
                _order_words(now, order, rank - 1),
                "" if interval is None else at(interval.low),
                at(elo),
                "" if interval is None else at(interval.high),
                "" if interval is None else _cut(interval, low, high),
                known.is_present,
            )
        )
    return Forest(rows, [Tick(at(value), count(MEAN + value)) for value in ticks], at(0.0))


def _cut(interval: Interval, low: float, high: float) -> str:
    beyond = {"low": interval.low < low, "high": interval.high > high}
    return " ".join(edge for edge, is_beyond in beyond.items() if is_beyond)


def _ends(elo: float, interval: Interval) -> str:
    low, high = round(elo - interval.low), round(interval.high - elo)
    if abs(low - high) <= max(2, 0.1 * max(low, high)):
        return f"±{count(round((low + high) / 2))}"
    return f"({interval_text((MEAN + interval.low, MEAN + interval.high), 0)})"


def _axis(values: Sequence[float], intervals: Sequence[Interval | None]) -> tuple[float, float, list[int]]:
    """Ends and ticks that hold all ratings; intervals may leave it by a half of their spread."""
    spread = max(values) - min(values) or 100.0
    ends = [end for interval in intervals if interval for end in interval]
    low = max(min([*values, *ends]), min(values) - spread / 2)
    high = min(max([*values, *ends]), max(values) + spread / 2)
    pad = 0.04 * (high - low) or 1.0
    low, high = low - pad, high + pad
    step = next((step for step in STEPS if (high - low) / step <= 6), STEPS[-1])
    return low, high, [step * i for i in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def _note(now: State, entry: int) -> str:
    parts = []
    cost = now.costs.get(entry, Cost()).a_match
    if cost is not None:
        parts.append(f"{seconds_text(cost)} CPU a match")
    parts.append(plural(now.standing.matches(entry), "match", "matches"))
    margin, interval = now.standing.margin(entry)
    if margin is not None:
        around = f" ({interval_text(interval)})" if interval and now.ladder.sides == 2 else ""
        parts.append(f"margin {signed(margin)}{around}")
    if now.ladder.sides > 2:
        rank, rank_interval = now.standing.mean_rank(entry)
        if rank is not None:
            around = f" ({interval_text(rank_interval, 2)})" if rank_interval else ""
            parts.append(f"mean place {number(rank, 2)}{around}")
    if not now.ladder.entries[entry].is_present:
        parts.append("plays no more: its engine has a newer version")
    return ", ".join(parts)


def _order_words(now: State, order: Sequence[int], index: int) -> str:
    found = now.standing.ratings
    assert found is not None
    place = now.standing.rated.index(order[index])
    first, last = found.ranks(place)
    ranks = f"rank {first}" if first == last else f"rank {first} to {last}"
    if index + 1 == len(order):
        return ranks
    probability = _probability_above(found, place, now.standing.rated.index(order[index + 1]))
    if probability is None:
        return f"{ranks}, few deals"
    sure = _sure(probability, is_apart=last == index + 1).replace("more than", ">")
    return f"{ranks}, above the next {sure}"


def _matrix(now: State, order: Sequence[int]) -> list[MatrixRow]:
    results = {}
    for pair in now.standing.pairs:
        first, second = now.standing.rated[pair.first], now.standing.rated[pair.second]
        results[first, second], results[second, first] = pair, _turned(pair)
    return [
        MatrixRow(
            rank,
            now.ladder.entries[entry].name,
            [_cell(now, results.get((entry, other)), entry, other) for other in order],
        )
        for rank, entry in enumerate(order, start=1)
    ]


def _turned(pair: PairResult) -> PairResult:
    """The same, seen by the second."""
    interval = None if pair.interval is None else Interval(1 - pair.interval.high, 1 - pair.interval.low)
    return replace(
        pair,
        first=pair.second,
        second=pair.first,
        share=1 - pair.share,
        expected=1 - pair.expected,
        interval=interval,
    )


def _cell(now: State, pair: PairResult | None, entry: int, other: int) -> Cell | None:
    if pair is None:
        return None
    margin = now.standing.pair_margin(entry, other) if now.ladder.sides == 2 else None
    around = ""
    if pair.interval is not None:
        around = f" ({interval_text((100 * pair.interval.low, 100 * pair.interval.high), 0)})"
    matches, deals = plural(round(pair.matches), "match", "matches"), plural(pair.deals, "deal", "deals")
    what = "points" if now.ladder.sides == 2 else "ahead"
    names = f"{now.ladder.entries[entry].name} against {now.ladder.entries[other].name}"
    words = (
        f"{names}: {number(100 * pair.share, 0)}{THIN}%"
        f"{around} {what} in {matches} on {deals}, {number(100 * pair.expected, 0)}{THIN}% by their ratings,"
        f"{'' if margin is None else f' margin {signed(margin)}'}"
    ).rstrip(",")
    share = number(100 * pair.share, 0)
    return Cell(round(100 * pair.share), share, count(pair.deals), "" if margin is None else signed(margin), words)


def _fit_words(now: State) -> str:
    fit = now.standing.fit
    if fit is None:
        return ""
    names = [now.ladder.entries[i].name for i in now.standing.rated]
    circles = "".join(
        f" A circle: {names[a]} beats {names[b]}, {names[b]} beats {names[c]}, {names[c]} beats {names[a]}"
        f" ({_sure(circle.probability)} sure)."
        for circle in fit.circles[:3]
        for a, b, c in [circle.players]
    )
    if fit.p is None:
        return f"Too little is known to test whether one number an engine explains these shares.{circles}"
    p = f"p {number(fit.p, 3) if fit.p >= 0.001 else '< 0.001'}, {plural(fit.freedom, 'degree', 'degrees')} of freedom"
    if fit.p < DOUBTFUL_P:
        return f"The ratings do not explain these shares ({p}): some engine is a special answer to another.{circles}"
    return f"The ratings fit these shares ({p}).{circles}"


def _next_row(now: State, step: Step) -> NextRow:
    names = [now.ladder.entries[i].name for i in now.ladder.tables[step.arm]]
    deals = plural(step.deals, "deal", "deals")
    if step.upper is None or step.lower is None or step.before is None or step.after is None:
        return NextRow(names, WHY[step.why], f"{deals}, from deal {count(step.first)} on")
    gap = f"{deals}: lead known within ±{number(step.before, 0)} → ±{number(step.after, 0)}"
    pair = [now.ladder.entries[i].name for i in (step.upper, step.lower)]
    of = "" if set(pair) == set(names) else f", of {pair[0]} over {pair[1]}"
    return NextRow(names, WHY[step.why], gap + of)


def _version_row(now: State, pair: report.Versions) -> VersionRow:
    entries, standing = now.ladder.entries, now.standing
    names = entries[pair.later].name, entries[pair.earlier].name
    versions = entries[pair.later].version, entries[pair.earlier].version
    if standing.ratings is None or not {pair.later, pair.earlier} <= set(standing.rated):
        return VersionRow(
            *names, "", "Not comparable yet: the newer one has to meet some of those whom the older one met."
        )
    later, earlier = standing.rated.index(pair.later), standing.rated.index(pair.earlier)
    lead, interval = standing.ratings.lead(later, earlier), standing.ratings.lead_interval(later, earlier)
    probability = _probability_above(standing.ratings, later, earlier)
    sure = "few deals, "
    if probability is not None:
        sure = f"{_sure(probability)} sure that version {versions[0]} is the stronger, "
    points = f"{signed(lead, 0)} points ({interval_text(interval, 0)})" if interval else f"{signed(lead, 0)} points"
    words = (
        f"Version {versions[0]} against {versions[1]}: {sure}by way of those whom both met, as old code cannot play."
    )
    return VersionRow(*names, points, words)


def _warnings(now: State) -> list[str]:
    standing, found = now.standing, []
    if standing.partial:
        found.append(
            f"{plural(standing.partial, 'match counts', 'matches count')} nowhere yet: other matches of the same deals"
            " are still missing, or failed."
        )
    if standing.foreign:
        found.append(
            f"{plural(standing.foreign, 'match was', 'matches were')} played by a version of an engine that is no entry"
            " here, and count nowhere."
        )
    return found
