"""The builder: all forms of one spec, bound to posted data, and the spec made from them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.forms import Form
from django.utils.functional import cached_property

from engines.protocol import BUDGET_LABELS
from games import registry as game_registry
from games.json_paths import Path
from webapp.common import fields
from webapp.common.data_fields import Own
from webapp.common.engine_forms import ConfigurationForms
from webapp.common.naming import PLACES
from webapp.common.option_forms import OptionForm
from webapp.lab.experiments import arm_names, axes, draft, titles
from webapp.lab.experiments.cost import Cost, cost_of
from webapp.lab.experiments.forms import ArmForm, SetupForm
from webapp.lab.results.teams import team_of
from worker import spec as specs
from worker.analysis.stop_rules.model import WIN_RATE
from worker.planning.design import Design, num_parties
from worker.spec import SpecError, naming, read, sweep
from worker.spec.model import num_arms
from worker.spec.stop import StopSpec

ONE_MATCH = {"arms": "1", "axes": "0", "deals": "1", "rotation": "none", "stop-rule": "fixed"}
"""What the form of a single match leaves no choice of."""
OF_A_SIDE = "It ends once the interval of each side's win rate is no wider; their difference has one twice as wide"


@dataclass(frozen=True)
class Problem:
    """An error and its place: the id of the place on the page, and that of the field; empty where it has none."""

    label: str
    text: str
    target: str
    field: str = ""


def _problem(where: str, form: Form, name: str) -> Problem:
    field = form[name]
    label = f"{where}{field.label}"
    target = "" if field.is_hidden else field.id_for_label or f"{field.auto_id}_error"
    return Problem(label[:1].upper() + label[1:], str(form.errors[name][0]), target, field.auto_id)


class SeatForms(ConfigurationForms):
    """Engine, options and budget of one place of a line-up."""

    def __init__(
        self,
        data: Mapping[str, str],
        game_id: str,
        arm: int,
        seat: int,
        agents: Sequence[str] = (),
        own: Own | None = None,
    ) -> None:
        super().__init__(data, game_id, draft.seat_prefix(arm, seat), PLACES[seat], agents, own)
        self.index, self.label = seat, PLACES[seat]
        self.team = team_of(seat) + 1 if game_registry.get(game_id).traits.has_teams else None
        self.swept_labels: list[str] = []

    def mark_swept(self, axis: axes.AxisForm) -> None:
        """Note, here and at the field, that an axis sets one of the values."""
        self.swept_labels.append(axis.label)
        form, field = self.field_of(axis.what_varies)
        if form[field].value() or form is self.options:
            form[field].help_text = f"Sweep {axis.number} below sets it instead"


class ArmForms:
    """Name and places of one arm."""

    def __init__(
        self,
        data: Mapping[str, str],
        game_id: str,
        arm: int,
        seats: int,
        agents: Sequence[str] = (),
        own: Own | None = None,
    ) -> None:
        self.index = arm
        self.number = arm + 1
        self.is_swept = False
        self.form = ArmForm(data, prefix=f"arm-{arm}")
        self.seats = [SeatForms(data, game_id, arm, seat, agents, own) for seat in range(seats)]

    @property
    def name(self) -> str:
        """What the person calls it."""
        return str(self.form["name"].value()).strip() or f"Arm {self.number}"

    def to_json(self) -> dict[str, Any]:
        """The arm as the spec writes it."""
        return {"name": self.form.cleaned_data.get("name", ""), "seats": [seat.to_json() for seat in self.seats]}


class Builder:
    """Forms over complete data (`draft.complete`); kind "match" is one arm, one deal, no rotation.

    agents: names of those that may take a seat; own: strategies of the person.
    """

    def __init__(
        self, posted: Mapping[str, str], kind: str = "experiment", agents: Sequence[str] = (), own: Own | None = None
    ) -> None:
        single = ONE_MATCH if kind == "match" else {}
        self.kind, self.agents, self.own = kind, agents, own
        self.data = draft.complete({**posted, **single}, agents)
        if kind == "match":  # shows no stop rule, so nobody can have seen another shape of it
            unseen = {key for key in self.data if key.startswith("stop-") and key.endswith("-for")}
            kept = {key: posted[key] for key in unseen if key in posted}
            self.data = {key: value for key, value in self.data.items() if key not in unseen} | kept
        game_id, seats = self.data["game"], int(self.data["seats"])
        self.game = game_registry.get(game_id)
        self.setup = SetupForm(game_id, self.data)
        self.rules = OptionForm(self.game.options, self.data, prefix="rules")
        self.stop = OptionForm(StopSpec, self.data, prefix="stop")
        self.arms = [ArmForms(self.data, game_id, arm, seats, agents, own) for arm in range(draft.num_arms(self.data))]
        self.has_agents = any(seat.is_agent for arm in self.arms for seat in arm.seats)
        if self.has_agents:
            self.setup.fields["deals"].help_text = "A match for each seating; every match has luck of its own"
        self._make_axes()
        self._offer_baselines()
        if self.design.is_between_sides and self.data["stop-on"] == WIN_RATE and "half_width" in self.stop.fields:
            self.stop.fields["half_width"].help_text = OF_A_SIDE
        self.errors: list[str] = []
        self.known_problems: list[Problem] | None = None

    @property
    def design(self) -> Design:
        """The shape of what is compared, as far as it is known while the form has errors."""
        arms = max(len(self.arms), 2 if self.axes else 1)
        return Design(arms, 1, num_parties(self.game.id, int(self.data["seats"])), not self.has_agents)

    def _make_axes(self) -> None:
        """The forms of the sweep, which varies the first line-up."""
        known = axes.offers([seat.engine_id for seat in self.arms[0].seats], self.game)
        self.axes = [axes.AxisForm(self.data, axis, known) for axis in range(draft.num_axes(self.data))]
        self.can_sweep = bool(known)
        self.can_add_axis = self.can_sweep and len(self.axes) < min(axes.MAX_AXES, len(known))
        for axis in self.axes:
            for seat in axis.ticked_seats:
                self.arms[0].seats[seat].mark_swept(axis)
        self.arms[0].is_swept = bool(self.axes)

    def _offer_baselines(self) -> None:
        """Let the person choose among all arms, those of the sweep included; the first one where none is chosen."""
        swept = [(f"sweep-{i}", name) for i, name in enumerate(self._swept_names())]
        written = [(f"arm-{arm.index}", arm.name) for arm in self.arms[1 if self.axes else 0 :]]
        chosen = self.data["baseline"]
        if self.axes and not swept:  # values that are being typed
            swept = [(chosen if chosen.startswith("sweep-") else "sweep-0", "A value of the sweep")]
        offered = swept + written
        if chosen not in dict(offered):
            self.data["baseline"] = offered[0][0]
        fields.offer(self.setup, "baseline", offered)
        self.has_baseline = self.kind == "experiment" and (len(self.arms) > 1 or bool(self.axes))

    def _swept_names(self) -> list[str]:
        """Names of the arms of the sweep; empty while its values have errors."""
        if not self.axes or not all(axis.is_valid() for axis in self.axes):
            return []
        found = [axis.axis for axis in self.axes]
        if num_arms(found) > specs.MAX_ARMS:
            return []
        return naming.arm_names(found, [seat.engine_id for seat in self.arms[0].seats])

    def _baseline(self) -> int:
        """Number of the baseline among all arms."""
        kind, _, number = self.data["baseline"].partition("-")
        if kind == "sweep" or not self.axes:
            return int(number)
        return num_arms([axis.axis for axis in self.axes]) + int(number) - 1

    def forms(self) -> list[Form]:
        """Every form of the page."""
        seats = [form for arm in self.arms for seat in arm.seats for form in seat.forms()]
        return [self.setup, self.rules, self.stop, *(arm.form for arm in self.arms), *seats, *self.axes]

    @cached_property
    def spec(self) -> specs.ExperimentSpec | None:
        """The checked spec, or None with the errors at their fields."""
        are_valid = [form.is_valid() for form in self.forms()]  # each, so that all errors show
        if not all(are_valid) or not self._are_budgets_there():
            return None
        try:
            return specs.from_json(self._json())
        except SpecError as error:
            self.add_error(error)
            return None

    def _are_budgets_there(self) -> bool:
        """Whether the seats of each swept budget have it; an axis where they do not gets an error."""
        for axis in (axis for axis in self.axes if axis.offer.group == axes.BUDGET):
            key = axis.offer.row["name"]
            for seat in axis.ticked_seats:
                found = self.arms[0].seats[seat].budget.to_json()
                if key not in found:
                    has = ", ".join(BUDGET_LABELS[name][0] for name in found)
                    axis.add_error(
                        "what", f"The budget of the {naming.in_words([seat])} is {has}: choose {axis.label} there too."
                    )
                    return False
        return True

    def _json(self) -> dict[str, Any]:
        values = self.setup.cleaned_data
        return {
            "version": specs.VERSION,
            "game": values["game"],
            "options": self.rules.to_json(),
            "seats": values["seats"],
            "arms": self._arms(),
            **({"sweep": self._sweep()} if self.axes else {}),
            "baseline": self._baseline(),
            "deals": values["deals"],
            "rotation": values["rotation"],
            **({} if self.has_agents else {"seed": values["seed"]}),
            "stop": self.stop.to_json(),
            "record": values["record"],
            "queue": values["queue"],
            "priority": values["priority"],
        }

    def _arms(self) -> list[dict[str, Any]]:
        """The arms as the spec writes them; those of no sweep are called by what tells them apart."""
        arms = [arm.to_json() for arm in self.arms]
        if self.axes:
            return arms
        return [arm | {"name": name} for arm, name in zip(arms, arm_names.names(arms), strict=True)]

    def _sweep(self) -> dict[str, Any]:
        beside = len(self.arms) - 1
        return {"axes": [axis.to_json() for axis in self.axes], **({"beside": beside} if beside else {})}

    @cached_property
    def cost(self) -> Cost | None:
        """The estimate; None where there is no spec."""
        return cost_of(self.spec) if self.spec else None

    def json_text(self) -> str:
        """The spec as people copy it; empty while it has errors."""
        return json_text(specs.to_json(self.spec)) if self.spec else ""

    def product(self) -> str:
        """Numbers of values of crossed axes, e.g. "3 x 4"; empty for a single axis, and while the spec has errors."""
        axes = self.spec.sweep if self.spec else ()
        return " \u00d7 ".join(str(len(axis.values)) for axis in axes) if len(axes) > 1 else ""

    def equal_arms(self) -> list[tuple[int, int]]:
        """Numbers of arms that play the same as an earlier one, and of that one; none while the spec has errors."""
        line_ups = [arm.seats for arm in self.spec.arms] if self.spec else []
        return [(k + 1, line_ups.index(seats) + 1) for k, seats in enumerate(line_ups) if seats in line_ups[:k]]

    @property
    def title(self) -> str:
        """The person's question, else the names of the engines."""
        given = str(self.setup.cleaned_data.get("title") or "").strip() if self.setup.is_bound else ""
        return given or self._named_after_engines()

    def _named_after_engines(self) -> str:
        labels = list(dict.fromkeys(seat.called for arm in self.arms for seat in arm.seats))
        return titles.named_after(self.game.label, labels)

    def num_errors(self) -> int:
        """The number of places that need a change."""
        return len(self.problems())

    def problems(self) -> list[Problem]:
        """The places that need a change, in the order of the page."""
        if self.known_problems is not None:
            return self.known_problems
        found = [_problem(where, form, name) for where, form in self._named_forms() for name in form.errors]
        return [*found, *(Problem("", text, "") for text in self.errors)]

    def hide_untyped_errors(self) -> None:
        """Hide the errors at values of a sweep that have not been typed yet; they still count as problems."""
        self.known_problems = self.problems()
        for axis in self.axes:
            if axis.is_untyped:
                axis.errors.pop("values", None)

    def _named_forms(self) -> Iterator[tuple[str, Form]]:
        yield from (("", form) for form in (self.setup, self.rules, self.stop))
        for arm in self.arms:
            name = f"Arm {arm.number}, " if self.kind == "experiment" else ""
            yield name, arm.form
            for seat in arm.seats:
                yield name, seat.engine
                yield from ((f"{name}{naming.in_words([seat.index])}, ", form) for form in (seat.options, seat.budget))
        yield from ((f"Sweep {axis.number}, ", axis) for axis in self.axes)

    def first_error(self) -> str:
        """The first problem, for the estimate's box."""
        problems = self.problems()
        return f"{problems[0].label}. {problems[0].text}".removeprefix(". ") if problems else ""

    def add_error(self, error: SpecError) -> None:
        """Put an error of the spec at the field that its path names, else above the form."""
        form, name = self._field_at(error.path)
        message = error.message
        checked = self.__dict__.get("spec")  # reading the property here would compute it again
        match error.path:
            case ("arms", int(arm), *inner) if self.axes and checked and arm >= checked.num_swept:
                form, name = self._field_at(("arms", arm - checked.num_swept + 1, *inner))
            case ("arms", int(arm), "seats", int(), _, *_) if self.axes and checked:  # an arm that the sweep made
                form, name = self.axes[-1], "values"
                message = f"{checked.arms[arm].name}: {message}"
        text = message[:1].upper() + message[1:]
        if name in form.fields:
            form.add_error(name, text)
        else:
            self.errors.append(f"{error.place}: {message}" if error.path else text)

    def _field_at(self, path: Path) -> tuple[Form, str]:
        match path:
            case ("arms", int(arm), "seats", int(seat), _, *_) if self._has_seat(arm, seat):
                return self.arms[arm].seats[seat].field_of(path[4:])
            case ("arms", int(arm)) | ("arms", int(arm), "name") if self._has_seat(arm):
                return self.arms[arm].form, "name"
            case ("sweep", "axes", int(axis), part, *_) if self.axes:
                return self.axes[axis], "what" if part == "paths" else "values"
            case ("sweep", *_) if self.axes:
                return self.axes[-1], "values"
            case ("options", str(name)):
                return self.rules, name
            case ("stop", str(name)):
                return self.stop, name
        return self.setup, str(path[0]) if path else ""

    def _has_seat(self, arm: int, seat: int = 0) -> bool:
        return arm < len(self.arms) and seat < len(self.arms[arm].seats)


