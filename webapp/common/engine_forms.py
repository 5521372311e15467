"""Forms of one engine configuration, and their data as flat text: ``arm-0-seat-1-option-epsilon``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import Form

from engines import named_engines
from engines import registry as engine_registry
from engines.named_engines import NamedEngine
from engines.protocol import Engine
from games import options as option_tools
from games import registry as game_registry
from games.json_paths import Path
from games.protocol import Game
from webapp.common.data_fields import DataField, Own
from webapp.common.fields import NumberField, format_plain, offer
from webapp.common.option_forms import BudgetForm, OptionForm, budget_data, to_data
from worker.spec import agents as agent_specs
from worker.spec.agents import DEFAULT_LIMITS, MAX_LIMITS, is_agent

NAMED = "named:"
"""Before the prefix of the seat that a named configuration is asked for."""
LIMIT_LABELS = {
    "seconds_per_ply": ("Seconds a ply", "without an answer for longer it fails that match, also when it is down"),
    "seconds_per_match": ("Seconds a match", "for all its plies together; beyond that it fails the match"),
}


@dataclass(frozen=True)
class NoOptions:
    """An agent's options are its own affair."""


class AgentKind:
    """An agent where forms expect an engine."""

    options_class = NoOptions
    budgets = ()
    default_budget = DEFAULT_LIMITS
    peeks = False

    def __init__(self, engine_id: str) -> None:
        self.label = engine_id.removeprefix(agent_specs.PREFIX)


def kind_of(engine_id: str) -> Any:
    """The engine's class, or what stands for an agent. Raises KeyError."""
    return AgentKind(engine_id) if is_agent(engine_id) else engine_registry.get(engine_id)


def offered(game: Game) -> tuple[str, ...]:
    """Ids of the engines that experiments choose from: the lab's, then those of one's own that the operator allows."""
    return (*engine_registry.suitable(game), *engine_registry.own_ids(game))


