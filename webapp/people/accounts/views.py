"""Sign up, sign in, change a password, see one's account."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.contrib.messages.views import SuccessMessageMixin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse_lazy
from django.views.decorators.debug import sensitive_post_parameters

from webapp.common import addresses, limits
from webapp.common.limits import TooManyError
from webapp.people.accounts import guests
from webapp.people.accounts.forms import LoginForm, NewPasswordForm, SignUpForm
from webapp.people.accounts.models import User

NEW = limits.Limit("address", 20, "new accounts")
CROWDED = "Many accounts have just been made from your network. Try again in a minute."


class Login(LoginView):
    """Sign in, then go where `next` says if that is on this site."""

    authentication_form = LoginForm
    template_name = "accounts/login.html"
    redirect_authenticated_user = True

    def get_context_data(self, **values: Any) -> dict[str, Any]:
        """Whether a lost password can be answered by mail."""
        return super().get_context_data(**values) | {"has_mail": settings.LAB_MAIL}

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        """As for those who sign up."""
        return _wanted(request or self.request)

    def get_default_redirect_url(self) -> str:
        """Address for people who come from no other page."""
        return _home(self.request)


class ChangePassword(SuccessMessageMixin, PasswordChangeView):  # type: ignore[type-arg]  # generic in the stubs only
    """Page for changing the password of the signed-in user."""

    form_class = NewPasswordForm
    template_name = "accounts/password.html"
    success_url = reverse_lazy("accounts:account")
    success_message = "Password changed"


def _home(request: HttpRequest) -> str:
    """Page where somebody signed in has something: their experiments, else Play."""
    user = request.user
    has_experiments = isinstance(user, User) and _experiments(user).exists()
    return resolve_url("experiments:list" if has_experiments else "play:lobby")


def _experiments(user: User) -> QuerySet[Any]:
    """Without those that hold matches at the table."""
    found: QuerySet[Any] = user.experiments.exclude(kind=user.experiments.model.Kind.PLAY)
    return found


def _wanted(request: HttpRequest) -> str:
    """Where `next` leads, empty where that is not on this site."""
    return addresses.own(request, request.POST.get("next") or request.GET.get("next") or "")


@sensitive_post_parameters("password1", "password2")
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account and sign in with it; a guest keeps all that is the guest's."""
    if request.user.is_authenticated:
        return redirect(_home(request))
    guest = guests.person(request)
    form = SignUpForm(request.POST or None, instance=guest)
    status, wait_s = 200, 0
    if request.method == "POST" and form.is_valid():
        try:
            NEW.count(limits.address(request))
        except TooManyError as error:
            form.add_error(None, CROWDED)
            status, wait_s = 429, error.wait_s
    if request.method == "POST" and form.is_valid():
        user = form.save()
        login(request, user)
        messages.success(request, f"Welcome, {user.username}")
        return HttpResponseRedirect(_wanted(request) or _home(request))
    next_page = request.GET.get("next", "")
    context = {"form": form, "next": next_page, "is_guest": guest is not None, "has_mail": settings.LAB_MAIL}
    answer = render(request, "accounts/sign_up.html", context, status=status)
    if wait_s:
        answer["Retry-After"] = str(wait_s)
    return answer


@login_required
def account(request: HttpRequest) -> HttpResponse:
    """The person's own page."""
    assert isinstance(request.user, User)
    context = {"num_experiments": _experiments(request.user).count(), "has_mail": settings.LAB_MAIL}
    return render(request, "accounts/account.html", context)
