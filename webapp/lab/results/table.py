"""The result table in words: `selectors.results` as `results/_results.html` places it."""

from __future__ import annotations

from dataclasses import dataclass

from games import registry as game_registry
from games.protocol import NUM_TEAMS
from webapp.common.formats import (
    THIN,
    UNDEFINED,
    count,
    interval_text,
    number,
    p_text,
    percent,
    plural,
    signed,
    span,
    tally,
)
from webapp.common.naming import PLACES
from webapp.lab.results import notes, queries, versions
from webapp.lab.results.answer import Answer, answer
from webapp.lab.results.comparisons import Difference
from webapp.lab.results.selectors import (
    Results,
    SideResult,
    focal_results,
    results,
    results_at_every_look,
)
from webapp.lab.results.sides import Lineups, Side
from webapp.lab.results.sweep_card import SweepCard, sweep_card
from webapp.records.models import Experiment
from worker.analysis.first_seat import FirstSeat
from worker.analysis.intervals import Interval
from worker.analysis.paired import PairedDifference
from worker.analysis.summary import PlaceResult, SeatResult
from worker.spec.naming import in_words

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")


@dataclass(frozen=True)
class Rate:
    """A win rate with its interval: words, and places on an axis from 0 to 100."""

    text: str
    interval: str
    low: str
    middle: str
    high: str