class EngineForm(forms.Form):
    """Choice of an engine; offers those that fit the game, and the agents given by name.

    with_own: whether engines of one's own are offered, too, which play in experiments alone.
    """

    engine = forms.ChoiceField(label="Engine")

    def __init__(
        self, game_id: str, *args: Any, agents: Sequence[str] = (), with_own: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        game = game_registry.get(game_id)
        groups = {
            "Engines": [(key, engine_registry.get(key).label) for key in engine_registry.suitable(game)],
            "Engines of one's own": [
                (key, engine_registry.get(key).label) for key in (engine_registry.own_ids(game) if with_own else ())
            ],
            "My agents": [(f"{agent_specs.PREFIX}{name}", f"My agent {name}") for name in agents],
        }
        filled: list[Any] = [(name, choices) for name, choices in groups.items() if choices]
        offer(self, "engine", filled if len(filled) > 1 else groups["Engines"])


class NamedForm(forms.Form):
    """A configuration with a name to begin with; says which one the seat has, untouched."""

    named = forms.ChoiceField(label="Begin with", required=False)

    def __init__(self, game: Game, data: Mapping[str, str], prefix: str, with_people: bool) -> None:
        super().__init__(prefix=prefix)
        known = [
            one
            for one in named_engines.for_game(game.id)
            if not (with_people and engine_registry.peeks(one.engine, _begun(one.engine, game) | one.options))
        ]
        self.has_any = bool(known)
        self.action = f"{NAMED}{prefix}"
        current = next((one for one in known if is_same(data, _named_data(one, prefix, game), prefix)), None)
        offer(self, "named", [("", "own setting"), *((one.id, one.label) for one in known)])
        self.fields["named"].initial = current.id if current else ""
        self.summary = current.summary if current else ""


class LimitsForm(forms.Form):
    """Limits on an agent's thinking, in place of an engine's budget."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for key, (label, help_text) in LIMIT_LABELS.items():
            self.fields[key] = NumberField(
                whole=True,
                minimum=1,
                maximum=MAX_LIMITS[key],
                example=DEFAULT_LIMITS[key],
                label=label,
                help_text=help_text,
            )

    def further(self) -> list[forms.BoundField]:
        """Nothing is hidden away."""
        return []

    def to_json(self) -> dict[str, int | float]:
        """Limits by key; only fields without error."""
        return {key: self.cleaned_data[key] for key in LIMIT_LABELS if key in self.cleaned_data}

    def field_of(self, key: str) -> str | None:
        """Name of the field that sets a limit, for errors."""
        return key if key in self.fields else None


class ConfigurationForms:
    """Engine, options and budget over complete data (`complete`); of an agent its limits."""

    def __init__(
        self,
        data: Mapping[str, str],
        game_id: str,
        prefix: str,
        label: str,
        agents: Sequence[str] = (),
        own: Own | None = None,
        with_people: bool = False,
    ) -> None:
        """label: what the choice of the engine is called; agents: names of those that can be chosen.

        own: what else somebody has to choose from, such as strategies; with_people: whether people sit
        at the table, so that no engine may see what others hide.
        """
        game = game_registry.get(game_id)
        self.marker = f"{prefix}-for"
        self.engine_id = data[f"{prefix}-engine"]
        self.is_agent = is_agent(self.engine_id)
        self.cls: type[Engine] = kind_of(self.engine_id)
        self.engine = EngineForm(game_id, data, prefix=prefix, agents=agents, with_own=not with_people)
        self.engine.fields["engine"].label = label
        self.named = NamedForm(game, data, prefix, with_people)
        self.options = OptionForm(self.cls.options_class, data, prefix=f"{prefix}-option", game=game, own=own)
        self.budget: Any = (
            LimitsForm(data, prefix=f"{prefix}-budget")
            if self.is_agent
            else BudgetForm(self.cls, data, prefix=f"{prefix}-budget")
        )

    def forms(self) -> list[forms.Form]:
        """All of them."""
        return [self.engine, self.options, self.budget]

    @property
    def called(self) -> str:
        """The engine's name, with that of the data that it plays."""
        rows = ((bound.field, bound.value()) for bound in self.options.data_fields)
        chosen = [field.names.get(value, "") for field, value in rows if isinstance(field, DataField)]
        return ": ".join([self.cls.label, *filter(None, chosen)])

    @property
    def has_details(self) -> bool:
        """Whether there is anything behind the options summary."""
        return bool(self.options.plain_fields) or bool(self.budget.further())

    @property
    def has_detail_errors(self) -> bool:
        """Whether an error hides behind the options summary."""
        further = (name for name in self.budget.errors if name.startswith("also_"))
        plain = {field.name for field in self.options.plain_fields}
        return bool(plain & set(self.options.errors)) or any(further)

    def to_json(self) -> dict[str, Any]:
        """The configuration as specs write it."""
        return {"engine": self.engine_id, "options": self.options.to_json(), "budget": self.budget.to_json()}

    def field_of(self, path: Path) -> tuple[Form, str]:
        """Form and field that set a place of the configuration, such as ``("options", "c")``, for errors."""
        part, name = (*map(str, path), "")[:2]
        if part == "options":
            return self.options, name
        if part == "budget" and self.budget.fields:
            return self.budget, self.budget.field_of(name) or "amount"
        return self.engine, "engine"


def _begun(engine_id: str, game: Game) -> dict[str, Any]:
    """All options of an engine as they begin with a game; an agent has none."""
    options = option_tools.to_json(kind_of(engine_id).options_class())
    return options if is_agent(engine_id) else options | engine_registry.defaults(engine_id, game)


def begun_data(
    prefix: str, engine_id: str, options: Mapping[str, Any], budget: Mapping[str, Any], game: Game
) -> dict[str, str]:
    """A configuration as its forms would post it; options: those that differ from what the engine begins with."""
    return configuration_data(prefix, engine_id, _begun(engine_id, game) | dict(options), budget)


def is_same(data: Mapping[str, str], other: Mapping[str, str], prefix: str) -> bool:
    """Whether two forms hold the same configuration at a place."""
    return _filled(_configuration_of(data, prefix)) == _filled(_configuration_of(other, prefix))


def _named_data(one: NamedEngine, prefix: str, game: Game) -> dict[str, str]:
    """A named configuration as its forms would post it."""
    return begun_data(prefix, one.engine, one.options, one.budget, game)


def _filled(data: Mapping[str, str]) -> dict[str, str]:
    """Data without empty fields, which say the same as none."""
    return {key: value for key, value in data.items() if value}


def _configuration_of(data: Mapping[str, str], prefix: str) -> dict[str, str]:
    """The part of complete data that one configuration has."""
    parts = (f"{prefix}-engine", f"{prefix}-for", f"{prefix}-option-", f"{prefix}-budget-")
    return {key: value for key, value in data.items() if key.startswith(parts)}


def _asked_for(data: Mapping[str, str], prefix: str, game: Game) -> NamedEngine | None:
    """The named configuration that a seat shall begin with, where that is what was asked for."""
    wanted = data.get(f"{prefix}-named") if data.get("do") == f"{NAMED}{prefix}" else None
    return next((one for one in named_engines.for_game(game.id) if one.id == wanted), None)


def complete(data: Mapping[str, str], prefix: str, engines: tuple[str, ...], opener: str, game: Game) -> dict[str, str]:
    """The fields of one configuration, filled in; what belongs to another engine or game is dropped.

    engines: ids that fit the game, of agents too; opener: the one to start with. Where the data's
    ``do`` is ``named:PREFIX`` a named configuration takes the place of all.
    """
    one = _asked_for(data, prefix, game)
    if one is not None and one.engine in engines:
        return _named_data(one, prefix, game)
    engine_id = data.get(f"{prefix}-engine", "")
    if engine_id not in engines:
        engine_id = opener if opener in engines else engines[0]
    begun = _begun(engine_id, game)
    if data.get(f"{prefix}-for") != engine_id:
        return configuration_data(prefix, engine_id, begun, kind_of(engine_id).default_budget)
    kept = _configuration_of(data, prefix) | {f"{prefix}-engine": engine_id}
    foreign = _foreign(kind_of(engine_id).options_class, game)
    gone = [name for name, value in foreign if kept.get(f"{prefix}-option-{name}") == value]
    return kept | {f"{prefix}-option-{name}": str(begun[name]) for name in gone}


def _foreign(cls: type, game: Game) -> set[tuple[str, str]]:
    """(option, value) of all that options can name in other games alone, such as a policy."""
    known = {name for other in game_registry.ids() for name in _names(cls, game_registry.get(other))}
    return known - _names(cls, game)


def _names(cls: type, game: Game) -> set[tuple[str, str]]:
    """(option, value) of all that options can name in a game."""
    rows = [row for row in option_tools.schema(cls) if row["names"] and row["type"] != option_tools.DATA]
    return {(row["name"], name) for row in rows for name in getattr(game, row["names"])}


def _budget_data(engine_id: str, budget: Mapping[str, Any], prefix: str) -> dict[str, str]:
    if is_agent(engine_id):
        return {f"{prefix}-budget-{key}": format_plain(value) for key, value in budget.items()}
    return budget_data(budget, f"{prefix}-budget")


def configuration_data(
    prefix: str, engine_id: str, options: Mapping[str, Any], budget: Mapping[str, Any]
) -> dict[str, str]:
    """A complete configuration as its forms would post it."""
    data = {f"{prefix}-engine": engine_id, f"{prefix}-for": engine_id}
    named = option_tools.renamed(kind_of(engine_id).options_class, options)
    return data | to_data(named, f"{prefix}-option") | _budget_data(engine_id, budget, prefix)


def is_as_shown(posted: Mapping[str, str], data: Mapping[str, str]) -> bool:
    """Whether the form that was sent showed what the completed data holds.

    A form whose engines were changed, and that was sent before it took its new shape, holds
    places that nobody has seen.
    """
    return _markers(posted) == _markers(data)


def _markers(data: Mapping[str, str]) -> set[tuple[str, str]]:
    return {(key, value) for key, value in data.items() if key.endswith("-for")}
