"""The head of a result page: the answer in a sentence, the forest of differences behind it, and when it stops.

Page, shared page, share card and start page have it from here, out of one `Results`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webapp.common.formats import THIN, count, number, plural, signed
from webapp.lab.results import normalised, notes
from webapp.lab.results.cache import per_version
from webapp.lab.results.claims import chip_words
from webapp.lab.results.forest import Compared, Forest, axis, baseline_row, row
from webapp.lab.results.judged import Judged, judged
from webapp.lab.results.selectors import Results, results
from webapp.lab.results.sentences import sentence
from webapp.lab.results.stop_state import (
    UNIT_WORDS,
    amount,
    dropped_words,
    ended_words,
    error_words,
    has_rule,
    is_of_two_sides,
    stop_state,
)
from webapp.records.models import Experiment
from worker.analysis.stop_rules import sprt
from worker.analysis.stop_rules.model import (
    BEYOND,
    BEYOND_LOWER,
    BEYOND_UPPER,
    H0,
    H1,
    HALF_WIDTH,
    LOWER,
    NORMALISED,
    RATIO,
    UPPER,
)
from worker.looks import Ruling
from worker.spec import ExperimentSpec, stop
from worker.spec.stop import StopSpec


@dataclass(frozen=True)
class StopCard:
    """Where the stop rule stands. facts: (label, value)."""

    title: str
    rule: str
    facts: tuple[tuple[str, str], ...]
    note: str


@dataclass(frozen=True)
class Answer:
    """The head of a page. under: what the sentence rests on; forest, stop: None where there is none.

    caution: what a picture of the forest has to say with it.
    """

    sentence: str
    under: str
    forest: Forest | None
    stop: StopCard | None
    caution: str = ""


@per_version
def answer(experiment: Experiment) -> Answer:
    """The head of a page, now."""
    found = results(experiment)
    said = judged(experiment, found, notes.of_nothing(found))
    warned = caution(said.rule, said.ruling)
    return Answer(sentence(said), under(said, found), forest(said), _stop_card(experiment), warned)


def under(said: Judged, found: Results) -> str:
    """Against whom, on how many deals, and which intervals these are."""
    if said.empty or not said.known:
        return ""
    parts = [_setting(said, found)]
    if not said.is_always_valid:
        end = "its end" if said.rule.rule == stop.PRECISION else "the planned end"
        parts.append(f"The intervals are for one look, at {end}.")
    elif said.is_live:
        parts.append("The intervals hold at every look: look and stop whenever you like.")
    else:
        parts.append("The intervals held at every look.")
    if len(said.rows) > 1:
        parts.append(f"Together they hold with {number(100 * said.confidence, 0)}{THIN}%.")
    return " ".join(filter(None, [*parts, lean(said.rule, said.ruling)]))


def caution(rule: StopSpec, ruling: Ruling) -> str:
    """What `lean` says, for a picture."""
    if not lean(rule, ruling):
        return ""
    by = "a quarter of the gap" if rule.on == NORMALISED else number(sprt.LEAN * (rule.h1 - rule.h0), 2)
    return f"When a test ends, differences lean outward, by about {by}"


def lean(rule: StopSpec, ruling: Ruling) -> str:
    """By how much what is seen at the end of a test is too large on average; empty where no test has ended."""
    if rule.rule != stop.SPRT or ruling.reason not in (H0, H1):
        return ""
    gap = "" if rule.on == NORMALISED else f", {number(sprt.LEAN * (rule.h1 - rule.h0), 2)} {UNIT_WORDS[rule.on]}"
    return (
        "What is seen when a test ends leans outward, away from the middle of its claims: where one of them is true, by"
        f" about a quarter of the gap between them{gap}, on average."
    )


def _setting(said: Judged, found: Results) -> str:
    numbers = [row.deals for row in said.known if row.dropped is None] or [row.deals for row in said.known]
    if said.is_one_arm:
        copies = " Copies of one engine count as one, by their mean in each deal." if found.pooled else ""
        return f"{_range_of(numbers, 'deal', 'deals')}, each with all its seatings.{copies}"
    against = f"Against {found.lineups.opponents}, " if found.lineups.opponents else ""
    if not found.is_paired:
        return f"{against}{_range_of(numbers, 'match', 'matches')} an arm, each with a deal of its own."
    on_deals = f"on the same {_range_of(numbers, 'deal', 'deals')}."
    return f"{against}{on_deals}" if against else on_deals.capitalize()


def _range_of(numbers: Sequence[int], one: str, many: str) -> str:
    """How many there are behind each row: one number, or from the fewest to the most."""
    fewest, most = min(numbers), max(numbers)
    return plural(most, one, many) if fewest == most else f"{count(fewest)} to {count(most)} {many}"


def forest(said: Judged) -> Forest | None:
    """Every side against the baseline; None where there is nothing to compare."""
    if said.empty or not said.rows:
        return None
    strip, unit = said.strip, said.unit
    scale = axis(said.rows, unit, strip, is_live=said.is_live)
    rows = [row(compared, scale, unit, state(said, compared)) for compared in said.rows]
    if said.baseline_side:
        rows.append(baseline_row(said.baseline_side, said.baseline_level, scale))
    ends = (scale.at(strip.low), scale.at(strip.high)) if strip else ("", "")
    is_cut = any(shown.cut for shown in rows)
    notes = (strip.words if strip else "", "An arrow: it goes on beyond the edge." if is_cut else "")
    return Forest(
        rows=tuple(rows),
        ticks=scale.ticks(unit),
        zero=scale.at(0),
        strip=ends,
        kind=f"{number(100 * said.confidence, 0)}{THIN}%, {'always valid' if said.is_always_valid else 'one look'}",
        unit="points" if said.is_alone else unit.on_axis,
        baseline=said.baseline,
        first_head=said.word.capitalize(),
        note=" ".join(filter(None, notes)),
    )


def state(said: Judged, compared: Compared) -> tuple[str, str]:
    """Chip and word of a row's state."""
    if compared.dropped is not None:
        return "", f"dropped at {count(compared.dropped)}"
    if compared.mean is None:
        return ("danger", "all failed") if compared.has_failed else ("wait", "no deal yet")
    if said.rule.rule == stop.SPRT:
        if said.ruling.reason not in (H0, H1):
            return "unsure", "open" if said.is_live else "undecided"
        return "info", chip_words(said.rule, said.ruling.reason)
    if compared.is_better:
        return "ok", "better"
    if compared.is_worse:
        return "", "worse"
    if compared.is_constant:
        return "unsure", "never varied" if compared.mean else "the same"
    if compared.interval is None:
        return "unsure", "too few deals"
    return "unsure", "open" if said.is_live else "not told apart"


