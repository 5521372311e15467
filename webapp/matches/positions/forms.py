"""The form of an analysis: up to six engines with their budgets, over posted data made whole."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from engines import registry as engine_registry
from games import options as option_tools
from games.protocol import Game
from webapp.common import engine_forms
from webapp.common.engine_forms import ConfigurationForms
from webapp.common.fields import NumberField
from webapp.matches.positions import presets
from worker.spec import MAX_SEED, SpecError
from worker.studies.position import MAX_RUNS

Data = dict[str, str]
OPENER = "flat_mc"


class StartForm(forms.Form):
    """Seed, and the number of the shown form."""

    seed = NumberField(
        whole=True,
        minimum=0,
        maximum=MAX_SEED,
        example=1,
        label="Seed (the same gives the same answers)",
    )
    submission = forms.UUIDField(widget=forms.HiddenInput)


class RunForms(ConfigurationForms):
    """One engine that thinks about the position."""

    def __init__(self, data: Mapping[str, str], game_id: str, index: int) -> None:
        super().__init__(data, game_id, prefix(index), f"Engine {index + 1}")
        self.index = index
        self.number = index + 1


class AnalysisForm:
    """All forms of the page, bound to data that `complete` has made whole."""

    def __init__(self, posted: Mapping[str, str], game: Game) -> None:
        self.data = complete(posted, game)
        self.start = StartForm(self.data)
        self.runs = [RunForms(self.data, game.id, index) for index in range(num_runs(self.data))]
        self.presets = presets.fitting_presets(game)
        self.errors: list[str] = []

    @property
    def is_full(self) -> bool:
        """Whether no run can be added."""
        return len(self.runs) >= MAX_RUNS

    def is_valid(self) -> bool:
        """Check every field, so that all errors show."""
        are_valid = [form.is_valid() for form in self.forms()]
        return all(are_valid)

    def forms(self) -> list[forms.Form]:
        """Every form of the page."""
        return [self.start, *(form for run in self.runs for form in run.forms())]

    def to_json(self) -> list[dict[str, Any]]:
        """The runs as the study's spec writes them; the form must be valid."""
        return [run.to_json() for run in self.runs]

    def add_error(self, error: SpecError) -> None:
        """Put an error of the spec at the field that its path names, else above the form."""
        text = error.message[:1].upper() + error.message[1:]
        match error.path:
            case ("parameters", "runs", int(run), "engine" | "options" | "budget", *_) if run < len(self.runs):
                form, name = self.runs[run].field_of(error.path[3:])
                if name in form.fields:
                    form.add_error(name, text)
                    return
        self.errors.append(text)

    def problems(self) -> list[tuple[str, str, str]]:
        """(label, what is wrong, id of its field) of every error, in the order of the page."""
        found: list[tuple[str, str, str]] = []
        for where, form in [("", self.start)] + [(f"Engine {r.number}, ", f) for r in self.runs for f in r.forms()]:
            found += [
                (f"{where}{form[name].label}", str(form.errors[name][0]), form[name].auto_id) for name in form.errors
            ]
        return [*found, *(("", text, "") for text in self.errors)]


def prefix(index: int) -> str:
    """Prefix of the fields of one run."""
    return f"run-{index}"


def num_runs(data: Mapping[str, str]) -> int:
    """Number of runs in the data."""
    text = data.get("runs", "")
    return min(MAX_RUNS, max(1, int(text))) if re.fullmatch(r"[0-9]{1,3}", text) else 1


def complete(posted: Mapping[str, str], game: Game) -> Data:
    """Fill in whatever the data lacks, and drop what belongs to another engine."""
    data = {
        "seed": posted.get("seed", "1"),
        "submission": posted.get("submission") or str(uuid.uuid4()),
        "runs": str(num_runs(posted)),
    }
    engines = engine_registry.suitable(game)
    for index in range(num_runs(posted)):
        data |= engine_forms.complete(posted, prefix(index), engines, OPENER, game)
    return data


def from_runs(runs: Iterable[Mapping[str, Any]], seed: int = 1) -> Data:
    """The data that makes these runs; those of engines that this lab does not know are left out."""
    data: Data = {"seed": str(seed)}
    known = [run for run in runs if run["engine"] in engine_registry.ids()]
    for index, run in enumerate(known):
        cls = engine_registry.get(run["engine"])
        options = option_tools.to_json(cls.options_class()) | run["options"]
        data |= engine_forms.configuration_data(prefix(index), run["engine"], options, run["budget"])
    return data | {"runs": str(len(known))}


def apply_button(data: Mapping[str, str], action: str, game: Game) -> Data:
    """Carry out a button of the form: ``add``, ``remove:1``, ``preset:star``; others change nothing."""
    name, _, value = action.partition(":")
    count = num_runs(data)
    if name == "add" and count < MAX_RUNS:
        return _with_runs(data, [*range(count), None])
    if name == "remove" and value.isdecimal() and count > 1:
        return _with_runs(data, [index for index in range(count) if str(index) != value])
    if name == "preset":
        for preset in presets.fitting_presets(game):
            if preset.id == value:
                return {**_without_runs(data), **from_runs(preset.runs), "seed": data.get("seed", "1")}
    return dict(data)


def _without_runs(data: Mapping[str, str]) -> Data:
    return {key: value for key, value in data.items() if not key.startswith("run-")}


def _with_runs(data: Mapping[str, str], order: list[int | None]) -> Data:
    """The data with the runs of `order` (old index, or None for a fresh one)."""
    made = _without_runs(data)
    for new, old in enumerate(order):
        if old is not None:
            start = f"{prefix(old)}-"
            made |= {
                f"{prefix(new)}-{key.removeprefix(start)}": value
                for key, value in data.items()
                if key.startswith(start)
            }
    return made | {"runs": str(len(order))}
