"""Contents of the match page as words: the template and the page's script only place them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games import chapters
from games import registry as game_registry
from webapp.common.formats import count, number, plural, seconds, signed
from webapp.common.naming import YOU, distinguish, inside, with_names
from webapp.common.points import are_against, event_words, gain_words, points_words
from webapp.common.reply_actions import is_reply
from webapp.lab.results import failures
from webapp.lab.results.sides import Side, lineups
from webapp.lab.results.teams import team_of
from webapp.matches import replay
from webapp.matches.replay import Replay
from webapp.records.archive.errors import ArchiveError
from webapp.records.archive.plies import plies_of
from webapp.records.models import Experiment, Match, Ply, Seat
from webapp.table.live import action_words
from webapp.table.live.models import LiveMatch, LiveSeat
from worker.analysis.intervals import student

LARGE_SAMPLE = 10_000
"""Degrees of freedom beyond which Student's interval is the normal one."""
_PLACE = re.compile(r", (place|seat) \d+$")
"""Addition that tells equal names apart where there is no board."""


@dataclass(frozen=True)
class SeatCard:
    """One seat: its number is its mark on the board.

    name: of its side, told apart from equal ones by its colour; description: what that does not
    say; is_second: partner of a seat before it, with whom it has its points in common.
    """

    seat: int
    name: str
    description: str
    is_second: bool
    side: Side
    score: int | None
    result: str
    failed: bool


@dataclass(frozen=True)
class MatchPage:
    """All of one match. frames: before the first ply, then after each of them; looking: the reader's seat.

    unreadable: what is wrong with the file that holds its plies; empty where nothing is.
    """

    match: Match
    title: str
    seats: tuple[SeatCard, ...]
    walked: Replay | None
    moves: tuple[dict[str, Any], ...]
    frames: tuple[dict[str, Any], ...]
    kinds: tuple[tuple[str, str], ...]
    plies: tuple[Ply, ...]
    has_values: bool
    looking: int | None = None
    unreadable: str = ""

    @property
    def has_weighed(self) -> bool:
        """Whether any engine stored what it weighed."""
        return any(frame["weighed"] and frame["weighed"]["rows"] for frame in self.frames)

    @property
    def has_open(self) -> bool:
        """Whether anything was ever worth points that had not been scored yet."""
        return any(any(frame["open_kinds"].values()) for frame in self.frames)

    @property
    def has_shared_points(self) -> bool:
        """Whether a move brought points to others than the seat that moved."""
        return any("(" in move["points"] for move in self.moves)

    @property
    def sheet(self) -> SafeString:
        """What the pictures of moves refer to."""
        draw = self.walked.game.piece_sheet if self.walked else None
        return mark_safe(draw() if draw is not None else "")

    @property
    def num_plies(self) -> int:
        """Plies that can be shown."""
        return max(0, len(self.frames) - 1)

    @property
    def sides(self) -> list[list[SeatCard]]:
        """Seats that have their points in common, each with its partner."""
        firsts = [card for card in self.seats if not card.is_second]
        return [[card for card in self.seats if card.seat % len(firsts) == first.seat] for first in firsts]

    @property
    def columns(self) -> str:
        """The part of a list by seat that tables of points need, for the filter ``slice``."""
        return f":{len(self.sides)}"

    @property
    def names(self) -> list[str]:
        """Names of the seats."""
        return [card.name for card in self.seats]

    @property
    def inner_names(self) -> list[str]:
        """Names of the seats in the middle of a sentence."""
        return [inside(name) for name in self.names]

    @property
    def around(self) -> list[int]:
        """Seats in the order of the table, the reader's own first."""
        first, count_ = self.looking or 0, len(self.seats)
        return [(first + k) % count_ for k in range(count_)]


