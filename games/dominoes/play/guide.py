"""A first match of team dominoes: what is said when something happens for the first time."""

from __future__ import annotations

from collections.abc import Iterator

from games.dominoes import reading
from games.dominoes import state as layout
from games.guides import GuideStep, Happening
from games.protocol import Game

FEW_TILES = 2
STEPS = (
    GuideStep(
        "begin",
        "Two teams",
        "The player across the table is your partner. Everybody has seven tiles and sees only their own.",
        show="plates",
    ),
    GuideStep(
        "turn",
        "Lay a tile",
        "Choose a marked tile of your hand: one of its numbers has to equal an open end. If both fit, choose one.",
        show="board",
    ),
    GuideStep(
        "laid",
        "Your tile lies",
        "Now the others lay. Watch the two open ends: what you leave there is what the next has to answer.",
        show="board",
    ),
    GuideStep(
        "passed",
        "Somebody passed",
        "No tile there fits, so both open numbers are missing in that hand; the table keeps them. Leave such ends to "
        "your rivals.",
        show="plates",
    ),
    GuideStep(
        "must_pass",
        "You have to pass",
        "None of your tiles fits an open end. All others learn that you lack both numbers.",
        show="bar",
    ),
    GuideStep(
        "few",
        "Somebody has two tiles left",
        "The first to lay the last tile ends the round. Get rid of heavy tiles: what is held then may count against "
        "you.",
        show="plates",
    ),
    GuideStep(
        "round",
        "The end of a round",
        "Somebody went out, or no tile left fitted. The hands are open, and the pips that count are written down.",
        show="plates",
    ),
    GuideStep(
        "blocked",
        "A blocked round",
        "No tile in any hand fitted, so nobody went out: hands were compared, and the lower pips won.",
        show="plates",
    ),
    GuideStep(
        "near",
        "More than half way",
        "One team has more than half of the points that decide the match. A round with many pips could do it.",
        show="plates",
    ),
    GuideStep(
        "over",
        "The match is over",
        "The rounds add up to the score: see which of them brought most, and who went out in it.",
        show="plates",
    ),
)


def moments(game: Game, now: Happening) -> Iterator[str]:
    """Names of what happened with one ply, beside its beginning and end."""
    seat, after = now.seat, now.after
    if now.before is not None:
        yield from _of_ply(game, now)
    if max(int(abs(points)) for points in game.scores(after)) * 2 > int(after[layout.TARGET]):
        yield "near"
    if game.is_terminal(after):
        return
    if any(after[layout.COUNT + other] <= FEW_TILES for other in reading.SEATS):
        yield "few"
    if game.current_player(after) == seat:
        legal = game.legal_actions(after)
        yield "must_pass" if len(legal) == 1 and legal[0] == layout.PASS else "turn"


def _of_ply(game: Game, now: Happening) -> Iterator[str]:
    """What a ply was, and whether a round ended with it."""
    assert now.before is not None
    is_own = game.current_player(now.before) == now.seat
    if is_own and now.action < layout.PASS:
        yield "laid"
    elif now.action == layout.PASS and not is_own:
        yield "passed"
    if len(reading.sheet(now.after)) > len(reading.sheet(now.before)):
        yield "round"
        if any("block" in line.kind for line in reading.newest(now.after)):
            yield "blocked"
