"""What tests play of Dominion."""

from games.dominion import cards
from tests.games.samples import Course, Sample

SAMPLE = Sample(
    rich_options={"kingdom": "cards", "cards": ", ".join(card.name for card in cards.kingdom_cards())},
    has_ply_bound=False,
)
COURSE = Course("dominion", None, 6, deal_seed=3, options={"turn_limit": 4})
