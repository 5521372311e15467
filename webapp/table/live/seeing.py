"""What somebody may see of a match in play, as JSON: pages, agents and spectators read nothing else.

Secrecy (DESIGN 4): before the match is over there is no seed, no digest, no value of an engine,
nobody else's legal actions, and no time beyond the clock. Positions come through the game's
`observation`, `play_svg` and `panel` of the seats that look.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from games.protocol import TERMINAL, Event
from webapp.records.models import Seat
from webapp.table.live import positions, returning, seating, turn
from webapp.table.live.models import LiveMatch, LivePly, LiveSeat
from webapp.table.live.positions import MovedError, Position

LOOKS = 5
"""So often a match is looked at anew that moves meanwhile."""


def shown_ply(match: LiveMatch, seats: Sequence[int]) -> int:
    """The last ply that these seats may see; spectators (no seats) may have to wait for it."""
    if seats or match.is_over:
        return match.ply
    return max(0, match.ply - match.spectator_delay)


def observe(match: LiveMatch, seats: Sequence[int], ply: int | None = None) -> dict[str, Any]:
    """The match as the holder of `seats` sees it after `ply` plies (None: now).

    seats: of one person or agent; empty: a spectator, as is whoever an engine has replaced. Who may
    take their seat back is not behind.
    Raises ValueError for a ply not yet seen. A ply that is past is shown as the seat saw it then.

    Keys: code, game, options, has_aids, is_rated, status, version, ply, latest (the ply one may see at
    most), seats, on_turn, your_seats, your_turn, observation (the game's own; None before the
    match begins), actions (only on your turn and now, see `actions`), last (the ply before, see
    `last`), offers, ply_limit_s, clock_s, waited_s, commitment, is_taken_back, rematch (its code,
    for those who played), ending, and once it is over result, seed, deal_seed, salt. Whoever is
    behind the present ply is told of no offers and clocks.

    A match that moves while one looks is looked at again, and `match` read anew.
    """
    for _ in range(LOOKS):
        try:
            return _observe(match, seats, ply)
        except MovedError:
            match.refresh_from_db()
    raise MovedError(f"match {match.pk} moves too fast to be seen")


def _observe(match: LiveMatch, seats: Sequence[int], ply: int | None) -> dict[str, Any]:
    rows = list(match.seats.order_by("seat"))
    own = tuple(seats)
    seats = [row.seat for row in rows if row.seat in own and row.kind != LiveSeat.Kind.ENGINE]
    latest = shown_ply(match, seats or [row.seat for row in returning.vacant(match, rows, own)])
    if ply is not None and not 0 <= ply <= latest:
        raise ValueError(f"ply must be between 0 and {latest}, not {ply}")
    position = positions.at(match, latest if ply is None else ply)
    is_now, is_behind = position.ply == match.ply, latest < match.ply
    if is_behind:
        rows = seating.as_of(rows, latest)
    has_begun = match.status != LiveMatch.Status.OPEN  # nobody sees the luck of a match that can still be called off
    your_turn = is_now and match.on_turn is not None and match.on_turn in seats
    seen = {
        "code": match.code,
        "game": match.game,
        "options": match.options,
        "has_aids": match.has_aids,
        "is_rated": match.is_rated,
        "status": match.status,
        "version": match.version,
        "ply": position.ply,
        "latest": latest,
        "seats": _seats(match, rows, position, is_behind=is_behind),
        "on_turn": position.player if position.player != TERMINAL and has_begun and not match.is_over else None,
        "your_seats": seats,
        "your_turn": your_turn,
        "observation": position.game.observation(position.state, viewer(position, seats)) if has_begun else None,
        "actions": actions(position) if your_turn else [],
        "last": last(match, position),
        "offers": [row.seat for row in rows if row.offers_end and not is_behind],
        "ply_limit_s": match.ply_limit_s,
        "clock_s": match.clock_s,
        "waited_s": None if is_behind else _waited(match),
        "commitment": match.commitment,
        "is_taken_back": match.is_taken_back,
        "rematch": _rematch(match) if own and match.is_over else None,
        "ending": match.ending,
    }
    return seen | (_opened(match) if match.is_over else {})


def viewer(position: Position, seats: Sequence[int]) -> int | None:
    """The seat through whose eyes the holder of `seats` looks: the one on turn where it is theirs."""
    if position.player in seats:
        return position.player
    return seats[0] if seats else None


def _rematch(match: LiveMatch) -> str | None:
    found = match.rematches.exclude(status=LiveMatch.Status.CANCELLED).order_by("-pk")
    return found.values_list("code", flat=True).first()


def actions(position: Position) -> list[dict[str, Any]]:
    """The legal actions of whoever is on turn, spelt out."""
    game, state = position.game, position.state
    return [
        {
            "id": action,
            "notation": game.notation(state, action),
            "parts": [
                {"name": part.name, "value": part.value, "label": part.label or part.value, "element": part.element}
                for part in game.parts(state, action)
            ],
        }
        for action in game.legal_actions(state).tolist()
    ]


def last(match: LiveMatch, position: Position) -> dict[str, Any] | None:
    """The ply that led here, and what it scored."""
    if not position.ply:
        return None
    row = match.plies.filter(ply=position.ply - 1).first()
    if row is None:
        raise MovedError("the ply was taken back meanwhile")
    return move(row) | {"scored": [scored(event) for event in position.game.events(position.state)]}


def move(row: LivePly) -> dict[str, Any]:
    """One ply as all may see it."""
    return {
        "ply": row.ply,
        "seat": row.seat,
        "action": row.action,
        "notation": row.notation,
        "words": row.words,
        "scores": list(row.scores),
        "played_by": row.played_by,
    }


def scored(event: Event) -> dict[str, Any]:
    """Something that scored."""
    return {
        "kind": event.kind,
        "points": event.points,
        "seats": list(event.seats),
        "returned": list(event.returned),
        "elements": list(event.elements),
    }


def _seats(match: LiveMatch, rows: Iterable[LiveSeat], position: Position, *, is_behind: bool) -> list[dict[str, Any]]:
    scores = position.game.scores(position.state)
    has_clocks = match.clock_s is not None and not is_behind
    has_begun = match.status != LiveMatch.Status.OPEN
    is_told = match.is_over or (has_begun and not position.game.traits.has_hidden_information)
    projected = position.game.projected_scores(position.state) if is_told else scores
    return [
        {
            "seat": row.seat,
            "kind": row.kind,
            "name": row.name,
            "level": row.level,
            "score": scores[row.seat],
            "projected": projected[row.seat],
            "left_s": max(0.0, match.clock_s - row.used_s) if has_clocks else None,
            "replaced": row.replaced,
        }
        for row in rows
    ]


def _waited(match: LiveMatch) -> float | None:
    """Seconds that the seat on turn has had so far; None where nobody has a limit."""
    if match.turn_began_at is None or (match.ply_limit_s is None and match.clock_s is None):
        return None
    return turn.waited_s(match)


def _opened(match: LiveMatch) -> dict[str, Any]:
    """What may be known once it is over."""
    if match.experiment is not None and match.experiment.is_secret:
        return {}  # other matches of it are still to be played
    opened: dict[str, Any] = {"seed": match.seed, "deal_seed": match.deal_seed, "salt": match.salt, "result": None}
    if match.match is not None:
        rows = Seat.objects.filter(match=match.match).order_by("seat")
        opened["result"] = [{"score": row.score, "rank": row.rank, "result": row.result} for row in rows]
    return opened
