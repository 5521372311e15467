"""Normalised Elo on the page of a test on it: a case by hand, and counts of pairs as the export has them."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import Any

import numpy as np
import pytest
from django.test import Client

from tests.records import ruled
from tests.webapp.lab.results.test_stop_rule import made_of
from webapp.lab.results import normalised
from webapp.lab.results.stop_state import StopState
from webapp.records.models import Experiment, Seat
from worker.analysis.stop_rules.model import Course
from worker.looks import Ruling

RULE = ruled.SPRT | {"on": "normalised", "h0": 0, "h1": 30}
PAIRS = (2, 8, 14, 12, 4)
"""Pairs with 0, 1/2, 1, 3/2 and 2 points. A side's wins less its opponent's are -1, -1/2, 0, 1/2, 1 a match: on average
(-2 - 4 + 6 + 4) / 40 = 0.1, of squares (2 + 2 + 3 + 4) / 40 = 0.275, so the deviation is the root of 0.265."""


def state_of(values: Any, arms: int = 1, **changes: Any) -> StopState:
    spec = ruled.spec_of(RULE | changes.pop("stop", {}), arms, **changes)
    values = np.array(values, dtype=np.float64)
    return StopState(spec, Ruling(), Course((), ()), values.shape[1], values, ())


def test_a_case_by_hand() -> None:
    wins = np.repeat([-1, -0.5, 0, 0.5, 1], PAIRS)
    (label, elo), (_, ends), counts = normalised.facts(state_of([np.zeros(40), wins]))
    unit = 800 / math.log(10) / math.sqrt(2)  # of a match: a deal has two
    value, half = unit * 0.1 / math.sqrt(0.265), unit * 1.959964 / math.sqrt(40)
    assert (round(value, 1), round(value - half, 1), round(value + half, 1)) == (47.7, -28.4, 123.9)
    assert (label, elo, ends) == ("Normalised Elo", "+47.7", "\u221228.4 to +123.9")
    assert counts == ("Pairs with 0, ½, 1, 1½, 2 points", "2, 8, 14, 12, 4")


def test_what_cannot_be_said_is_left_out() -> None:
    same = normalised.facts(state_of([np.zeros(3), np.ones(3)]))
    assert [value for _, value in same] == ["undefined: all deals ended alike", "0, 0, 0, 0, 3"]
    assert normalised.facts(state_of(np.zeros((2, 0)))) == ()
    assert normalised.facts(state_of([[0.0], [1.0]], stop={"on": "win_rate"})) == ()
    single = normalised.facts(state_of([[0, 0, 0, 1], [1, 1, 0, 0]], rotation="none"))
    assert single[-1] == ("Losses, draws, wins", "1, 1, 2")
    two_arms = normalised.facts(state_of([[0, 0.5, 0.5, 1], [1, 1, 0.5, 0]], arms=2))
    assert two_arms[-1] == ("Deals with 2 or 1 wins fewer, as many, 1 or 2 more", "1, 0, 1, 1, 1")
    assert len(normalised.facts(state_of([[0, 0.5, 0.5, 1], [1, 1, 0.5, 0]], arms=2, rotation="none"))) == 2


@pytest.mark.django_db
def test_the_page_has_the_pairs_of_the_rows(alice: Any, client: Client) -> None:
    client.force_login(alice)
    made: Experiment = made_of(alice, ruled.spec_of(RULE, 1), [2], deals=30)
    points: dict[int, float] = Counter()
    whole = Seat.objects.filter(experiment=made, lineup_index=0, result__isnull=False)
    played = Counter(whole.values_list("deal", flat=True))
    for deal, result in whole.values_list("deal", "result"):
        points[deal] += {"win": 1, "draw": 0.5, "loss": 0}[result]
    pairs = Counter(points[deal] for deal, number in played.items() if number == 2)
    text = ", ".join(str(pairs[half / 2]) for half in range(5))
    page = re.sub(r"\s+", " ", client.get(f"/experiments/{made.pk}/").content.decode())
    assert re.search(rf"<dt>Pairs with 0, ½, 1, 1½, 2 points</dt> <dd>{text}</dd>", page)
    assert re.search(r"<dt>Normalised Elo</dt> <dd>[+\u2212]\d+\.\d</dd>", page)
    assert sum(pairs.values()) == 29, "a match of one deal has failed"
