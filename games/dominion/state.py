"""Layout of a Dominion state: one flat int32 array, every offset named once.

Cards lie in *zones*: how many of each, four counts to a word, one byte each (card c is byte c mod
4 of word c // 4, the lowest first; no count exceeds 60). What is drawn next is no part of a state:
a deck is known cards on top, in order, and the rest as counts. All that the cards of this set put
on a deck, or show there, is shown to everybody; so the known top cards are known to every seat.

What a seat may not know is written so (`kernels.hide`): cards of another hand count among that
seat's deck, and `HAND_SIZE` says how many they are. Of a hand everybody knows `SHOWN` at least.
"""

from __future__ import annotations

from games.dominion import cards

MAX_SEATS = 4
NUM_CARDS = cards.NUM_CARDS
MAX_TURN_LIMIT = 999
MAX_PLIES = 30_000
"""Decisions of a match: with this one it is over, whatever lies on the table (an ordinary one has some hundred)."""
PER_WORD = 4  # counts in a word
WORDS = -(-NUM_CARDS // PER_WORD)
"""Words of a zone."""

# ---- where the match stands
PLAYER = 0  # seat to act; -1: chance, -2: over
TURN = 1  # seat whose turn it is
KIND = 2  # what is to be decided, or drawn for: one of the kinds below
ACTIONS = 3  # Action cards that may still be played
BUYS = 4
COINS = 5
DRAWS = 6  # cards still to be drawn or shown from a deck
DRAWER = 7  # the seat whose deck it is; ASIDE holds its cards, too
DRAW_TO = 8  # where they go: TO_HAND, ... below
IMMUNE = 9  # bits of seats that the Attack being played passes by
DEPTH = 10  # frames on the stack
NUM_EMPTY = 11  # supply piles that are empty
TO_CHOOSE = 12  # kingdom cards still to be drawn, where the kingdom is left to chance
KINGDOM = 13  # two words: bits of the cards that have a pile, basic cards too; cards 0 to BITS - 1 in the first one
SPENT = 22  # coins spent in this turn (a tally)
PLAYS = 23  # Action cards played in this turn, replays included (a tally)
IN_SUPPLY = 24  # two words as KINGDOM: bits of the cards whose pile is not empty

PLIES = 26  # decisions so far
BITS = 30
"""Bits in the first of two words that hold a set of cards."""

# ---- what never changes
NUM_SEATS = 15
EDITION = 16  # 1: 2008, 2: 2016
BY_HAND = 17  # 1: Treasure cards are played one by one
CURSE_BUYS = 18  # 1: a Curse may be bought
WOODCUTTER = 19  # coins of a Woodcutter
TURN_LIMIT = 20  # turns of each seat at most
SIZES = 21  # 0 official, 1 the thesis'
TO_HAND, TO_HAND_NOTED, TO_ASIDE, ONTO_TOP = 0, 1, 2, 3
# noted: the frame remembers the card; onto the top: it stays there, shown

# ---- effects that wait, the next one last
STACK = 27
MAX_DEPTH = 24
# A frame: what it is, the card, how far it is, and numbers that it counts
FRAME_OP = 0  # bits 0 to 1: PLAY, EFFECT or ATTACK, below
FRAME_CARD = 2  # bits 2 to 7
FRAME_STAGE = 8  # bits 8 to 10: stage of the effect
FRAME_SEATS = 11  # bits 11 to 13: seats after the one on turn that it has reached
FRAME_COUNT = 14  # bits 14 to 21: cards counted, the greatest cost allowed, or 1: all know the card drawn (Library)
FRAME_CHOSEN = 22  # bits 22 to 27: card that it is about + 1
PLAY, EFFECT, ATTACK = 0, 1, 2

# ---- zones of all
SUPPLY = STACK + MAX_DEPTH
TRASH = SUPPLY + WORDS
PLAYED = TRASH + WORDS  # in play, of the seat whose turn it is
ASIDE = PLAYED + WORDS  # shown or set aside for a moment, of the seat DRAWER
LOOT = ASIDE + WORDS  # Treasure cards that a Thief has trashed and may still gain (they lie in TRASH)

# ---- seats, SEAT words each
SEATS = LOOT + WORDS
DECK = 0  # the unordered rest of the deck
HAND = DECK + WORDS
DISCARD = HAND + WORDS
SHOWN = DISCARD + WORDS  # of the hand: what everybody knows to be there
DECK_SIZE = SHOWN + WORDS  # cards of the rest of the deck, known ones on top not counted
HAND_SIZE = DECK_SIZE + 1
OWNED = HAND_SIZE + 1  # cards in all zones
POINTS = OWNED + 1  # what these are worth, whatever else is owned
PER_TEN = POINTS + 1  # cards among them that are worth a point for every ten owned
TURNS = PER_TEN + 1  # own turns begun
NUM_TOP = TURNS + 1  # known cards on top of the deck
TOP = NUM_TOP + 1  # these, card + 1, four to a word, the topmost last
MAX_TOP = 44
# Known cards are drawn before all others, so a hand that goes onto its deck (Bureaucrat) adds to them only
# what was drawn when there were none: 5 cards, and 20 by Council Rooms. A turn adds 20 Silvers at most, and
# then holds no Bureaucrat to add more before they are drawn; a Spy adds one.
TOP_WORDS = MAX_TOP // PER_WORD
# what no rule reads
TALLIES = TOP + TOP_WORDS
SHUFFLES = TALLIES  # times that a deck was made, the first one included (deals read it)
CURSES_DEALT = SHUFFLES + 1  # Curses that others gained from this seat's cards
COLLISIONS = CURSES_DEALT + 1  # Action cards left in hand without an action to play them, at the ends of turns
TRASHED = COLLISIONS + 1  # cards that it trashed of its own
OWNED_KINDS = TRASHED + 1  # cards owned of each of `KINDS`, a byte each, the first kind lowest
GAINS = OWNED_KINDS + 1  # cards gained in each period, a zone each
NUM_PERIODS = 10
BY_TURN = GAINS + NUM_PERIODS * WORDS  # of its turns 1 to MAX_TURNS: see the bits below
MAX_TURNS = 30
"""Turns that are tallied one by one."""
KINDS_BY_TURN = BY_TURN + MAX_TURNS  # OWNED_KINDS after each of these turns
SEAT = KINDS_BY_TURN + MAX_TURNS
SIZE = SEATS + MAX_SEATS * SEAT

# Bits of a word of BY_TURN
TURN_COINS = 0  # bits 0 to 7: coins made
TURN_PLAYS = 8  # bits 8 to 14: Action cards played, replays included
TURN_BUYS = 15  # bits 15 to 20: buys left unused
TURN_POINTS = 21  # bits 21 to 30: points after it + POINTS_OFFSET
POINTS_OFFSET = 256

KINDS = ("Treasure", "Action", "Victory", "Curse")
"""Kinds of cards in decks; a card counts as the first of its types that is among them."""
KIND_BITS = 8

PERIODS = (2, 4, 6, 8, 10, 12, 15, 20, 25)
"""The last own turn of each period but the last."""

# ---- what is decided (or drawn for) in KIND
DRAW_KINGDOM = 0  # chance: a kingdom card
DEAL = 1  # chance: the first hands
CLEAN_UP = 2  # chance: the next hand of the seat whose turn ends
ACTION = 3  # play an Action card
TREASURE = 4  # play a Treasure card
BUY = 5  # buy a card
# effects, in the order of `EFFECT_KINDS`
TRASH_FOR_COINS = 6  # Moneylender (second edition): trash it or not
TRASH_ONE = 7  # Remodel, Mine: a card of the hand
GAIN_ONE = 8  # Remodel, Mine, Workshop, Feast: a card of the supply
DISCARD_ANY = 9  # Cellar: one more card of the hand
TRASH_ANY = 10  # Chapel: one more card of the hand
DISCARD_DECK = 11  # Chancellor: do it or not
REACT = 12  # Moat: show it or not
ONTO_DECK = 13  # Bureaucrat: a Victory card of another hand
DISCARD_DOWN = 14  # Militia: one more card of another hand
JUDGE = 15  # Spy: discard the card shown, or leave it
ROB = 16  # Thief: the Treasure card to be trashed
GAIN_LOOT = 17  # Thief: one more of the cards trashed
REPEAT = 18  # Throne Room: an Action card of the hand
SET_ASIDE = 19  # Library: the Action card just drawn, or keep it
RESOLVE = 20  # chance: cards are drawn for an effect, or shown
NUM_KINDS = 21

# ---- actions: the number of a card, or one of these
ALL = 60  # play all Treasure cards
END = 61  # end the phase, or decline, or be done
MAX_ACTIONS = 64
