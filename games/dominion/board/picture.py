"""Pictures of a table as plain data: the supply, cards in play, a hand, what everybody has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from games.dominion import cards, reading
from games.dominion import state as layout
from games.dominion.play import spelling
from games.protocol import TERMINAL, State

Counts = Mapping[int, int]
"""Card number -> how many."""
BASIC = ("Copper", "Silver", "Gold", "Estate", "Duchy", "Province", "Curse")
PHASES = ("Actions", "Treasures", "Buys")


@dataclass(frozen=True)
class Holder:
    """Public knowledge of a seat.

    owned: its cards wherever they lie; known: those that all know to be in its hand; top: known
    cards on its deck, the topmost first.
    """

    seat: int
    points: int
    turns: int
    deck: int
    hand: int
    discard: int
    owned: Counts
    known: Counts
    top: Sequence[int]


@dataclass(frozen=True)
class Picture:
    """Contents of a table.

    piles: of the supply, basic cards first; turn: whose turn it is; player: the seat that is asked
    (None: nobody); phase: place in PHASES, None between turns; question: what it is asked, if that
    is more than a phase; played, aside, loot: cards in play, shown or set aside, trashed by a Thief;
    drawer: whose cards `aside` are; hand_of: whose hand lies open or face down below the table;
    hand: its cards, None: face down; heap: that seat's discard pile; woodcutter: its coins.
    """

    piles: Counts
    trash: Counts
    holders: Sequence[Holder]
    turn: int
    player: int | None
    phase: int | None
    question: str
    actions: int
    buys: int
    coins: int
    played: Counts
    aside: Counts
    loot: Counts
    drawer: int
    hand_of: int
    hand: Counts | None
    heap: Counts
    woodcutter: int
    is_over: bool

    @property
    def order(self) -> list[int]:
        """Piles in the order in which they are laid out."""
        return list(self.piles)


def visible_state(kernels: ModuleType, state: State, seat: int | None) -> State:
    """The part of a state that `seat` (None: a spectator) may know."""
    view = state.copy()
    kernels.hide(view, -1 if seat is None else seat)
    return view


def build_picture(kernels: ModuleType, view: State, seat: int | None, *, is_open: bool = False) -> Picture:
    """Read the picture of a view (`visible_state`) of `seat`.

    is_open: the hand of the seat on turn lies open, as in the replay of a match that is over.
    """
    player, kind = int(view[layout.PLAYER]), int(view[layout.KIND])
    turn = int(view[layout.TURN])
    hand_of = seat if seat is not None else player if player >= 0 and is_open else turn
    is_seen = seat is not None or is_open
    is_effect = kind > layout.BUY
    return Picture(
        piles=piles(view),
        trash=reading.zone(view, layout.TRASH),
        holders=holders(kernels, view),
        turn=turn,
        player=player if player >= 0 else None,
        phase=_phase(kind) if player != TERMINAL else None,
        question=spelling.question(view) if is_effect and player >= 0 else "",
        actions=int(view[layout.ACTIONS]),
        buys=int(view[layout.BUYS]),
        coins=int(view[layout.COINS]),
        played=reading.zone(view, layout.PLAYED),
        aside=shown_cards(view),
        loot=reading.zone(view, layout.LOOT),
        drawer=_drawer(view),
        hand_of=hand_of,
        hand=reading.seat_zone(view, hand_of, layout.HAND) if is_seen else None,
        heap=reading.seat_zone(view, hand_of, layout.DISCARD),
        woodcutter=int(view[layout.WOODCUTTER]),
        is_over=player == TERMINAL,
    )


def _phase(kind: int) -> int | None:
    if kind in (layout.DRAW_KINGDOM, layout.DEAL, layout.CLEAN_UP):
        return None
    return {layout.TREASURE: 1, layout.BUY: 2}.get(kind, 0)


def piles(view: State) -> dict[int, int]:
    """The supply: basic cards, then the kingdom by cost and name."""
    left = reading.supply(view)
    table, names = cards.table(), cards.by_name()
    basic = [names[name].number for name in BASIC if names[name].number in left]
    rest = sorted(set(left) - set(basic), key=lambda number: (table[number].cost, table[number].name))
    return {number: left[number] for number in (*basic, *rest)}


def shown_cards(view: State) -> dict[int, int]:
    """Cards that are shown or set aside, with the one that is judged on top of its deck."""
    found = reading.zone(view, layout.ASIDE)
    asked = reading.decision(view)
    if asked is not None and asked.kind == layout.JUDGE and asked.about is not None:
        found.setdefault(asked.about, 1)
    return found


def _drawer(view: State) -> int:
    asked = reading.decision(view)
    if asked is not None and asked.victim is not None:
        return asked.victim
    return int(view[layout.DRAWER])


def holders(kernels: ModuleType, view: State) -> list[Holder]:
    """Public knowledge of each seat; a spectator, and an opponent, know no more."""
    points = np.zeros(layout.MAX_SEATS, np.int64)
    kernels.scores(view, points)
    return [_holder(view, seat, int(points[seat])) for seat in range(int(view[layout.NUM_SEATS]))]


def _holder(view: State, seat: int, points: int) -> Holder:
    return Holder(
        seat=seat,
        points=points,
        turns=int(view[reading.seat_at(seat) + layout.TURNS]),
        deck=reading.deck_size(view, seat),
        hand=reading.hand_size(view, seat),
        discard=sum(reading.seat_zone(view, seat, layout.DISCARD).values()),
        owned=reading.owned_cards(view, seat),
        known=reading.seat_zone(view, seat, layout.SHOWN),
        top=reading.top_cards(view, seat),
    )
