"""The page of a match, its board and its trace as responses, for whichever page they stand on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe

from games import registry as game_registry
from webapp.common import naming
from webapp.common.formats import seconds
from webapp.common.points import points_words
from webapp.lab.results import failures
from webapp.lab.results.sides import lineups
from webapp.matches import beliefs, selectors, trace, value_curve
from webapp.matches.ply_curve import Curve
from webapp.matches.selectors import MatchPage, SeatCard
from webapp.people.accounts import guests
from webapp.records.archive.errors import ArchiveError
from webapp.records.models import Match
from worker.spec.seatings import num_seatings


@dataclass(frozen=True)
class Place:
    """Place of a match page. base: its own address, experiment_url: where it came from.

    list_url, list_label: the list that its experiment stands in, empty on shared pages.
    """

    base: str
    experiment_url: str
    template: str = "matches/match.html"
    list_url: str = ""
    list_label: str = "Experiments"


def _ply(request: HttpRequest, last: int, usual: int | None = None) -> int:
    """The ply asked for; nonsense counts as `usual` or the last, and so does what is beyond the end as the last."""
    text = request.GET.get("ply", "")
    return min(int(text), last) if re.fullmatch(r"[0-9]{1,6}", text) else last if usual is None else usual


def match_response(
    request: HttpRequest, found: Match, place: Place, extra: dict[str, Any] | None = None
) -> HttpResponse:
    """Render the page of a match."""
    person = guests.person(request)
    page = selectors.page(found, selectors.seat_of(found, person))
    experiment = found.experiment
    is_watched = experiment.kind == experiment.Kind.MATCH and ("ply" not in request.GET or "watched" in request.GET)
    ply = _ply(request, page.num_plies, usual=0 if is_watched else None)
    entries = experiment.spec["arms"][found.arm_index]["seats"]
    arms = lineups(experiment).arms
    context = {
        "page": page,
        "experiment": experiment,
        "experiment_url": place.experiment_url,
        "list_url": place.list_url,
        "list_label": place.list_label,
        "base": place.base,
        "game": game_registry.get(experiment.game),
        "is_practised": selectors.is_practised(found),
        "arm_name": arms[found.arm_index] if len(arms) > 1 else "",
        "play_on": _play_on(found, page),
        "seating": f"{found.rotation + 1} of {num_seatings(experiment.spec['rotation'], entries)}",
        "cpu": seconds(found.cpu_s),
        "ply": ply,
        "is_watched": is_watched,
        "has_letters": person is None or person.preferences.get("letters") is not False,
        "previous": max(0, ply - 1),
        "next": min(page.num_plies, ply + 1),
        "has_review": bool(page.num_plies and page.walked and page.walked.is_exact and not experiment.is_secret),
        "failure_words": _failure_words(page),
        "seat_rows": [(card, _points(found, card)) for side in page.sides for card in side],
    } | (_position(page, ply) if page.walked else {})
    if page.walked is not None and beliefs.is_for(page.walked):
        context["beliefs"] = beliefs.section(page, ply, request.GET)
        if request.GET.get("part") == "beliefs":
            return render(request, "matches/_beliefs.html", context)
    return render(request, place.template, context | (extra or {}))


def _points(found: Match, card: SeatCard) -> str:
    """The score of a seat in words; empty where it has none."""
    is_against = selectors.counts_against(found)
    return "" if card.score is None else points_words(card.score, is_against=is_against)


PLAY_ON = "play on"
"""Salt of the tokens that name a match to play on from; whether its reader may see it is asked again there."""


def _play_on(found: Match, page: MatchPage) -> str:
    """Address for playing on from a position of the match; empty where it does not replay, or has secrets."""
    if page.walked is None or not page.walked.is_exact or found.experiment.is_secret or not page.num_plies:
        return ""
    return reverse("play:on", args=[signing.dumps(found.pk, salt=PLAY_ON)])


def _position(page: MatchPage, ply: int) -> dict[str, Any]:
    """The part of the page that depends on the ply shown."""
    assert page.walked is not None
    frame = page.frames[ply]
    walked = page.walked
    drawn = walked.game.replay_svg(walked.states, seat=page.looking, ply=ply, prefix="board-")
    board = naming.name_seats(drawn, page.names)
    return {
        "frame": frame,
        "difference_words": _difference_words(page),
        "seat_rows": [(card, frame["scores"][card.seat]) for side in page.sides for card in side],
        "points_by_kind": [
            (kind, label, frame["kinds"][kind], frame["open_kinds"][kind]) for kind, label in page.kinds
        ],
        "board": mark_safe(board),
        "curves": _curves(page),
    }


def _curves(page: MatchPage) -> list[tuple[str, Curve]]:
    """What the page can draw below the board without an analysis, by the name that its script has for it."""
    assert page.walked is not None
    sides = [(side[0].seat, " and ".join(card.name for card in side)) for side in page.sides]
    found = [("points", value_curve.of_points(page.walked.standings, sides))]
    if page.has_values:
        found.append(("values", value_curve.of_values(page.plies, page.names)))
    return found


def _failure_words(page: MatchPage) -> str:
    if not page.match.failure:
        return ""
    who = next((card.name for card in page.seats if card.failed), "")
    return failures.sentence(page.match.failure, who, page.match.num_plies + 1)


def _difference_words(page: MatchPage) -> str:
    """Sentences on why a match does not replay, and under which version it was played."""
    walked = page.walked
    if walked is None or walked.is_exact:
        return ""
    played = page.match.versions.get(walked.game.id, "unknown")
    versions = (
        f"It was played with version {played} of {walked.game.label}; this lab has version {walked.game.version}."
    )
    if walked.error:
        return f"The rules of today stop the replay at move {len(walked.standings)}. {versions}"
    return f"From move {walked.first_difference} on, the position is not the recorded one. {versions}"


def board_response(request: HttpRequest, found: Match) -> HttpResponse:
    """The board at ``?ply=`` as a file. Raises Http404 where there are no plies, ArchiveError."""
    page = selectors.page(found)
    if page.unreadable:
        raise ArchiveError(page.unreadable)
    if page.walked is None:
        raise Http404("no moves")
    ply = _ply(request, page.num_plies)
    svg = page.walked.game.svg(page.walked.states[ply], theme="light")
    name = f"meeple-lab-match-{found.pk}-ply-{ply}.svg"
    return HttpResponse(
        svg,
        content_type="image/svg+xml",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        },
    )


def trace_response(found: Match) -> HttpResponse:
    """The trace as a file. Raises Http404 where the match cannot be replayed to its end."""
    data = trace.build_trace(found)
    if data is None:
        raise Http404("no trace")
    response = JsonResponse(data)
    response["Content-Disposition"] = f'attachment; filename="meeple-lab-match-{found.pk}-trace.json"'
    return response
