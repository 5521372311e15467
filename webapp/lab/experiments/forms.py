"""The plain fields of a spec; options and budgets come from `webapp.common.option_forms`."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms

from games import registry as game_registry
from webapp.common.fields import NumberField, offer
from worker import spec as specs
from worker.spec import seatings

ROTATION_LABELS = {
    seatings.ALL: "All seats in turn",
    seatings.NONE: "None",
    seatings.TURNS: "All seats in turn, equal seatings each time",
}
RECORD_LABELS = {
    "standard": "Every ply, best five actions",
    "matches": "Matches only, no plies",
    "full": "Full search tables",
}


class SpecForm(forms.Form):
    """What every spec of matches has: game, seats, deals, seed; words of a title and of deals are a subclass's own."""

    title = forms.CharField(max_length=200, required=False)
    game = forms.ChoiceField(label="Game")
    seats = forms.TypedChoiceField(label="Seats", coerce=int)
    deals = NumberField(whole=True, minimum=1, maximum=specs.MAX_DEALS, example=50)
    seed = NumberField(
        whole=True,
        minimum=0,
        maximum=specs.MAX_SEED,
        example=70411,
        label="Seed",
        help_text="Same seed, same matches, on any number of workers",
    )
    submission = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    least_seats = 1

    def __init__(self, game_id: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        traits = game_registry.get(game_id).traits
        offer(self, "game", [(key, game_registry.get(key).label) for key in game_registry.ids()])
        least = max(self.least_seats, traits.min_seats)
        offer(self, "seats", [(n, str(n)) for n in range(least, traits.max_seats + 1)])

    def word(self, name: str, label: str, help_text: str, placeholder: str = "") -> None:
        """Give a field its words."""
        self.fields[name].label, self.fields[name].help_text = label, help_text
        if placeholder:
            self.fields[name].widget.attrs["placeholder"] = placeholder


class SetupForm(SpecForm):
    """Game, seats, deals, rotation, seed, recording.

    Queue and priority are carried along unseen: only a pasted spec sets them.
    """

    rotation = forms.ChoiceField(
        choices=[(key, ROTATION_LABELS[key]) for key in specs.ROTATIONS],
        label="Rotation",
        widget=forms.RadioSelect,
        help_text="In turn: each deal is played once per seating; equal engines are not exchanged",
    )
    record = forms.ChoiceField(choices=[(key, RECORD_LABELS[key]) for key in RECORD_LABELS], label="Record")
    queue = forms.ChoiceField(choices=[(key, key) for key in specs.QUEUES], widget=forms.HiddenInput)
    priority = NumberField(
        whole=True,
        minimum=-specs.MAX_PRIORITY,
        maximum=specs.MAX_PRIORITY,
        example=0,
        label="Priority",
        widget=forms.HiddenInput,
    )
    baseline = forms.ChoiceField(
        required=False, label="Baseline", help_text="The arm that the others are compared with, deal by deal"
    )

    def __init__(self, game_id: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(game_id, *args, **kwargs)
        example = "e.g. Which engine is better, and by how much?"
        self.word("title", "Question", "Becomes the title; empty: named after its engines", example)
        self.word("deals", "Deals per arm", "One deal is all the luck of a match; every arm meets the same deals")


class ArmForm(forms.Form):
    """The name of one arm."""

    name = forms.CharField(
        max_length=specs.MAX_NAME,
        label="Name of the arm",
        widget=forms.Textarea(attrs={"rows": 1, "class": "grow"}),
        error_messages={"required": "Give the arm a name, e.g. what is new in it."},
    )


class PasteForm(forms.Form):
    """A spec as JSON, to fill the builder."""

    pasted = forms.CharField(
        label="A spec as JSON",
        widget=forms.Textarea(attrs={"rows": 8, "class": "notation", "spellcheck": "false"}),
        required=False,
    )