@dataclass(frozen=True)
class Row:
    """One side."""

    side: Side
    matches: str
    wins: str
    draws: str
    losses: str
    failures: int
    rate: Rate | None
    score: str
    margin: str
    half: str
    seats: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class DifferenceRow:
    """One side against another; baseline: None where the heading names it."""

    side: Side
    baseline: Side | None
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Places:
    """At which place sides came in: a share for each of `heads`, and the mean place."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Side, tuple[str, ...]], ...]
    note: str


@dataclass(frozen=True)
class VersionRow:
    """What the matches of one arm, played with the same versions, say of its side."""

    side: Side
    versions: str
    matches: str
    rate: str
    interval: str
    margin: str


@dataclass(frozen=True)
class EveryLookRow:
    """What held of a side, or of a difference, at every look: beside the narrower intervals for one look."""

    name: str
    rate: str
    margin: str
    place: str


@dataclass(frozen=True)
class Table:
    """Everything a result page says.

    answer: the head of the page; fair: where equals would be on the axis, empty without opponents;
    is_about_seats: whether what a seat is worth is all that there is to ask; places: from three sides up;
    has_places: whether differences have columns of them, too; by_version: where a game or an engine played in
    several versions; empty: why there are no numbers, empty where there are.
    """

    title: str
    subtitle: str
    answer: Answer
    rows: tuple[Row, ...]
    fair: str
    seats: tuple[tuple[str, ...], ...]
    seats_note: str
    places: Places | None
    differences: tuple[DifferenceRow, ...]
    differences_note: str
    sweep: SweepCard | None
    is_paired: bool
    by_version: tuple[VersionRow, ...]
    every_look: tuple[EveryLookRow, ...]
    is_always_valid: bool
    is_about_seats: bool
    has_places: bool
    note: str
    empty: str

    @property
    def test_head(self) -> str:
        """What heads the columns that say whether two sides differ."""
        if self.is_always_valid:
            return "So far"
        return "p (Holm)" if len(self.differences) > 1 else "p"

    @property
    def has_marks(self) -> bool:
        """Whether marks tell sides apart: of more arms than there are marks none has one."""
        return any(row.side.mark is not None for row in self.rows)

    @property
    def finding(self) -> str:
        """The answer in a sentence."""
        return self.answer.sentence

    @property
    def is_between_sides(self) -> bool:
        """Whether the differences are of sides that meet at one table: then they are the answer, not beside it."""
        return bool(self.differences) and self.differences[0].baseline is not None

    @property
    def more(self) -> str:
        """What is folded away below the tables."""
        parts = [] if self.is_about_seats else ["what a seat is worth"]
        parts.append("each side by seat")
        if self.differences and not self.is_between_sides:
            parts.append("wins and margins arm against arm")
        if self.every_look:
            parts.append("what held at every look")
        return ", ".join(parts).capitalize()


def rate(result: PlaceResult) -> Rate | None:
    """None without matches."""
    share, interval = result.win_rate, result.win_rate_interval
    if share is None or interval is None:
        return None
    low, high = 100 * interval.low, 100 * interval.high
    return Rate(percent(share), span(low, high), f"{low:.2f}", f"{100 * share:.2f}", f"{high:.2f}")


def half_width(interval: Interval | None) -> str:
    """Half of an interval as "±2.5"; empty where it is undefined."""
    return f"±{number((interval.high - interval.low) / 2)}" if interval else ""


def table(experiment: Experiment) -> Table:
    """The table as of now, and the head of its page, from one moment of the database."""
    with queries.snapshot():
        return _table(experiment, results(experiment))


def _table(experiment: Experiment, found: Results) -> Table:
    is_over = experiment.status in (Experiment.Status.FINISHED, Experiment.Status.STOPPED)
    fair, empty = found.lineups.fair_share, notes.of_nothing(found)
    return Table(
        title=f"{'Sides' if found.is_one_arm else 'Arms'}{'' if is_over else ' so far'}",
        subtitle=_subtitle(found),
        answer=answer(experiment),
        rows=tuple(_row(row, found.lineups) for row in found.compared),
        fair=f"{100 * fair:.2f}" if fair is not None else "",
        seats=tuple(_seat(row, found.lineups) for row in found.seats),
        seats_note=first_seat_words(experiment, found.first, found.lineups) if found.first else "",
        places=_places(found),
        differences=tuple(_difference(row, found) for row in found.differences),
        differences_note=notes.of_differences(found),
        sweep=sweep_card(experiment),
        is_paired=found.is_paired or found.is_one_arm,
        note=notes.of_table(experiment, found, is_over),
        by_version=_by_version(experiment, found),
        every_look=() if found.is_always_valid else _every_look(results_at_every_look(experiment)),
        is_always_valid=found.is_always_valid,
        is_about_seats=found.is_one_arm and found.versus is None and not found.differences and bool(found.seats),
        has_places=_has_places(found),
        empty=empty,
    )


def _subtitle(found: Results) -> str:
    """What a win rate is the share of."""
    against, has_teams = found.lineups.opponents, found.lineups.has_teams
    if against:
        return f"Win rate of the arm's {'team' if has_teams else 'engine'} against {against}"
    return f"Win rate: share of matches {won_words(found.lineups)}"


def won_words(lineups: Lineups) -> str:
    """How a side wins."""
    return "that a team won" if lineups.has_teams else "won alone"


def seat_words(seat: int, lineups: Lineups) -> str:
    """A seat, or in a game of teams those of one team."""
    return in_words([seat, seat + NUM_TEAMS]).capitalize() if lineups.has_teams else PLACES[seat]


def _row(row: SideResult, lineups: Lineups) -> Row:
    result = row.result
    return Row(
        side=row.side,
        matches=count(result.matches),
        wins=tally(result.wins),
        draws=tally(result.draws),
        losses=tally(result.losses),
        failures=row.failures,
        rate=rate(result),
        score=number(result.mean_score),
        margin=signed(result.mean_margin),
        half=half_width(result.margin_interval),
        seats=tuple(
            (
                seat_words(seat.seat, lineups),
                *_counts(seat),
                percent(seat.win_rate),
                number(seat.mean_score),
                f"{signed(seat.mean_margin)} {half_width(seat.margin_interval)}".strip(),
            )
            for seat in result.seats
        ),
    )


def _counts(result: SeatResult) -> tuple[str, str, str, str]:
    return count(result.matches), tally(result.wins), tally(result.draws), tally(result.losses)


def _seat(row: SeatResult, lineups: Lineups) -> tuple[str, ...]:
    return (
        seat_words(row.seat, lineups),
        *_counts(row),
        percent(row.win_rate),
        _percents(row.win_rate_interval),
        f"{signed(row.mean_margin)} {half_width(row.margin_interval)}".strip(),
    )


def _percents(interval: Interval | None) -> str:
    """An interval of a share, in per cent."""
    return span(100 * interval.low, 100 * interval.high) if interval else span(None, None)


def first_seat_words(experiment: Experiment, first: FirstSeat, lineups: Lineups) -> str:
    """Whether moving first pays, as far as the matches tell."""
    parts = ["Per seat, over all engines and arms; the deal is the unit of every interval."]
    if lineups.has_teams:
        parts.append("Who opens, the deal or the rules say.")
        who, won, others = "The team of the first seat", "that a team won", "the other one"
    elif game_registry.get(experiment.game).traits.draws_first:
        parts.append("Who begins is drawn in each match, so by the rules no seat is worth more than another.")
        who, won, others = "The first seat", "that one seat won alone", "the mean of the others"
    else:
        parts.append("The first seat moves first.")
        who, won, others = "It", "that one seat won alone", "the mean of the others"
    if first.decisive_interval is not None:
        parts.append(
            f"{who} won {percent(first.decisive_share)} ({_percents(first.decisive_interval)}) of the "
            f"{plural(first.decisive, 'match', 'matches')} {won}; {percent(first.fair_share)} would be fair."
        )
    if first.lead_interval is not None:
        parts.append(f"It leads {others} by {signed(first.lead)} {half_width(first.lead_interval)} points.")
    return " ".join(parts)


def _places(found: Results) -> Places | None:
    """None of two sides, where the win rate says it all, and in games of teams."""
    rows = [row for row in found.compared if row.result.matches]
    if not rows or len(found.lineups.parties[0]) < 3:
        return None
    heads = tuple(ORDINALS[rank.rank - 1] for rank in rows[0].result.ranks)
    note = f"Shares of matches with 95{THIN}% intervals; equal scores share the better place. The deal is the unit."
    return Places(heads, tuple((row.side, _ranks(row.result)) for row in rows), note)


def _ranks(result: PlaceResult) -> tuple[str, ...]:
    shares = (f"{percent(rank.share)} ({_percents(rank.interval)})" for rank in result.ranks)
    return (*shares, f"{number(result.mean_rank, 2)} ({interval_text(result.rank_interval, 2)})")


def _by_version(experiment: Experiment, found: Results) -> tuple[VersionRow, ...]:
    return tuple(
        VersionRow(
            found.lineups.focal(played.arm),
            words,
            count(result.matches),
            percent(result.win_rate),
            _percents(result.win_rate_interval),
            f"{signed(result.mean_margin)} {half_width(result.margin_interval)}".strip(),
        )
        for played, words in versions.mixed(experiment)
        for result in [focal_results(experiment, played.json)[played.arm]]
    )


def _every_look(found: Results) -> tuple[EveryLookRow, ...]:
    """The sides, then the differences; margins of differences between sides of one line-up are of scores."""
    sides = [
        EveryLookRow(
            row.side.name,
            _percents(row.result.win_rate_interval),
            _signed_span(row.result.margin_interval, 1),
            interval_text(row.result.rank_interval, 2),
        )
        for row in found.compared
        if row.result.matches
    ]
    differences = [
        EveryLookRow(
            f"{row.side.name} less {row.baseline.name}",
            _signed_span(row.wins.interval, 100),
            _signed_span(row.points.interval, 1),
            _signed_span(row.places.interval, 1, 2),
        )
        for row in (*found.differences, *filter(None, [found.versus]))
    ]
    return (*sides, *differences)


def _signed_span(interval: Interval | None, scale: float, digits: int = 1) -> str:
    if interval is None:
        return span(None, None)
    return f"{signed(scale * interval.low, digits)} to {signed(scale * interval.high, digits)}"


def _difference(row: Difference, found: Results) -> DifferenceRow:
    baseline = row.baseline if found.is_one_arm else None
    has_places, is_paired = _has_places(found), found.is_paired or found.is_one_arm
    return DifferenceRow(row.side, baseline, _difference_cells(row, is_paired, has_places))


def _has_places(found: Results) -> bool:
    """Whether places are compared: from three sides up, on the same deals."""
    return len(found.lineups.parties[0]) > 2 and (found.is_paired or found.is_one_arm)


def _difference_cells(row: Difference, is_paired: bool, has_places: bool) -> tuple[str, ...]:
    what = "deals" if is_paired else "matches"
    wins, points, places = (
        _paired(one, scale, what, not row.is_always_valid or (is_paired and not one.variance_ratio), digits)
        for one, scale, digits in ((row.wins, 100, 1), (row.points, 1, 1), (row.places, 1, 2))
    )
    cells: tuple[str, ...] = (
        *(count(row.wins.blocks), *wins[:2], _differs(row.wins, row.wins_p, row)),
        *(*points[:2], _differs(row.points, row.points_p, row)),
    )
    if has_places:
        cells += (*places[:2], _differs(row.places, row.places_p, row))
    return (*cells, points[2]) if is_paired else cells


def _differs(shown: PairedDifference, p: float | None, row: Difference) -> str:
    """Whether the interval that is shown leaves out 0; at the planned end the test's p beside it."""
    differs = shown.interval is not None and not shown.interval.low <= 0 <= shown.interval.high
    if row.is_always_valid:
        return "differs" if differs else "not yet"
    if p is None:
        return UNDEFINED
    return f"{p_text(p)}, differs" if differs else p_text(p)


def _paired(
    difference: PairedDifference, scale: float, what: str = "deals", is_constant: bool = True, digits: int = 1
) -> tuple[str, str, str]:
    """Difference, interval and what sharing the deals did to the variance; what: the blocks are called so.

    is_constant: whether no interval means that the difference never varied.
    """
    ratio = difference.variance_ratio
    if difference.mean is None:
        return signed(None), span(None, None), ""
    interval = difference.interval
    if interval:
        words = _signed_span(interval, scale, digits)
    elif difference.blocks < 2 or not is_constant:
        words = span(None, None)
    else:
        words = f"the same in all {count(difference.blocks)} {what}"
        if not difference.mean:
            words = f"no match differed in {count(difference.blocks)} {what}"
    return signed(scale * difference.mean, digits), words, number(ratio, 2) if ratio is not None else ""
