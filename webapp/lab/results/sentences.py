"""The sentence on top of a result: an answer to the question asked, as a difference with its interval. Pure.

It claims what the forest below it shows, in what the stop rule judges, and no more. Where nothing is shown it
names the gap that could still hide.
"""

from __future__ import annotations

from collections.abc import Sequence

from webapp.common.formats import THIN, count, number, plural, signed
from webapp.lab.results.claims import verdict
from webapp.lab.results.forest import Compared
from webapp.lab.results.judged import OTHERS, Judged
from webapp.lab.results.stop_state import UNIT_WORDS, amount
from worker.analysis.stop_rules.model import AT_PLANNED, BEST, H0, H1, MARGIN, PRECISE, WIN_RATE
from worker.spec import stop

NAMED = 3
"""Sides that are named at most; more are counted."""


def sentence(judged: Judged) -> str:
    """The answer."""
    if judged.empty:
        return f"No answer yet. {judged.empty}" if judged.is_live else f"No answer. {judged.empty}"
    if not judged.rows:
        return _without_other(judged)
    if not judged.known:
        return "No answer yet: of no two that are to be compared a common deal has been played whole."
    if judged.rule.rule == stop.BEST_OF:
        return _raced(judged)
    if judged.rule.rule == stop.SPRT:
        return _tested(judged)
    if judged.is_one_arm and judged.leads:
        said = _best_side(judged)
    else:
        said = _pair(judged, judged.rows[0]) if len(judged.rows) == 1 else _best_arm(judged)
    return f"{said}{_precise(judged)}"


def effect(judged: Judged, row: Compared, name: str = "", other: str = "") -> str:
    """What a side has over the other: "Greedy wins 9.1 percentage points more of its matches than Random"."""
    name, other = name or row.name, other or judged.baseline
    mean = 0.0 if judged.unit.is_nothing(row.mean) else row.mean or 0.0
    by = f"{judged.unit.amount(mean)} {judged.unit.words}"
    if judged.measure == WIN_RATE:
        if other == OTHERS:
            other = "each of the others on average"
        more = f"{by} {'more' if mean > 0 else 'fewer'} of its matches than" if mean else "as many of its matches as"
        return f"{name} wins {more} {other}"
    if judged.is_alone:
        if judged.is_one_arm:
            return f"{name} scores {by}"
        return f"{name} scores {by} {'more' if mean > 0 else 'fewer'} than {other}" if mean else _level(name, other)
    if judged.measure == MARGIN and not judged.is_one_arm:
        if not mean:
            return f"{name} has the same margin as {other}"
        return f"{name} has a margin that is {by} {'higher' if mean > 0 else 'lower'} than that of {other}"
    verb = "is" if judged.measure == MARGIN else "comes in"
    if other == OTHERS:
        other = "the best of the others"
    return f"{name} {verb} {by} {'ahead of' if mean > 0 else 'behind'} {other}" if mean else _level(name, other)


def _level(name: str, other: str) -> str:
    return f"{name} is level with {other}"


def interval(judged: Judged, row: Compared) -> str:
    """The interval with its kind, in brackets; where there is none why."""
    if row.interval is None:
        return f", the same in each of {count(row.deals)} deals" if row.is_constant else ""
    at_end = "at its end" if judged.rule.rule == stop.PRECISION else "at the planned end"
    kind = "always valid" if judged.is_always_valid else at_end
    level = number(100 * judged.confidence, 0)
    return f" ({level}{THIN}% interval {judged.unit.span(row.interval)}, {kind})"


def _yet(judged: Judged) -> str:
    return "yet " if judged.is_live else ""


def _could_hide(judged: Judged, most: float, between: tuple[str, str] | None = None) -> str:
    """How large a gap may be. between: whose, where the sentence has named others."""
    whose = f" between {between[0]} and {between[1]}" if between else ""
    return f"a gap of up to {judged.unit.amount(most)} {judged.unit.gap}{whose} could still hide"


def _gap(row: Compared) -> float:
    """The largest difference that the interval holds, whichever way."""
    return max(map(abs, row.interval)) if row.interval else abs(row.mean or 0)


