"""The page where people keep the tokens of their account, for programs that do research."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from webapp.common.errors import RefusedError
from webapp.common.permissions import get_owned
from webapp.people.accounts.requests import UserRequest
from webapp.people.agents import services, tokens
from webapp.people.agents.forms import PersonTokenForm
from webapp.people.agents.models import PersonToken


@login_required
@sensitive_variables("secret")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own(request: UserRequest) -> HttpResponse:
    """One's tokens; sent, make one. The secret is in this one answer, and nowhere afterwards."""
    if request.method != "POST":
        return _page(request)
    form = PersonTokenForm(request.POST)
    if not form.is_valid():
        return _page(request, form=form)
    try:
        services.check_room_for_own_token(request.user)
    except RefusedError as error:
        messages.warning(request, str(error))
        return redirect("api:tokens")
    _, secret = tokens.issue_to_person(request.user, form.cleaned_data["label"], form.scopes())
    return _page(request, secret=secret)


@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """Withdraw a token at once and for good."""
    row = get_owned(PersonToken.objects.all(), request.user, pk=pk)
    messages.success(request, f"Revoked {row}" if tokens.revoke(row) else "It was revoked already")
    return redirect("api:tokens")


def _page(request: UserRequest, **extra: Any) -> HttpResponse:
    context = {
        "tokens": request.user.tokens.order_by("revoked_at", "-created_at"),
        "form": PersonTokenForm(),
        "base": request.build_absolute_uri("/").rstrip("/"),
        **extra,
    }
    return render(request, "api/tokens.html", context)
