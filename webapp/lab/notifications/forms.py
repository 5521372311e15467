"""Forms: how somebody wishes to be told, and the address of their webhook."""

from __future__ import annotations

from django import forms

from webapp.lab.notifications.models import Wishes
from webapp.table.hooks.forms import HookForm


class WishesForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """Of which ends, and whether by mail."""

    class Meta:
        model = Wishes
        fields = ("least_s", "by_mail")
        labels = {"least_s": "Tell me of jobs", "by_mail": "By mail, too"}


class OwnHookForm(HookForm):
    """Address of a person's webhook: it is told of one event alone."""

    events = None  # type: ignore[assignment]  # Django takes the field away
