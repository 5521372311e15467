"""What the stop rule of an experiment has seen, where it stands and why it ended, in numbers and in words."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from webapp.common.formats import THIN, count, number, plural
from webapp.lab.results.cache import per_version
from webapp.lab.results.method import stop_of
from webapp.lab.results.sides import lineups
from webapp.records import looks
from webapp.records.models import Experiment
from worker.analysis.stop_rules.model import (
    AT_PLANNED,
    BEST,
    BEYOND,
    H0,
    H1,
    LEAST,
    MARGIN,
    NORMALISED,
    PRECISE,
    WIN_RATE,
    Array,
    Course,
    Drop,
    StopRule,
)
from worker.looks import Ruling
from worker.planning.design import Design
from worker.spec import ExperimentSpec, from_json, stop, stop_rule

UNIT_WORDS = {
    WIN_RATE: "points of the win rate",
    MARGIN: "points",
    NORMALISED: "points of normalised Elo",
}


@dataclass(frozen=True)
class StopState:
    """Where a rule stands. deals: looked at, in their order; values: of these, as the rule takes them.

    drops: arms that it dropped, in the order in which they went.
    """

    spec: ExperimentSpec
    ruling: Ruling
    course: Course
    deals: int
    values: Array
    drops: tuple[Drop, ...]

    @property
    def unit(self) -> float:
        """What pages write for 1 of the rule's own measure."""
        return stop_rule.unit(self.spec) * (2 if is_of_two_sides(self.spec) else 1)

    @property
    def half_width(self) -> float:
        """The precision that is waited for, as pages write it."""
        return half_width(self.spec)


def is_of_two_sides(spec: ExperimentSpec) -> bool:
    """Whether a precision is that of one of two sides: pages show one less the other, which is twice as wide."""
    rule = spec.stop
    return rule.rule == stop.PRECISION and rule.on == WIN_RATE and Design.of(spec).is_between_sides


def half_width(spec: ExperimentSpec) -> float:
    """The precision that a spec waits for, of what its pages compare."""
    return spec.stop.half_width * (2 if is_of_two_sides(spec) else 1)


def has_rule(experiment: Experiment) -> bool:
    """Whether anything but the number of deals may end it."""
    return stop_of(experiment) != stop.FIXED


@per_version
def stop_state(experiment: Experiment) -> StopState:
    """The state of now, from the rows."""
    spec = from_json(experiment.spec)
    connection.ensure_connection()
    found = looks.read(connection.connection, experiment.pk, spec, _rule(experiment, spec))
    ruling = found.ruling()
    course, values = found.course(ruling), found.prefix(ruling.dropped).values
    deals = course.deals[-1] if course.deals else 0
    return StopState(spec, ruling, course, deals, values[:, :deals], found.rule.drops(values, spec.deals))


def _rule(experiment: Experiment, spec: ExperimentSpec) -> StopRule:
    """The rule of the spec; what was over before tests had e-values keeps what it came to."""
    is_over = experiment.status in (Experiment.Status.FINISHED, Experiment.Status.STOPPED)
    outcome = experiment.outcome or {}
    is_old = is_over and bool(outcome) and "by" not in outcome
    return stop_rule.before_e_values(spec) if is_old else stop_rule.of(spec)


def ended_words(experiment: Experiment) -> str:
    """Why the rule ended the experiment, as a sentence; empty while it goes on, and where there is no rule."""
    said = Ruling.from_json(experiment.outcome) if experiment.outcome else Ruling()
    if said.deals is None:
        return ""
    spec, arms = from_json(experiment.spec), lineups(experiment).arms
    rule = spec.stop
    whose, unit = compared_words(experiment), UNIT_WORDS[rule.on]
    apart = {H1: f"above {amount(rule.h0)}", H0: f"below {amount(rule.h1)}"}
    if said.by == BEYOND:
        why = f"{whose} is so far {apart[said.reason]} {unit} that the other claim need not be weighed"
        return f"Ended by its rule after {plural(said.deals, 'deal', 'deals')}: {why}."
    wanted = {
        H1: f"the test found {amount(rule.h1)} {unit} likelier than {amount(rule.h0)}, of {whose}",
        H0: f"the test found {amount(rule.h0)} {unit} likelier than {amount(rule.h1)}, of {whose}",
        PRECISE: f"it is known within ±{amount(half_width(spec))} {unit}, of {whose}",
        BEST: f"{arms[said.arm or 0]} is left",
        AT_PLANNED: "all planned deals are played, and the rule has not decided",
    }
    return f"Ended by its rule after {plural(said.deals, 'deal', 'deals')}: {wanted[said.reason]}."


def compared_words(experiment: Experiment) -> str:
    """What the rule looks at."""
    names, spec = lineups(experiment), from_json(experiment.spec)
    rule = spec.stop
    if len(names.arms) > 1:
        base = names.baseline
        others = f"{names.arms[1 - base]} less" if len(names.arms) == 2 else "every arm less"
        return f"{others} {names.arms[base]}"
    side = names.focal(0).name
    if is_of_two_sides(spec):
        return f"{side} less the other side"
    return f"{side} less the opponents" if rule.rule == stop.SPRT and rule.on != MARGIN else side


def dropped_words(experiment: Experiment) -> str:
    """Which arms the rule has dropped; empty without any."""
    dropped = (experiment.outcome or {}).get("dropped", {})
    arms = lineups(experiment).arms
    rows = [
        f"{arms[int(arm)]} after {count(deals)} deals" for arm, deals in sorted(dropped.items(), key=lambda row: row[1])
    ]
    return f"Dropped as clearly worse: {', '.join(rows)}." if rows else ""


def error_words(experiment: Experiment) -> str:
    """How often the rule is wrong at most."""
    rule = from_json(experiment.spec).stop
    if rule.rule == stop.SPRT:
        wrong = [f"{number(100 * chance)}{THIN}%" for chance in (rule.alpha, rule.beta)]
        return (
            f"Wrong in at most {wrong[0]} where the difference is {amount(rule.h0)} or less, and in at most"
            f" {wrong[1]} where it is {amount(rule.h1)} or more. No test decides before {LEAST} deals."
        )
    if rule.rule == stop.BEST_OF:
        return f"The chance that any arm is dropped wrongly is at most {number(100 * rule.alpha)}{THIN}%."
    return ""


def amount(value: float) -> str:
    """A number of a spec: with decimals where it has any."""
    return number(value, 0 if value == int(value) else 2)
