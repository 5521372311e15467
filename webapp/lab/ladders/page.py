"""The page of a ladder: its answer, ratings, pairs, versions, and what is played next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from webapp.common.formats import THIN, count, interval_text, number, plural, signed
from webapp.lab.ladders import words
from webapp.lab.ladders.forest import Forest, forest
from webapp.lab.ladders.selectors import State, last_round, state
from webapp.lab.ladders.words import probability_above, sure_words
from webapp.records.models import Experiment
from worker.analysis.intervals import Interval
from worker.analysis.rating_fit import PairResult
from worker.ladders import report, rounds
from worker.ladders.rounds import Step

WHY = {
    rounds.ALL: "All its deals are played in one go.",
    rounds.START: "New here: these deals link it to the others.",
    rounds.LATE: "New here: until it has its deals, of its tables the one that tells most.",
    "order": "Their order is open, and this table settles most of it for its price.",
    "width": "Of all neighbours, the lead that is known worst.",
}
END_WORDS = {
    rounds.PLANNED: "All deals are played. With another engine, or more deals, it goes on.",
    rounds.SETTLED: "More deals would not change the order.",
}
MAX_NEXT = 6


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


def page(experiment: Experiment) -> LadderPage:
    """The page of now."""
    now, last = state(experiment), last_round(experiment)
    order = report.ordered(now.standing)
    following = [_next_row(now, step) for step in last.steps]
    return LadderPage(
        answer=words.answer(now),
        under=words.under(now),
        forest=forest(now, order),
        unrated=[e.name for i, e in enumerate(now.ladder.entries) if i not in order],
        matrix=_matrix(now, order),
        is_of_pairs=now.ladder.sides == 2,
        fit=words.fit_words(now),
        following=following[:MAX_NEXT],
        more_following=max(0, len(following) - MAX_NEXT),
        end=END_WORDS.get(last.end, ""),
        versions=[_version_row(now, pair) for pair in report.versions(now.spec)],
        pairing=words.PAIRING_WORDS[now.ladder.pairing],
        warnings=words.warnings(now),
        has_costs=any(cost.a_match is not None for cost in now.costs.values()),
    )


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
    probability = probability_above(standing.ratings, later, earlier)
    sure = "few deals, "
    if probability is not None:
        sure = f"{sure_words(probability)} sure that version {versions[0]} is the stronger, "
    points = f"{signed(lead, 0)} points ({interval_text(interval, 0)})" if interval else f"{signed(lead, 0)} points"
    words = (
        f"Version {versions[0]} against {versions[1]}: {sure}by way of those whom both met, as old code cannot play."
    )
    return VersionRow(*names, points, words)