def _pair(judged: Judged, row: Compared) -> str:
    """One against one."""
    both = f"{row.name} and {judged.baseline}"
    if row.differs:
        return f"{effect(judged, row)}{interval(judged, row)}."
    if row.interval is not None:
        both = f"{both}: {effect(judged, row, 'the first', 'the second')}{interval(judged, row)}"
        return f"No difference is shown {_yet(judged)}between {both}, so {_could_hide(judged, _gap(row))}."
    if row.is_constant and not row.mean:
        return f"No difference was seen between {both} in {count(row.deals)} deals: all of them ended alike."
    if row.is_constant:
        return f"{effect(judged, row)}{interval(judged, row)}; where nothing varies there is no interval."
    so_far = "so far" if judged.is_live else "in all"
    return f"Too few deals to tell {both} apart: {count(row.deals)} {so_far}."


def _best_arm(judged: Judged) -> str:
    """Which of several arms does best, and whether it is told from the baseline."""
    best = max(judged.known, key=lambda row: row.mean or 0)
    if (best.mean or 0) <= 0:
        return _baseline_leads(judged, best)
    number_of = f"{len(judged.rows) + 1} {judged.word}s"
    if best.differs:
        told = f"{best.name} does best of {number_of}: {effect(judged, best, 'it')}{interval(judged, best)}"
        return f"{told}{_from_others(judged)}."
    told = f"No {judged.word} is shown {_yet(judged)}to beat {judged.baseline}"
    if best.interval is None:
        return f"{told}: {_ahead(judged)} is {best.name}, after {plural(best.deals, 'deal', 'deals')}."
    return (
        f"{told}: {_ahead(judged)}, {best.name}, {effect(judged, best, 'it').removeprefix('it ')}"
        f"{interval(judged, best)}, so {_could_be_better(judged, best)}."
    )


def _ahead(judged: Judged) -> str:
    return "the best so far" if judged.is_live else "the best"


def _upper(row: Compared) -> float:
    """By how much a side may be better than the baseline."""
    return max(row.interval.high if row.interval else row.mean or 0, 0)


def _could_be_better(judged: Judged, spoken_of: Compared) -> str:
    """By how much any side may be better than the baseline, and which, unless the sentence speaks of it."""
    most = max(judged.known, key=_upper)
    is_other = judged.unit.amount(_upper(most)) != judged.unit.amount(_upper(spoken_of))
    return _could_hide(judged, _upper(most), (most.name, judged.baseline) if is_other else None)


def _baseline_leads(judged: Judged, next_best: Compared) -> str:
    """No arm is ahead of the first one."""
    name, which = judged.baseline, f"the next, {next_best.name},"
    said = f"{effect(judged, next_best, which)}{interval(judged, next_best)}"
    if all(row.is_worse for row in judged.rows):
        return f"{name} does best of {len(judged.rows) + 1} {judged.word}s: {said}."
    if next_best.interval is None or not max(map(_upper, judged.known)):
        return f"No {judged.word} is shown {_yet(judged)}to beat {name}: {said}."
    return f"No {judged.word} is shown {_yet(judged)}to beat {name}: {said}, so {_could_be_better(judged, next_best)}."


def _from_others(judged: Judged) -> str:
    """From which other arms the best one is told apart."""
    alike = [row.name for row in judged.leads if not row.is_better and row.name != judged.baseline]
    if not alike:
        return " and is told apart from all others"
    return f", but is not told apart from {_named(alike, judged.word)}"


def _named(names: Sequence[str], word: str) -> str:
    if len(names) > NAMED:
        return f"{len(names)} other {word}s"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _best_side(judged: Judged) -> str:
    """Which of three sides or more at one table does best."""
    second = judged.leads[0]
    if all(row.is_better for row in judged.leads):
        ahead = "does best" if judged.measure == WIN_RATE else "comes in best"
        said = f"{effect(judged, second, 'it', f'the next, {second.name}')}{interval(judged, second)}"
        return f"{judged.best} {ahead} of {len(judged.leads) + 1}: {said}."
    said = f"{effect(judged, second, judged.best, second.name)}{interval(judged, second)}"
    alike = [row.name for row in judged.leads if not row.is_better]
    widest = max((row for row in judged.leads if not row.is_better), key=_gap)
    if second.is_better:
        return f"{said}; {judged.best} is not told apart from {_named(alike, judged.word)}."
    between = None if widest is second else (judged.best, widest.name)
    return f"Nobody is shown {_yet(judged)}to be best: {said}, so {_could_hide(judged, _gap(widest), between)}."


