"""The plan of the builder's form: what the experiment will show, what each stop rule will cost, and how to begin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms
from django.conf import settings

from webapp.common.fields import NumberField, format_plain
from webapp.common.formats import count, number, percent, plural
from webapp.common.numbers import parse_whole
from webapp.common.option_forms import to_data
from webapp.lab.experiments import curves, draft, spreads
from webapp.lab.experiments.builder import Builder
from webapp.lab.experiments.curves import Curve, Figure
from webapp.lab.jobs import power
from webapp.people.accounts.models import User
from webapp.records.models import Experiment
from worker.analysis.power import POWER
from worker.analysis.stop_rules.chances import Chance
from worker.analysis.stop_rules.model import MARGIN, WIN_RATE
from worker.planning import design as designs
from worker.planning import kinds, trial
from worker.planning.design import EARLIER, STORED, TRIAL, Design
from worker.planning.kinds import PUBLISHABLE, QUICK, REGRESSION
from worker.planning.plan import Outlook, Plan, arm_deal_s, plan
from worker.spec import MAX_DEALS, ExperimentSpec, stop, to_json

LABELS = {
    QUICK: ("Quick look", "Is there anything big? A fixed number of deals that shows {wanted} {unit}."),
    PUBLISHABLE: ("Publishable", "By how much, with an error that holds. {rule}"),
    REGRESSION: (
        "Regression test",
        "Is the new one no worse? Until {wanted} points worse, or no worse, is clear, in {unit}.",
    ),
}
NAMES = {
    stop.FIXED: "All deals",
    stop.PRECISION: "A precision",
    stop.SPRT: "A test",
    stop.BEST_OF: "The best arm",
}
HUNDREDTHS = 10.0
"""Below this a difference is written with a digit after the point."""
UNSURE = 0.07
"""Part of a deviation by which it may be wrong without a word."""


class WantedForm(forms.Form):
    """The difference that the person looks for; no part of the spec."""

    wanted = NumberField(whole=False, minimum=0, above=True, maximum=10_000, example=5, label="Difference to find")

    def __init__(self, data: Mapping[str, str], unit: str) -> None:
        super().__init__(data)
        self.fields["wanted"].help_text = f"In {unit}; the smallest that you would not want to miss"


@dataclass(frozen=True)
class KindButton:
    """A way to begin. cost: its deals and time, empty where it does not fit, which `note` says."""

    id: str
    label: str
    note: str
    cost: str
    seconds: float
    is_chosen: bool
    is_offered: bool


@dataclass(frozen=True)
class RuleRow:
    """One stop rule: deals and CPU seconds if all are alike, if the wanted difference is true, and at worst."""

    name: str
    detail: str
    mark: int
    is_chosen: bool
    refused: str
    found: str
    alike: tuple[int, float] | None
    wanted: tuple[int, float] | None
    worst: tuple[int, float] | None


@dataclass(frozen=True)
class Planned:
    """What the form says of its plan.

    problem: what is wrong with it, and what to do; unit: of its differences; source: where its spread is from, with the
    experiment to look at; trial_deals: number of trial deals that may be played, 0: they would take too long.
    """

    form: WantedForm
    unit: str
    plan: Plan | None = None
    rows: tuple[RuleRow, ...] = ()
    figures: tuple[Figure, ...] = ()
    problem: str = ""
    source: str = ""
    experiment: Experiment | None = None
    running: Experiment | None = None
    trial_deals: int = 0
    takes: int | None = None

    @property
    def detectable(self) -> str:
        """The difference that will be seen; empty where none will."""
        return amount(self.plan.detectable) if self.plan and self.plan.detectable is not None else ""

    @property
    def at_every_look(self) -> str:
        """The same by the interval for every look."""
        return amount(self.plan.at_every_look) if self.plan and self.plan.at_every_look is not None else ""

    @property
    def wanted(self) -> str:
        """The difference that is looked for."""
        return format_plain(self.plan.wanted) if self.plan else ""

    @property
    def half_width(self) -> str:
        """Half of the final interval."""
        return amount(self.plan.half_width) if self.plan else ""

    @property
    def deviation(self) -> str:
        """Deviation of a deal."""
        return amount(self.plan.deviation) if self.plan else ""

    @property
    def unsure(self) -> str:
        """How well the deviation is known; empty where it is known well, or from nothing."""
        unsure = self.plan.spread.unsure if self.plan else 0.0
        return f"±{percent(unsure, 0)}" if unsure > UNSURE else ""

    @property
    def chance(self) -> str:
        """How often the difference is seen."""
        return f"{round(10 * POWER)} of 10"

    @property
    def compared(self) -> str:
        """What differs."""
        if self.plan is None or self.plan.design.arms == 1:
            return ""
        others = self.plan.design.arms - 1
        return "between both arms" if others == 1 else f"between the first arm and one of the {others} others"


def amount(value: float) -> str:
    """A difference, with as many digits as it is worth."""
    return number(value, 1 if value < HUNDREDTHS else 0)


def unit_words(measure: str, design: Design) -> str:
    """What differences of a plan are in."""
    if measure == MARGIN:
        return "points of margin"
    if design.is_between_sides:
        return "points of win rate between both sides"
    return "points of win rate" if design.arms > 1 else "points of win rate above even"


def planned(builder: Builder, owner: User) -> Planned:
    """The plan of a form as it stands."""
    spec = builder.spec
    measure = designs.measure_of(spec) if spec else WIN_RATE
    unit = unit_words(measure, Design.of(spec) if spec else builder.design)
    form = WantedForm(builder.data, unit)
    if spec is None or not form.is_valid():
        return Planned(form, unit, problem=_wanted_error(form) if spec else "")
    running = _running_trial(builder.data, owner)
    trial_deals = trial.num_deals(spec, settings.LAB_WORKERS)
    known = spreads.known(spec, owner, measure, parse_whole(builder.data["trial"]))
    if known is None:
        return Planned(form, unit, problem=_unknown(trial_deals), running=running, trial_deals=trial_deals)
    made = plan(spec, known.spread, form.cleaned_data["wanted"])
    return Planned(
        form=form,
        unit=unit,
        plan=made,
        rows=tuple(_row(mark, outlook, made) for mark, outlook in enumerate(made.outlooks)),
        figures=_figures(made, unit) if made.is_possible else (),
        problem=_problem(made, unit),
        source=_source_words(known),
        experiment=known.experiment,
        running=running,
        trial_deals=trial_deals,
        takes=made.needed if made.is_possible and made.needed != made.deals else None,
    )


def _wanted_error(form: WantedForm) -> str:
    return " ".join(map(str, form.errors.get("wanted", ())))


def _unknown(trial_deals: int) -> str:
    text = "How far margins spread is not known for these rules and seats."
    return f"{text} Play trial deals, and the plan is here." if trial_deals else text


def _problem(made: Plan, unit: str) -> str:
    """What is wrong with a plan, and what to do."""
    if not made.is_possible and made.widest is not None:
        return f"There is no difference of {amount(made.wanted)} {unit}: ask for less than {amount(made.widest)}."
    if made.deals < 2:
        return "One deal tells nothing about a difference: take two or more, best at least 30."
    if made.needed is None:
        return (
            f"{format_plain(made.wanted)} {unit} would take more than {count(MAX_DEALS)} deals, the most that "
            f"there may be: ask for {number(made.least, 2)} or more."
        )
    return ""


def _source_words(known: spreads.Known) -> str:
    spread = known.spread
    if spread.source == TRIAL:
        return f"{plural(spread.deals, 'trial deal', 'trial deals')} of these line-ups"
    if spread.source == EARLIER:
        return f"{plural(spread.deals, 'deal', 'deals')} of these line-ups in an earlier experiment of yours"
    if spread.source == STORED:
        return f"{plural(spread.deals, 'deal', 'deals')} of two other engines of this game that are about as strong"
    return "no deals at all: it takes equal sides, no draws, and matches of a deal that have nothing in common"


def _running_trial(data: Mapping[str, str], owner: User) -> Experiment | None:
    """The trial that the form has started, while it is played."""
    number_ = parse_whole(data["trial"])
    live = (Experiment.Status.RUNNING, Experiment.Status.PAUSED)
    return Experiment.objects.filter(pk=number_, owner=owner, status__in=live).first() if number_ is not None else None


def _row(mark: int, outlook: Outlook, made: Plan) -> RuleRow:
    rule = outlook.rule
    name = NAMES[rule.rule]
    if outlook.alike is None or outlook.wanted is None:
        return RuleRow(name, "", mark, outlook.is_chosen, outlook.refused, "", None, None, None)
    is_rate = made.design.arms == 1 and rule.on == WIN_RATE
    is_over = is_rate and rule.rule == stop.SPRT and not made.design.is_between_sides
    worst = made.deals, made.deals * made.design.arms * made.arm_deal_s
    return RuleRow(
        name=name,
        detail=_detail(rule, made.design) + (" over the opponents" if is_over else ""),
        mark=mark,
        is_chosen=outlook.is_chosen,
        refused="",
        found=percent(outlook.wanted.found, 0),
        alike=_cost(outlook.alike, made),
        wanted=_cost(outlook.wanted, made),
        worst=worst,
    )


def _cost(row: Chance, made: Plan) -> tuple[int, float]:
    return round(row.deals), row.arm_deals * made.arm_deal_s


def _detail(rule: stop.StopSpec, design: Design) -> str:
    """The numbers of a rule, in the unit of the plan."""
    if rule.rule == stop.PRECISION:
        return f"±{amount(precision(rule, design))}"
    if rule.rule == stop.SPRT:
        return f"{format_plain(round(rule.h0, 2))} against {format_plain(round(rule.h1, 2))}"
    return ""


def precision(rule: stop.StopSpec, design: Design) -> float:
    """The half-width that a rule waits for, in the unit of the plan: specs have that of the only arm's win rate."""
    return rule.half_width * (2 if rule.on == WIN_RATE and design.is_between_sides else 1)


