"""Forms for people's agents."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.validators import RegexValidator

from webapp.common.fields import focus_first_error
from webapp.people.agents import services, tokens
from webapp.people.agents.models import Agent, Token


class DescriptionForm(forms.Form):
    """Description of an agent, in a sentence or two."""

    description = forms.CharField(
        label="Description",
        required=False,
        max_length=Agent._meta.get_field("description").max_length,
        help_text="What it does, for yourself; at most 300 characters",
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def full_clean(self) -> None:
        """Check, and open the page again at what is wrong."""
        super().full_clean()
        focus_first_error(self)


class AgentForm(DescriptionForm):
    """A new agent."""

    name = forms.CharField(
        label="Name",
        max_length=40,
        help_text=f"{services.NAME_WORDS}. Opponents and tables show it, and it cannot be changed",
        validators=[RegexValidator(rf"^{services.NAME_PATTERN}\Z", f"{services.NAME_WORDS}.")],
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    field_order = ("name", "description")


class LabelForm(forms.Form):
    """What every new token has."""

    label = forms.CharField(
        label="Label",
        required=False,
        max_length=Token._meta.get_field("label").max_length,
        help_text="Where you will use it, such as the machine's name",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("prefix", "token")
        super().__init__(*args, **kwargs)


class TokenForm(LabelForm):
    """A new token of an agent."""

    may_play = forms.BooleanField(
        label="May play",
        required=False,
        initial=True,
        help_text="Without it the token can only look",
    )

    def scopes(self) -> list[str]:
        """Scopes that the token shall have."""
        return [tokens.READ, *([tokens.PLAY] if self.cleaned_data["may_play"] else [])]


class PersonTokenForm(LabelForm):
    """A new token of a person."""

    may_experiment = forms.BooleanField(
        label="May experiment",
        required=False,
        initial=True,
        help_text="Start, steer, share and delete. Without it the token can only read and export",
    )

    def scopes(self) -> list[str]:
        """Scopes that the token shall have."""
        return [tokens.READ, *([tokens.EXPERIMENT] if self.cleaned_data["may_experiment"] else [])]
