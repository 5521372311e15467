"""Requests of a player beside moves (resign, offer to end, rematch, …): one table for pages and the API.

A request that cannot be granted has a sentence that says why; pages show it in place of the button.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from django.db import transaction

from webapp.common.errors import RefusedError
from webapp.table.live import (
    between_rounds,
    departures,
    hints,
    match_setup,
    ply_writer,
    rematch,
    seat_return,
    table_seats,
    taking_back,
)
from webapp.table.live.errors import OverError
from webapp.table.live.models import LiveMatch
from webapp.table.live.table_seats import Table


@dataclass(frozen=True)
class PlayerRequest:
    """grant: carries it out, the match locked; returns the match to go on with."""

    grant: Callable[[Table], LiveMatch]
    why_not: Callable[[Table], str]


REQUESTS: Mapping[str, PlayerRequest] = {
    "resign": PlayerRequest(departures.resign, departures.why_not_resign),
    "offer-end": PlayerRequest(departures.offer_end, departures.why_not_offer),
    "withdraw-offer": PlayerRequest(departures.withdraw_offer, departures.why_not_withdraw),
    "allow-hints": PlayerRequest(hints.allow, hints.why_not_allow),
    "disallow-hints": PlayerRequest(hints.disallow, hints.why_not_disallow),
    "take-seat": PlayerRequest(seat_return.take_seat, seat_return.why_not),
    "take-back": PlayerRequest(taking_back.take_back, taking_back.why_not),
    "stop-asking": PlayerRequest(taking_back.stop, taking_back.why_not_stop),
    "agree-back": PlayerRequest(taking_back.agree, taking_back.why_not_answer),
    "decline-back": PlayerRequest(taking_back.decline, taking_back.why_not_answer),
    "ready": PlayerRequest(between_rounds.be_ready, between_rounds.why_not),
    "rematch": PlayerRequest(rematch.rematch, rematch.why_not),
    "cancel": PlayerRequest(match_setup.call_off, match_setup.why_not_call_off),
}


def grant(name: str, match_id: int, seats: Sequence[int], *, is_creator: bool = False) -> LiveMatch:
    """Carry out a request of the player of these seats; return the match to go on with (a rematch is another).

    Raises KeyError for an unknown wish, RefusedError with a sentence (OverError where the match
    runs no more) and then changes nothing; LiveMatch.DoesNotExist.
    """
    wish = REQUESTS[name]
    with transaction.atomic():
        match = ply_writer.lock_match(match_id)
        table = table_seats.look_up(match, seats, is_creator)
        if why := wish.why_not(table):
            raise (OverError if match.is_over else RefusedError)(why)
        return wish.grant(table)


Possible = TypedDict("Possible", {"is": bool, "why": str})
"""Whether a wish can be granted now, and else why not."""


class Permissions(dict[str, Possible]):
    """Permissions for requests, by name; templates, which know no dash, write ``can.take_back``."""

    def __missing__(self, name: str) -> Possible:
        if "_" not in name:
            raise KeyError(name)
        return self[name.replace("_", "-")]


def permissions(table: Table) -> Permissions:
    """Say of every request whether it can be granted now."""
    said = {name: wish.why_not(table) for name, wish in REQUESTS.items()}
    return Permissions({name: {"is": not why, "why": why} for name, why in said.items()})
