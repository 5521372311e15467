"""The summary of an analysis in words; the template only places it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from webapp.common.formats import number, plural, signed, span
from webapp.common.naming import inside, with_names
from webapp.lab.studies import results
from webapp.matches.ply_curve import Curve
from webapp.matches.reviews import curve
from webapp.matches.selectors import MatchPage
from webapp.records.models import Study
from webapp.table.live import action_words

SHOWN = 8
"""Decisions that are listed of those that perhaps cost nothing."""
SHOWN_DRAWS = 8
EXACT = "exact"
"""Word in place of an interval that has no width."""
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Side:
    """A seat, or two partners. mark: the first one's seat."""

    mark: int
    name: str


@dataclass(frozen=True)
class Decision:
    """A decision that lost something; actions in words. ply: plies played with it, as replays count; held: in hand."""

    ply: int
    seat: int
    name: str
    held: str
    played: str
    best: str
    loss: str
    between: str


@dataclass(frozen=True)
class Draw:
    """A draw that surely changed something for a side. ply: after which it was."""

    ply: int
    drawn: str
    for_whom: Side
    change: str
    between: str


@dataclass(frozen=True)
class Cost:
    """Cost of a decision, for lists of moves. ply: as replays count; best: empty where it is not spelt out."""

    ply: int
    loss: str
    between: str
    is_sure: bool
    best: str


@dataclass(frozen=True)
class Part:
    """One part of a margin with its half-width. start, width: of its bar, in per cent of what the side's bars span."""

    label: str
    value: str
    half: str
    start: float = 0.0
    width: float = 0.0
    is_gain: bool = True


@dataclass(frozen=True)
class Margin:
    """What the margin of a side is made of: its parts, which add up to it. zero: where bars begin, in per cent."""

    side: Side
    parts: Sequence[Part]
    total: Part
    zero: float


@dataclass(frozen=True)
class ReviewSummary:
    """All of it. is_whole: every decision has been looked at; failed: so many could not be.

    cut: a sentence where the match was not played to its end; empty where it was. margins: of each
    side; doubtful: those listed, of `num_doubtful`; costs: of all decisions that cost something or may have.
    """

    study: Study
    done: int
    failed: int
    total: int
    problem: str = ""
    cut: str = ""
    by: str = ""
    playouts: int = 0
    curve: Curve | None = None
    mistakes: Sequence[Decision] = ()
    doubtful: Sequence[Decision] = ()
    num_doubtful: int = 0
    draws: Sequence[Draw] = ()
    costs: Sequence[Cost] = ()
    margins: Sequence[Margin] = ()
    finding: str = ""

    @property
    def costs_by_ply(self) -> dict[int, dict[str, Any]]:
        """The costs as the page's script reads them."""
        return {cost.ply: asdict(cost) for cost in self.costs}

    @property
    def is_live(self) -> bool:
        """Whether more may still come by itself."""
        return self.study.status == Study.Status.RUNNING

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing."""
        return self.done == self.total

    @property
    def percent(self) -> int:
        """Percentage of the decisions that were looked at."""
        return 100 * (self.done + self.failed) // max(1, self.total)

    @property
    def version(self) -> str:
        """Changes whenever there is something new to show."""
        return _version(self.study, self.done, self.failed)


def version(study: Study) -> str:
    """Version of what is known by now, without making it."""
    _, _, done, failed, _ = results.version(study)
    return _version(study, done, failed)


def _version(study: Study, done: int, failed: int) -> str:
    return f"{study.pk}-{study.status}-{done}-{failed}"


def summarise(study: Study, page: MatchPage) -> ReviewSummary:
    """Sum up what a study of this match says by now."""
    found = results.current(study)
    counted = ReviewSummary(study, found.done, found.failed, study.num_pieces, problem=found.problem)
    if found.result is None:
        return counted
    result, sides = found.result, sides_of(page)
    costly = [row for row in result["decisions"] if row["loss"] > 0]
    sure, unsure = ([row for row in costly if row["is_mistake"] == is_sure] for is_sure in (True, False))
    mistakes, doubtful = ([decision(row, page) for row in rows] for rows in (sure, unsure[:SHOWN]))
    last = max(page.num_plies, result["first"] + result["num_plies"])
    return replace(
        counted,
        problem="",
        cut=_cut(result),
        by=result["by"],
        playouts=study.spec["parameters"]["playouts"],
        curve=curve.build(result, [(side.mark, side.name) for side in sides], last),
        mistakes=mistakes,
        num_doubtful=len(unsure),
        doubtful=doubtful,
        costs=_costs(costly, [*mistakes, *doubtful]),
        draws=_draws(result["draws"], sides, page.inner_names),
        margins=[_margin(result, side) for side in sides] if result["parts"] else (),
        finding=_finding(result, sides, sure) if result["parts"] else "",
    )


def _costs(rows: Sequence[Row], spelt: Sequence[Decision]) -> list[Cost]:
    """spelt: the decisions whose better move is known in words."""
    best = {one.ply: one.best for one in spelt}
    return [
        Cost(
            row["ply"] + 1, number(row["loss"], 1), _between(row), bool(row["is_mistake"]), best.get(row["ply"] + 1, "")
        )
        for row in rows
    ]


def _between(row: Row) -> str:
    return span(row["low"], row["high"]) if row["high"] > row["low"] else EXACT


def sides_of(page: MatchPage) -> list[Side]:
    """Seats, the reader's own first; partners as one where there are teams."""
    assert page.walked is not None
    if not page.walked.game.traits.has_teams:
        return [Side(seat, page.names[seat]) for seat in page.around]
    return [
        Side(seat % 2, " and ".join(page.names[one] for one in page.around[k::2]))
        for k, seat in enumerate(page.around[:2])
    ]


