"""Which explanation held: a table by the method as described, and as the authors' program ran, set beside the print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from webapp.common import formats
from worker.analysis import verdict
from worker.presets.comparison import VERDICTS, Comparison
from worker.presets.model import Program
from worker.presets.pooling import Line

HOLDS = (verdict.EQUIVALENT, verdict.COMPATIBLE)
WORDS: Mapping[str, tuple[str, str]] = {
    verdict.EQUIVALENT: ("is equivalent", "are equivalent"),
    verdict.COMPATIBLE: ("is compatible", "are compatible"),
    verdict.DIFFERS: ("still differs", "still differ"),
    verdict.CANNOT_TELL: ("cannot be judged", "cannot be judged"),
}
"""Verdict of a figure by the program -> what is said of one, of several."""
DOUBTS: Mapping[str, str] = {
    "chosen to fit": "That way was chosen to fit: that it comes near shows no more than that it can have been so.",
    "open": "Whether the program went that way is open.",
}
"""Doubt of a program -> what it takes from whatever its figures say."""


@dataclass(frozen=True)
class Finding:
    """One thing that was found: of pooled lines a conclusion, and in any case a sentence with figures, or a doubt."""

    conclusion: str
    words: str


def explanation(comparison: Comparison, program: Program | None) -> tuple[Finding, ...]:
    """Findings of a run at its planned end; none where nothing is known that the program did otherwise."""
    if program is None:
        return ()
    as_run = {line.name: line for line in comparison.lines_as_run}
    pairs = [(line, as_run[line.name]) for line in comparison.lines if line.name in as_run]
    found = [*(_of_lines(*pair) for pair in pairs), *_of_rows(comparison)]
    return (*found, Finding("", DOUBTS[program.doubt])) if found and program.doubt else tuple(found)


def _of_lines(described: Line, as_run: Line) -> Finding:
    amounts = f"{_amount(described)} as described, {_amount(as_run)} as their program ran"
    return Finding(f"{described.name}: {_held(described, as_run)}", f"Ours less the print, on average: {amounts}.")


def _held(described: Line, as_run: Line) -> str:
    first, second = described.judgement.verdict, as_run.judgement.verdict
    if first == second == verdict.CANNOT_TELL:
        return "these matches cannot tell which way it was."
    if verdict.CANNOT_TELL in (first, second):
        known, other = ("method as described", "program's way")[:: 1 if second == verdict.CANNOT_TELL else -1]
        gives = "gives" if {first, second} & set(HOLDS) else "does not give"
        return f"the {known} {gives} the printed figures; of the {other} these matches cannot tell."
    if first in HOLDS:
        if second in HOLDS:
            return "either way gives the printed figures, as far as these matches tell."
        return "the method as described gives the printed figures, the program's way does not."
    if second in HOLDS:
        return "what the program did explains the difference."
    part = "what the program did explains a part of the difference."
    return part if _is_nearer(as_run, described) else "neither way gives the printed figures."


def _is_nearer(one: Line, other: Line) -> bool:
    """Whether one is nearer to the print on the same side, with intervals that have nothing in common."""
    mine, theirs = one.mean.interval(), other.mean.interval()
    if mine is None or theirs is None:
        return False
    return 0 < mine.low <= mine.high < theirs.low or theirs.high < mine.low <= mine.high < 0


def _amount(line: Line) -> str:
    unit = "points" if line.unit == "%" else line.unit
    value = formats.signed(line.mean.value * line.factor, line.digits)
    interval = line.mean.interval()
    ends = "" if interval is None else " to ".join(formats.signed(end * line.factor, line.digits) for end in interval)
    return f"{value} {unit}".rstrip() + (f" ({ends})" if ends else "")


def _of_rows(comparison: Comparison) -> Iterator[Finding]:
    """How many figures differ by either way, of those that have a verdict by both, and what becomes of them."""
    pairs = [(row, row.as_run) for row in comparison.rows if row.as_run is not None and row.is_counted]
    judged = [(row.verdict, run.verdict) for row, run in pairs if {row.verdict, run.verdict} <= set(VERDICTS)]
    if not judged:
        return
    found = Counter(second for first, second in judged if first == verdict.DIFFERS)
    new = sum(first != verdict.DIFFERS == second for first, second in judged)
    played = formats.plural(len(judged), "figure", "figures")
    text = f"Of {played} played both ways, {_differ(found.total())} {'as described' if found or new else 'either way'}"
    if found:
        words = ", ".join(f"{n} {WORDS[word][n > 1]}" for word in VERDICTS if (n := found[word]))
        text = f"{text}; of {'it' if found.total() == 1 else 'these'}, as their program ran, {words}"
    also = f"; {_differ(new)} as their program ran and not as described" if new else ""
    yield Finding("", f"{text}{also}.")


def _differ(number: int) -> str:
    """A number of figures that differ: "none differs", "1 differs", "2 differ"."""
    return f"{number or 'none'} {'differs' if number < 2 else 'differ'}"
