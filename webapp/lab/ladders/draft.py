"""The data of a ladder's form as flat text, and its forms: ``entry-0-name``, ``entry-0-option-epsilon``."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from django import forms

from engines import levels
from engines import registry as engine_registry
from games import options as option_tools
from games import registry as game_registry
from games.json_paths import Path
from webapp.common import amounts, engine_forms
from webapp.common.data_fields import Own
from webapp.common.engine_forms import ConfigurationForms
from webapp.common.formats import duration
from webapp.common.numbers import parse_whole
from webapp.common.option_forms import OptionForm, rules_data
from webapp.common.table_size import default_num_seats
from webapp.lab.experiments.draft import draw_seed
from webapp.lab.experiments.forms import SpecForm
from webapp.lab.jobs import power
from webapp.lab.ladders import words
from webapp.lab.ladders.words import PAIRING_WORDS
from worker import estimate
from worker import spec as specs
from worker.spec import Entry, ExperimentSpec, SpecError, read
from worker.spec.ladder import MAX_ENTRIES, entry_from_json
from worker.spec.ladder import PATH as ENTRIES
from worker.spec.model import PAIRINGS

Data = dict[str, str]
DEFAULTS = {"title": "", "pairing": "uncertainty", "deals": "100", "record": "standard"}
DEALS_HELP = "Of each table; where it tells most, of each engine on average. Every seating of a deal is played"
PAIRING_HELP = (
    "Where it tells most: each round goes where the order is open, or a lead known worst, for its price. All against"
    " all plays every table. Some against all: the challengers meet everybody."
)


def prefix(entry: int) -> str:
    """Prefix of the fields of one engine."""
    return f"entry-{entry}"


def num_entries(data: Mapping[str, str]) -> int:
    """The number of engines in the data; 0 where it says nothing."""
    number = parse_whole(data.get("entries"))
    return number if number is not None and 0 < number <= MAX_ENTRIES else 0


def complete(posted: Mapping[str, str]) -> Data:
    """Fill in missing values, and drop those of another game or engine. A fresh form has the game's levels."""
    game_id = posted.get("game", "")
    game_id = game_id if game_id in game_registry.ids() else game_registry.ids()[0]
    game = game_registry.get(game_id)
    traits = game.traits
    seats = parse_whole(posted.get("seats"))
    low = max(2, traits.min_seats)
    seats = seats if seats is not None and low <= seats <= traits.max_seats else max(low, default_num_seats(traits))
    data = {key: posted.get(key, default) for key, default in DEFAULTS.items()}
    data |= {"game": game_id, "rules-for": game_id, "seats": str(seats), "seed": posted.get("seed") or draw_seed()}
    data |= {"submission": posted.get("submission") or str(uuid.uuid4()), **rules_data(game, posted)}
    is_other_game = posted.get("rules-for", game_id) != game_id
    if not num_entries(posted) or is_other_game:
        return data | _levels(game_id)
    for i in range(num_entries(posted)):
        data |= complete_entry(posted, i, game_id)
    return data | {"entries": str(num_entries(posted))}


def complete_entry(posted: Mapping[str, str], entry: int, game_id: str) -> Data:
    """The fields of one engine, filled in."""
    name, game = prefix(entry), game_registry.get(game_id)
    engines = engine_forms.offered(game)
    found = engine_forms.complete(posted, name, engines, "flat_mc", game)
    found[f"{name}-name"] = posted.get(f"{name}-name", "")
    if posted.get(f"{name}-challenger"):
        found[f"{name}-challenger"] = "on"
    return found


def _levels(game_id: str) -> Data:
    """The levels of a game as engines; the first two that fit, where it has none."""
    game = game_registry.get(game_id)
    rows = [(level.label, level.engine, level.options, level.budget) for level in levels.for_game(game_id)]
    if len(rows) < 2:
        engines = [engine_registry.get(engine) for engine in engine_registry.suitable(game)[:2]]
        rows = [("", cls.id, {}, dict(cls.default_budget)) for cls in engines]
    data: Data = {}
    for i, (label, engine, options, budget) in enumerate(rows):
        begun = option_tools.to_json(engine_registry.get(engine).options_class()) | engine_registry.defaults(
            engine, game
        )
        data |= engine_forms.configuration_data(prefix(i), engine, begun | dict(options), budget)
        data[f"{prefix(i)}-name"] = label
    return data | {"entries": str(len(rows))}


