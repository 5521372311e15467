"""Invitations by name: one is sent, one is declined. To accept is to sit down (`join`)."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from webapp.common.errors import RefusedError
from webapp.people.accounts import guests
from webapp.play.visitors import visit
from webapp.table.live import invitations


@never_cache
@require_POST
def invite(request: HttpRequest, code: str) -> HttpResponse:
    """Invite the friend whose name was sent; back to the waiting room."""
    table = visit(request, code)
    if table.person is None or not table.is_creator:
        raise Http404("not theirs")
    try:
        friend = invitations.invite(table.match.pk, table.person, request.POST.get("name", ""))
    except RefusedError as refused:
        messages.warning(request, str(refused))
    else:
        messages.success(request, f"{friend.username} is invited: it stands in their lobby for two days")
    return redirect("play:match", code=code)


@never_cache
@require_POST
def decline(request: HttpRequest, code: str) -> HttpResponse:
    """Decline an invitation; back to the lobby."""
    person = guests.person(request)
    found = invitations.waiting_for(person).filter(match__code=code).first() if person is not None else None
    if found is None:
        raise Http404("no invitation")
    invitations.decline(found)
    messages.success(request, "Declined; who invited you is not told")
    return redirect("play:lobby")
