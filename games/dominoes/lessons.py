"""Team dominoes in five pictures."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from games.dominoes import tiles
from games.lesson_positions import Box, of_board, position
from games.lessons import Draw, Lesson, Lessons
from games.protocol import Game

_HANDS = (
    "6-6 3-4 1-4 0-1 0-2 2-5 1-1",
    "3-6 0-4 2-2 1-2 0-5 3-5 5-5",
    "4-6 1-3 0-3 4-5 2-3 1-5 0-0",
    "5-6 4-4 3-3 2-4 2-6 1-6 0-6",
)
_TURNS = (
    *("6-6", "3-6", "0-3 left", "0-6 left", "pass", "pass", "4-6", "1-6 right", "0-1 right", "0-4 left", "0-0"),
    *("pass", "0-2", "0-5 right", "1-5 right", "2-4 left", "1-1 right", "1-2 right", "2-3 right", "3-3 right"),
    *("1-4 left", "3-5 right", "1-3 left", "5-6 right"),
)
"""What is said and laid in one round."""
_LAID, _CLOSED, _PASSED, _LATE = 3, 4, 6, len(_TURNS)
_ROW: Box = (250, 210, 460, 200)
_OWN: Box = (240, 490, 490, 150)
_RIGHT: Box = (436, 160, 520, 226)
_ACROSS: Box = (250, 0, 460, 200)


def lessons(game: Game, options: Any, num_seats: int) -> Lessons:
    """The lessons for these rules."""
    winners = options.direction == "winners"
    shown = partial(_shown, game, options)
    free = "" if options.enforce_pass else " Here you may pass at any time, and be called for it."
    return Lessons(
        lead=_lead(options, winners=winners),
        lessons=(
            Lesson(
                "teams",
                "Two teams",
                "You play with the one across the table. Everybody has seven tiles and sees only their own.",
                shown(0, _OWN, seat=0),
            ),
            Lesson(
                "lay",
                "Lay a tile",
                "In turn each lays a tile at an open end, equal numbers touching. Who opens first: "
                f"{_FIRST[options.first_opener]}.",
                shown(_LAID, _ROW),
            ),
            Lesson(
                "pass",
                "Pass",
                f"Who has no tile that fits passes, and so tells everybody which two numbers are missing.{free}",
                shown(_PASSED, _RIGHT),
            ),
            Lesson(
                "out",
                "Go out",
                f"The first without tiles wins the round for the team: {_counted(options.out_points)} in hand count.",
                shown(_LATE, _ACROSS),
            ),
            Lesson(
                "blocked",
                "Blocked",
                f"If no tile in any hand fits, {_BLOCK[options.block_compare]} wins the round: "
                f"{_counted(options.block_points)} in hand count.",
                shown(_CLOSED, _ROW),
            ),
        ),
        head=("Points", "written down"),
        points=_points(options, winners=winners),
        notes=_notes(options),
        terms=_TERMS,
    )


def _lead(options: Any, *, winners: bool) -> str:
    if options.length == "round":
        return "Two against two, one round: get rid of your tiles first."
    aim = f"first to {options.target} wins" if winners else f"first to {options.target} against them loses"
    return f"Two against two: get rid of your tiles first, round after round. The team that is {aim}."


def _shown(game: Game, options: Any, length: int, box: Box, *, seat: int | None = None) -> Draw:
    """A part of the table after so many turns; dealt and played alike by all rules, with what the sheet says of these.

    The aim stands on the table, so it is that of the options; all else is drawn by the defaults.
    """

    def draw(prefix: str) -> str:
        dealt = _HANDS[:-1]  # the last gets what is left
        hands = [sum(1 << tiles.TILES.index(_pair(tile)) for tile in hand.split()) for hand in dealt]
        drawn = replace(game.options(), length=options.length, target=options.target, direction=options.direction)
        state = position(game, drawn, 4, (*hands, *_TURNS[:length]))
        return of_board(game, state, box, seat=seat)(prefix)

    return draw


def _pair(tile: str) -> tuple[int, int]:
    low, high = tile.split("-")
    return int(low), int(high)


def _counted(points: str) -> str:
    return {"own": "the pips that the losers have", "all": "all pips", "difference": "the difference of pips"}.get(
        points, "the pips"
    )


def _points(options: Any, *, winners: bool) -> tuple[tuple[str, str], ...]:
    to = "for the winners" if winners else "against the losers"
    rows = [("A round won", to)]
    known = (
        ("Capicúa: out with a tile that fits both ends", options.capicua),
        ("Chuchazo: out with the 0-0", options.chuchazo),
        ("All others pass after your tile", options.all_pass_bonus),
        ("The opening is passed", options.opening_pass_bonus),
    )
    return (*rows, *((label, f"{value} more") for label, value in known if value))


def _notes(options: Any) -> tuple[str, ...]:
    return (
        "A tile that fits both ends may go to either.",
        "Leave numbers open that your partner has, and close those that your rivals wait for.",
        f"The next round is opened by {_LATER[options.next_opener]}.",
    )


_FIRST = {"66": "whoever has the 6-6, with it", "66_any": "whoever has the 6-6", "any": "a player drawn by lot"}
_LATER = {
    "left": "the next in turn after the last opener",
    "winner": "the winner: who went out, else the lower hand of the team that won",
    "blocker": "the winner; after a block by the one who blocked, or the next in turn",
    "choice": "the winner, who may leave it to the partner",
}
_BLOCK = {
    "team": "the team with fewer pips",
    "player": "the team of the lowest hand",
    "blocker": "the lower hand of the two who closed it",
}
_TERMS = {
    "tiles": "teams",
    "tiles that fit": "lay",
    "numbers passed on": "pass",
    "pass": "pass",
    "passes": "pass",
    "tiles not seen": "teams",
    "going out": "out",
    "blocks": "blocked",
}
