"""The page of one's friends, and all that can be done there."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from webapp.common import addresses
from webapp.common.errors import RefusedError
from webapp.common.requests import HtmxRequest
from webapp.people.accounts.models import User
from webapp.people.accounts.requests import UserRequest
from webapp.people.friends import selectors, services

POLL_S = 15


@login_required
@require_safe
def friends(request: HtmxRequest) -> HttpResponse:
    """Friends, requests and blocks; for htmx the list alone, as the lobby has it."""
    person = request.user
    assert isinstance(person, User)
    context = {
        "poll_s": POLL_S,
        "friends": selectors.friends(person),
        "requests": selectors.requests(person),
        "asked": selectors.asked(person),
        "next": addresses.own(request, request.GET.get("next", "")),
    }
    if request.htmx:
        return render(request, "friends/_list.html", context)
    return render(request, "friends/friends.html", context | {"blocked": selectors.blocked(person)})


@login_required
@require_POST
def do(request: UserRequest, deed: str) -> HttpResponse:
    """Carry out one of `services.DEEDS` for the name that was sent; back to where it was asked."""
    if deed not in services.DEEDS:
        raise Http404("no such deed")
    try:
        name = request.POST.get("name", "").replace("\0", "").strip()  # PostgreSQL takes no NUL in a text
        messages.success(request, services.DEEDS[deed](request.user, name))
    except RefusedError as refused:
        messages.warning(request, str(refused))
    return redirect(addresses.own(request, request.POST.get("next", "")) or "friends:list")
