"""The form of a match that goes on from a position of another: who plays from there, with which draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core import signing
from django.db.models import Q
from django.http import Http404

from engines import levels as engine_levels
from engines import registry as engine_registry
from engines.protocol import Budget
from games import registry as game_registry
from games.protocol import Game, State
from webapp.common.fields import NumberField
from webapp.common.naming import PLACES
from webapp.matches import replay
from webapp.matches import selectors as match_selectors
from webapp.matches.responses import PLAY_ON
from webapp.people.accounts.models import User
from webapp.play import level_cards
from webapp.play.forms import MAX_THINKING_S, MIN_THINKING_S
from webapp.play.match_start import YOURS, Setup
from webapp.records.archive.plies import has_plies
from webapp.records.models import Match, Seat, ShareLink
from webapp.table.live import access, challenges, deal_sights, playing_on
from webapp.table.live.access import Asker
from webapp.table.live.guest_rules import MAX_SECONDS_PER_PLY, is_quick
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.plans import SeatPlan, Terms
from worker.spec import SeatSpec

ME, AS_IT_WAS, LEVEL = "me", "as", "level-"
SAME, NEW = "same", "new"


@dataclass(frozen=True)
class Origin:
    """A position to play on from. refusal: why one cannot, a sentence; player: the seat on turn."""

    match: Match
    game: Game
    ply: int
    last: int
    state: State
    player: int
    seats: tuple[Seat, ...]
    refusal: str = ""


def origin(token: str, ply: int | None, person: User | None) -> Origin:
    """The position that a token and a ply name; what is beyond the end counts as the last one.

    Raises Http404, also where the person plays this deal, or may not see the match any more.
    """
    try:
        pk = signing.loads(token, salt=PLAY_ON)
    except signing.BadSignature:
        raise Http404("no such position") from None
    match = Match.objects.select_related("experiment").filter(pk=pk).first()
    walked = replay.walk(match) if match is not None and has_plies(match) else None
    if match is None or walked is None or not walked.is_exact or match.experiment.is_secret:
        raise Http404("no such position")
    if not _may_see(match, person):
        raise Http404("no such position")
    if challenges.hides(match.deal_seed, person):
        raise Http404("you play this deal yourself")
    deal_sights.note_record(match, person)
    last = len(walked.states) - 1
    ply = last if ply is None else min(ply, last)
    state = walked.states[ply]
    player = walked.game.current_player(state)
    seats = tuple(match.seats.select_related("configuration").order_by("seat"))
    refusal = "The match is over here: step back to an earlier move." if player < 0 else ""
    return Origin(match, walked.game, ply, last, state, player, seats, refusal)


def _may_see(match: Match, person: User | None) -> bool:
    """Whether the person may see the match now: their own, one still shared, or one of a table that they may watch."""
    if person is not None and match.experiment.owner_id == person.pk:
        return True
    links = ShareLink.objects.filter(Q(match=match) | Q(match=None), experiment=match.experiment_id, withdrawn_at=None)
    if links.exists():
        return True
    live = LiveMatch.objects.filter(match=match).first()
    try:
        return live is not None and access.record_of(access.find(live.code, Asker(person)).match) is not None
    except Http404:
        return False


class OnForm(forms.Form):
    """Form of playing on: who sits where from here on, and how it goes on."""

    draws = forms.ChoiceField(
        choices=[(SAME, "As they were: the same draws come again"), (NEW, "Drawn anew from here on")],
        widget=forms.RadioSelect,
        label="Draws",
    )
    has_aids = forms.BooleanField(required=False, label="Aids")
    submission = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, here: Origin, person: User | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.here = here
        is_guest = person is None or person.is_guest
        known = [(f"{LEVEL}{level.id}", f"{level.label}, engine") for level in engine_levels.for_game(here.game.id)]
        for row in here.seats:
            choices = [(ME, "Me"), *known]
            if _can_sit(row, here.game, is_guest=is_guest):
                name = _again(row, here.game.id, MAX_SECONDS_PER_PLY).name
                choices.insert(1, (AS_IT_WAS, f"The engine that sat here: {name}"))
            field = forms.ChoiceField(choices=choices, label=PLACES[row.seat])
            self.fields[f"seat-{row.seat}"] = field
        self.fields["thinking_s"] = NumberField(
            whole=False,
            minimum=MIN_THINKING_S,
            maximum=MAX_SECONDS_PER_PLY if is_guest else MAX_THINKING_S,
            example=1,
            label="Thinking time of engines",
            help_text="Seconds a move; levels without a clock play as they were measured",
        )
        self.order_fields([*(f"seat-{row.seat}" for row in here.seats), "draws", "thinking_s", "has_aids"])

    @property
    def places(self) -> list[Any]:
        """The fields of the seats."""
        return [self[f"seat-{row.seat}"] for row in self.here.seats]

    def clean(self) -> dict[str, Any]:
        """Check that somebody plays."""
        values: dict[str, Any] = super().clean() or {}
        if not self.errors and ME not in [values[f"seat-{row.seat}"] for row in self.here.seats]:
            raise forms.ValidationError("Take a seat yourself: engines among themselves meet in an experiment.")
        return values

    def setup(self) -> Setup:
        """The match that this spells, once it is valid."""
        here, values = self.here, self.cleaned_data
        plans = [self._plan(row, values[f"seat-{row.seat}"]) for row in here.seats]
        kinds = [LiveSeat.Kind.PERSON if plan == YOURS else LiveSeat.Kind.ENGINE for plan in plans]
        return Setup(
            here.game.id,
            here.match.experiment.spec["options"],
            tuple(plans),
            Terms(has_aids=values["has_aids"]),
            further=playing_on.luck_fields(here.match, here.ply, is_same=values["draws"] == SAME),
            taken_over=playing_on.taken_over(here.match, here.ply, kinds),
        )

    def _plan(self, row: Seat, chosen: str) -> SeatPlan:
        if chosen == ME:
            return YOURS
        game_id, seconds = self.here.game.id, float(self.cleaned_data["thinking_s"])
        if chosen == AS_IT_WAS:
            return _again(row, game_id, seconds)
        level = engine_levels.get(game_id, chosen.removeprefix(LEVEL))
        return SeatPlan(name=level.label, engine=level_cards.seat_spec(game_id, level, seconds), level=level.id)


def initial(here: Origin, person: User | None) -> dict[str, Any]:
    """First values of the form: readers of their own match sit where they sat, others where the turn is."""
    own = match_selectors.seat_of(here.match, person)
    mine = own if own is not None else max(here.player, 0)
    known = engine_levels.for_game(here.game.id)
    usual = f"{LEVEL}{known[-1].id}" if known else ME
    is_guest = person is None or person.is_guest
    seats = {
        f"seat-{row.seat}": ME
        if row.seat == mine
        else AS_IT_WAS
        if _can_sit(row, here.game, is_guest=is_guest)
        else usual
        for row in here.seats
    }
    return seats | {"draws": SAME, "thinking_s": "1", "has_aids": True}


def _is_engine(row: Seat, game: Game) -> bool:
    """Whether an engine sat there that may play with people, and is still known."""
    kept = row.configuration
    if kept.engine not in engine_registry.ids():
        return False
    try:
        engine = engine_registry.make(kept.engine, kept.options)
    except ValueError:
        return False
    return not engine.peeks and engine.refuses(game) is None


def _can_sit(row: Seat, game: Game, *, is_guest: bool) -> bool:
    """Whether the engine that sat there may play with the visitor."""
    if not _is_engine(row, game):
        return False
    plan = _again(row, game.id, MAX_SECONDS_PER_PLY)
    assert plan.engine is not None
    return not is_guest or is_quick(game.id, plan.engine, plan.level)


def _again(row: Seat, game_id: str, seconds: float) -> SeatPlan:
    """The engine that sat there: a level as it was measured, all else for no longer a move than is wished."""
    kept = row.configuration
    engine = SeatSpec(kept.engine, kept.options, Budget.from_json(kept.budget))
    level = level_cards.level_of(game_id, engine)
    if level is None or engine.budget.seconds_per_ply is not None:
        engine = level_cards.limit_time(engine, seconds)
    label = level.label if level is not None else engine_registry.get(kept.engine).label
    return SeatPlan(name=label, engine=engine, level=level.id if level is not None else "")


def title(here: Origin) -> str:
    """Title for the page's head: where one plays on."""
    return f"{game_registry.get(here.game.id).label}, after move {here.ply} of {here.last}"