def page(match: Match, looking: int | None = None) -> MatchPage:
    """Everything the page of a match says.

    looking: the seat of the reader (`seat_of`), called as at the table; seats of one name have the places of there.
    """
    seats = _addressed(_seats(match, looking), looking)
    plies, walked, unreadable = _read(match)
    shown = plies[: len(walked.standings) - 1] if walked else []
    words = _words(shown, walked, [inside(card.name) for card in seats]) if walked else []
    kinds = tuple(walked.kinds.items()) if walked else ()
    is_against = counts_against(match)
    return MatchPage(
        match=match,
        title=_title(match, seats, looking),
        seats=seats,
        walked=walked,
        moves=tuple(map(partial(_move, walked, is_against=is_against), shown, words)) if walked else (),
        frames=tuple(_frames(shown, walked, seats, kinds, words, is_against=is_against)) if walked else (),
        kinds=kinds,
        plies=tuple(shown),
        has_values=any(ply.value is not None for ply in shown),
        looking=looking,
        unreadable=unreadable,
    )


def _read(match: Match) -> tuple[list[Ply], Replay | None, str]:
    """Its plies, the match walked again, and what is wrong with the file that holds them."""
    try:
        plies = plies_of(match)
        return plies, replay.walk(match) if plies else None, ""
    except ArchiveError as error:
        return [], None, error.sentence


def _words(plies: Sequence[Ply], walked: Replay, names: Sequence[str]) -> list[str]:
    """Moves in words; notation from where the position is not the recorded one."""
    both = zip(plies, walked.words, strict=True)
    return [with_names(words, names) if walked.recorded(ply.ply) is not None else ply.notation for ply, words in both]


def seat_names(match: Match, looking: int | None = None) -> list[str]:
    """Names of the seats. looking: the seat from where their places are told (`page`)."""
    return [card.name for card in _seats(match, looking)]


def seat_of(match: Match, person: Any) -> int | None:
    """The seat from which a person saw a match in play; None for all who had none, or several."""
    if person is None or person.pk is None:
        return None
    own = list(LiveSeat.objects.filter(match__match=match, person=person.pk).values_list("seat", flat=True)[:2])
    return own[0] if len(own) == 1 else None


def _seats(match: Match, looking: int | None) -> tuple[SeatCard, ...]:
    names = lineups(match.experiment).sides[match.arm_index]
    failed = (match.failure or {}).get("seat")
    rows: list[Seat] = list(match.seats.order_by("seat"))
    sides = [names[row.lineup_index] for row in rows]
    plain = [_PLACE.sub("", side.name) for side in sides]
    count_ = num_sides(match)
    called = distinguish(plain, looking if count_ < len(rows) else None)
    return tuple(
        SeatCard(
            seat=row.seat,
            name=called[n],
            description=sides[n].description if sides[n].description not in (plain[n], called[n]) else "",
            is_second=row.seat >= count_,
            side=sides[n],
            score=row.score,
            result=row.result or "",
            failed=row.seat == failed,
        )
        for n, row in enumerate(rows)
    )


def _addressed(seats: tuple[SeatCard, ...], looking: int | None) -> tuple[SeatCard, ...]:
    """The seats, the reader's own called as at the table."""
    return tuple(replace(card, name=YOU) if card.seat == looking else card for card in seats)


def num_sides(match: Match) -> int:
    """Parties that have points of their own: seats, or two teams."""
    return 2 if game_registry.get(match.experiment.game).traits.has_teams else int(match.experiment.spec["seats"])


def _title(match: Match, seats: tuple[SeatCard, ...], looking: int | None) -> str:
    """The finding, as one would tell it to the seat of the reader."""
    if match.failure:
        is_played = match.experiment.kind == Experiment.Kind.PLAY
        who = next((card.name for card in seats if card.failed), "The match")
        said = failures.headline(match.failure, who, match.num_plies + 1, is_played=is_played)
        rest = [card.name for card in seats if not card.failed]
        return f"{_does(rest[0], 'win')}: {said}" if is_played and len(rest) == 1 else said
    order = sorted(seats, key=lambda card: (card.result != "win", -(card.score or 0), card.seat))
    best = [card for card in order if card.result in ("win", "draw")]
    if game_registry.get(match.experiment.game).traits.has_teams:
        players = lineups(match.experiment).players[match.arm_index]
        return _of_teams(order, players, looking, is_against=counts_against(match))
    if len(best) > 1:
        return _drawn(best, order, looking)
    if len(order) == 2:
        scores = " : ".join(count(card.score or 0) for card in order)
        return f"{_does(order[0].name, 'beat')} {inside(order[1].name)} {scores}"
    others = [str(card.score) for card in order if card not in best]
    against = f" against {_listed(others)}" if others else ""
    return f"{_does(best[0].name, 'win')} with {plural(best[0].score or 0, 'point', 'points')}{against}"


