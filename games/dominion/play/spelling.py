"""Actions of Dominion spelt in clicks and words: one card, or a button.

Every kind of decision is a step of its own, so that each is asked in its own words. The cards of
most lie on the table and are pointed at; where a seat says yes or no, both answers are buttons.
Whatever ends, declines or plays all Treasure cards is a button, too (steps ``done`` and ``stop``).
"""

from __future__ import annotations

from typing import NamedTuple

from games.dominion import cards, reading
from games.dominion import state as layout
from games.protocol import Aid, Part, State, Step

LEGAL, POINTED, SUPPLY, CHANCES = "legal", "territory", "left", "chances"
AIDS = (
    Aid(LEGAL, "Legal cards", "Rings the cards that you can play, buy or choose now."),
    Aid(POINTED, "Card under the pointer", "Shows the card pointed at large, with its whole text."),
    Aid(SUPPLY, "Supply and deck", "What is left in the supply, and which cards your deck still holds."),
    Aid(CHANCES, "Chances of the next card", "How likely each card is to be the next one that you draw.", thinks=True),
)
HAND, PILES, ASIDE, LOOT = "hand", "supply", "aside", "loot"
"""Places of cards: ids of targets are ``hand-N``, ``supply-N``, ... by the card's number."""
DONE, STOP = "done", "stop"
"""Steps of buttons: in the phases of a turn, and where an effect asks."""
ALL_VALUE, END_VALUE = "all", "end"


class Question(NamedTuple):
    """A kind of decision. zone: where its cards lie (empty: nowhere), a card in words; what END says.

    label and end as a button says them, told and end_told of the seat that did it.
    """

    name: str
    title: str
    ask: str
    zone: str
    label: str
    told: str
    end: str
    end_told: str
    is_choice: bool = False


ASKED = {
    layout.ACTION: Question(
        "play",
        "Play",
        "Play an Action card, or go on to buying.",
        HAND,
        "Play {}",
        "plays {}",
        "Go on to buying",
        "plays no more Actions",
    ),
    layout.TREASURE: Question(
        "treasure",
        "Play",
        "Play Treasure cards, or go on to buying.",
        HAND,
        "Play {}",
        "plays {}",
        "Go on to buying",
        "plays no more Treasures",
    ),
    layout.BUY: Question(
        "buy", "Buy", "Buy a card, or end your turn.", PILES, "Buy {}", "buys {}", "End turn", "ends the turn"
    ),
    layout.TRASH_FOR_COINS: Question(
        "trade",
        "Trash",
        "Trash a Copper for coins, or keep it.",
        HAND,
        "Trash {}",
        "trashes {}",
        "Keep it",
        "trashes nothing",
        is_choice=True,
    ),
    layout.TRASH_ONE: Question(
        "trash",
        "Trash",
        "Choose a card in your hand to trash.",
        HAND,
        "Trash {}",
        "trashes {}",
        "Trash nothing",
        "trashes nothing",
    ),
    layout.GAIN_ONE: Question(
        "gain",
        "Gain",
        "Choose a card of the supply to gain.",
        PILES,
        "Gain {}",
        "gains {}",
        "Gain nothing",
        "gains nothing",
    ),
    layout.DISCARD_ANY: Question(
        "swap",
        "Discard",
        "Discard cards one by one, then draw as many.",
        HAND,
        "Discard {}",
        "discards {}",
        "Discard no more",
        "discards no more",
    ),
    layout.TRASH_ANY: Question(
        "clear",
        "Trash",
        "Trash cards of your hand one by one, or stop.",
        HAND,
        "Trash {}",
        "trashes {}",
        "Trash no more",
        "trashes no more",
    ),
    layout.DISCARD_DECK: Question(
        "deck",
        "Deck",
        "Put your deck into your discard pile, or keep it.",
        "",
        "Discard the deck",
        "puts the deck into the discard pile",
        "Keep the deck",
        "keeps the deck",
        is_choice=True,
    ),
    layout.REACT: Question(
        "react",
        "Show",
        "Show a Reaction against the Attack, or let it happen.",
        HAND,
        "Show {}",
        "shows {}",
        "Show nothing",
        "shows no Reaction",
        is_choice=True,
    ),
    layout.ONTO_DECK: Question(
        "put_back",
        "Put back",
        "Choose a Victory card in your hand to put onto your deck.",
        HAND,
        "Put {} onto the deck",
        "puts {} onto the deck",
        "Put nothing back",
        "puts nothing back",
    ),
    layout.DISCARD_DOWN: Question(
        "discard",
        "Discard",
        "Choose a card in your hand to discard.",
        HAND,
        "Discard {}",
        "discards {}",
        "Discard nothing",
        "discards nothing",
    ),
    layout.JUDGE: Question(
        "judge",
        "Judge",
        "Discard the card shown, or leave it on its deck.",
        ASIDE,
        "Discard {}",
        "has {} discarded",
        "Leave it on the deck",
        "leaves it on the deck",
        is_choice=True,
    ),
    layout.ROB: Question(
        "rob",
        "Trash",
        "Choose one of the Treasures shown to trash.",
        ASIDE,
        "Trash {}",
        "trashes {}",
        "Trash nothing",
        "trashes nothing",
    ),
    layout.GAIN_LOOT: Question(
        "loot",
        "Gain",
        "Gain Treasures that you trashed, or leave the rest.",
        LOOT,
        "Gain {}",
        "gains {}",
        "Gain no more",
        "gains no more",
    ),
    layout.REPEAT: Question(
        "repeat",
        "Play twice",
        "Choose an Action card in your hand to play twice.",
        HAND,
        "Play {} twice",
        "plays {} twice",
        "Play none twice",
        "plays none twice",
    ),
    layout.SET_ASIDE: Question(
        "set_aside",
        "Set aside",
        "Set the Action card drawn aside, or keep it.",
        HAND,
        "Set {} aside",
        "sets {} aside",
        "Keep it",
        "keeps it",
        is_choice=True,
    ),
}
"""Questions by kind of decision; the number of an action is the card's, or ALL or END."""

