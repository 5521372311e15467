"""The builder: all forms of one spec, bound to posted data, and the spec that they spell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.functional import cached_property

from games import registry as game_registry
from webapp.common.engine_forms import ConfigurationForms
from webapp.common.option_forms import OptionForm
from webapp.experiments import draft
from webapp.experiments.forms import ArmForm, SetupForm
from worker import spec as specs

SEAT_PATH = re.compile(r"arms\[(\d+)\]\.seats\[(\d+)\]\.(engine|options|budget)(?:\.(\w+))?$")
ARM_PATH = re.compile(r"arms\[(\d+)\](?:\.name)?$")
MAX_TITLE = 200


@dataclass(frozen=True)
class Problem:
    """What is wrong where; `target` is the id of the place on the page, empty where it has none."""

    label: str
    text: str
    target: str


def _problem(where: str, form: forms.Form, name: str) -> Problem:
    field = form[name]
    label = f"{where}{field.label}"
    target = "" if field.is_hidden else field.id_for_label or f"{field.auto_id}_error"
    return Problem(label[:1].upper() + label[1:], form.errors[name][0], target)


class SeatForms(ConfigurationForms):
    """Engine, options and budget of one place of a line-up."""

    def __init__(self, data: Mapping[str, str], game_id: str, arm: int, seat: int) -> None:
        super().__init__(data, game_id, draft.seat_prefix(arm, seat), f"Seat {seat}")
        self.index = seat


class ArmForms:
    """Name and places of one arm."""

    def __init__(self, data: Mapping[str, str], game_id: str, arm: int, seats: int) -> None:
        self.index = arm
        self.number = arm + 1
        self.form = ArmForm(data, prefix=f"arm-{arm}")
        self.seats = [SeatForms(data, game_id, arm, seat) for seat in range(seats)]

    def to_json(self) -> dict[str, Any]:
        """The arm as the spec writes it."""
        return {"name": self.form.cleaned_data.get("name", ""), "seats": [seat.to_json() for seat in self.seats]}


class Builder:
    """Forms over complete data (`draft.complete`); kind "match" is one arm, one deal, no rotation."""

    def __init__(self, posted: Mapping[str, str], kind: str = "experiment") -> None:
        single = {"arms": "1", "deals": "1", "rotation": "none"} if kind == "match" else {}
        self.kind = kind
        self.data = draft.complete({**posted, **single})
        game_id, seats = self.data["game"], int(self.data["seats"])
        self.game = game_registry.get(game_id)
        self.setup = SetupForm(game_id, self.data)
        self.rules = OptionForm(self.game.options, self.data, prefix="rules")
        self.arms = [ArmForms(self.data, game_id, arm, seats) for arm in range(draft.num_arms(self.data))]
        self.errors: list[str] = []

    def forms(self) -> list[forms.Form]:
        """Every form of the page."""
        seats = [form for arm in self.arms for seat in arm.seats for form in seat.forms()]
        return [self.setup, self.rules, *(arm.form for arm in self.arms), *seats]

    @cached_property
    def spec(self) -> specs.ExperimentSpec | None:
        """The checked spec, or None with the errors at their fields."""
        are_valid = [form.is_valid() for form in self.forms()]  # each, so that all errors show
        if not all(are_valid):
            return None
        try:
            return specs.from_json(self._json())
        except specs.SpecError as error:
            self.add_error(error.path, error.message)
            return None

    def _json(self) -> dict[str, Any]:
        values = self.setup.cleaned_data
        return {
            "version": specs.VERSION,
            "game": values["game"],
            "options": self.rules.to_json(),
            "seats": values["seats"],
            "arms": [arm.to_json() for arm in self.arms],
            "deals": values["deals"],
            "rotation": values["rotation"],
            "seed": values["seed"],
            "stop": {"rule": values["stop"]},
            "record": values["record"],
            "queue": values["queue"],
            "priority": values["priority"],
        }

    def json_text(self) -> str:
        """The spec as people copy it; empty while it has errors."""
        return json_text(specs.to_json(self.spec)) if self.spec else ""

    @property
    def title(self) -> str:
        """The person's question, or who meets whom."""
        given = str(self.setup.cleaned_data.get("title") or "").strip() if self.setup.is_bound else ""
        return given or self._named_after_engines()

    def _named_after_engines(self) -> str:
        labels = list(dict.fromkeys(seat.cls.label for arm in self.arms for seat in arm.seats))
        text = (" against " if len(labels) == 2 else " v ").join(labels)
        return f"{self.game.label}: {text}"[:MAX_TITLE]

    def num_errors(self) -> int:
        """How many places need a change."""
        return len(self.problems())

    def problems(self) -> list[Problem]:
        """What needs a change, in the order of the page."""
        found = [_problem(where, form, name) for where, form in self._named_forms() for name in form.errors]
        return [*found, *(Problem("", text, "") for text in self.errors)]

    def _named_forms(self) -> Iterator[tuple[str, forms.Form]]:
        yield from (("", form) for form in (self.setup, self.rules))
        for arm in self.arms:
            name = f"Arm {arm.number}, " if self.kind == "experiment" else ""
            yield name, arm.form
            for seat in arm.seats:
                yield name, seat.engine
                yield from ((f"{name}seat {seat.index}, ", form) for form in (seat.options, seat.budget))

    def first_error(self) -> str:
        """The first problem, for the estimate's box."""
        problems = self.problems()
        return f"{problems[0].label}. {problems[0].text}".removeprefix(". ") if problems else ""

    def add_error(self, path: str, message: str) -> None:
        """Put an error of the spec at the field that its path names, else above the form."""
        form, name = self._field_at(path)
        text = message[:1].upper() + message[1:]
        if form is not None and name in form.fields:
            form.add_error(name, text)
        else:
            self.errors.append(f"{path}: {message}" if path else text)

    def _field_at(self, path: str) -> tuple[forms.Form | None, str]:
        if found := SEAT_PATH.match(path):
            arm, seat, part, name = int(found[1]), int(found[2]), found[3], found[4] or ""
            if arm < len(self.arms) and seat < len(self.arms[arm].seats):
                return self.arms[arm].seats[seat].field_of(part, name)
        if (found := ARM_PATH.match(path)) and int(found[1]) < len(self.arms):
            return self.arms[int(found[1])].form, "name"
        if path.startswith("options."):
            return self.rules, path.removeprefix("options.")
        return self.setup, path.removesuffix(".rule")


def json_text(spec: Mapping[str, Any]) -> str:
    """JSON with one line per seat: short enough to read, plain enough to paste.

    The order is that of the spec, whatever the database made of it.
    """
    compact = {key: spec[key] for key in specs.SPEC_KEYS if key in spec} | {"arms": "@arms"}
    arms = []
    for arm in spec["arms"]:
        rows = [{key: seat[key] for key in ("engine", "options", "budget")} for seat in arm["seats"]]
        seats = ",\n".join(f"      {json.dumps(row, ensure_ascii=False)}" for row in rows)
        name = json.dumps(arm["name"], ensure_ascii=False)
        arms.append(f'    {{"name": {name}, "seats": [\n{seats}\n    ]}}')
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in compact.items()]
    text = "{\n" + ",\n".join(lines) + "\n}"
    return text.replace('"@arms"', "[\n" + ",\n".join(arms) + "\n  ]", 1)