def _figures(made: Plan, unit: str) -> tuple[Figure, ...]:
    """How often a difference is seen, and deals until the end, by the difference."""
    shown = [(NAMES[row.rule.rule], mark, row.curve) for mark, row in enumerate(made.outlooks) if row.curve]
    found = [Curve(name, mark, tuple((c.difference, 100 * c.found) for c in rows)) for name, mark, rows in shown]
    deals = [Curve(name, mark, tuple((c.difference, c.deals) for c in rows)) for name, mark, rows in shown]
    label = f"True difference, {unit}"
    marked = 100 * POWER, made.wanted
    return (
        curves.figure("Will it be seen?", "How often it is said, in per cent", label, found, 100.0, marked),
        curves.figure("What will it take?", "Deals until the end, on average", label, deals, float(made.deals), None),
    )


# ---- ways to begin


def buttons(builder: Builder, owner: User) -> list[KindButton]:
    """The three ways to begin, with what they cost for the line-ups of the form."""
    spec = builder.spec
    known = spreads.known(spec, owner, WIN_RATE, parse_whole(builder.data["trial"])) if spec else None
    return [_button(name, builder, known) for name in kinds.KINDS]


def _button(name: str, builder: Builder, known: spreads.Known | None) -> KindButton:
    (label, note), spec, design = LABELS[name], builder.spec, builder.design
    wanted = format_plain(kinds.wanted_by(name, design))
    words = {"wanted": wanted, "unit": unit_words(WIN_RATE, design)}
    if spec is None or known is None:
        return KindButton(name, label, note.format(**words, rule=""), "", 0.0, is_chosen=False, is_offered=True)
    found = kinds.kind(name, spec, known.spread)
    if found is None:
        why = "not where agents take part" if spec.has_agents else "for one arm or two"
        return KindButton(name, label, f"{note.format(**words, rule='')} Only {why}.", "", 0.0, False, False)
    cost = kinds.outlook(found, spec, known.spread)
    seconds = cost.arm_deals * arm_deal_s(spec) / power.now().of(to_json(spec))
    deals = f"{count(round(cost.deals))} deals"
    if round(cost.deals) < found.deals:
        deals = f"about {deals}, at most {count(found.deals)}"
    is_chosen = (spec.deals, spec.stop) == (found.deals, found.stop) and builder.data["wanted"] == wanted
    aim = _aim(found.stop, design)
    return KindButton(name, label, note.format(**words, rule=aim), deals, seconds, is_chosen, True)


