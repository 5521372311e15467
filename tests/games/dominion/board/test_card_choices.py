"""Pictures of the cards that a kingdom is chosen from."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from games.dominion import cards
from games.dominion.board import card_choices


def test_every_kingdom_card_has_a_picture_that_its_sheet_draws() -> None:
    found = card_choices.choices()
    assert sorted(choice.name for choice in found) == sorted(card.name for card in cards.kingdom_cards())
    assert [choice.cost for choice in found] == sorted(choice.cost for choice in found)
    ids = {element.get("id") for element in ElementTree.fromstring(card_choices.sheet()).iter()}
    shown = {re.search(r'href="#([^"]+)"', choice.svg)[1] for choice in found}  # type: ignore[index]
    assert len(shown) == len(found)
    assert shown <= ids
    assert all(reference in ids for reference in re.findall(r'href="#([^"]+)"', card_choices.sheet()))
