"""Nobody sees what they may not know: whole matches, every ply, every seat, those who look on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from games import registry, rng
from tests.webapp.table.live import luck, tables
from webapp.people.agents.models import Agent
from webapp.records.models import Experiment
from webapp.table.live import (
    access,
    match_setup,
    observations,
    player_requests,
    ply_writer,
    position_cache,
    table_seats,
)
from webapp.table.live.memory import Memory
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan, Terms
from webapp.table.live.snapshot import Snapshot

pytestmark = pytest.mark.django_db

PEOPLE = (0, 1)
"""Seats of people where an engine sits at seat 2: nobody looks through its eyes."""
THOUGHT = {
    "value": 0.123456789,
    "playouts": 987654321,
    "nodes": 987654322,
    "depth": 77,
    "cpu_s": 0.987654321,
    "info": {"best": [[1, "the engine's secret plan", 0.5, 3, None]]},
}
"""What an engine thinks, in words that stand nowhere else."""


@pytest.fixture(autouse=True)
def _games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.GAMES, "toy", "games.toy.game:Cards")
    monkeypatch.setitem(registry.GAMES, "toy_secret", "games.toy.secret:SecretCards")


def _open(game: str, creator: Any, plans: list[SeatPlan], **terms: Any) -> LiveMatch:
    """A match whose numbers would be found among others: none of them is short."""
    match = match_setup.open_match(creator, game, {}, plans, Terms(clock_s=900.0, **terms))
    assert min(match.seed, match.deal_seed) > 10**6
    return match


def _walk(match: LiveMatch) -> Iterator[LiveMatch]:
    """The match before its first ply and after every one, played at random, engines with their thoughts."""
    r = rng.new_stream(5, rng.ANALYSIS)
    yield match
    while match.status == LiveMatch.Status.RUNNING:
        legal = position_cache.position_at(match).game.legal_actions(position_cache.position_at(match).state)
        action = int(legal[rng.below(r, len(legal))])
        thought = THOUGHT if match.is_engine_due else None
        match = ply_writer.play(match.pk, match.on_turn, match.ply, action, key=f"key-{match.ply:04d}", thought=thought)
        yield match


def _secrets(match: LiveMatch) -> list[str]:
    """All that may stand nowhere while the match is not over."""
    plies = list(match.plies.all())
    numbers = [match.seed, match.deal_seed, match.digest, *(row.digest for row in plies)]
    words = [match.salt, match.invite, *(row.key for row in plies), "secret plan", "0.123456789", "98765432", "0.98765"]
    return [str(number) for number in numbers if number] + [word for word in words if word]


def _views(match: LiveMatch) -> Iterator[tuple[tuple[int, ...], Snapshot]]:
    for seats in ((), *((seat,) for seat in range(match.num_seats))):
        for ply in {None, 0, match.ply // 2, max(0, match.ply - 1)}:
            if ply is None or ply <= access.last_ply(table_seats.look_up(match, seats)):
                yield seats, observations.observe(match, seats, ply)


@pytest.mark.long
@pytest.mark.parametrize(
    "game", ["toy", "toy_secret", "carcassonne", pytest.param("kingdomino", marks=pytest.mark.slow)]
)
def test_no_view_of_a_whole_match_tells_a_secret(game: str, alice: Any, bob: Any) -> None:
    opened = _open(game, alice, [tables.person(alice), tables.person(bob), tables.engine()])
    for match in _walk(opened):
        if match.is_over:
            break
        if game == "carcassonne" and match.ply % 9:
            continue
        secrets, order = _secrets(match), luck.to_come(match) if game == "kingdomino" else []
        for seats, seen in _views(match):
            text = json.dumps(seen.to_json())
            assert [secret for secret in secrets if secret in text] == [], (seats, match.ply)
            assert luck.told(order, text) == [], (seats, match.ply)
            is_now = seen.ply == match.ply
            assert (
                bool(seen.actions) == seen.your_turn == (is_now and match.on_turn in PEOPLE and match.on_turn in seats)
            )
            assert "seed" not in seen.to_json()
    assert match.status == "finished"
    for seats, seen in _views(match):
        assert (seen.seed, seen.deal_seed, seen.salt) == (match.seed, match.deal_seed, match.salt), seats
        assert match_setup.commitment(seen.salt, seen.deal_seed) == match.commitment
        assert not seen.actions


def test_a_seat_sees_its_own_secret_card_and_no_other(alice: Any, bob: Any) -> None:
    opened = _open("toy_secret", alice, [tables.person(alice), tables.person(bob), tables.engine()])
    for match in _walk(opened):
        if match.is_over:
            break
        for seats, seen in _views(match):
            shown = seen.observation["secret"]
            assert [card is not None for card in shown] == [seat in seats and seat in PEOPLE for seat in range(3)]
            hidden = seen.observation["unseen"]
            assert len(hidden) >= 2  # the others' cards look like cards not drawn
            assert [row.projected for row in seen.seats] == [row.score for row in seen.seats]
    assert all(card is not None for card in observations.observe(match, ()).observation["secret"])


def test_a_past_ply_shows_what_the_seat_saw_then(alice: Any, bob: Any) -> None:
    opened = _open("toy_secret", alice, [tables.person(alice), tables.person(bob)])
    then: list[Snapshot] = []
    for match in _walk(opened):
        if match.is_over:
            break
        then.append(observations.observe(match, (1,)))
        for ply, before in enumerate(then):
            again = observations.observe(match, (1,), ply)
            for name in ("ply", "observation", "last", "on_turn"):
                assert getattr(again, name) == getattr(before, name), (name, ply, match.ply)
            scores = [[row.score for row in seen.seats] for seen in (again, before)]
            assert scores[0] == scores[1]
            assert again.actions == (before.actions if ply == match.ply else ())
    for wrong in (-1, match.ply + 1):
        with pytest.raises(ValueError, match="ply: must be"):
            observations.observe(match, (1,), wrong)


def test_who_holds_two_seats_looks_through_the_eyes_of_the_one_on_turn(alice: Any) -> None:
    opened = _open("toy_secret", alice, [tables.person(alice), tables.person(alice)])
    for match in _walk(opened):
        if match.is_over:
            break
        for ply in range(match.ply + 1):
            shown = observations.observe(match, (0, 1), ply).observation["secret"]
            assert [card is not None for card in shown] == [seat == ply % 2 for seat in (0, 1)]


def test_those_who_look_on_are_so_many_plies_behind(alice: Any, bob: Any) -> None:
    opened = _open("carcassonne", alice, [tables.person(alice), tables.person(bob)], spectator_delay=3)
    own: list[Snapshot] = []
    for match in _walk(opened):
        if match.ply > 6:
            break
        own.append(observations.observe(match, (0,)))
        seen = observations.observe(match, ())
        late = max(0, match.ply - 3)
        assert (seen.ply, seen.latest) == (late, late)
        assert seen.observation == own[late].observation
        assert [row.score for row in seen.seats] == [row.score for row in own[late].seats]
        with pytest.raises(ValueError, match=f"between 0 and {late}"):
            observations.observe(match, (), late + 1)
    player_requests.grant("offer-end", match.pk, (0,))
    match.refresh_from_db()
    late = observations.observe(match, ())
    assert (late.offers, late.waited_s, [row.left_s for row in late.seats]) == ((), None, [None, None])
    assert observations.observe(match, (1,)).offers == (0,)
    match = player_requests.grant("resign", match.pk, (0,))
    assert observations.observe(match, ()).latest == match.ply


def test_who_left_sees_no_more_than_those_who_look_on(alice: Any, bob: Any) -> None:
    match = _open("toy_secret", alice, [tables.person(alice), tables.person(bob), tables.engine()], spectator_delay=1)
    match = tables.play_on(match, 1)
    match = player_requests.grant("resign", match.pk, (1,))
    looking, left = observations.observe(match, ()), observations.observe(match, (1,))
    assert replace(left, waited_s=0) == replace(looking, waited_s=0)


def test_an_open_match_shows_no_luck(alice: Any) -> None:
    match = _open("carcassonne", alice, [tables.person(alice), SeatPlan()])
    for seats in ((0,), ()):
        seen = observations.observe(match, seats)
        assert (seen.observation, seen.actions, seen.on_turn) == (None, (), None)
        text = json.dumps(seen.to_json())
        assert not [secret for secret in _secrets(match) if secret in text]
    others = LiveMatch.objects.filter(pk=match.pk)
    others.update(deal_seed=match.deal_seed + 1)
    position_cache._positions = Memory(1)
    assert observations.observe(others.get(), (0,)) == observations.observe(match, (0,)), "another deal looks the same"


def test_seeds_of_an_experiment_stay_secret_until_all_of_it_is_over(alice: Any, bob: Any) -> None:
    agent = Agent.objects.create(owner=bob, name="bot")
    experiment = Experiment.objects.create(
        owner=alice, title="x", game="toy", spec={"record": "standard"}, num_matches=2, secret_seed=7
    )
    plans = [SeatPlan(name="bot", agent=agent), tables.engine()]
    match = match_setup.open_match(alice, "toy", {}, plans, Terms(), experiment=experiment)
    LiveMatch.objects.filter(pk=match.pk).update(status="ended", on_turn=None, ending={"kind": "absent"})
    match.refresh_from_db()
    assert match.is_over
    text = json.dumps(observations.observe(match, (0,)).to_json())
    assert not [secret for secret in _secrets(match) if secret in text]


def test_looking_takes_few_queries(alice: Any, bob: Any, django_assert_max_num_queries: Any) -> None:
    plans = [tables.person(alice), tables.person(bob), tables.engine(), tables.engine()]
    match = tables.play_on(tables.open_match(alice, plans), 10)
    with django_assert_max_num_queries(2):
        observations.observe(match, (0,))
    observations.observe(match, (0,), 5)
    with django_assert_max_num_queries(3):
        observations.observe(match, (0,), 5)
    with django_assert_max_num_queries(2):
        player_requests.permissions(table_seats.look_up(match, (0,)))
    legal = position_cache.position_at(match).game.legal_actions(position_cache.position_at(match).state)
    with django_assert_max_num_queries(13):
        ply_writer.play(match.pk, match.on_turn, match.ply, int(legal[0]), key="k", thought={})
