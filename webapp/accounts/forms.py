"""Forms for people's accounts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm

from webapp.accounts import guessing
from webapp.accounts.models import User


class SignUpForm(BaseUserCreationForm):
    """A name and a password, nothing else."""

    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": "User name"}
        help_texts = {"username": "Letters, digits and . - _ +, at most 150"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = "At least 8 characters, not only digits, not a common word"
        self.fields["password2"].label = "Password again"
        self.fields["password2"].help_text = ""

    def clean_username(self) -> str:
        """Refuse a name that differs from another only by capitals."""
        username: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=username).exists():
            raise forms.ValidationError("Somebody has this name already. Try another.")
        return username


class LoginForm(AuthenticationForm):
    """Name and password, with a pause after too many wrong tries."""

    error_messages = {
        "invalid_login": "Name and password do not match. Check both; capitals count.",
        "inactive": "This account is closed.",
        "paused": "Too many tries. Wait 5 minutes, then try again.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "User name"

    def clean(self) -> dict[str, Any]:
        """Check the pair, unless this address has to wait."""
        username = self.cleaned_data.get("username", "")
        if guessing.is_paused(self.request, username):
            raise forms.ValidationError(self.error_messages["paused"], code="paused")
        try:
            cleaned = super().clean()
        except forms.ValidationError:
            guessing.count_wrong(self.request, username)
            raise
        guessing.forget(self.request, username)
        return cleaned