def json_text(spec: Mapping[str, Any]) -> str:
    """JSON with one line per seat and axis: short enough to read, plain enough to paste.

    The order is that of the spec, whatever the database made of it. Arms that a sweep makes
    and names are left to it: only the line-up that it starts from is written, and those beside it.
    """
    compact = {key: spec[key] for key in read.KEYS if key in spec} | {"arms": "@arms"}
    arms = []
    for arm in _written_arms(spec):
        rows = [{key: seat[key] for key in ("engine", "options", "budget")} for seat in arm["seats"]]
        seats = ",\n".join(f"      {_line(row)}" for row in rows)
        arms.append(f'    {{"name": {_line(arm["name"])}, "seats": [\n{seats}\n    ]}}')
    axis_lines = [f"    {_line(axis)}" for axis in spec.get("sweep", {}).get("axes", ())]
    if axis_lines:
        compact["sweep"] = {**spec["sweep"], "axes": "@axes"}
    text = "{\n" + ",\n".join(f"  {_line(key)}: {_line(value)}" for key, value in compact.items()) + "\n}"
    text = text.replace('"@axes"', "[\n" + ",\n".join(axis_lines) + "\n  ]", 1)
    return text.replace('"@arms"', "[\n" + ",\n".join(arms) + "\n  ]", 1)


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _written_arms(spec: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    axes_stored, arms = sweep.stored_axes(spec), list(spec["arms"])
    if not axes_stored:
        return arms
    names, size = naming.arm_names(axes_stored, [seat["engine"] for seat in arms[0]["seats"]]), num_arms(axes_stored)
    return [arms[0], *arms[size:]] if [arm["name"] for arm in arms[:size]] == names else arms