def apply_action(data: Mapping[str, str], action: str) -> Data:
    """The data after a button: add, remove:N, levels, seed; others change nothing."""
    made = dict(data)
    number = num_entries(data)
    if action == "seed":
        return made | {"seed": draw_seed()}
    if action == "levels":
        return _without_entries(made) | _levels(data["game"])
    if action == "add" and number < MAX_ENTRIES:
        return made | complete_entry({}, number, data["game"]) | {"entries": str(number + 1)}
    gone = parse_whole(action.removeprefix("remove:"))
    if action.startswith("remove:") and gone is not None and gone < number and number > 2:
        kept = [i for i in range(number) if i != gone]
        entries = {
            f"{prefix(new)}-{key.removeprefix(f'{prefix(old)}-')}": value
            for new, old in enumerate(kept)
            for key, value in data.items()
            if key.startswith(f"{prefix(old)}-")
        }
        return _without_entries(made) | entries | {"entries": str(number - 1)}
    return made


def _without_entries(data: Mapping[str, str]) -> Data:
    return {key: value for key, value in data.items() if not key.startswith("entry-")}


def from_spec(spec: ExperimentSpec, title: str) -> Data:
    """The data of a form that makes this ladder again; entries of before are left out."""
    assert spec.ladder is not None
    present = [entry for entry in spec.ladder.entries if entry.is_present]
    data = {
        "title": title,
        "game": spec.game,
        "rules-for": spec.game,
        "seats": str(spec.seats),
        "pairing": spec.ladder.pairing,
        "deals": str(spec.deals),
        "record": spec.record,
        "entries": str(len(present)),
        **{f"rules-{name}": str(value) for name, value in spec.options.items()},
    }
    for i, entry in enumerate(present):
        seat = entry.seat
        data |= engine_forms.configuration_data(prefix(i), seat.engine, seat.options, seat.budget.to_json())
        data[f"{prefix(i)}-name"] = entry.name
        if entry.is_challenger:
            data[f"{prefix(i)}-challenger"] = "on"
    return complete(data)


