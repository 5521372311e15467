"""Form of an agent's webhook: its address, and which events it is sent."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings

from webapp.table.hooks import addresses
from webapp.table.hooks.addresses import AddressError
from webapp.table.hooks.models import Hook


class HookForm(forms.Form):
    """Address and events of a webhook."""

    url = forms.CharField(
        max_length=addresses.MAX_URL,
        label="Address",
        widget=forms.URLInput(attrs={"placeholder": "https://agent.example.org/meeple-lab", "spellcheck": "false"}),
        error_messages={"required": "Give the address that your program answers at."},
    )
    events = forms.MultipleChoiceField(
        choices=Hook.Event.choices,
        widget=forms.CheckboxSelectMultiple,
        label="Tell me",
        error_messages={"required": "Tick at least one event."},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        allowed = ", ".join(settings.LAB_HOOK_HOSTS)
        public = "https, at an address of the public internet"
        self.fields["url"].help_text = f"{public}; here also http at {allowed}" if allowed else public

    def clean_url(self) -> str:
        """The address, where it may be delivered to as far as its letters tell."""
        url = str(self.cleaned_data["url"])
        try:
            addresses.check(url)
        except AddressError as error:
            raise forms.ValidationError(str(error), code="address") from None
        return url
