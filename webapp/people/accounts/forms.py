"""Forms for people's accounts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm, PasswordChangeForm, UsernameField
from django.utils import timezone

from engines import levels
from webapp.common.fields import focus_first_error
from webapp.people.accounts import guests, login_throttle
from webapp.people.accounts.models import User

MOST_LETTERS = 40
"""Most letters of a new user name: it has to stand beside a board."""
MAIL_HELP = "Only to set a new password when you have lost yours; nobody sees it"
PASSWORD_HELP = "At least 8 characters, not only digits, not a common word"


class SignUpForm(BaseUserCreationForm):  # type: ignore[type-arg]  # generic in the stubs only
    """A name and a password, nothing else. instance: a guest, who becomes the account."""

    class Meta:
        model = User
        fields = ("username",)
        field_classes = {"username": UsernameField}
        labels = {"username": "User name"}
        help_texts = {"username": f"Letters, digits and @ . + - _, at most {MOST_LETTERS}"}
        error_messages = {
            "username": {
                "invalid": "Only letters, digits and @ . + - _ can be in a user name.",
                "max_length": f"A user name has at most {MOST_LETTERS} letters; this one has %(show_value)d.",
            }
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.pop("username", None)  # a guest's is made up
        self.fields["password1"].help_text = PASSWORD_HELP
        self.fields["password2"].label = "Password again"
        self.fields["password2"].help_text = ""
        if settings.LAB_MAIL:
            self.fields["email"] = forms.EmailField(
                required=False, label="Mail address, if you like", help_text=MAIL_HELP, max_length=254
            )

    def full_clean(self) -> None:
        """Check, and open the page again at what is wrong."""
        super().full_clean()
        focus_first_error(self)

    def validate_password_for_user(self, user: User, password_field_name: str = "password1") -> None:
        """Say what is wrong with the password where it was chosen, not where it was repeated."""
        super().validate_password_for_user(user, password_field_name)  # type: ignore[misc]  # the stubs lack it

    def clean_username(self) -> str:
        """Refuse a name that differs from another only by capitals, and those made up for guests."""
        username: str = self.cleaned_data["username"]
        if len(username) > MOST_LETTERS:
            raise forms.ValidationError(
                f"A user name has at most {MOST_LETTERS} letters; this one has {len(username)}."
            )
        if username.lower().startswith(guests.NAME):
            raise forms.ValidationError(f"Names that begin with {guests.NAME} are for guests. Try another.")
        if username.lower() in levels.names():
            raise forms.ValidationError("A level of the engines has this name. Try another.")
        if User.objects.filter(username__iexact=username).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError("Somebody has this name already. Try another.")
        return username

    def save(self, commit: bool = True) -> User:
        """Make the account; a guest's row becomes it, with all that belongs to the guest."""
        self.instance.email = self.cleaned_data.get("email", "")
        self.instance.is_guest, self.instance.date_joined = False, timezone.now()
        user: User = super().save(commit)
        return user


class MailForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """The mail address to which a lost password is answered."""

    class Meta:
        model = User
        fields = ("email",)


class NewPasswordForm(PasswordChangeForm):
    """The old password and, twice, a new one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = PASSWORD_HELP
        self.fields["new_password2"].label = "New password again"
        self.fields["new_password2"].help_text = ""

    def full_clean(self) -> None:
        """Check, and open the page again at what is wrong."""
        super().full_clean()
        focus_first_error(self)

    def validate_password_for_user(self, user: User, password_field_name: str = "new_password1") -> None:
        """Say what is wrong with the password where it was chosen, not where it was repeated."""
        super().validate_password_for_user(user, "new_password1")


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
        assert self.request is not None  # the view gives it
        attempt = login_throttle.Attempt.of(self.request, username)
        if not attempt.begin():
            raise forms.ValidationError(self.error_messages["paused"], code="paused")
        cleaned = super().clean()
        attempt.succeed()
        return cleaned


class StaffLoginForm(LoginForm):
    """The same door for the administration, which lets staff in alone."""

    def confirm_login_allowed(self, user: User) -> None:
        """Raises ValidationError for somebody else: in the words of a wrong password, which say nothing of accounts."""
        super().confirm_login_allowed(user)
        if not user.is_staff:
            raise self.get_invalid_login_error()
