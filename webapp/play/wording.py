"""Words of a match's page: whose turn it is, why one waits, how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.utils import timezone

from games.protocol import Game
from webapp.common import naming
from webapp.common.formats import count, duration, plural
from webapp.common.points import are_against
from webapp.common.templatetags.lab import ago
from webapp.table.live import between_rounds, seat_return
from webapp.table.live.between_rounds import Pause
from webapp.table.live.models import LiveMatch, LiveSeat
from webapp.table.live.snapshot import Result, Snapshot
from webapp.table.live.table_seats import Table, num_sides

KEPT = 1024
"""Tables whose names a process remembers."""
INSTANT_S = 0.2
"""Engines that take less are not said to take any time."""
FORFEITS = ("resigned", "over_time", "absent")
"""Endings that somebody loses by, whatever the score."""
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")


def names(table: Table) -> list[str]:
    """Names of seats, by seat; agents are marked, equal names say where they sit, free seats aside."""
    has_place = len(table.seats) == 1 and has_teams(table)
    return list(_names(tuple((row.name, row.kind) for row in table.rows), table.seats[0] if has_place else None))


@lru_cache(maxsize=KEPT)
def _names(rows: tuple[tuple[str, str], ...], own: int | None) -> tuple[str, ...]:
    """The same of names and kinds; a page asks for it some fifty times. own: the reader's seat among teams."""
    marked = [f"{name} (agent)" if kind == LiveSeat.Kind.AGENT else name for name, kind in rows]
    called = naming.distinguish(marked, own)
    return tuple(
        name if kind == LiveSeat.Kind.OPEN else called[seat].replace(") (", ", ")
        for seat, (name, kind) in enumerate(rows)
    )


def name(table: Table, seat: int) -> str:
    """Name of a seat: "You" for the only one of its person."""
    return "You" if table.seats == (seat,) else names(table)[seat]


def names_in_sentence(table: Table, seats: Sequence[int]) -> str:
    """Some seats in the middle of a sentence: "you", "Bob and Strong"."""
    called = inner_names(table)
    return join_names([called[seat] for seat in seats])


def inner_names(table: Table) -> list[str]:
    """Names of seats in the middle of a sentence, by seat."""
    return ["you" if table.seats == (seat,) else called for seat, called in enumerate(names(table))]


def has_teams(table: Table) -> bool:
    """Whether partners play together, with points in common."""
    return num_sides(table.match) < len(table.rows)


def sides(table: Table) -> list[tuple[int, ...]]:
    """Seats that have their points in common: partners, or each seat by itself."""
    count_, seats = num_sides(table.match), range(len(table.rows))
    return [tuple(seat for seat in seats if seat % count_ == side) for side in range(count_)]


def side_name(table: Table, side: Sequence[int]) -> str:
    """A side beside its points; a team from where one sits: "your team", "the other team"."""
    if len(side) > 1 and len(table.seats) == 1:
        return "your team" if table.seats[0] in side else "the other team"
    return join_names([name(table, seat) for seat in side])


def side_label(table: Table, side: Sequence[int]) -> str:
    """A side at the head of a row: "Your team"; names as their owners write them."""
    words = side_name(table, side)
    return words.capitalize() if len(side) > 1 and len(table.seats) == 1 else words


def company(table: Table) -> str:
    """Company at the table: "Strong", "Bob and Strong"; empty where nobody has come yet."""
    called = names(table)
    others = [row for row in table.rows if row.seat not in table.seats and row.kind != LiveSeat.Kind.OPEN]
    return join_names([called[row.seat] for row in others])


