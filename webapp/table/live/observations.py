"""Observations of a match in play: pages, agents and spectators read nothing else.

Secrecy (webapp/table/DESIGN.md): before the match is over there is no seed, no digest, no value of an engine,
nobody else's legal actions, and no time beyond the clock. Positions come through the game's
`observation`, `play_svg` and `panel` of the seats that look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games import protocol
from games.json_paths import PathError
from games.protocol import TERMINAL, Event
from webapp.records import models as records
from webapp.table.live import access, plies, position_cache, table_seats, turn
from webapp.table.live.models import LiveMatch, LivePly, LiveSeat
from webapp.table.live.plies import Played
from webapp.table.live.position_cache import MovedError, Position
from webapp.table.live.snapshot import (
    SEAT_KINDS,
    STATUSES,
    Action,
    Ending,
    LastMove,
    Move,
    Part,
    Result,
    Scored,
    SeatInPlay,
    Snapshot,
)
from webapp.table.live.table_seats import Table

LOOKS = 5
"""Most attempts to read a match that changes while it is read."""


def observe(
    match: LiveMatch, seats: Sequence[int], ply: int | None = None, rows: tuple[LiveSeat, ...] | None = None
) -> Snapshot:
    """The match as the holder of `seats` sees it after `ply` plies (None: now).

    seats: of one person or agent; empty: a spectator, as is a player whom an engine has replaced.
    A player who may take the seat back sees no delay. rows: all seats, where they were read with the match.
    Raises PathError for a ply not yet seen. A ply that is past is shown as the seat saw it then.

    A match that moves while one looks is looked at again, and `match` read anew.
    """
    for _ in range(LOOKS):
        try:
            table = Table(match, rows, tuple(seats)) if rows else table_seats.look_up(match, seats)
            return _observe(table, ply)
        except MovedError:
            match.refresh_from_db()
            rows = None
    raise MovedError(f"match {match.pk} moves too fast to be seen")


def _observe(table: Table, ply: int | None) -> Snapshot:
    match = table.match
    latest = access.last_ply(table)
    if ply is not None and not 0 <= ply <= latest:
        raise PathError(("ply",), f"must be between 0 and {latest}, not {ply}")
    position = position_cache.position_at(match, latest if ply is None else ply)
    is_behind = latest < match.ply
    rows = table_seats.as_of(table.rows, latest)
    has_begun = match.status != LiveMatch.Status.OPEN  # nobody sees the luck of a match that can still be called off
    is_held = match.resumes_at is not None and position.ply == match.ply  # between two rounds nobody is on turn
    your_turn = position.ply == match.ply and not is_held and match.on_turn is not None and match.on_turn in table.seats
    snapshot = Snapshot(
        code=match.code,
        game=match.game,
        options=match.options,
        has_aids=match.has_aids,
        is_rated=match.is_rated,
        status=STATUSES[match.status],
        version=match.version,
        ply=position.ply,
        latest=latest,
        seats=_seats(match, rows, position, is_behind=is_behind),
        on_turn=_on_turn(match, position) if not is_held else None,
        your_seats=table.seats,
        your_turn=your_turn,
        observation=position.game.observation(position.state, viewer(position, table.seats)) if has_begun else None,
        actions=_actions(position) if your_turn else (),
        last=_last(match, position),
        offers=tuple(row.seat for row in rows if row.offers_end and not is_behind),
        ply_limit_s=match.ply_limit_s,
        clock_s=match.clock_s,
        increment_s=match.increment_s,
        waited_s=None if is_behind else _waited(match),
        commitment=match.commitment,
        is_taken_back=match.is_taken_back,
        rematch=_rematch(match) if table.own and match.is_over else None,
        ending=_ending(match.ending) if match.ending else None,
    )
    return _disclosed(match, snapshot) if access.is_disclosed(match) else snapshot


def _on_turn(match: LiveMatch, position: Position) -> int | None:
    """The seat that acts in a position; nobody before the match begins and after its end."""
    has_begun = match.status != LiveMatch.Status.OPEN
    return position.player if position.player != TERMINAL and has_begun and not match.is_over else None


def viewer(position: Position, seats: Sequence[int]) -> int | None:
    """The seat through whose eyes the holder of `seats` looks: the one on turn where it is theirs."""
    if position.player in seats:
        return position.player
    return seats[0] if seats else None


def _rematch(match: LiveMatch) -> str | None:
    found = match.rematches.exclude(status=LiveMatch.Status.CANCELLED).order_by("-pk")
    return found.values_list("code", flat=True).first()


def _actions(position: Position) -> tuple[Action, ...]:
    """The legal actions of the seat on turn, with their parts."""
    game, state = position.game, position.state
    return tuple(
        Action(action, game.notation(state, action), _parts(game.parts(state, action)))
        for action in game.legal_actions(state).tolist()
    )


def spellings(seen: Snapshot, position: Position) -> tuple[Action, ...]:
    """The actions of a snapshot in all the parts by which a board may spell them: what is pointed at first differs.

    Where one alone is legal nothing is asked, so it has one spelling.
    """
    spell = position.game.other_parts
    if spell is None or len(seen.actions) < 2:
        return seen.actions
    others = ((action, spell(position.state, action.id)) for action in seen.actions)
    return (*seen.actions, *(replace(action, parts=_parts(parts)) for action, parts in others if parts))


def _parts(parts: Sequence[protocol.Part]) -> tuple[Part, ...]:
    return tuple(Part(part.name, part.value, part.label or part.value, part.element) for part in parts)


def _last(match: LiveMatch, position: Position) -> LastMove | None:
    """The ply that led here, and what it scored."""
    if not position.ply:
        return None
    row = plies.first_plies(match, position.ply)[-1]
    scored = tuple(as_scored(event) for event in position.game.events(position.state))
    return LastMove(**vars(move(row)), scored=scored)


def move(row: LivePly | Played) -> Move:
    """One ply as all may see it."""
    return Move(row.ply, row.seat, row.action, row.notation, row.words, tuple(row.scores), SEAT_KINDS[row.played_by])


def as_scored(event: Event) -> Scored:
    """Something that scored."""
    return Scored(event.kind, event.points, tuple(event.seats), tuple(event.returned), tuple(event.elements))


def _seats(
    match: LiveMatch, rows: Iterable[LiveSeat], position: Position, *, is_behind: bool
) -> tuple[SeatInPlay, ...]:
    scores = position.game.scores(position.state)
    clock_s = None if is_behind else match.clock_s
    has_begun = match.status != LiveMatch.Status.OPEN
    is_told = match.is_over or (has_begun and not position.game.traits.has_hidden_information)
    projected = position.game.projected_scores(position.state) if is_told else scores
    return tuple(
        SeatInPlay(
            seat=row.seat,
            kind=SEAT_KINDS[row.kind],
            name=row.name,
            level=row.level,
            score=scores[row.seat],
            projected=projected[row.seat],
            left_s=None if clock_s is None else max(0.0, clock_s - row.used_s),
            replaced=row.replaced,
        )
        for row in rows
    )


def _ending(stored: Mapping[str, Any]) -> Ending:
    return Ending(stored["kind"], stored.get("seat"), stored.get("message", ""))


def _waited(match: LiveMatch) -> float | None:
    """Seconds that the seat on turn has had so far; None where nobody has a limit."""
    if match.turn_began_at is None or (match.ply_limit_s is None and match.clock_s is None):
        return None
    return turn.waited_s(match)


def _disclosed(match: LiveMatch, snapshot: Snapshot) -> Snapshot:
    """The snapshot with what may be known once it is over."""
    result = None
    if match.match_id is not None:
        rows = records.Seat.objects.filter(match=match.match_id).order_by("seat")
        result = tuple(Result(row.score, row.rank, row.result) for row in rows)
    return replace(snapshot, seed=match.seed, deal_seed=match.deal_seed, salt=match.salt, result=result)