def _does(name: str, verb: str) -> str:
    """``Easy wins``, ``You win``."""
    return f"{name} {verb}" if name == YOU else f"{name} {verb}s"


def _drawn(best: Sequence[SeatCard], order: Sequence[SeatCard], looking: int | None) -> str:
    """``Easy and you draw, 52 each``; the reader comes last."""
    names = [card.name for card in best if card.seat != looking]
    names += [inside(card.name) for card in best if card.seat == looking]
    others = [count(card.score or 0) for card in order if card not in best]
    against = f", against {_listed(others)}" if others else ""
    return f"{_listed(names)} draw, {count(best[0].score or 0)} each{against}"


def counts_against(match: Match) -> bool:
    """Whether points are those against a side."""
    return are_against(match.experiment.game, match.experiment.spec.get("options", {}))


def _of_teams(order: Sequence[SeatCard], players: Sequence[Side], looking: int | None, *, is_against: bool) -> str:
    """Partners have points and result in common; the better team comes first."""
    best, own = team_of(order[0].side.place), [card.side.place for card in order if card.seat == looking]
    called = [side.named(inside(YOU)) if list(side.places) == own else side for side in players]
    teams = [[side.name for side in called if (team_of(side.place) == best) == is_best] for is_best in (True, False)]
    first, second = map(_listed, teams)
    sign = -1 if is_against else 1
    scores = " : ".join(count(sign * (card.score or 0)) for card in (order[0], order[-1]))
    scores += " in points against them" if is_against else ""
    is_won = order[0].result == "win"
    return action_words.capitalise(f"{first} {'beat' if is_won else 'draw with'} {second} {scores}")


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _move(walked: Replay, ply: Ply, words: str, *, is_against: bool) -> dict[str, Any]:
    """One row of the move list; plies are counted from 1 on pages."""
    held, done = action_words.split_held(words)
    gained = replay.gains(walked.standings, ply.ply + 1)
    count_ = 2 if walked.game.traits.has_teams else len(gained)
    others = [points for side, points in enumerate(gained[:count_]) if side != ply.seat % count_ and points]
    own = gain_words(gained[ply.seat], is_against=is_against) if gained[ply.seat] else ""
    of_others = f" ({gain_words(sum(others), is_against=is_against)})" if others else ""
    part = chapters.heading(walked.game, walked.states[ply.ply])
    piece = walked.game.piece_of(ply.notation) if walked.game.piece_of is not None else None
    is_first = not ply.ply or part != chapters.heading(walked.game, walked.states[ply.ply - 1])
    return {
        "part": part if is_first else "",
        "ply": ply.ply + 1,
        "seat": ply.seat,
        "notation": ply.notation,
        "held": held,
        "picture": mark_safe(piece.picture) if piece is not None else "",
        "words": action_words.capitalise(done),
        "is_reply": is_reply(walked.game, walked.states[ply.ply], ply.action),
        "points": (own + of_others).strip(),
        "lights": " ".join(piece.elements) if piece is not None else "",
    }