def join_names(names: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def heading(game: Game, table: Table) -> str:
    """The page's name."""
    others = company(table)
    if not others:
        return game.label
    return f"{game.label} against {others}" if table.seats else f"{game.label}: {others}"


@dataclass(frozen=True)
class TurnWords:
    """Title, reason, and the seconds that are counted on from there (None: none are shown).

    until: what happens to who takes too long; ask: what is asked for first, on one's own turn;
    usual_s: what an engine on turn usually takes.
    """

    title: str
    why: str
    since_s: float | None = None
    until: str = ""
    ask: str | None = None
    usual_s: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Data for the script; `ask` and `usual_s` only where there are any."""
        return {name: value for name, value in vars(self).items() if name == "since_s" or value is not None}


def turn_words(table: Table, seen: Snapshot, first_ask: str, departed: Sequence[LiveSeat] = ()) -> TurnWords:
    """Words on how the match stands.

    departed: seats that the reader has lost for good.
    """
    words = _now(table, seen, first_ask)
    if departed and table.match.status == LiveMatch.Status.RUNNING:
        return replace(words, why=f"{_departed(departed[0])} {words.why}".strip())
    return words


def _now(table: Table, seen: Snapshot, first_ask: str) -> TurnWords:
    match = table.match
    if match.status == LiveMatch.Status.OPEN:
        return TurnWords("Waiting for players", _waiting_room(table))
    if match.is_over:
        return TurnWords(result(table, seen), _how(table))
    on_turn = seen.on_turn
    if seen.ply == match.ply and (pause := between_rounds.pause_for(table)) is not None:
        return TurnWords("Between two rounds", waiting(table, pause))
    if on_turn is None or seen.latest < match.ply or seen.ply < match.ply:
        late = plural(match.ply - seen.ply, "move", "moves")
        return TurnWords(f"You watch, {late} behind", _delay(match))
    words = _mine(table, on_turn, first_ask) if seen.your_turn else _theirs(table, on_turn)
    has_time = seen.your_turn and match.ply_limit_s is None
    return replace(
        words,
        why=f"{offer(table)} {words.why}".strip() if table.seats else words.why,
        since_s=_since(match.turn_began_at) if match.turn_began_at and not has_time else None,
        until=_limit(table, on_turn),
    )


def waiting(table: Table, pause: Pause) -> str:
    """Sentence on who is not ready for the next round."""
    if set(pause.seats) and set(pause.seats) <= set(table.seats):
        return "The others wait for you."
    others = [seat for seat in pause.seats if seat not in table.seats]
    you = ["you"] if len(others) < len(pause.seats) else []
    return f"Waiting for {join_names([*you, *dict.fromkeys(table.rows[seat].name for seat in others)])}."


def _since(began_at: datetime) -> float:
    return max(0.0, (timezone.now() - began_at).total_seconds())


def absence_words(row: LiveSeat) -> TurnWords:
    """Words to a player whom an engine has replaced, and who may come back: what happened, and when."""
    note = seat_return.absence_note(row)
    assert note is not None
    when = f"At move {note['ply'] + 1}, {ago(datetime.fromisoformat(note['at']))},"
    why = f"{when} you were away too long. You lose the match unless you take your seat back before it is over."
    return TurnWords(f"{row.name} plays your seat", why)


def _departed(row: LiveSeat) -> str:
    """Words to those who lost their seat for good in a match that goes on."""
    note = seat_return.departure_note(row)
    assert note is not None
    how = "ran out of time" if note["kind"] == "over_time" else "resigned"
    return f"You {how} at move {note['ply'] + 1} and have lost; {row.name} plays your seat."


def offer(table: Table) -> str:
    """Sentence on who offers to end the match; empty where nobody does."""
    who = [name(table, row.seat) for row in table.others if row.offers_end]
    return f"{join_names(who)} {'offers' if len(who) == 1 else 'offer'} to end the match." if who else ""


def _mine(table: Table, seat: int, ask: str) -> TurnWords:
    return TurnWords("Your turn" if len(table.seats) == 1 else f"Your turn as {name(table, seat)}", "", ask=ask)


def _theirs(table: Table, seat: int) -> TurnWords:
    row, who = table.rows[seat], name(table, seat)
    if row.kind == LiveSeat.Kind.ENGINE:
        return TurnWords(f"{who} thinks", _thinking(row), usual_s=_seconds(row) or 0.0)
    if row.kind == LiveSeat.Kind.AGENT:
        return TurnWords(f"{who} is on turn", "A program plays this seat over the network.")
    return TurnWords(f"{who}\N{RIGHT SINGLE QUOTATION MARK}s turn", "")


def _seconds(row: LiveSeat) -> float | None:
    budget = row.configuration.budget if row.configuration is not None else {}
    return budget.get("seconds_per_ply")


def _thinking(row: LiveSeat) -> str:
    seconds = _seconds(row)
    if seconds is None or seconds < INSTANT_S:
        return "It answers in a moment."
    return f"About {duration(seconds)} a move."


def hint_usage(table: Table) -> str:
    """Sentence on who used how many hints; empty where nobody did."""
    used = [
        f"{name(table, row.seat)} used {plural(row.hints_used, 'hint', 'hints')}"
        for row in table.rows
        if row.hints_used
    ]
    return f"{join_names(used)}." if used else ""


def _limit(table: Table, seat: int) -> str:
    """Words on what happens to a seat that takes too long; empty where it may take any time."""
    limit = table.match.ply_limit_s
    if limit is None or table.rows[seat].kind == LiveSeat.Kind.ENGINE:
        return ""
    what = "an engine takes over" if table.match.replaces_absent else "the seat forfeits"
    return f"after {duration(limit)} {what}"


def _delay(match: LiveMatch) -> str:
    return f"Spectators see this match {plural(match.spectator_delay, 'move', 'moves')} late."


def _waiting_room(table: Table) -> str:
    missing = sum(row.kind == LiveSeat.Kind.OPEN for row in table.rows)
    return f"It begins by itself when {plural(missing, 'more player has', 'more players have')} taken a seat."


# ---- over


def result(table: Table, seen: Snapshot) -> str:
    """Result as one would tell a friend."""
    ending = table.match.ending or {}
    if table.match.status == LiveMatch.Status.CANCELLED:
        return "Called off before it began"
    if ending.get("kind") == "finished":
        return _final(table, [row.score for row in seen.seats], seen.result)
    who = ending.get("seat")
    left = name(table, who) if who is not None else ""
    how = {
        "resigned": f"{left} resigned",
        "agreed": "Ended by agreement",
        "over_time": f"{left} ran out of time",
        "absent": f"{left} stayed away too long" if left != "You" else "You were away too long",
    }.get(ending.get("kind", ""), "Ended without a result")
    return how + (_forfeited(table, who) if who is not None and ending["kind"] in FORFEITS else "")


def winners_by_forfeit(table: Table) -> tuple[int, ...]:
    """The side that has won a match since the only other one gave up; no seats where there is none."""
    ending = table.match.ending or {}
    if ending.get("kind") not in FORFEITS or ending["seat"] is None:
        return ()
    others = [side for side in sides(table) if ending["seat"] not in side]
    return others[0] if len(others) == 1 else ()


def _forfeited(table: Table, loser: int) -> str:
    """Sentence on who has won since somebody gave up, where that leaves one side; the losers know."""
    won = winners_by_forfeit(table)
    lost = next(side for side in sides(table) if loser in side)
    if not won or set(lost) & set(table.seats):
        return ""
    return f": {names_in_sentence(table, won)} {'win' if table.seats == won or len(won) > 1 else 'wins'}"


def _final(table: Table, scores: Sequence[int], rows: Sequence[Result] | None) -> str:
    ranks = [row.rank or 0 for row in rows] if rows else [1 + sum(other > own for other in scores) for own in scores]
    best = [seat for seat, rank in enumerate(ranks) if rank == 1]
    if has_teams(table):
        return _of_teams(table, scores, best)
    if len(table.seats) == 1:
        return _own_result(table, table.seats[0], scores, ranks, best)
    order = sorted(range(len(scores)), key=lambda seat: (ranks[seat], seat))
    points = " to ".join(count(scores[seat]) for seat in order)
    if len(best) > 1:
        return f"{join_names([name(table, seat) for seat in best])} draw, {points}"
    return f"{name(table, best[0])} wins {points}"


def _of_teams(table: Table, scores: Sequence[int], best: Sequence[int]) -> str:
    """Result of two teams: partners have points and result in common."""
    own, other = scores[best[0]], scores[best[0] ^ 1]
    points = f"{count(own)} to {count(other)}"
    if are_against(table.match.game, table.match.options):
        points = f"with {count(-own)} points against, to {count(-other)}"
    if len(best) == len(scores):
        return f"A draw, {count(abs(own))} to {count(abs(other))}"
    winners = sorted(best, key=lambda seat: table.seats != (seat,))
    return f"{join_names([name(table, seat) for seat in winners])} win {points}"


def _own_result(table: Table, seat: int, scores: Sequence[int], ranks: Sequence[int], best: Sequence[int]) -> str:
    own = count(scores[seat])
    rivals = [other for other in range(len(scores)) if other != seat]
    if len(rivals) == 1:
        other = count(scores[rivals[0]])
        if len(best) > 1:
            return f"A draw, {own} to {other}"
        return f"You win {own} to {other}" if best == [seat] else f"{name(table, rivals[0])} wins {other} to {own}"
    if best == [seat]:
        return f"You win with {plural(scores[seat], 'point', 'points')}"
    if seat in best:
        return (
            f"You share the win with {join_names([name(table, other) for other in best if other != seat])}, {own} each"
        )
    winners = join_names([name(table, other) for other in best])
    place = ORDINALS[ranks[seat] - 1]
    return f"{winners} won with {count(scores[best[0]])}, you came {place} with {own}"


def _how(table: Table) -> str:
    ending = table.match.ending or {}
    played = f"after {plural(table.match.ply, 'move', 'moves')}"
    if table.match.status == LiveMatch.Status.CANCELLED:
        return "Nothing was played."
    if ending.get("kind") == "finished":
        return " ".join([f"Played to its end {played}.", *_lost(table)])
    is_said = ending.get("kind") in (*FORFEITS, "agreed")  # by the title
    message = "" if is_said else ending.get("message") or ""
    return f"Over {played}. {message}".strip()


def _lost(table: Table) -> list[str]:
    """Sentences on those who left before the end, and have lost however their seat came out."""
    names = [note["name"] for row in table.rows for note in row.replaced or () if note["has_lost"]]
    return [f"{name} left and has lost." for name in names]
