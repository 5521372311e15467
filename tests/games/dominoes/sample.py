"""What tests play of team dominoes."""

from tests.games.samples import Course, Sample

SAMPLE = Sample(rare=(({"target": 500}, 1), ({"length": "round"}, 30)))
COURSE = Course("dominoes", None, 16, deal_seed=5, seats=4, options={"length": "round"})
