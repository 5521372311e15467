"""The decks laid out at the end: victory points card by card."""

from __future__ import annotations

from collections.abc import Sequence

from games.dominion import cards, reading
from games.dominion import state as layout
from games.dominion.board import small
from games.dominion.board import victory as pictures
from games.endings import Counted, Ending, times, winners
from games.protocol import TERMINAL, Game, State
from games.svg import tag

_ROW, _WIDTH, _HEIGHT, _GAP = 5, 52, 37, 6
_FEW_PILES = 3


def ending(game: Game, before: State, after: State) -> Ending | None:
    """The counting of the decks, where the match ended between two states."""
    if game.current_player(before) == TERMINAL or game.current_player(after) != TERMINAL:
        return None
    rows: list[Counted] = []
    for seat in range(game.num_seats(after)):
        rows += _deck(after, seat)
    return Ending(
        title="The decks",
        is_over=True,
        rows=tuple(rows),
        how=_how(after),
        tie_rule="Points are equal: who had fewer turns wins.",
        rule="Every card counts, wherever it lies: deck, hand and discard pile together.",
        picture=victory(game, after, winners(game.ranks(after))),
    )


def victory(_game: Game, state: State, seats: Sequence[int]) -> str:
    """The picture of the pieces of those who have won."""
    return pictures.picture(state, seats)


def _how(state: State) -> str:
    supply = reading.supply(state)
    if not supply[cards.by_name()["Province"].number]:
        return "The Provinces are gone"
    empty = [cards.name(number) for number, left in supply.items() if not left]
    if len(empty) >= _FEW_PILES:
        return f"{len(empty)} piles are empty: {', '.join(empty)}"
    return "The turns are over"


def _deck(state: State, seat: int) -> list[Counted]:
    """A row for the whole deck, then one for each kind of card that counts."""
    owned = reading.owned_cards(state, seat)
    size = int(state[reading.seat_at(seat) + layout.OWNED])
    rows = [Counted("Deck", 0, (seat,), seat, times(size, "card", "cards"), picture=_laid_out(owned), is_wide=True)]
    for number, count in sorted(owned.items(), key=lambda item: -_each(item[0], size) * item[1]):
        each = _each(number, size)
        if each:
            rows.append(
                Counted(
                    label=cards.name(number),
                    points=each * count,
                    seats=(seat,),
                    owner=seat,
                    detail=f"{count} \N{MULTIPLICATION SIGN} {each}".replace("-", "\N{MINUS SIGN}"),
                    kind=cards.name(number),
                    picture=small.small_svg(number, 40),
                    elements=(f"seat-{seat}",),
                )
            )
    return rows


def _each(number: int, size: int) -> int:
    """Points of one card of a kind in a deck of `size` cards."""
    gives = cards.table()[number].gives
    return int(gives.get("vp", 0)) + (size // cards.PER if gives.get("vp_per_cards") else 0)


def _laid_out(owned: dict[int, int]) -> str:
    """All cards of a deck, a picture for each kind with its number; the dearest first."""
    kinds = sorted(owned, key=lambda number: (-cards.table()[number].cost, number))
    body, step = "", _WIDTH + _GAP
    for place, number in enumerate(kinds):
        x, y = place % _ROW * step, place // _ROW * (_HEIGHT + _GAP)
        body += tag("g", small.small_svg(number, _WIDTH), transform=f"translate({x} {y})")
        body += tag("rect", x=x + _WIDTH - 20, y=y - 2, width=22, height=15, rx=7, fill="#1F2328")
        words = {"font_size": 12, "font_weight": 700, "text_anchor": "middle", "fill": "#fff"}
        body += tag("text", f"{owned[number]}", x=x + _WIDTH - 9, y=y + 10, **words)
    width = _ROW * step
    height = -(-len(kinds) // _ROW) * (_HEIGHT + _GAP) + 2
    look = {"viewBox": f"0 -4 {width} {height + 2}", "width": width, "height": height + 2, "role": "img"}
    return tag("svg", body, aria_label=reading.list_in_words(owned), **look)
