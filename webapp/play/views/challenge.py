"""The same deal for a friend: the link is made, the deal is played, results stand side by side."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from webapp.people.accounts import guests
from webapp.play import deal_comparison, links, match_start, match_terms
from webapp.play.match_start import YOURS, Setup
from webapp.play.visitors import visit
from webapp.table.live import challenges
from webapp.table.live.models import Challenge, LiveMatch
from webapp.table.live.plans import Terms
from worker.spec import SpecError


@require_POST
def make(request: HttpRequest, code: str) -> HttpResponse:
    """Offer the deal of a match that is over to everybody with the link."""
    table = visit(request, code)
    if why := challenges.why_not(table.match, table.seats):
        messages.warning(request, why)
        return redirect("play:match", code=code)
    return redirect("play:deal", code=challenges.create_challenge(table.match, table.seats[0]).code)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def show(request: HttpRequest, code: str) -> HttpResponse:
    """Show what is to be played, or how it went; by POST begin one's own match."""
    of = get_object_or_404(Challenge.objects.select_related("origin"), code=code)
    person = guests.person(request)
    is_mine, own = challenges.is_challenger(of, person), challenges.match_of(of, person)
    context = {"of": of, "origin": of.origin, "is_mine": is_mine, "own": own}
    if request.method == "POST" and not is_mine and own is None:
        try:
            return redirect("play:match", code=_start(request, of).code)
        except match_start.BusyError as error:
            context["busy"] = error
        except SpecError as error:
            messages.warning(request, f"This match cannot be opened again: {error}.")
    rows = deal_comparison.results(of, person)
    if is_mine and len(rows) == 1:
        rows = []  # nothing stands beside the challenger's own yet
    entry = of.origin.seats.get(seat=of.seat)
    context |= {
        "challenger": entry.name,
        "seat": of.seat,
        "rivals": list(of.origin.seats.exclude(seat=of.seat).order_by("seat")),
        "terms": match_terms.describe_terms(of.origin),
        "link": links.whole_link(links.base_of(request), reverse("play:deal", args=[of.code])),
        "num_played": of.matches.count(),
        "rows": rows,
        "figure": deal_comparison.figure(rows) if rows else None,
        "submission": uuid.uuid4(),
    }
    return render(request, "play/deal.html", context)


def _start(request: HttpRequest, of: Challenge) -> LiveMatch:
    """Open the friend's match. Raises BusyError, SpecError."""
    origin = of.origin
    setup = Setup(
        origin.game,
        origin.options,
        tuple(challenges.plans(of, YOURS)),
        Terms(has_aids=origin.has_aids),
        further=challenges.fields(of),
    )
    try:
        submission = uuid.UUID(request.POST.get("submission", ""))
    except ValueError:
        raise match_start.BusyError("That form was not complete. Load the page again.") from None
    return match_start.start(request, setup, submission, {"challenge": of.code})