STEPS = (
    *(
        Step(
            one.name,
            one.title,
            one.ask,
            "choice" if one.is_choice else "place",
            is_reply=kind > layout.BUY,
            deed="" if one.is_choice else one.title,
        )
        for kind, one in ASKED.items()
    ),
    Step(DONE, "Go on", "Go on: nothing else can be chosen.", "choice"),
    Step(STOP, "Stop", "Stop: nothing else can be chosen.", "choice", is_reply=True),
)


def parts(state: State, action: int) -> tuple[Part, ...]:
    """The card, or what the button says."""
    kind = int(state[layout.KIND])
    asked = ASKED[kind]
    if action == layout.ALL:
        return (Part(DONE, ALL_VALUE, "", "Play all Treasures", "plays all Treasures"),)
    if action == layout.END:
        name = asked.name if asked.is_choice else STOP if kind > layout.BUY else DONE
        return (Part(name, END_VALUE, "", asked.end, asked.end_told),)
    card = cards.name(action)
    return (Part(asked.name, card, element(kind, action), asked.label.format(card), asked.told.format(card)),)


def element(kind: int, card: int) -> str:
    """Id of the target of a card in a decision of that kind; empty where it has none."""
    zone = ASKED[kind].zone
    return f"{zone}-{card}" if zone else ""


def question(state: State) -> str:
    """The question for the seat on turn, with its subject: ``Militia: discard 2 cards.``; else the phase."""
    asked = reading.decision(state)
    if asked is None:
        return ""
    if asked.card is None:
        return {layout.ACTION: "Action phase", layout.TREASURE: "Treasures", layout.BUY: "Buy phase"}[asked.kind]
    return f"{cards.name(asked.card)}: {_about(state, asked)}"


def _about(state: State, asked: reading.Decision) -> str:
    """The question of an effect, without its card."""
    if asked.kind == layout.DISCARD_DOWN:
        return f"discard {asked.left} card{'s' if asked.left != 1 else ''}"
    if asked.kind == layout.TRASH_ANY:
        return f"trash up to {asked.left} more"
    if asked.kind == layout.GAIN_ONE:
        return f"gain a {_kind(asked)} costing up to {reading.frame(state) >> layout.FRAME_COUNT & 255}"
    if asked.about is not None:
        card = cards.name(asked.about)
        return f"discard {card}, or leave it?" if asked.kind == layout.JUDGE else f"set {card} aside, or keep it?"
    return {
        layout.TRASH_FOR_COINS: "trash a Copper?",
        layout.TRASH_ONE: f"trash a {_kind(asked)}",
        layout.DISCARD_ANY: "discard any cards",
        layout.DISCARD_DECK: "discard the deck?",
        layout.REACT: "show a Reaction?",
        layout.ONTO_DECK: "put a Victory card back",
        layout.JUDGE: "judge the card shown",
        layout.ROB: "trash a Treasure",
        layout.GAIN_LOOT: "gain what was trashed?",
        layout.REPEAT: "choose an Action",
        layout.SET_ASIDE: "set it aside?",
    }[asked.kind]


def _kind(asked: reading.Decision) -> str:
    """The kind of card that an effect is about: any, or one type."""
    assert asked.card is not None
    tables = cards.tables()
    masks = {mask: kind for kind, mask in tables.of_type.items()}
    return masks.get(int(tables.columns["only"][asked.card]), "card")