def decision(row: Row, page: MatchPage) -> Decision:
    """One decision in words."""
    words, best = _in_words(row, page)
    held, played = action_words.split_held(words)
    return Decision(
        ply=row["ply"] + 1,
        seat=row["seat"],
        name=page.seats[row["seat"]].name,
        held=held,
        played=action_words.capitalise(played),
        best=action_words.capitalise(action_words.split_held(best)[1]),
        loss=number(row["loss"], 1),
        between=_between(row),
    )


def _in_words(row: Row, page: MatchPage) -> tuple[str, str]:
    """The action played and the better one, as the table words them; in notation past the end of what was walked."""
    notations, replay = (row["played"], row["best"]), page.walked
    if replay is None or row["ply"] >= len(replay.states):
        return notations
    told = action_words.describe_pair(replay.game, replay.states[row["ply"]], notations)
    played, best = (with_names(words, page.inner_names) for words in told)
    return played, best


def _draws(rows: Sequence[Row], sides: Sequence[Side], names: Sequence[str]) -> list[Draw]:
    """The draws that surely helped a side, the greatest change first; the side that each helped most."""
    found = []
    for row in rows:
        change, side = max(((row["changes"][side.mark], side) for side in sides), key=lambda one: one[0][0])
        if change[1] > 0:
            found.append((change[0], row, change, side))
    found.sort(key=lambda one: (-one[0], one[1]["ply"]))
    return [
        Draw(
            row["ply"],
            action_words.capitalise(with_names(row["drawn"], names)),
            replace(side, name=inside(side.name)),
            signed(change[0], 1),
            f"{signed(change[1], 1)} to {signed(change[2], 1)}",
        )
        for _, row, change, side in found[:SHOWN_DRAWS]
    ]


LABELS = {
    "start": "From the start",
    "own": "Own decisions",
    "others": "Others\N{RIGHT SINGLE QUOTATION MARK} decisions",
    "luck": "Luck of the draws",
}


def _margin(result: Row, side: Side) -> Margin:
    """The margin of a side with its parts, and bars for all of them on one scale; a start of zero is left out."""
    mean, error = result["end"][side.mark]
    given = result["parts"][side.mark]
    names = [name for name in LABELS if name != "start" or round(given[name][0], 1)]
    values = [given[name][0] for name in names]
    low, high = min(0.0, mean, *values), max(0.0, mean, *values)
    width = (high - low) or 1.0
    parts = []
    for name, value in zip(names, values, strict=True):
        half = f"±{number((given[name][2] - given[name][1]) / 2, 1)}"
        parts.append(_bar(Part(LABELS[name], signed(value, 1), half), value, low, width))
    total = Part("Margin", signed(mean, 0), "")
    if result["is_cut"]:
        total = Part("Expected margin", signed(mean, 1), f"±{number(curve.NORMAL * error, 1)}")
    return Margin(side, parts, _bar(total, mean, low, width), round(-100 * low / width, 2))


def _bar(part: Part, value: float, low: float, width: float) -> Part:
    start = 100 * (min(0.0, value) - low) / width
    return replace(part, start=round(start, 2), width=round(100 * abs(value) / width, 2), is_gain=value >= 0)


def _cut(result: Row) -> str:
    """Sentence on a match that was not played to its end: what stands in place of that end."""
    if not result["is_cut"]:
        return ""
    return (
        f"The match ended early, after move {result['first'] + result['num_plies']}. In place of its end the margin "
        f"is shown that was expected there, had all played on as {result['by']}."
    )


def _finding(result: Row, sides: Sequence[Side], mistakes: Sequence[Row]) -> str:
    """The sentence on top: who had the luck, and how many mistakes there were."""
    luck = "The draws favoured nobody for certain"
    for side in sides:
        if side.mark == result["favoured"]:
            part = _margin(result, side).parts[-1]
            luck = f"The draws favoured {inside(side.name)} by {part.value.removeprefix('+')} {part.half} points"
    said = plural(len(mistakes), "decision", "decisions") if mistakes else "no decision"
    return f"{luck}; {said} cost points for certain."
