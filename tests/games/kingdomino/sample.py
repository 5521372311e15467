"""What tests play of Kingdomino."""

from tests.games.samples import Course

COURSE = Course("kingdomino", 28, 20, deal_seed=3)