def _precise(judged: Judged) -> str:
    """What a rule that waits for a precision has reached."""
    rule = judged.rule
    if rule.rule != stop.PRECISION or judged.ruling.reason != PRECISE:
        return ""
    within = f"within ±{amount(rule.half_width)} {judged.unit.words}, as asked"
    if judged.is_one_arm and judged.measure == WIN_RATE:
        return f" Its win rate, {judged.level}, is known {within}."
    return f" It is known {within}."


def _tested(judged: Judged) -> str:
    """What a test of two claims has said of them."""
    row, rule = judged.rows[0], judged.rule
    said = f"{effect(judged, row)}{interval(judged, row)}."
    if judged.ruling.reason in (H0, H1):
        low, high = (signed(claim, 0 if claim == int(claim) else 2) for claim in (rule.h0, rule.h1))
        test = f"by its test of {low} against {high} {UNIT_WORDS[rule.on]}"
        return f"{row.name} is {verdict(rule, judged.ruling.reason, judged.baseline)}, {test}: {said}"
    if judged.ruling.reason == AT_PLANNED:
        return f"The test has not decided in all {count(judged.planned)} planned deals: {said}"
    return f"The test has not decided yet: {said}" if judged.is_live else f"Stopped before the test decided: {said}"


def _raced(judged: Judged) -> str:
    """Who leads, and who was dropped, where the best of several arms is looked for."""
    left = [row for row in judged.rows if row.dropped is None]
    number_of = f"{len(judged.rows) + 1} {judged.word}s"
    baseline = judged.baseline_side.arm if judged.baseline_side else 0
    if judged.ruling.reason == BEST and judged.ruling.arm == baseline:
        last = max(judged.known, key=lambda row: row.mean or 0)
        said = f"{effect(judged, last, f'the next, {last.name},')}{interval(judged, last)}"
        return f"{judged.baseline}, the baseline, is the best of {number_of}; all others were dropped as worse: {said}."
    if judged.ruling.reason == BEST:
        best = max((row for row in left if row.mean is not None), key=lambda row: row.mean or 0)
        dropped = f"; all others but {judged.baseline}, the baseline, were dropped" if len(judged.rows) > 1 else ""
        return f"{best.name} is the best of {number_of}: {_lead(judged, best)}{dropped}."
    start = "Not decided yet" if judged.is_live else "Not decided at the end"
    if not left:
        return f"{start}: of {number_of} only {judged.baseline}, the baseline, is left."
    are_left = (
        f"{len(left) + 1} of {number_of} are left" if len(left) < len(judged.rows) else f"all {number_of} are left"
    )
    seen = [row for row in left if row.mean is not None]
    if not seen:
        return f"{start}: {are_left}, but those beside {judged.baseline}, the baseline, have no deal in common with it."
    best = max(seen, key=lambda row: row.mean or 0)
    if judged.unit.is_nothing(best.mean):
        return f"{start}: {are_left}; {effect(judged, best)}, the baseline{interval(judged, best)}."
    if (best.mean or 0) > 0:
        return f"{start}: {are_left}, and {best.name} leads; {_lead(judged, best)}."
    said = effect(judged, best, f"the next, {best.name},")
    return f"{start}: {are_left}, and {judged.baseline}, the baseline, leads; {said}{interval(judged, best)}."


def _lead(judged: Judged, best: Compared) -> str:
    """What the leader of a race has over the next, and over the baseline where that is somebody else."""
    over = f"{effect(judged, best, 'it')}{interval(judged, best)}"
    if not judged.leads or judged.leads[0].name == judged.baseline:
        return over
    second = judged.leads[0]
    said = f"{effect(judged, second, 'it', f'{second.name}, the next')}{interval(judged, second)}"
    return f"{said}, and {over}"


def _without_other(judged: Judged) -> str:
    """Where there is nobody else: an engine that only meets itself, or that plays alone."""
    if judged.first_mover:
        return f"The engine only meets itself, so the question is the seat: the first one won {judged.first_mover}."
    if judged.is_alone:
        return f"It plays alone, so nothing is compared: it {judged.level}."
    return "The engine only meets itself, so nothing is compared."
