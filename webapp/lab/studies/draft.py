"""The draft of a study: the form made from a kind's options, and the estimate of its cost."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from games import options as option_tools
from games import registry as game_registry
from games.protocol import Game
from webapp.common.fields import NumberField, offer
from webapp.common.option_forms import OptionForm, to_data
from webapp.lab.jobs import power
from webapp.lab.jobs.plan import UNSURE
from webapp.records.models import Study
from worker.spec import MAX_SEED, SpecError
from worker.studies import registry
from worker.studies import spec as specs
from worker.studies.protocol import FormKind, StudySpec, has_form

PREFIX = "p"
HUGE_S = 86_400
"""A study that takes longer than this has to be confirmed."""


def form_kinds() -> dict[str, FormKind]:
    """The kinds that have a form: those that name an options class."""
    kinds = {kind_id: registry.get(kind_id) for kind_id in registry.ids()}
    return {kind_id: kind for kind_id, kind in kinds.items() if has_form(kind)}


def games_of(kind: FormKind) -> Sequence[str]:
    """Ids of the games of a kind: those that it names, else those that it accepts with its defaults."""

    def accepts(game_id: str) -> bool:
        try:
            kind.complete_parameters(game_registry.get(game_id), {})
        except SpecError:
            return False
        return True

    return tuple(getattr(kind, "games", filter(accepts, game_registry.ids())))


class SetupForm(forms.Form):
    """The fields that all studies have."""

    title = forms.CharField(
        max_length=200,
        required=False,
        label="Title",
        help_text="Empty: named after its kind and game",
    )
    game = forms.ChoiceField(label="Game")
    seed = NumberField(
        whole=True, minimum=0, maximum=MAX_SEED, example=7, label="Seed", help_text="Same seed, same rows"
    )
    submission = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, games: Sequence[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "game", [(game_id, game_registry.get(game_id).label) for game_id in games])


@dataclass(frozen=True)
class Cost:
    """An estimate of what a study takes with the workers of this lab."""

    pieces: int
    cpu_s: float
    workers: int

    @property
    def seconds(self) -> float:
        """Wall time; one piece is never divided among workers."""
        return self.cpu_s / min(self.workers, self.pieces)

    @property
    def low_s(self) -> float:
        """Fast end of the estimate."""
        return self.seconds / UNSURE

    @property
    def high_s(self) -> float:
        """Slow end of the estimate."""
        return self.seconds * UNSURE

    @property
    def is_huge(self) -> bool:
        """Whether it keeps the workers busy for so long that it has to be confirmed."""
        return self.seconds > HUGE_S

    @property
    def key(self) -> str:
        """The name of this size: a confirmation holds for one size alone."""
        return f"{self.pieces}-{round(self.cpu_s)}"


def cost_of(spec: StudySpec) -> Cost:
    """The cost of a spec."""
    kind, workers = registry.get(spec.study), power.now()
    cpu_s = kind.seconds(spec) * workers.processes / workers.cores
    return Cost(kind.num_pieces(spec), cpu_s, workers.processes)


def blank_data(kind: FormKind) -> dict[str, str]:
    """The data of a kind's form before anything is changed."""
    return _data(kind, games_of(kind)[0], 7, option_tools.to_json(kind.options()), "")


def from_spec(spec: StudySpec, title: str) -> dict[str, str]:
    """The data of the form that starts this spec again. Raises SpecError where the form cannot express it."""
    kind = registry.get(spec.study)
    if not has_form(kind):
        raise SpecError(("study",), f"{kind.label} has no form")
    to_form = getattr(kind, "to_form", None)
    values = spec.parameters if to_form is None else to_form(game_registry.get(spec.game), spec.parameters)
    return _data(kind, spec.game, spec.seed, values, title)


def can_run_again(study: Study) -> bool:
    """Whether the form can express the spec of a study."""
    try:
        from_spec(specs.from_json(study.spec), study.title)
    except SpecError:
        return False
    return True


def _data(kind: FormKind, game: str, seed: int, values: Mapping[str, Any], title: str) -> dict[str, str]:
    names = {row["name"] for row in option_tools.schema(kind.options)}
    plain = {name: value for name, value in values.items() if name in names}
    own = {"title": title, "game": game, "seed": str(seed), "submission": str(uuid.uuid4())}
    return own | to_data(plain, PREFIX)


def list_choices(kind: FormKind, game: Game | None) -> Mapping[str, Sequence[str]]:
    """The choices that go with a game, by option, where not all do."""
    return kind.list_choices(game) if game is not None and hasattr(kind, "list_choices") else {}


def adapt_to_game(kind: FormKind, data: Mapping[str, str]) -> dict[str, str]:
    """The data after another game was chosen: a choice that does not go with it becomes the first that does."""
    changed = dict(data)
    for name, choices in list_choices(kind, _game(data)).items():
        if changed.get(f"{PREFIX}-{name}") not in choices:
            changed[f"{PREFIX}-{name}"] = choices[0]
    return changed


def _game(data: Mapping[str, str]) -> Game | None:
    game_id = data.get("game", "")
    return game_registry.get(game_id) if game_id in game_registry.ids() else None


class Draft:
    """The form as it stands, and the spec made from it. spec: None where something is wrong."""

    def __init__(self, kind: FormKind, data: Mapping[str, str]) -> None:
        self.kind = kind
        self.data = data
        self.setup = SetupForm(games_of(kind), data)
        game = _game(data)
        self.options = OptionForm(kind.options, data, prefix=PREFIX, game=game, offered=list_choices(kind, game))
        self.errors: list[str] = []
        self.spec = self._spec() if self.setup.is_valid() & self.options.is_valid() else None

    def _spec(self) -> StudySpec | None:
        setup = self.setup.cleaned_data
        data = {"version": specs.VERSION, "study": self.kind.id, "game": setup["game"], "seed": setup["seed"]}
        try:
            return specs.from_json(data | {"parameters": self.options.to_json()})
        except SpecError as error:
            self.add_error(error)
            return None

    def add_error(self, error: SpecError) -> None:
        """Show an error of the spec at its field, or above the form."""
        place = error.path[1:] if error.path[:1] == ("parameters",) else error.path
        name = str(place[0]) if place else ""
        if name in self.options.fields:
            self.options.add_error(name, error.message)
        elif name in self.setup.fields:
            self.setup.add_error(name, error.message)
        else:
            self.errors.append(str(error))

    @property
    def cost(self) -> Cost | None:
        """The estimate; None where there is no spec."""
        return None if self.spec is None else cost_of(self.spec)

    @property
    def num_errors(self) -> int:
        """The number of places that need a change."""
        return len(self.setup.errors) + len(self.options.errors) + len(self.errors)