def _aim(rule: stop.StopSpec, design: Design) -> str:
    """Until when a publishable experiment plays."""
    if rule.rule == stop.PRECISION:
        return f"Until ±{format_plain(precision(rule, design))} {unit_words(WIN_RATE, design)} are reached."
    return "Until the best arm is found." if rule.rule == stop.BEST_OF else ""


def with_kind(builder: Builder, owner: User, name: str) -> draft.Data:
    """The data of a form, begun in one of the three ways; unchanged where its line-ups are not valid yet."""
    data = dict(builder.data)
    spec = builder.spec or _neutral(builder)
    known = spreads.known(spec, owner, WIN_RATE, parse_whole(data["trial"])) if spec else None
    found = kinds.kind(name, spec, known.spread) if spec and known and name in kinds.KINDS else None
    if found is None:
        return data
    kept = {key: value for key, value in data.items() if not key.startswith("stop-")}
    numbers = {"deals": str(found.deals), "wanted": format_plain(found.wanted)}
    return kept | numbers | to_data(stop.to_json(found.stop), "stop")


def _neutral(builder: Builder) -> ExperimentSpec | None:
    """The spec of the form's line-ups, where only what a kind sets is wrong."""
    kept = {key: value for key, value in builder.data.items() if not key.startswith("stop-")}
    return Builder(kept | {"deals": "2"}, builder.kind, builder.agents, builder.own).spec
