"""The result table in words: `selectors.results` as `results/_results.html` places it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.records.models import Experiment
from webapp.results.formats import THIN, count, num_matches, number, percent, signed, span
from webapp.results.selectors import Difference, Results, SideResult, Tally, results
from webapp.results.sides import Side
from worker.analysis.intervals import Interval
from worker.analysis.paired import PairedDifference


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
    range: str
    margin: str
    half: str
    seats: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Table:
    """Everything the section says."""

    title: str
    subtitle: str
    finding: str
    rows: tuple[Row, ...]
    seats: tuple[tuple[str, ...], ...]
    differences: tuple[tuple[Side, tuple[str, ...]], ...]
    differences_note: str
    note: str
    failed: int
    is_empty: bool


def rate(tally: Tally) -> Rate | None:
    """None without matches."""
    share, interval = tally.win_rate, tally.interval
    if share is None or interval is None:
        return None
    low, high = 100 * interval.low, 100 * interval.high
    return Rate(percent(share), span(low, high), f"{low:.2f}", f"{100 * share:.2f}", f"{high:.2f}")


def half_width(interval: Interval | None, digits: int = 1) -> str:
    """Half of an interval as "±2.5"; empty where it is undefined."""
    return f"±{number((interval.high - interval.low) / 2, digits)}" if interval else ""


def table(experiment: Experiment) -> Table:
    """The table as of now."""
    found = results(experiment)
    is_over = experiment.status in (Experiment.Status.FINISHED, Experiment.Status.STOPPED)
    against = found.lineups.opponents
    return Table(
        title="Result" if is_over else "Result so far",
        subtitle=f"Win rate of the arm's engine against {against}"
        if against
        else "Win rate: share of matches won alone",
        finding=finding(found),
        rows=tuple(_row(row) for row in found.compared),
        seats=tuple(_seat(seat, tally, moments.mean, moments.interval()) for seat, tally, moments in found.seats),
        differences=tuple((row.side, _difference(row)) for row in found.differences),
        differences_note=_pairing(found),
        note=_note(found, is_over),
        failed=found.failed,
        is_empty=not found.finished,
    )


def _row(row: SideResult) -> Row:
    return Row(
        side=row.side,
        matches=count(row.tally.matches),
        wins=count(row.tally.wins),
        draws=count(row.tally.draws),
        losses=count(row.tally.losses),
        failures=row.failures,
        rate=rate(row.tally),
        score=number(row.score.mean),
        range=f"{count(row.lowest)} to {count(row.highest)}"
        if row.lowest is not None and row.highest is not None
        else "",
        margin=signed(row.margin.mean),
        half=half_width(row.margin.interval()),
        seats=tuple(
            (
                str(seat.seat),
                *_counts(seat.tally),
                percent(seat.tally.win_rate),
                number(seat.score.mean),
                f"{signed(seat.margin.mean)} {half_width(seat.margin.interval())}".strip(),
            )
            for seat in row.seats
        ),
    )


def _counts(tally: Tally) -> tuple[str, str, str, str]:
    return count(tally.matches), count(tally.wins), count(tally.draws), count(tally.losses)


def _seat(seat: int, tally: Tally, mean: float | None, interval: Interval | None) -> tuple[str, ...]:
    found = rate(tally)
    return (
        str(seat),
        *_counts(tally),
        found.text if found else percent(None),
        found.interval if found else span(None, None),
        f"{signed(mean)} {half_width(interval)}".strip(),
    )


def _difference(row: Difference) -> tuple[str, ...]:
    return (count(row.wins.blocks), *_paired(row.wins, 100), *_paired(row.margin, 1))


def _paired(difference: PairedDifference, scale: float) -> tuple[str, str, str]:
    """Difference, interval and what sharing the deals did to the variance."""
    ratio = difference.variance_ratio
    if difference.mean is None:
        return signed(None), span(None, None), ""
    interval = difference.interval
    words = f"{signed(scale * interval.low)} to {signed(scale * interval.high)}" if interval else span(None, None)
    return signed(scale * difference.mean), words, number(ratio, 2) if ratio is not None else ""


def _pairing(found: Results) -> str:
    """What the differences rest on."""
    if not found.differences:
        return ""
    left_out = max(row.wins.left_out for row in found.differences)
    parts = [
        "Differences over the deals that both arms have played whole, deal by deal.",
        "A variance ratio below 1 says how much the shared deals help.",
    ]
    if len(found.differences) > 1:
        confidence = number(100 * found.differences[0].confidence, 2)
        parts.append(f"Each interval is at {confidence}{THIN}%, so that all hold together at 95{THIN}% (Bonferroni).")
    if left_out:
        parts.append(f"Deals left out so far: at most {count(left_out)} a pair.")
    return " ".join(parts)


def _note(found: Results, is_over: bool) -> str:
    parts = [f"A win is the sole best score; draws count apart. Intervals are at 95{THIN}%."]
    if not is_over:
        parts.append(
            f"They hold for the planned {count(found.planned)} matches; "
            "while it runs, an early lead looks surer than it is."
        )
    if found.failed:
        parts.append("Failed matches have no result and are in none of these numbers.")
    return " ".join(parts)


def finding(found: Results) -> str:
    """The result as one would tell a friend; empty before the first match."""
    played = [row for row in found.compared if row.tally.matches]
    if not played:
        return ""
    best = max(played, key=lambda row: (row.tally.win_rate or 0, row.margin.mean or 0))
    shown = rate(best.tally)
    assert shown is not None
    wins = f"{shown.text} of {num_matches([best.tally.matches])} ({shown.interval})"
    margin = f"mean margin {signed(best.margin.mean)} {half_width(best.margin.interval())}".strip()
    if not found.is_one_arm:
        deed = "does best" if _is_clear(best, played) else "is ahead, not surely,"
        against = f" against {found.lineups.opponents}" if found.lineups.opponents else ""
        return f"{best.side.name} {deed}{against}: it wins {wins}, {margin}."
    return f"{best.side.name} {_verb(best, played)} {_others(best, played)}{wins}, {margin}."


def _is_clear(best: SideResult, played: Sequence[SideResult]) -> bool:
    """Whether the interval of the best one's margin leaves out those of all others."""
    interval = best.margin.interval()
    others = [row.margin.interval() for row in played if row is not best]
    return interval is not None and all(other is not None and other.high < interval.low for other in others)


def _verb(best: SideResult, played: Sequence[SideResult]) -> str:
    """Claims no more than the interval of the margin allows."""
    interval = best.margin.interval()
    if interval is None or interval.low <= 0:
        return "is ahead, not surely: it wins" if interval is None or interval.high > 0 else "wins"
    return "beats" if len(played) == 2 else "wins most:"


def _others(best: SideResult, played: Sequence[SideResult]) -> str:
    interval = best.margin.interval()
    if len(played) != 2 or interval is None or interval.low <= 0:
        return ""
    other = next(row for row in played if row is not best)
    return f"{other.side.name} in "
