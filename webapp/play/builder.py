"""The page *New match*: all its forms over posted data, and the set-up that they spell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.forms import Form
from django.utils.functional import cached_property

from engines import levels as engine_levels
from games import registry as game_registry
from games import rule_sets
from webapp.common.data_fields import Own
from webapp.common.engine_forms import ConfigurationForms
from webapp.common.naming import PLACES
from webapp.common.option_forms import OptionForm, in_force
from webapp.lab.results.sides import configuration_words
from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.play import draft, level_cards
from webapp.play.forms import COUNTS, VISIBILITIES, WHO, MatchForm, SeatForm
from webapp.play.match_start import YOURS, Setup
from webapp.play.ratings import anchors
from webapp.table.live import rated_rules
from webapp.table.live.match_setup import PEEKS
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import ANYBODY, INVITED, SeatPlan, Terms
from webapp.table.strategies import selectors as strategies
from worker import spec as specs
from worker.spec import SpecError

MAX_SEAT_NAME = 200
UNRATED = "an engine of your own setting has no known rating. With engines by level it can be rated."


@dataclass(frozen=True)
class Problem:
    """Problem of a field; target: id of the place on the page, empty where it has none."""

    label: str
    text: str
    target: str


@dataclass(frozen=True)
class RuleChoice:
    """Named rules that a button fills in (``do`` is ``house:NAME``). is_chosen: whether the form has just these."""

    name: str
    summary: str
    is_chosen: bool


class SeatForms:
    """One seat: who, and what belongs to the choice."""

    def __init__(
        self, data: draft.Data, game_id: str, seat: int, kinds: list[str], agents: list[Agent], own: Own
    ) -> None:
        self.index, self.label, self.prefix = seat, PLACES[seat], draft.seat_prefix(seat)
        self.kind = data[f"{self.prefix}-who"]
        self.form = SeatForm(seat, game_id, kinds, agents, data)
        is_engine = self.kind == draft.ENGINE
        self.engine = (
            ConfigurationForms(data, game_id, self.prefix, "Engine", own=own, with_people=True) if is_engine else None
        )
        chosen = data.get(f"{self.prefix}-level")
        self.card = next((card for card in level_cards.cards(game_id) if card.level.id == chosen), None)

    @property
    def words(self) -> str:
        """Words for who sits here, as far as it is known."""
        if self.card is not None:
            return self.card.level.label
        return self.engine.called if self.engine else WHO[self.kind]

    def forms(self) -> list[Form]:
        """All of them."""
        return [self.form, *(self.engine.forms() if self.engine else [])]


class MatchBuilder:
    """Forms over complete data (`draft.complete`) for one person; None is somebody new, a guest."""

    def __init__(self, posted: Mapping[str, str], person: User | None) -> None:
        self.person = person
        self.is_guest = person is None or person.is_guest
        agents = [] if self.is_guest or person is None else list(person.agents.filter(retired_at=None).order_by("name"))
        if self.is_guest:
            posted = {**posted, "counts": draft.CASUAL}
        self.errors: list[str] = []
        if self._wants_rated(posted) and self._has_own_setting(posted, bool(agents)):
            posted = {**posted, "counts": draft.CASUAL}
            self.errors.append(f"This match cannot be rated: {UNRATED}")
        self.data = draft.complete(posted, self._kinds(posted, bool(agents)))
        game_id = self.data["game"]
        self.game = game_registry.get(game_id)
        kinds = self._kinds(self.data, bool(agents))
        self.form = MatchForm(game_id, self.is_guest, self.data)
        self.rules = OptionForm(self.game.options, self.data, prefix="rules")
        own = strategies.own_strategies(person)
        self.seats = [
            SeatForms(self.data, game_id, seat, kinds, agents, own) for seat in range(int(self.data["seats"]))
        ]

    def _kinds(self, data: Mapping[str, str], has_agents: bool) -> list[str]:
        """Kinds of players that may sit at a seat; in a rated match engines do as levels."""
        game_id = data.get("game", "")
        known = game_id if game_id in game_registry.ids() else game_registry.ids()[0]
        others = [] if self.is_guest else [draft.INVITE, draft.ANYBODY]
        by_level = [draft.LEVEL] if engine_levels.for_game(known) else []
        by_setting = [] if by_level and self._wants_rated(data) else [draft.ENGINE]
        return [draft.ME, *others, *by_level, *by_setting, *([draft.AGENT] if has_agents else [])]

    def _has_own_setting(self, posted: Mapping[str, str], has_agents: bool) -> bool:
        """Whether an engine of one's own setting sits at a table that shall count: that is never exchanged silently."""
        casual = {**posted, "counts": draft.CASUAL}
        data = draft.complete(casual, self._kinds(casual, has_agents))
        return any(data[f"{draft.seat_prefix(seat)}-who"] == draft.ENGINE for seat in range(int(data["seats"])))

    def _wants_rated(self, data: Mapping[str, str]) -> bool:
        return data.get("counts") == draft.RATED and not self.is_guest

    @property
    def is_rated(self) -> bool:
        """Whether the match shall count."""
        return self._wants_rated(self.data)

    @property
    def has_others(self) -> bool:
        """Whether other people or agents shall play."""
        return any(seat.kind in draft.OTHERS for seat in self.seats)

    @property
    def has_engines(self) -> bool:
        """Whether an engine plays."""
        return any(seat.kind in (draft.LEVEL, draft.ENGINE) for seat in self.seats)

    @property
    def num_waiting(self) -> int:
        """Seats that wait for people."""
        return sum(seat.kind in (draft.INVITE, draft.ANYBODY) for seat in self.seats)

    @property
    def may_be_watched(self) -> bool:
        """Whether there can be spectators."""
        return self.data["visibility"] != LiveMatch.Visibility.PRIVATE

    @property
    def has_limits(self) -> bool:
        """Whether somebody may be away for too long."""
        return self.has_others or self.is_rated

    @property
    def counts(self) -> list[tuple[Any, str, str]]:
        """Casual and rated: the button, its label and what it means, or why it cannot be chosen."""
        casual, rated = [(button, *words) for button, words in zip(self.form["counts"], COUNTS.values(), strict=True)]
        if any(seat.kind == draft.ENGINE for seat in self.seats):
            rated[0].data["attrs"]["disabled"] = True
            rated = (rated[0], rated[1], f"Not with these seats: {UNRATED}")
        return [casual, rated]

    @property
    def visibilities(self) -> list[tuple[Any, str, str]]:
        """The button of each visibility, its label and what it means, or why it cannot be chosen."""
        shown = [(button, *words) for button, words in zip(self.form["visibility"], VISIBILITIES.values(), strict=True)]
        if not draft.has_open_seat(self.data):
            return shown
        closed = [(button, label, "Not while a seat is open to anybody.") for button, label, _ in shown[:-1]]
        for button, *_ in closed:
            if button.data["value"] != self.data["visibility"]:
                button.data["attrs"]["disabled"] = True
        return [*closed, shown[-1]]

    @property
    def kept_visibility(self) -> str:
        """What was chosen before a seat was opened to anybody; empty where nothing is kept."""
        return self.data[draft.KEPT]

    @property
    def rule_words(self) -> list[tuple[str, str]]:
        """The rules as they are chosen, as far as they do something."""
        self.rules.is_valid()  # reads the fields; what has no error is told all the same
        wrong = self.rules.fields.keys() - self.rules.cleaned_data.keys()
        return in_force(self.game.options, self.rules.to_json(), wrong)

    @cached_property
    def rules_name(self) -> str:
        """Name of the rules that are chosen; empty where they have none."""
        return rule_sets.name_of(self.game, self.rules.to_json()) if self.rules.is_valid() else ""

    @property
    def rule_choices(self) -> list[RuleChoice]:
        """The named rules of the game, those first that a form begins with."""
        return [
            RuleChoice(name, rules.summary, is_chosen=name == self.rules_name)
            for name, rules in self.game.presets.items()
        ]

    def forms(self) -> list[Form]:
        """Every form of the page."""
        return [self.form, self.rules, *(form for seat in self.seats for form in seat.forms())]

    # ---- what it spells

    @cached_property
    def setup(self) -> Setup | None:
        """The checked set-up, or None with the errors at their fields."""
        are_valid = [form.is_valid() for form in self.forms()]  # each, so that all errors show
        self._check_seats()
        plans = self._plans() if all(are_valid) else []
        if not plans or self.problems():
            return None
        try:
            rules = specs.rules_from_json(self.rules.to_json(), self.game, len(plans))
        except SpecError as error:
            self.rules.add_error(str(error.path[1]), _sentence(error.message))
            return None
        if self.is_rated and (refusal := rated_rules.refusal(self.game.id, rules, self._seated(plans), self._terms())):
            self.errors.append(refusal)
            return None
        values = self.form.cleaned_data
        return Setup(self.game.id, self.rules.to_json(), tuple(plans), self._terms(), values["shuffle"])

    def _seated(self, plans: Sequence[SeatPlan]) -> list[SeatPlan]:
        """The plans with the person who fills the form in."""
        return [replace(plan, person=self.person) if plan == YOURS else plan for plan in plans]

    def _check_seats(self) -> None:
        """Check what no single field can see."""
        kinds = [seat.kind for seat in self.seats]
        if not set(kinds) - {draft.LEVEL, draft.ENGINE}:
            self.errors.append(
                "Only engines sit here. Take a seat yourself, or leave one to somebody else; "
                "engines among themselves meet in an experiment."
            )
        if draft.has_open_seat(self.data) and self.data["visibility"] != LiveMatch.Visibility.PUBLIC:
            self.form.add_error("visibility", "A seat is open to anybody: make the match public, or invite somebody.")

    def _plans(self) -> list[SeatPlan]:
        plans = []
        for seat in self.seats:
            try:
                plans.append(self._plan(seat))
            except SpecError as error:
                if seat.engine is None:
                    seat.form.add_error("level", error.message)
                    continue
                form, field = seat.engine.field_of(error.path)
                form.add_error(field if field in form.fields else None, error.message)
        return plans

    def _plan(self, seat: SeatForms) -> SeatPlan:
        """Raises SpecError for a configuration that does not fit."""
        if seat.kind == draft.ME:
            return YOURS
        if seat.kind == draft.AGENT:
            agent = seat.form.cleaned_data["agent"]
            return SeatPlan(name=agent.name, agent=agent)
        if seat.kind == draft.LEVEL:
            return self._of_level(seat)
        if seat.kind == draft.ENGINE:
            return self._own_engine(seat)
        return SeatPlan(name=INVITED if seat.kind == draft.INVITE else ANYBODY)

    def _of_level(self, seat: SeatForms) -> SeatPlan:
        """A level; in a rated match as it was measured."""
        level = engine_levels.get(self.game.id, seat.form.cleaned_data["level"])
        if not self.is_rated:
            spec = level_cards.seat_spec(self.game.id, level, self._thinking_s)
        elif anchors.get(self.game.id, self._pool, level.id) is None:
            raise SpecError(("level",), "This level has no known rating: choose another one.")
        else:
            spec = level_cards.measured_seat(self.game.id, level)
        return SeatPlan(name=level.label, engine=spec, level=level.id)

    def _own_engine(self, seat: SeatForms) -> SeatPlan:
        """An engine as it is configured, for no longer than the thinking time."""
        assert seat.engine is not None
        spec = specs.seat_from_json(seat.engine.to_json(), (), self.game.id)
        if spec.peeks:
            raise SpecError(("engine",), f"This engine {PEEKS}.")
        spec = level_cards.limit_time(spec, self._thinking_s)
        words = configuration_words(specs.seat_to_json(spec))
        return SeatPlan(name=", ".join(words)[:MAX_SEAT_NAME], engine=spec)

    @property
    def _pool(self) -> str:
        """Pool of ratings by the rules that are chosen; the usual one where they are of none, which is refused."""
        return rated_rules.pool_of(self.game.id, self.rules.to_json()) or rated_rules.pools(self.game.id)[0]

    @property
    def _thinking_s(self) -> float:
        return float(self.form.cleaned_data["thinking_s"])

    def _terms(self) -> Terms:
        values = self.form.cleaned_data
        others = self.has_limits
        return Terms(
            visibility=values["visibility"],
            has_aids=values["has_aids"],
            spectator_delay=values["spectator_delay"] if self.may_be_watched else 0,
            ply_limit_s=values["ply_limit_s"] if others else None,
            clock_s=values["clock_s"] if others else None,
            increment_s=values["increment_s"] if others and values["clock_s"] else 0.0,
            replaces_absent=values["absence"] == "replace",
            is_rated=self.is_rated,
        )

    # ---- what is wrong

    def problems(self) -> list[Problem]:
        """Problems that need a change, in the order of the page."""
        found = [_problem(where, form, name) for where, form in self._named_forms() for name in form.errors]
        return [*found, *(Problem("", text, "") for text in self.errors)]

    def clear_errors(self) -> None:
        """Remove all errors: the form only takes another shape."""
        for form in self.forms():
            form.errors.clear()
        self.errors = []

    def _named_forms(self) -> Iterator[tuple[str, Form]]:
        yield from (("", form) for form in (self.form, self.rules))
        for seat in self.seats:
            yield from ((f"{seat.label}, ", form) for form in seat.forms())


def _sentence(message: str) -> str:
    return f"{message[:1].upper()}{message[1:]}."


def _problem(where: str, form: Form, name: str) -> Problem:
    if name not in form.fields:  # of the form as a whole
        return Problem(where.removesuffix(", "), str(form.errors[name][0]), "")
    field = form[name]
    target = "" if field.is_hidden else field.id_for_label or f"{field.auto_id}_error"
    return Problem(f"{where}{field.label}", str(form.errors[name][0]), target)