class SetupForm(SpecForm):
    """Game, seats, pairing, deals, seed, recording."""

    pairing = forms.ChoiceField(
        choices=[(key, PAIRING_WORDS[key]) for key in PAIRINGS], label="Who meets whom", help_text=PAIRING_HELP
    )
    record = forms.ChoiceField(
        choices=[("standard", "Matches and plies"), ("matches", "Matches only: no cost of strength")], label="Record"
    )
    least_seats = 2

    def __init__(self, game_id: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(game_id, *args, **kwargs)
        self.word("title", "Title", "Empty: named after the game", "e.g. All of Kingdomino's engines")
        self.word("deals", "Deals", DEALS_HELP)


class EntryForm(forms.Form):
    """The name of an engine, and whether it meets all others where some do."""

    name = forms.CharField(
        max_length=specs.MAX_NAME,
        required=False,
        label="Name",
        widget=forms.TextInput(attrs={"placeholder": "Name; empty: named after its engine"}),
    )
    challenger = forms.BooleanField(required=False, label="Challenger")


class EntryForms(ConfigurationForms):
    """One engine with its name. number: from 1, as people count."""

    def __init__(self, data: Mapping[str, str], game_id: str, entry: int, own: Own | None = None) -> None:
        super().__init__(data, game_id, prefix(entry), "Engine", own=own)
        self.index, self.number = entry, entry + 1
        self.form = EntryForm(data, prefix=prefix(entry))

    def forms(self) -> list[forms.Form]:
        """All of them."""
        return [self.form, *super().forms()]

    @property
    def name(self) -> str:
        """What people called it, else its engine with its budget."""
        given = str(self.form.cleaned_data.get("name", "")).strip() if self.form.is_valid() else ""
        budget = ", ".join(f"{amounts.text(value)} {key}" for key, value in self.budget.to_json().items())
        return given or (f"{self.called}, {budget}" if budget else self.called)

    def entry_json(self) -> dict[str, Any]:
        """The entry as specs write it."""
        is_challenger = bool(self.form.cleaned_data.get("challenger"))
        return {"name": self.name, **self.to_json(), "challenger": is_challenger}


class Builder:
    """Forms over complete data, and the spec that they make."""

    def __init__(self, posted: Mapping[str, str], own: Own | None = None) -> None:
        self.data = complete(posted)
        self.game = game_registry.get(self.data["game"])
        self.setup = SetupForm(self.game.id, self.data)
        self.rules = OptionForm(self.game.options, self.data, prefix="rules")
        self.entries = [EntryForms(self.data, self.game.id, i, own) for i in range(num_entries(self.data))]
        self.is_gauntlet = self.data["pairing"] == "gauntlet"
        self.errors: list[str] = []

    @cached_property
    def spec(self) -> ExperimentSpec | None:
        """The checked spec, or None with the errors at their fields."""
        forms_of = [self.setup, self.rules, *(form for entry in self.entries for form in entry.forms())]
        are_valid = [form.is_valid() for form in forms_of]  # each, so that all errors show
        if not all(are_valid):
            return None
        values = self.setup.cleaned_data
        data = {
            "version": specs.VERSION,
            "game": values["game"],
            "options": self.rules.to_json(),
            "seats": values["seats"],
            "ladder": {"pairing": values["pairing"], "entries": [entry.entry_json() for entry in self.entries]},
            "deals": values["deals"],
            "seed": values["seed"],
            "record": values["record"],
        }
        try:
            return specs.from_json(data)
        except SpecError as error:
            self.add_error(error)
            return None

    def add_error(self, error: SpecError) -> None:
        """Put an error of the spec at the field that it is about, or above all."""
        place_error(error, self.entries, self.setup, self.errors)

    @property
    def num_errors(self) -> int:
        """Places that need a change."""
        forms_of = [self.setup, self.rules, *(form for entry in self.entries for form in entry.forms())]
        return sum(len(form.errors) for form in forms_of) + len(self.errors)

    @property
    def title(self) -> str:
        """What people called it, else the game."""
        given = str(self.setup.cleaned_data.get("title") or "").strip() if self.setup.is_valid() else ""
        return given or words.title(self.game.id)

    @property
    def cost(self) -> Cost | None:
        """The estimate; None where there is no spec."""
        return None if self.spec is None else Cost(self.spec)

    def json_text(self) -> str:
        """The spec as people copy it; empty while it has errors."""
        return "" if self.spec is None else json_text(specs.to_json(self.spec))


class Cost:
    """What a ladder will take."""

    def __init__(self, spec: ExperimentSpec) -> None:
        workers = power.now()
        found = estimate.estimate(spec, workers.of(specs.to_json(spec)))
        self.matches, self.bytes, self.workers = found.matches, found.bytes, workers.processes
        self.tables = len(spec.arms)
        self.time = "a second or so" if found.seconds < 1.5 else f"about {duration(found.seconds)}"


def json_text(spec: Mapping[str, Any]) -> str:
    """A spec as JSON with one line an engine; tables follow from the engines, so they are left out."""
    compact = {key: spec[key] for key in read.KEYS if key in spec and key != "arms"}
    entries = [f"      {json.dumps(entry, ensure_ascii=False)}" for entry in spec["ladder"]["entries"]]
    compact["ladder"] = {"pairing": spec["ladder"]["pairing"], "entries": "@entries"}
    text = json.dumps(compact, ensure_ascii=False, indent=2)
    return text.replace('"@entries"', "[\n" + ",\n".join(entries) + "\n    ]")


def place_error(error: SpecError, entries: list[EntryForms], setup: forms.Form, rest: list[str]) -> None:
    """Put an error of a spec where it belongs."""
    path: Path = error.path
    if path[:2] == ("ladder", "entries") and len(path) > 2 and int(path[2]) < len(entries):
        entry = entries[int(path[2])]
        if len(path) == 3 or path[3] in ("name", "challenger", "version"):
            entry.form.add_error("name", error.message)
        else:
            form, name = entry.field_of(path[3:])
            form.add_error(name if name in form.fields else None, error.message)
    elif path and path[0] in setup.fields:
        setup.add_error(str(path[0]), error.message)
    elif path == ("ladder", "pairing"):
        setup.add_error("pairing", error.message)
    else:
        rest.append(str(error))


def entry_of(forms_of: EntryForms, spec: ExperimentSpec) -> Entry | None:
    """The checked engine of a form that enters a ladder; None with the errors at their fields."""
    are_valid = [form.is_valid() for form in forms_of.forms()]  # each, so that all errors show
    if not all(are_valid):
        return None
    assert spec.ladder is not None
    try:
        return entry_from_json(forms_of.entry_json(), ENTRIES, spec.game, spec.ladder.sides)
    except SpecError as error:
        place_error(SpecError((*ENTRIES, 0, *error.path[2:]), error.message), [forms_of], forms_of.form, [])
        return None