def _whose(spec: ExperimentSpec) -> str:
    """What a precision is asked of."""
    if is_of_two_sides(spec):
        own = amount(spec.stop.half_width)
        return f"the interval of each side's win rate is within ±{own} points, so that of their difference"
    return "every interval"


def _stop_card(experiment: Experiment) -> StopCard | None:
    """None where only the number of deals ends it."""
    if not has_rule(experiment):
        return None
    now = stop_state(experiment)
    rule, last = now.spec.stop, {curve.name: curve.values[-1] for curve in now.course.curves if curve.values}
    unit = UNIT_WORDS[rule.on]
    rules = {
        stop.SPRT: f"When a test decides between {amount(rule.h0)} and {amount(rule.h1)} {unit}.",
        stop.PRECISION: f"As soon as {_whose(now.spec)} is within ±{amount(now.half_width)} {unit}.",
        stop.BEST_OF: (
            "When the best arm is found: who is clearly worse than another is dropped. Only the baseline never is: it"
            " plays to the end, so that every arm can be compared with it."
        ),
    }
    facts = [("Deals looked at", f"{count(now.deals)} of at most {count(now.spec.deals)}")]
    if rule.rule == stop.BEST_OF:
        arms = len(now.spec.arms)
        facts.append(("Still playing", f"{arms - len(now.ruling.dropped)} of {arms} arms"))
    if (ratio := last.get(RATIO)) is not None:
        facts.append(("Log-likelihood ratio", signed(ratio, 2)))
        facts.append(("It ends at", f"{signed(last.get(LOWER), 2)} or {signed(last.get(UPPER), 2)}"))
    if (alone := last.get(BEYOND)) is not None:
        facts.append(("Evidence against one claim alone", signed(alone, 2)))
        facts.append(("It ends at", f"{signed(last.get(BEYOND_LOWER), 2)} or {signed(last.get(BEYOND_UPPER), 2)}"))
    widths = [curve.values[-1] for curve in now.course.curves if curve.name == HALF_WIDTH and curve.values]
    known = [width for width in widths if width is not None]
    if known:
        facts.append(("Widest interval", f"±{number(now.unit * max(known), 2)}"))
    facts += normalised.facts(now)
    words = filter(None, (ended_words(experiment), dropped_words(experiment), error_words(experiment)))
    title = "Why it stopped" if now.ruling.deals is not None else "When it stops"
    return StopCard(title, rules[rule.rule], tuple(facts), " ".join(words))
