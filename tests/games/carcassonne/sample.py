"""What tests play of Carcassonne."""

from tests.games.samples import Course

COURSE = Course("carcassonne", 71, 67, deal_seed=5)
