"""What stands beside a board: supplies on plates, what is left of a stock, notes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Supply:
    """Supply that a seat has left of something, for its plate: 4 of 7 meeples.

    is_figure: whether a piece of it is drawn as a meeple, else as a slip.
    """

    label: str
    left: int
    total: int
    is_figure: bool = True


@dataclass(frozen=True)
class StockRow:
    """One kind of a stock. chance: of being drawn next, None where nothing is; picture: SVG or empty.

    places: other seats with the chance that it is with them, as far as the reader can know.
    """

    label: str
    left: int
    total: int
    chance: float | None = None
    picture: str = ""
    places: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Stock:
    """Stock still to come as far as everybody knows: tiles, dominoes, cards of the supply.

    chances: how likely each is to come next, where that is the same for all of them; a sentence.
    """

    title: str
    left: int
    total: int
    rows: tuple[StockRow, ...] = ()
    chances: str = ""


@dataclass(frozen=True)
class Panel:
    """Panel beside a board in play.

    held: SVG of what the seat on turn has in hand for all to see (the drawn tile), empty where
    nothing; held_label: the same in words; note: one line about the position; supplies: by seat;
    goods: of each seat in a few words, for its plate.
    """

    held: str
    held_label: str
    note: str
    supplies: tuple[tuple[Supply, ...], ...]
    stocks: tuple[Stock, ...] = ()
    goods: tuple[str, ...] = ()
