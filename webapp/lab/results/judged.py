"""What the head of a result page judges: differences from one baseline, in what the stop rule looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from games import registry as game_registry
from webapp.common.formats import number, percent, signed
from webapp.lab.results import method as methods
from webapp.lab.results import queries
from webapp.lab.results.claims import chip_words
from webapp.lab.results.comparisons import PLACE, Difference
from webapp.lab.results.forest import UNITS, Compared, Strip, Unit
from webapp.lab.results.selectors import Results, SideResult
from webapp.lab.results.sides import Lineups, Side
from webapp.lab.results.stop_state import StopState, amount, has_rule, stop_state
from webapp.records.models import Experiment
from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.methods import Method
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.paired import PairedDifference
from worker.analysis.stop_rules.best_of import BestOf
from worker.analysis.stop_rules.model import BEST, H0, H1, MARGIN, WIN_RATE, Array, contrast
from worker.looks import Ruling
from worker.spec import stop, stop_rule
from worker.spec.stop import StopSpec

OTHERS = "the others"


@dataclass(frozen=True)
class Judged:
    """Differences of sides from a baseline, and where their experiment stands.

    rows: without the baseline; leads: the best side less each other one, best of these first; best: its name.
    word: for one side, "arm", "value" or "side". confidence: with which all intervals hold together; is_live: more
    matches are to come. ruling: of the stop rule; level: of the only arm's first side, with its interval; of who plays
    alone, what it scored.
    first_mover: of an engine that only met itself, what its first seat won.
    """

    measure: str
    baseline: str
    rows: tuple[Compared, ...] = ()
    leads: tuple[Compared, ...] = ()
    best: str = ""
    baseline_side: Side | None = None
    baseline_level: str = ""
    word: str = "arm"
    planned: int = 0
    is_one_arm: bool = False
    is_alone: bool = False
    is_always_valid: bool = True
    is_live: bool = True
    confidence: float = CONFIDENCE
    rule: StopSpec = field(default_factory=StopSpec)
    ruling: Ruling = field(default_factory=Ruling)
    level: str = ""
    first_mover: str = ""
    empty: str = ""

    @property
    def unit(self) -> Unit:
        """How differences are written."""
        return UNITS[self.measure]

    @property
    def known(self) -> tuple[Compared, ...]:
        """Rows that have a difference."""
        return tuple(row for row in self.rows if row.mean is not None)

    @property
    def strip(self) -> Strip | None:
        """What a test declared to be no matter: it only tells what is at one of its claims or beyond."""
        rule = self.rule
        if rule.rule != stop.SPRT or rule.on not in (WIN_RATE, MARGIN):
            return None
        low, high = chip_words(rule, H0), chip_words(rule, H1)
        ends = f"{amount(rule.h0)} (“{low}”) and {amount(rule.h1)} (“{high}”)"
        return Strip(rule.h0, rule.h1, f"Grey strip: between the two claims of the test, {ends}.")


def judged(experiment: Experiment, found: Results, empty: str) -> Judged:
    """What is judged, now. empty: why there are no numbers."""
    state = stop_state(experiment) if has_rule(experiment) else None
    names, arms = found.lineups, len(found.lineups.arms)
    common = Judged(
        measure=found.measure,
        baseline="",
        word="side" if arms == 1 else "value" if "sweep" in experiment.spec else "arm",
        planned=int(experiment.spec["deals"]),
        is_one_arm=arms == 1,
        is_alone=len(names.parties[0]) == 1,
        is_always_valid=found.is_always_valid,
        is_live=experiment.status not in (Experiment.Status.FINISHED, Experiment.Status.STOPPED),
        rule=state.spec.stop if state else StopSpec(),
        ruling=state.ruling if state else Ruling(),
        empty=empty,
    )
    if arms > 1:
        return _arms(common, found, state)
    if state and _is_single(state):
        return _single(common, found, state, methods.method(experiment))
    return _sides(common, found, draws_first=game_registry.get(experiment.game).traits.draws_first)


def _arms(common: Judged, found: Results, state: StopState | None) -> Judged:
    """Every arm less the baseline, and the best less every other."""
    focal = found.compared
    rows = [_row(difference, found, focal[difference.side.arm]) for difference in found.differences]
    leads = [
        replace(_row(difference, found, focal[difference.baseline.arm]), side=difference.baseline)
        for difference in found.leads
    ]
    confidence = CONFIDENCE
    if state and state.spec.stop.rule == stop.BEST_OF:
        rows, confidence = _raced(rows, state, found.lineups), 1 - state.spec.stop.alpha
        leads = _race_leads(state, found)
    baseline = focal[found.lineups.baseline]
    return replace(
        common,
        baseline=baseline.side.name,
        baseline_side=baseline.side,
        baseline_level=level(baseline, found.measure),
        rows=tuple(rows),
        leads=tuple(leads),
        best=found.ranked[0].side.name if found.ranked else "",
        confidence=confidence,
    )


def _row(difference: Difference, found: Results, shown: SideResult, sign: int = 1) -> Compared:
    """A difference as a row for the side whose numbers are shown; sign: -1 where it is the one that is taken off."""
    measure, one = found.measure, difference.of(found.measure)
    scale = sign * UNITS[measure].scale
    is_paired = found.is_paired or found.is_one_arm
    arm = shown.side.arm
    return Compared(
        side=shown.side,
        mean=None if one.mean is None else scale * one.mean,
        interval=_scaled(one.interval, scale),
        deals=one.blocks,
        is_constant=is_paired and _is_constant(one),
        course=tuple(end for look in difference.course if (end := _scaled(look.interval, scale))),
        level=level(shown, measure),
        has_failed=not found.arms[arm].finished and any(side.failures for side in found.sides[arm]),
    )


def _scaled(interval: Interval | None, scale: float) -> Interval | None:
    return Interval(*sorted(scale * end for end in interval)) if interval else None


def _is_constant(one: PairedDifference) -> bool:
    """Whether it has no interval because it was the same in all of several deals."""
    return one.interval is None and one.blocks > 1 and not one.variance_ratio


def level(row: SideResult, measure: str) -> str:
    """How a side did by itself."""
    result = row.result
    if not result.matches:
        return "no match yet"
    words = {
        WIN_RATE: f"won {percent(result.win_rate)}",
        MARGIN: f"margin {signed(result.mean_margin)}",
        PLACE: f"mean place {number(result.mean_rank, 2)}",
    }
    return words[measure]


def _raced(rows: Sequence[Compared], state: StopState, names: Lineups) -> list[Compared]:
    """Rows with the sequences by which a rule drops arms, until it dropped them."""
    rule = stop_rule.of(state.spec)
    assert isinstance(rule, BestOf)
    sequences = rule.differences(state.values, state.spec.deals) if state.deals else {}
    by = {drop.arm: drop.by for drop in state.drops}
    raced = []
    for row in rows:
        arm = row.side.arm
        worse = f", worse than {names.arms[by[arm]]}" if by.get(arm, names.baseline) != names.baseline else ""
        made = replace(row, course=(), dropped=state.ruling.dropped.get(arm), level=f"{row.level}{worse}")
        if arm in sequences and (deals := len(sequences[arm].low)):
            looks = [sequences[arm].interval(look) for look in queries.LOOKS if look <= deals]
            interval = _scaled(sequences[arm].interval(), state.unit)
            differences = state.values[arm, :deals] - state.values[names.baseline, :deals]
            made = replace(
                made,
                mean=state.unit * float(differences.mean()),
                interval=interval,
                deals=deals,
                is_constant=interval is None and deals > 1 and not Moments.of(differences).variance,
                course=tuple(end for look in looks if (end := _scaled(look, state.unit))),
            )
        raced.append(made)
    return raced


def _race_leads(state: StopState, found: Results) -> list[Compared]:
    """The arm that leads a race less each other that plays, by the rule's own sequences; the next one first.

    Where the race is won, less each other arm: those that were dropped over the deals until then.
    """
    rule, baseline = stop_rule.of(state.spec), found.lineups.baseline
    assert isinstance(rule, BestOf)
    if not state.deals:
        return []
    is_won = state.ruling.reason == BEST
    arms = [arm for arm in range(len(found.lineups.arms)) if is_won or arm not in state.ruling.dropped]
    playing = [arm for arm in arms if arm not in state.ruling.dropped]
    means = {arm: float(state.values[arm, : state.deals].mean()) for arm in playing}
    leader = state.ruling.arm if is_won and state.ruling.arm is not None else max(means, key=means.__getitem__)
    sequences, leads = rule.less(leader, state.values, state.spec.deals), []
    for arm in arms:
        if arm == leader or not (deals := len(sequences[arm].low)):
            continue
        mean = float((state.values[leader, :deals] - state.values[arm, :deals]).mean())
        interval = _scaled(sequences[arm].interval(), -state.unit)
        leads.append(Compared(found.lineups.focal(arm), state.unit * mean, interval, deals))
    return sorted(leads, key=lambda row: (row.mean, row.side.arm != baseline))


def _is_single(state: StopState) -> bool:
    """Whether the rule looks at one number of the only arm: its margin, or wins less those of all opponents."""
    return state.spec.stop.on == MARGIN or state.spec.stop.rule == stop.SPRT


def _single(common: Judged, found: Results, state: StopState, method: Method) -> Judged:
    """The only arm's first side against its opponents, on the deals that the rule has looked at."""
    focal, *others = found.sides[0]
    size = float(state.spec.num_seatings(0))

    def looked(values: Array) -> PairedDifference:
        sums = Moments.of(contrast(values))
        if found.measure == WIN_RATE:
            both = sums, Moments.of(values[1]), Moments.of(values[0])
            return method.paired_rates(both, (size, size), 0, CONFIDENCE)
        blocks = BlockMoments(sums.n, sums.n, sums.total, sums.total_squares, sums.total, sums.n)
        interval = method.mean(blocks) if sums.variance else None
        return PairedDifference(sums.n, sums.mean, interval, None, None, 0)

    now = looked(state.values)
    scale, interval = UNITS[found.measure].scale, now.interval
    looks = [looked(state.values[:, :look]).interval for look in queries.LOOKS if look <= state.deals]
    row = Compared(
        side=focal.side,
        mean=None if now.mean is None else scale * now.mean,
        interval=_scaled(interval, scale),
        deals=now.blocks,
        is_constant=now.blocks > 1 and not Moments.of(contrast(state.values)).variance,
        course=tuple(end for look in looks if (end := _scaled(look, scale))),
        level=level(focal, found.measure),
        has_failed=not found.arms[0].finished and found.failed > 0,
    )
    alone = others[0] if len(others) == 1 else None
    return replace(
        common,
        baseline=alone.side.name if alone else OTHERS if others else "",
        baseline_side=alone.side if alone else None,
        baseline_level=level(alone, found.measure) if alone else "",
        rows=(row,),
    )


