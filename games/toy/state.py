"""Layout of a state of cards: one flat int32 array."""

from __future__ import annotations

MAX_SEATS = 3
MAX_CARDS = 8
UNKNOWN = -1

NUM_SEATS = 0  # 2 .. 3
NUM_CARDS = 1  # K
DEALT = 2  # seats that have their secret card; NUM_SEATS when there are none to deal
PLAYER = 3  # seat on turn, or for whom the next card is drawn
CARD = 4  # drawn card; 0 = one must be drawn
NUM_LEFT = 5  # cards not drawn
LAST_CARD = 6  # handed out in the last ply, 0 before the first
LAST_SEAT = 7  # who got it
SCORE = 8  # [seat] points of open cards; secret ones included once the match is over
CARDS = SCORE + MAX_SEATS  # [seat] cards received
SECRET = CARDS + MAX_SEATS  # [seat] secret card, 0 none, UNKNOWN in the view of another seat
POOL = SECRET + MAX_SEATS  # [card - 1] 1 = not drawn; in a view: not drawn or another seat's secret
SIZE = POOL + MAX_CARDS

MAX_ACTIONS = MAX_SEATS
"""An action is the number of the seat that gets the card."""
