"""The plain fields of a new match; rules and engines come from `webapp.common`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from engines import levels as engine_levels
from games import registry as game_registry
from webapp.common.fields import NumberField, offer
from webapp.common.naming import PLACES
from webapp.people.agents.models import Agent
from webapp.play import draft
from webapp.table.live.guest_rules import MAX_SECONDS_PER_PLY
from webapp.table.live.models import LiveMatch

MIN_THINKING_S, MAX_THINKING_S = 0.2, 10.0
MAX_DELAY = 50
PLY_LIMITS = (
    ("", "No limit"),
    ("120", "2 minutes"),
    ("600", "10 minutes"),
    ("3600", "1 hour"),
    ("86400", "1 day"),
    ("259200", "3 days"),
    ("604800", "7 days"),
)
CLOCKS = (
    ("", "No clock"),
    ("60", "1 minute"),
    ("180", "3 minutes"),
    ("300", "5 minutes"),
    ("600", "10 minutes"),
    ("1200", "20 minutes"),
    ("2400", "40 minutes"),
    ("3600", "1 hour"),
)
INCREMENTS = (
    ("0", "Nothing"),
    ("2", "2 seconds"),
    ("5", "5 seconds"),
    ("10", "10 seconds"),
    ("30", "30 seconds"),
    ("60", "1 minute"),
)
VISIBILITIES = {
    LiveMatch.Visibility.PRIVATE: ("Private", "Only those who sit at it."),
    LiveMatch.Visibility.UNLISTED: ("Unlisted", "Anyone with the address may watch."),
    LiveMatch.Visibility.PUBLIC: (
        "Public",
        "In the lobby: anybody may watch, and take open seats.",
    ),
}
COUNTS = {
    draft.CASUAL: ("Casual", "It counts for no rating."),
    draft.RATED: (
        "Rated",
        "It counts for your rating by these rules, the rule book's or the paper's as they are; engines by level, "
        "no hints and no aids that count for you, "
        "nothing taken back; leaving counts as a loss. Name and rating stand on the public board.",
    ),
}
WHO = {
    draft.ME: "Me",
    draft.INVITE: "Somebody I invite",
    draft.ANYBODY: "Open to anybody",
    draft.LEVEL: "Engine, by level",
    draft.ENGINE: "Engine, my own setting",
    draft.AGENT: "One of my agents",
}


class MatchForm(forms.Form):
    """Game, seats and terms."""

    game = forms.ChoiceField(label="Game")
    seats = forms.TypedChoiceField(label="Seats", coerce=int)
    shuffle = forms.BooleanField(
        required=False, label="Shuffle the seats", help_text="Who starts is drawn when the match opens"
    )
    has_aids = forms.BooleanField(
        required=False,
        label="Aids",
        help_text="Legal places, what is left, projected scores, for everybody in this match; off: the bare board",
    )
    counts = forms.ChoiceField(
        choices=[(key, label) for key, (label, _) in COUNTS.items()], widget=forms.RadioSelect, label="Casual or rated"
    )
    visibility = forms.ChoiceField(
        choices=[(key, label) for key, (label, _) in VISIBILITIES.items()],
        widget=forms.RadioSelect,
        label="Who may see it",
    )
    ply_limit_s = forms.TypedChoiceField(
        choices=PLY_LIMITS, coerce=int, empty_value=None, required=False, label="Longest time for one action"
    )
    absence = forms.ChoiceField(
        choices=[("replace", "An engine takes over"), ("forfeit", "The seat forfeits")],
        widget=forms.RadioSelect,
        label="If a player stays away longer",
        help_text="The player who left has lost either way",
    )
    clock_s = forms.TypedChoiceField(
        choices=CLOCKS,
        coerce=float,
        empty_value=None,
        required=False,
        label="Clock for the whole match",
        help_text="For each seat; a seat that runs out of time forfeits",
    )
    increment_s = forms.TypedChoiceField(
        choices=INCREMENTS, coerce=float, label="The clock gains with each move", help_text="For whoever has moved"
    )
    spectator_delay = NumberField(
        whole=True,
        minimum=0,
        maximum=MAX_DELAY,
        example=2,
        label="Spectators see it late by",
        help_text=f"Moves, 0 to {MAX_DELAY}",
    )
    submission = forms.UUIDField(widget=forms.HiddenInput)

    def __init__(self, game_id: str, is_guest: bool, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        traits = game_registry.get(game_id).traits
        offer(self, "game", [(key, game_registry.get(key).label) for key in game_registry.ids()])
        offer(self, "seats", [(n, str(n)) for n in range(traits.min_seats, traits.max_seats + 1)])
        if self.data.get("counts") == draft.RATED:
            offer(self, "ply_limit_s", PLY_LIMITS[1:])
            self.fields["has_aids"].help_text = "Legal places and what is left, for everybody; off: the bare board"
        most = MAX_SECONDS_PER_PLY if is_guest else MAX_THINKING_S
        self.fields["thinking_s"] = NumberField(
            whole=False,
            minimum=MIN_THINKING_S,
            maximum=most,
            example=1,
            label="Thinking time of engines",
            help_text=f"Seconds a move, 0.2 to {most:g}{', up to 10 with an account' if is_guest else ''}; "
            "levels without a clock play as they were measured",
        )


class SeatForm(forms.Form):
    """Form of one seat; level and agent are there where they are asked for."""

    who = forms.ChoiceField()

    def __init__(
        self, seat: int, game_id: str, kinds: Sequence[str], agents: Sequence[Agent], data: draft.Data
    ) -> None:
        super().__init__(data, prefix=draft.seat_prefix(seat))
        offer(self, "who", [(kind, WHO[kind]) for kind in kinds])
        self.fields["who"].label = PLACES[seat]
        who = data[f"{self.prefix}-who"]
        if who == draft.LEVEL:
            known = [(level.id, level.label) for level in engine_levels.for_game(game_id)]
            self.fields["level"] = forms.ChoiceField(choices=known, label="Level")
        if who == draft.AGENT:
            self.fields["agent"] = forms.ModelChoiceField(
                Agent.objects.filter(pk__in=[agent.pk for agent in agents]), empty_label=None, label="Agent"
            )
