"""The end of a round: hands laid open, what of them counts for whom, bonuses, who opens next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.dominoes import house_rules, reading, tiles
from games.dominoes import state as layout
from games.dominoes.board import small
from games.dominoes.board import victory as pictures
from games.dominoes.reading import Line
from games.endings import Aim, Counted, Ending, times, winners
from games.protocol import TERMINAL, Game, State
from games.svg import tag

_HOW = {
    "out": "{} went out",
    "block": "Blocked: nobody can lay a tile",
    "foul": "{} was at fault",
    "doubles": "{} had four doubles",
}
_FIRST_ROUNDS = 4
_FEW_TILES = 2
"""Tiles for which there is room beside words."""
_ROW = 7
"""Tiles of a line."""


class _Sheet(NamedTuple):
    """A round's line and the state in which it has been written down."""

    line: Line
    state: State
    number: int

    @property
    def is_for_winners(self) -> bool:
        """Whether points are written down for those who gain by them."""
        return bool(self.state[layout.DIRECTION])

    def row(self, label: str, points: int, team: int, **more: object) -> Counted:
        """Points in favour of a team, as the scores count them: for it, or against the other."""
        to = team if self.is_for_winners else 1 - team
        given = points if self.is_for_winners else -points
        return Counted(label, given, (to, to + 2), **more)  # type: ignore[arg-type]  # the fields of a row by name


def ending(game: Game, before: State, after: State) -> Ending | None:
    """The round that ended between two states, one ply or draw apart; None where none did."""
    lines = reading.sheet(after)
    if len(lines) == len(reading.sheet(before)):
        return None
    sheet, is_over = _Sheet(lines[-1], after, len(lines)), game.current_player(after) == TERMINAL
    rows = [*_hands(sheet), *_bonuses(sheet), *(_doubled(sheet) if is_over else ())]
    is_single = bool(after[layout.LENGTH])
    return Ending(
        title=f"Round {sheet.number}",
        is_over=is_over,
        rows=tuple(rows),
        how=_HOW[sheet.line.kind].format(reading.COLOURS[sheet.line.seat]),
        rule=_rule(sheet),
        opener=None if is_over else int(after[layout.COMING_OPENER]),
        opener_rule="" if is_over else _opener_rule(sheet),
        aim=None if is_single else Aim(int(after[layout.TARGET]), sheet.is_for_winners),
        rounds=tuple(tuple(_written(sheet, line, seat & 1) for seat in reading.SEATS) for line in lines),
        picture=victory(game, after, winners(game.ranks(after))) if is_over else "",
    )


def victory(_game: Game, state: State, seats: Sequence[int]) -> str:
    """The picture of the pieces of those who have won."""
    return pictures.picture(state, seats)


def _written(sheet: _Sheet, line: Line, team: int) -> int:
    """Points of a round as they are written down for a team."""
    return line.credit(team) if sheet.is_for_winners else -line.credit(1 - team)


def _hands(sheet: _Sheet) -> list[Counted]:
    """A row for each hand that was left, in the order of play from who ended the round."""
    line = sheet.line
    signs = _signs(sheet)
    seats = [(line.seat + step) % layout.MAX_SEATS for step in range(1, layout.MAX_SEATS + 1)]
    rows = []
    for seat in seats:
        held = tiles.tile_indices(max(0, int(sheet.state[layout.LAST_HAND + seat])))
        more = {
            "owner": seat,
            "detail": times(line.pips[seat], "pip", "pips"),
            "kind": "Hands",
            "picture": _laid_open(held),
            "is_wide": len(held) > _FEW_TILES,
            "elements": tuple(f"tile-{seat}-{index}" for index in held),
        }
        label = "held" if held else "held nothing"
        rows.append(sheet.row(label, signs[seat] * line.pips[seat], max(0, line.winner or 0), **more))
    if line.kind == "foul" and not sheet.state[layout.FOUL]:
        rows = [sheet.row("was at fault", line.points, line.winner or 0, owner=line.seat, kind="Fouls"), *rows]
    return rows


def _signs(sheet: _Sheet) -> list[int]:
    """How often the pips of each seat's hand count for the winners: 1, 0, or -1 where they are taken off."""
    line, state = sheet.line, sheet.state
    if line.winner is None or (line.kind == "foul" and not state[layout.FOUL]):
        return [0] * layout.MAX_SEATS
    if line.kind != "block":
        of_winners = int(state[layout.OUT_POINTS])
    else:
        of_winners = (0, 1, -1)[int(state[layout.BLOCK_POINTS])]
    own, other = (sum(line.pips[seat] for seat in reading.SEATS if (seat & 1) == team) for team in (0, 1))
    losers, winners = (other, own) if line.winner == 0 else (own, other)
    turned = -1 if of_winners < 0 and winners > losers else 1  # a difference is never below zero
    return [turned * (of_winners if seat & 1 == line.winner else 1) for seat in reading.SEATS]


