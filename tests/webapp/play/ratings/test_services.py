"""Rated matches: who may have one, what counts, once each, and the same when counted anew."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DataError

from games import registry, rule_sets
from tests.webapp.play.ratings.matches import RATED, level, lose, open_rated
from tests.webapp.table.live import tables
from webapp.play.ratings import anchors, scale, selectors, services
from webapp.play.ratings.models import RatedMatch, RatedSeat, Rating
from webapp.table.live import match_setup, player_requests, table_seats
from webapp.table.live.errors import RefusedError
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan, Terms

pytestmark = pytest.mark.django_db


def _rating(person: Any, game: str = "carcassonne") -> Rating:
    return Rating.objects.get(game=game, person=person)


def test_who_resigns_has_lost_and_engines_stand_still(alice: Any) -> None:
    lose(open_rated(alice, level("easy")))
    rating = _rating(alice)
    assert (rating.num_matches, rating.losses) == (1, 1)
    assert rating.mean < scale.MEAN
    assert math.hypot(rating.deviation, rating.anchor_error) < math.hypot(scale.DEVIATION, scale.START_ERROR)
    assert rating.leaning == pytest.approx({"easy": rating.leaning["easy"], scale.START: 1 - rating.leaning["easy"]})
    easy, start = anchors.get("carcassonne", "paper", "easy"), rating.leaning[scale.START] * scale.START_ERROR
    assert rating.anchor_error == pytest.approx(math.hypot(rating.leaning["easy"] * easy.whole_error, start))
    anchor = RatedSeat.objects.get(seat=1)
    assert (anchor.level, anchor.result) == ("easy", "win")
    assert (anchor.mean_after, anchor.anchor_error_after) == (anchor.mean_before, easy.whole_error)


def test_each_set_of_rules_has_ratings_of_its_own(alice: Any, bob: Any) -> None:
    """By the paper's rules bob won once, by the rule book alice did; each board shows what was played by its rules."""
    lose(open_rated(alice, bob), 0)
    book = rule_sets.complete(registry.get("carcassonne"), rule_sets.RULE_BOOK)
    lose(open_rated(alice, bob, options=book), 1)
    won = {(row.rules, row.person_id): row.wins for row in Rating.objects.all()}
    assert won == {("paper", alice.pk): 0, ("paper", bob.pk): 1, ("book", alice.pk): 1, ("book", bob.pk): 0}
    before = list(Rating.objects.order_by("pk").values_list("mean", "deviation"))
    assert services.recompute("carcassonne") == 2
    assert list(Rating.objects.order_by("pk").values_list("mean", "deviation")) == before
    boards = [selectors.board("carcassonne", pool, None) for pool in ("book", "paper")]
    assert [[row.name for row in rows if row.place] for rows in boards] == [["alice", "bob"], ["bob", "alice"]]


def test_a_match_between_people_moves_both_alike(alice: Any, bob: Any) -> None:
    lose(open_rated(alice, bob), 0)
    assert _rating(bob).mean - scale.MEAN == pytest.approx(scale.MEAN - _rating(alice).mean)
    assert (_rating(bob).wins, _rating(alice).losses) == (1, 1)


def test_partners_win_and_lose_together(alice: Any, bob: Any) -> None:
    match = open_rated(alice, level("easy", "dominoes"), bob, level("easy", "dominoes"), game="dominoes")
    lose(match, 0)
    assert [row.result for row in RatedSeat.objects.order_by("seat")] == ["loss", "win", "loss", "win"]
    assert _rating(alice, "dominoes").mean == pytest.approx(_rating(bob, "dominoes").mean)


def test_a_match_played_to_its_end_counts_as_the_rules_say(alice: Any, bob: Any) -> None:
    match = tables.play_on(open_rated(alice, bob, game="kingdomino"))
    ranks = list(match.match.seats.order_by("seat").values_list("rank", flat=True))
    assert list(RatedSeat.objects.order_by("seat").values_list("rank", flat=True)) == ranks


def test_what_ends_by_agreement_counts_for_nobody(alice: Any, bob: Any) -> None:
    match = open_rated(alice, bob)
    player_requests.grant("offer-end", match.pk, [0])
    player_requests.grant("offer-end", match.pk, [1])
    assert RatedMatch.objects.get().why_not
    assert not Rating.objects.exists()


