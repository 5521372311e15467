"""Taking a seat: by an invitation, or one that is open to anybody."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from webapp.common.errors import RefusedError
from webapp.people.accounts import guests
from webapp.play import links, match_terms, open_seats, selectors
from webapp.table.live import access, invitations
from webapp.table.live.models import LiveMatch

GONE = 404


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Show who is there and on which terms; by POST sit down.

    A wrong key looks the same whether there is such a match or not.
    """
    key = (request.POST if request.method == "POST" else request.GET).get("key", "")
    match = LiveMatch.objects.select_related("creator").filter(code=code, experiment=None).first()
    person = guests.person(request)
    has_key = match is not None and access.is_key(match, key)
    if key and not has_key:
        return render(request, "play/wrong_key.html", status=GONE)
    invited = has_key or (match is not None and invitations.is_invited(match, person))
    is_mine = match is not None and person is not None and match.seats.filter(person=person).exists()
    if match is None or not (invited or is_mine or match.visibility == LiveMatch.Visibility.PUBLIC):
        raise Http404("no such match")
    if is_mine:
        return redirect("play:match", code=code)
    if request.method == "POST" and person is not None and not person.is_guest:
        try:
            open_seats.take_open_seat(match, person, invited=invited)
        except RefusedError as error:
            messages.warning(request, str(error))
        else:
            return redirect("play:match", code=code)
    match.refresh_from_db()
    context = {
        "match": match,
        "line": selectors.lines([match], person)[0],
        "key": key,
        "free": open_seats.list_open_seats(match, invited=invited),
        "terms": match_terms.describe_terms(match),
        "is_guest": person is None or person.is_guest,
        "may_watch": match.visibility != LiveMatch.Visibility.PRIVATE,
        "here": links.join_path(match, with_key=has_key),
    }
    return render(request, "play/join.html", context)