def _bonuses(sheet: _Sheet) -> list[Counted]:
    """Points beside those of the hands."""
    line, state = sheet.line, sheet.state
    rows = []
    for team in range(layout.NUM_TEAMS):
        left = line.bonuses[team]
        if team == line.winner:
            for label, points in _of_the_end(sheet):
                left -= points
                rows.append(sheet.row(label, points, team, kind="Bonuses"))
        if left:
            rows.append(sheet.row("Others had to pass", left, team, kind="Bonuses"))
    assert all(int(state[layout.BONUS + team]) == line.bonuses[team] for team in range(layout.NUM_TEAMS))
    return rows


def _of_the_end(sheet: _Sheet) -> list[tuple[str, int]]:
    """Bonuses of the winners for how the round ended, and for its number."""
    line, state = sheet.line, sheet.state
    found = []
    if line.is_capicua:
        found.append(("Capicúa: the last tile fitted both ends", int(state[layout.CAPICUA])))
    if line.is_chuchazo:
        found.append(("Chuchazo: out with the 0-0", int(state[layout.CHUCHAZO])))
    if state[layout.FIRST_ROUNDS_BONUS] and sheet.number <= _FIRST_ROUNDS and line.kind != "foul":
        found.append((f"Bonus of round {sheet.number}", 125 - 25 * sheet.number))
    return [(label, points) for label, points in found if points]


def _doubled(sheet: _Sheet) -> list[Counted]:
    """The winners' points once more, where the losers have none."""
    credit = [int(sheet.state[layout.CREDIT + team]) for team in range(layout.NUM_TEAMS)]
    ahead = int(credit[1] > credit[0])
    if not sheet.state[layout.ZAPATO] or sheet.state[layout.LENGTH] or credit[1 - ahead]:
        return []
    return [sheet.row("Double match: the others have nothing", credit[ahead] // 2, ahead, kind="Bonuses")]


def _rule(sheet: _Sheet) -> str:
    line, state = sheet.line, sheet.state
    if line.winner is None:
        return "The hands compared are equal: nobody gets points."
    if line.kind == "foul" and not state[layout.FOUL]:
        return "A foul costs a fixed number of points."
    name = "block_points" if line.kind == "block" else "out_points"
    code = int(state[layout.BLOCK_POINTS if line.kind == "block" else layout.OUT_POINTS])
    own = "the other team still holds" if sheet.is_for_winners else "a team still holds"
    words = {
        "own": f"All pips that {own} are counted",
        "all": "All pips that are left in the four hands are counted",
        "difference": "The difference of the two teams' pips is counted",
    }[_choices(name)[code]]
    return f"{words}, {'for the winners' if sheet.is_for_winners else 'against the losers'}."


def _opener_rule(sheet: _Sheet) -> str:
    """Why the coming opener opens."""
    rule = _choices("next_opener")[int(sheet.state[layout.NEXT_OPENER])]
    if sheet.line.winner is None or rule == "left":
        return "the seat after the last opener opens"
    if sheet.line.kind in ("out", "doubles"):
        return "who ends a round opens the next"
    if rule == "blocker" and sheet.line.kind == "block":
        return "after a block it is the seat that blocked, if its team won, else the seat after it"
    return "of the team that won, the lower hand opens"


def _choices(name: str) -> list[str]:
    """Values of an option, by their codes."""
    return [value for value, _ in house_rules.Options.__dataclass_fields__[name].metadata["choices"]]


def _laid_open(held: tuple[int, ...]) -> str:
    """The tiles of a hand side by side."""
    if not held:
        return ""
    body = "".join(
        tag("g", small.small_svg(index, 40), transform=f"translate({k % _ROW * 44} {k // _ROW * 24})")
        for k, index in enumerate(held)
    )
    width, height = 44 * min(len(held), _ROW) - 4, 24 * (-(-len(held) // _ROW)) - 4
    label = ", ".join(tiles.name(index) for index in held)
    return tag("svg", body, viewBox=f"0 0 {width} {height}", width=width, height=height, role="img", aria_label=label)