def test_who_left_has_lost_to_those_who_agree_to_end(alice: Any, bob: Any, carol: Any) -> None:
    match = open_rated(alice, bob, carol)
    lose(match, 1)
    player_requests.grant("offer-end", match.pk, [0])
    player_requests.grant("offer-end", match.pk, [2])
    assert [row.result for row in RatedSeat.objects.order_by("seat")] == ["draw", "loss", "draw"]
    assert _rating(bob).mean < scale.MEAN < _rating(alice).mean
    assert _rating(alice).mean == pytest.approx(_rating(carol).mean)


def test_a_match_that_could_not_be_counted_is_counted_once_later(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = open_rated(alice, level("easy"))
    with monkeypatch.context() as broken:
        broken.setattr(services, "_ratings", lambda *_: 1 / 0)  # dies in the middle of its transaction
        match = lose(match)
    assert match.status == LiveMatch.Status.ENDED
    assert not RatedMatch.objects.exists()
    assert services.count_rest() == 1
    before = _rating(alice).mean
    assert services.count_rest() == 0
    assert (_rating(alice).mean, _rating(alice).num_matches) == (before, 1)


def test_matches_that_cannot_be_counted_keep_no_others_waiting(
    alice: Any, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(match: LiveMatch) -> RatedMatch:
        if match.pk in broken:
            raise DataError("value too long")
        return real(match)

    real, broken = services.count, set()
    monkeypatch.setattr(services, "count", breaks)
    monkeypatch.setattr(services, "BATCH", 2)
    matches = [open_rated(alice, bob) for _ in range(3)]
    broken.update(match.pk for match in matches)
    for match in matches:
        lose(match)
    broken.remove(matches[2].pk)
    assert [services.count_rest() for _ in range(3)] == [0, 1, 0]
    assert RatedMatch.objects.get().live == matches[2]
    broken.clear()
    assert services.count_rest() == 2


@pytest.mark.long
def test_counting_anew_gives_the_same_numbers(alice: Any, bob: Any, carol: Any) -> None:
    for people, loser in (((alice, bob), 1), ((bob, carol), 0), ((alice, carol), 1), ((carol, bob), 1)):
        lose(open_rated(*people), loser)
    lose(open_rated(alice, level("medium")))
    lose(open_rated(bob, level("easy", "dominoes"), carol, level("easy", "dominoes"), game="dominoes"), 2)
    fields = (
        "mean",
        "deviation",
        "anchor_error",
        "leaning",
        "version",
        "num_matches",
        "wins",
        "draws",
        "losses",
        "changed_at",
    )
    ratings = list(Rating.objects.order_by("pk").values_list(*fields))
    seats = list(RatedSeat.objects.order_by("match_id", "seat").values_list())
    for recount in (lambda: call_command("recompute_ratings"), services.recount_old):  # a model of before
        Rating.objects.update(mean=0.0, deviation=1.0, leaning={}, num_matches=99, wins=0, changed_at=None, version=1)
        RatedSeat.objects.update(anchor_error_before=0.0, anchor_error_after=0.0)
        recount()
        assert list(Rating.objects.order_by("pk").values_list(*fields)) == ratings
        assert list(RatedSeat.objects.order_by("match_id", "seat").values_list()) == seats
    assert services.recount_old() == 0


@pytest.mark.parametrize(
    ("seats", "terms", "options", "words"),
    [
        ([tables.engine()], RATED, {}, "levels"),
        ([replace(level("medium"), engine=level("hard").engine)], RATED, {}, "levels"),
        ([level("easy")], Terms(is_rated=True), {}, "time limit"),
        ([level("easy")], RATED, {"two_tile_city": "half"}, "just as they are"),
        ([], RATED, {}, "one seat"),
    ],
)
def test_what_cannot_be_compared_is_not_rated(
    alice: Any, seats: list[SeatPlan], terms: Terms, options: dict[str, Any], words: str
) -> None:
    others = seats or [tables.person(alice)]
    with pytest.raises(RefusedError, match=words):
        match_setup.open_match(alice, "carcassonne", options, [tables.person(alice), *others], terms)
    assert not LiveMatch.objects.exists()


def test_nothing_is_taken_back_in_a_rated_match(alice: Any) -> None:
    match = tables.play_on(open_rated(alice, level("easy")), 1)
    assert "rated" in player_requests.permissions(table_seats.look_up(match, [0]))["take-back"]["why"]