def _frames(
    plies: list[Ply],
    walked: Replay,
    seats: tuple[SeatCard, ...],
    kinds: tuple[tuple[str, str], ...],
    words: Sequence[str],
    *,
    is_against: bool,
) -> list[dict[str, Any]]:
    """Changes from ply to ply. words: of the moves; is_against: whether points count against those who get them."""
    names = [card.name for card in seats]
    inner = [inside(name) for name in names]
    say = partial(points_words, is_against=is_against)
    frames = []
    for n, standing in enumerate(walked.standings):
        zeros = (0,) * len(seats)
        is_over = walked.game.is_terminal(walked.states[n])
        to_come = [there - here for there, here in zip(standing.projected, standing.scores, strict=True)]
        frames.append(
            {
                "scores": [say(score) for score in standing.scores],
                "kinds": {kind: [say(points) for points in standing.by_kind.get(kind, zeros)] for kind, _ in kinds},
                "open_kinds": {kind: _open(standing.open_by_kind.get(kind)) for kind, _ in kinds},
                "ended": is_over,
                "open": [say(there) for there in standing.projected]
                if is_over
                else [gain_words(points, is_against=is_against) for points in to_come],
                "more": _more(plies[n - 1]) if n else "",
                "said": _sentence(plies[n - 1], standing.events, inner, words[n - 1], is_against=is_against)
                if n
                else "Before the first move.",
                "weighed": _weighed(plies[n - 1], walked, inner) if n else None,
            }
        )
    return frames


def _more(ply: Ply) -> str:
    """The value that its engine gave to a ply, and the time that it took, where they were kept."""
    value = f"value {signed(ply.value, 2 if abs(ply.value) < 2 else 1)}" if ply.value is not None else ""
    return ", ".join(filter(None, (value, seconds(ply.elapsed_s) if ply.elapsed_s else "")))


def _open(points: tuple[int, ...] | None) -> str:
    """Worth of unfinished things, "+6 : +2"; empty where there are none."""
    return " : ".join(signed(one, 0) for one in points) if points and any(points) else ""


def _sentence(ply: Ply, events: tuple[Any, ...], names: Sequence[str], words: str, *, is_against: bool) -> str:
    """The ply in words, for the line under the board and for screen readers."""
    scored = [
        event_words(event.kind, event.points, " and ".join(names[seat] for seat in event.seats), is_against=is_against)
        for event in events
        if event.points and event.seats
    ]
    held, done = action_words.split_held(words)
    move = words if held else f"{done[:1].lower()}{done[1:]}"
    return f"{action_words.capitalise(names[ply.seat])}: {move}" + (
        f". Scored: {'; '.join(scored)}." if scored else "."
    )


def _weighed(ply: Ply, walked: Replay, names: Sequence[str]) -> dict[str, Any]:
    """The alternatives that the engine stored for a ply, best first."""
    best = (ply.info or {}).get("best") or []
    name, where = names[ply.seat], f"move {ply.ply + 1}"
    actions = f"{count(ply.legal_count)} legal action{'s' if ply.legal_count != 1 else ''}"
    spent = f" by {plural(ply.playouts, 'playout', 'playouts')}" if ply.playouts else ""
    rows, state = [], walked.recorded(ply.ply)
    digits = 3 if all(abs(row[2]) < 2 for row in best if row[2] is not None) else 1
    for action, notation, value, visits, error in best:
        interval = (
            student(value, error, min(visits - 1, LARGE_SAMPLE)) if value is not None and error is not None else None
        )
        rows.append(
            {
                "notation": notation,
                "words": notation if state is None else action_words.choice_line(walked.game, state, action, names),
                "value": signed(value, digits),
                "half": f"±{number((interval.high - interval.low) / 2, digits)}" if interval else "",
                "visits": count(visits),
                "played": action == ply.action,
            }
        )
    return {
        "title": f"What {name} weighed at {where}" if rows else f"Nothing stored at {where}",
        "subtitle": f"Best {len(rows)} of {actions}{spent}, 95\u202f% half-widths"
        if rows
        else f"{action_words.capitalise(name)} kept no values of its {actions}.",
        "rows": rows,
    }


def is_practised(match: Match) -> bool:
    """Whether a player took a decision back in it."""
    return LiveMatch.objects.filter(match=match, is_taken_back=True).exists()


def as_played(match: Match) -> LiveMatch | None:
    """The match at a table that it is the record of; None where an experiment played it."""
    return LiveMatch.objects.filter(match=match).first()
