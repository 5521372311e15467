"""The panel beside the table in play: the card that asks, the supply, what one's deck still holds."""

from __future__ import annotations

from games.dominion import cards, reading
from games.dominion import state as layout
from games.dominion.board import picture, small
from games.dominion.play import spelling
from games.panels import Panel, Stock, StockRow
from games.protocol import State


def build_panel(view: State, seat: int | None, prefix: str) -> Panel:
    """The panel of a view of `seat` (None: a spectator)."""
    asked = reading.decision(view)
    held, label = "", ""
    if asked is not None and asked.card is not None:
        held, label = small.held_svg(asked.card, prefix=prefix), cards.name(asked.card)
    stocks = [_supply(view)]
    if seat is not None:
        stocks.append(_deck(view, seat))
    nothing = tuple(() for _ in range(int(view[layout.NUM_SEATS])))
    goods = tuple(_goods(view, other) for other in range(int(view[layout.NUM_SEATS])))
    return Panel(held, label, _note(view), nothing, tuple(stocks), goods)


def _goods(view: State, seat: int) -> str:
    """``Deck 9, hand 5, discard 3``."""
    discard = sum(reading.seat_zone(view, seat, layout.DISCARD).values())
    return f"Deck {reading.deck_size(view, seat)}, hand {reading.hand_size(view, seat)}, discard {discard}"


def _note(view: State) -> str:
    """The question of an effect, else what is left in this turn."""
    asked = reading.decision(view)
    if asked is None:
        return ""
    if asked.card is not None:
        words = spelling.question(view).partition(": ")[2]
        return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('?') else '.'}"
    values = (int(view[layout.ACTIONS]), int(view[layout.BUYS]), int(view[layout.COINS]))
    words = ", ".join(
        f"{value} {name}{'' if value == 1 else 's'}"
        for value, name in zip(values, ("action", "buy", "coin"), strict=True)
    )
    return f"{words} left."


def _supply(view: State) -> Stock:
    """The piles, dear and cheap as they lie."""
    sizes = cards.pile_sizes(("official", "thesis")[int(view[layout.SIZES])])[int(view[layout.NUM_SEATS]) - 1]
    rows = tuple(
        StockRow(cards.name(number), left, int(sizes[number]), None, small.small_svg(number))
        for number, left in picture.piles(view).items()
    )
    return Stock("Supply", sum(row.left for row in rows), sum(row.total for row in rows), rows)


def _deck(view: State, seat: int) -> Stock:
    """The own deck: which cards it still holds, and how likely each is to come next."""
    top, rest = reading.top_cards(view, seat), dict(reading.seat_zone(view, seat, layout.DECK))
    for number in top:
        rest[number] = rest.get(number, 0) + 1
    owned = reading.owned_cards(view, seat)
    size = sum(rest.values())
    rows = []
    for number, total in sorted(owned.items()):
        left = rest.get(number, 0)
        chance = None if not size else float(number == top[0]) if top else left / size
        rows.append(StockRow(cards.name(number), left, total, chance, small.small_svg(number)))
    return Stock("Your deck", size, sum(owned.values()), tuple(rows))