def _sides(common: Judged, found: Results, *, draws_first: bool) -> Judged:
    """The first of two sides less the other; of more, each less the first, and the best less every other.

    draws_first: whether chance says who begins, so that of an engine that meets itself nothing is asked.
    """
    focal = found.sides[0][0]
    rate, interval = focal.result.win_rate, focal.result.win_rate_interval
    if rate is not None and interval is not None:
        ends = f"{number(100 * interval.low)} to {number(100 * interval.high)}"
        common = replace(common, level=f"{percent(rate)} ({ends})")
    if common.is_alone:
        return replace(common, level=f"scored {number(focal.result.mean_score)} points{_within(focal)}")
    if found.versus:
        other = found.sides[0][found.versus.baseline.place]
        return replace(
            common,
            baseline=other.side.name,
            baseline_side=other.side,
            baseline_level=level(other, found.measure),
            rows=(_row(found.versus, found, focal),),
        )
    if not found.differences:
        return replace(common, first_mover="" if draws_first else _first_mover(found))
    differences, by_place = found.differences, {row.side.place: row for row in found.sides[0]}
    ranked = [row for row in found.ranked if row.side.place in _places(found)]
    if found.pooled:
        differences, ranked = found.pooled, list(found.pools)
        by_place |= {row.side.place: row for row in found.pools}
        focal = by_place[focal.side.place]
    rows = [
        _row(difference, found, by_place[difference.baseline.place], -1)
        for difference in differences
        if difference.side.place == focal.side.place
    ]
    return replace(
        common,
        baseline=focal.side.name,
        baseline_side=focal.side,
        baseline_level=level(focal, found.measure),
        rows=tuple(rows),
        leads=tuple(_lead(ranked[0], other, found) for other in ranked[1:] if len(rows) > 1),
        best=ranked[0].side.name if ranked else "",
    )


def _within(row: SideResult) -> str:
    interval = row.result.score_interval
    return f" ({number(interval.low)} to {number(interval.high)}) on average" if interval else " on average"


def _places(found: Results) -> set[int]:
    """Places of sides that are compared."""
    return {place for row in found.differences for place in (row.side.place, row.baseline.place)}


def _lead(best: SideResult, other: SideResult, found: Results) -> Compared:
    """The best side less another."""
    pair = {best.side.place, other.side.place}
    difference = next(row for row in found.pooled or found.differences if {row.side.place, row.baseline.place} == pair)
    return _row(difference, found, other, 1 if difference.side.place == best.side.place else -1)


def _first_mover(found: Results) -> str:
    """What seat 0 won, where that is all that there is to ask."""
    first = found.first
    if first is None or first.decisive_interval is None:
        return ""
    low, high = (100 * end for end in first.decisive_interval)
    return (
        f"{percent(first.decisive_share)} ({number(low)} to {number(high)}) of the matches that are no draws,"
        f" where {percent(first.fair_share)} would be even"
    )
