"""Which matches of an experiment its list shows: those of an arm, with a result of the arm's engine, of a deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.db.models import FilteredRelation, Q, QuerySet

from webapp.records.models import Experiment, Match

RESULTS = (("win", "Win"), ("draw", "Draw"), ("loss", "Loss"), ("failed", "Failed"))


class MatchFilter(forms.Form):
    """What is asked for; empty fields ask for nothing."""

    arm = forms.TypedChoiceField(required=False, coerce=int, empty_value=None, label="Arm")
    result = forms.ChoiceField(required=False, choices=[("", "All results"), *RESULTS], label="Result")
    deal = forms.IntegerField(
        required=False,
        label="Deal",
        min_value=0,
        max_value=2**31 - 1,
        widget=forms.NumberInput(attrs={"placeholder": "Deal", "style": "width:6rem"}),
    )

    def __init__(self, given: Mapping[str, Any], arms: Sequence[str]) -> None:
        super().__init__(given)
        self.fields["arm"].choices = [("", "All arms"), *enumerate(arms)]  # type: ignore[attr-defined]

    @property
    def chosen(self) -> dict[str, Any]:
        """What is asked for, by field; nothing where a field cannot be read."""
        given = self.cleaned_data if self.is_valid() else {}
        return {name: value for name, value in given.items() if value not in (None, "")}


def matches(experiment: Experiment, focus: int = 0, chosen: Mapping[str, Any] | None = None) -> QuerySet[Match]:
    """Matches that fit, each with its seat `focal`: of the place of line-ups whose margin and result are shown.

    All is asked in one condition: a second one would join the seats once more, and none of their indexes could lead.
    """
    focal = Q(seats__experiment=experiment, seats__lineup_index=focus)
    found = Match.objects.filter(experiment=experiment).annotate(focal=FilteredRelation("seats", condition=focal))
    fits = Q(focal__seat__isnull=False)  # all have one; said so that its index can lead
    for name, value in (chosen or {}).items():
        fits &= _fits(name, value)
    return found.filter(fits)


def _fits(name: str, value: Any) -> Q:
    """The condition of a field, also as seats know it."""
    if name == "result":  # a match that failed has none
        return Q(status=Match.Status.FAILED) if value == "failed" else Q(focal__result=value)
    column = {"arm": "arm_index", "deal": "deal"}[name]
    return Q(**{column: value, f"focal__{column}": value})
