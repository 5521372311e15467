"""Matches over HTTP: opened, joined, played, left, and refused."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from engines import levels
from games import registry as game_registry
from tests.webapp.api.callers import Caller, first_action
from tests.webapp.table.live import answering, tables
from webapp.play.ratings.models import Rating
from webapp.table.live import match_limits
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import ANYBODY, SeatPlan, Terms

pytestmark = pytest.mark.django_db

CLOCKED = next(level.id for level in levels.for_game("carcassonne") if level.has_clock)
"""A level that may be given another thinking time."""


@pytest.fixture
def code(bot: Caller, rival: Caller) -> str:
    """A running match between the two, alice's agent on turn."""
    code = bot.open("me", "open")
    rival.tell(f"/matches/{code}/join")
    return code


def match_of(code: str) -> LiveMatch:
    return LiveMatch.objects.get(code=code)


def kind(response: Any) -> str:
    """The kind of a problem, whose shape is checked besides."""
    assert response.headers["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == response.status_code
    assert problem["title"]
    assert problem["detail"]
    return str(problem["type"]).rpartition("#")[2]


class TestLibrary:
    def test_games_levels_and_engines_need_no_token(self, client: Any) -> None:
        rows = client.get("/api/v1/games").json()["games"]
        assert [row["id"] for row in rows] == list(game_registry.ids())
        game = client.get("/api/v1/games/carcassonne").json()
        assert game["steps"]
        assert game["rules"].startswith("# Carcassonne")
        levels = client.get("/api/v1/games/carcassonne/levels").json()["levels"]
        assert {"easy", "medium"} <= {level["id"] for level in levels}
        assert list(levels[0]["against_next"]) == ["wins", "draws", "losses"]
        assert levels[-1]["against_next"] is None
        assert "uct" in {engine["id"] for engine in client.get("/api/v1/engines").json()["engines"]}

    def test_an_unknown_game_is_not_found(self, client: Any) -> None:
        assert kind(client.get("/api/v1/games/go")) == "not-found"


class TestOpening:
    def test_seats_of_every_form(self, bot: Caller, alice: Any) -> None:
        other = Caller(alice, "other")
        engine = {"engine": "flat_mc", "budget": {"playouts": 10}}
        code = bot.open("me", {"level": CLOCKED, "seconds": 0.5}, engine, {"agent": "OTHER"}, "invited")
        seats = list(match_of(code).seats.order_by("seat"))
        assert [seat.kind for seat in seats] == ["agent", "engine", "engine", "agent", "open"]
        assert seats[3].agent == other.agent
        assert seats[1].configuration.budget == {"seconds_per_ply": 0.5}
        assert (seats[0].name, seats[1].level) == ("alices-bot", CLOCKED)

    def test_the_first_answer_alone_holds_the_join_key(self, bot: Caller, rival: Caller) -> None:
        wanted = {"game": "carcassonne", "seats": ["me", "invited"]}
        opened = bot.tell("/matches", wanted, 201)
        assert kind(rival.get(f"/matches/{opened['code']}")) == "not-found"
        assert kind(rival.post(f"/matches/{opened['code']}/join", {"key": "wrong"})) == "not-found"
        joined = rival.tell(f"/matches/{opened['code']}/join", {"key": opened["join_key"]})
        assert (joined["seat"], joined["status"]) == (1, "running")

    def test_the_same_key_opens_one_match_and_is_nobody_elses(self, bot: Caller, rival: Caller) -> None:
        wanted = {"game": "carcassonne", "seats": ["me", {"level": "easy"}], "key": "one"}
        first, second = bot.tell("/matches", wanted, 201), bot.tell("/matches", wanted, 201)
        assert first["code"] == second["code"]
        assert rival.tell("/matches", wanted, 201)["code"] != first["code"]
        other = bot.post("/matches", {**wanted, "seats": ["me", {"level": "beginner"}]})
        assert (other.status_code, kind(other)) == (409, "key-reused")
        assert bot.tell("/matches", {**wanted, "key": "two"}, 201)["code"] != first["code"]

    def test_the_matches_of_all_agents_of_an_owner_have_one_limit(
        self, bot: Caller, rival: Caller, alice: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = Caller(alice, "other")
        monkeypatch.setattr(match_limits, "MAX_UNFINISHED", 2)
        first = other.open("me", "open")
        bot.open({"agent": "other"}, {"level": "easy"})  # itself it does not sit there
        for wanted in (["me", "open"], [{"agent": "other"}, {"level": "easy"}]):
            response = bot.post("/matches", {"game": "carcassonne", "seats": wanted})
            assert (response.status_code, kind(response)) == (409, "refused")
        offered = rival.open("me", "open")
        assert kind(bot.post(f"/matches/{offered}/join")) == "refused"
        other.tell(f"/matches/{first}/wishes/cancel")
        bot.tell(f"/matches/{offered}/join")

    def test_a_bad_body_is_refused_with_its_place(self, bot: Caller, rival: Caller, subtests: pytest.Subtests) -> None:
        for change, place in [
            ({"game": "go"}, "body.game"),
            ({"seats": ["me"]}, "body.seats"),
            ({"seats": ["me", "nobody"]}, "body.seats[1]"),
            ({"seats": ["me", {"level": "divine"}]}, "body.seats[1].level"),
            ({"seats": ["me", {"level": "easy", "seconds": 1}]}, "body.seats[1].seconds"),
            ({"seats": ["me", {"level": CLOCKED, "seconds": 60}]}, "body.seats[1].seconds"),
            ({"seats": ["me", {"agent": "bobs-bot"}]}, "body.seats[1].agent"),
            ({"seats": ["me", {"engine": "deep"}]}, "body.seats[1].engine"),
            ({"seats": ["me", {"engine": "uct", "options": {"c": "x"}}]}, "body.seats[1].options.c"),
            (
                {"seats": ["me", {"engine": "uct", "budget": {"seconds_per_ply": 60}}]},
                "body.seats[1].budget.seconds_per_ply",
            ),
            ({"seats": [{"level": "easy"}, {"level": "easy"}]}, "body.seats"),
            ({"seats": ["me", "open"], "visibility": "private"}, "body.visibility"),
            ({"options": {"colour": 1}}, "body.options.colour"),
            ({"ply_limit_s": 1}, "body.ply_limit_s"),
            ({"more": 1}, "body.more"),
        ]:
            with subtests.test(change=change, place=place):
                wanted = {"game": "carcassonne", "seats": ["me", {"level": "easy"}], **change}
                response = bot.post("/matches", wanted)
                assert kind(response) == "invalid"
                assert [row["place"] for row in response.json()["errors"]] == [place]
                assert not LiveMatch.objects.exists()

    def test_an_engine_thinks_ten_seconds_at_most(self, bot: Caller) -> None:
        code = bot.open("me", {"engine": "uct", "budget": {"simulations": 10_000_000}})
        budget = match_of(code).seats.get(seat=1).configuration.budget
        assert budget == {"simulations": 10_000_000, "seconds_per_ply": 10.0}

    def test_what_is_no_json_is_a_bad_request(self, bot: Caller) -> None:
        response = bot.client.post("/api/v1/matches", "{", "application/json")
        assert (response.status_code, kind(response)) == (400, "bad-request")

    def test_a_rated_match_counts_for_the_agent(self, bot: Caller) -> None:
        seats = ["me", {"level": "easy"}]
        assert kind(bot.post("/matches", {"game": "carcassonne", "seats": seats, "rated": True})) == "refused"
        code = bot.open(*seats, rated=True, ply_limit_s=600)
        assert bot.ask(f"/matches/{code}")["is_rated"] is True
        bot.tell(f"/matches/{code}/wishes/resign")
        rating = Rating.objects.get()
        assert (rating.agent, rating.losses) == (match_of(code).seats.get(seat=0).agent, 1)


class TestLists:
    def test_mine_open_and_public(self, bot: Caller, rival: Caller, code: str) -> None:
        waiting, private = rival.open("me", "open"), rival.open("me", {"level": "easy"})
        watched = rival.open("me", {"level": "easy"}, visibility="public")

        def codes(caller: Caller, which: str) -> set[str]:
            return {row["code"] for row in caller.ask(f"/matches?which={which}")["matches"]}

        assert codes(bot, "mine") == {code}
        assert codes(rival, "mine") == {code, waiting, private, watched}
        assert (codes(bot, "open"), codes(rival, "open")) == ({waiting}, set())
        assert codes(bot, "public") == {code, watched}

    def test_pages_follow_each_other(self, bot: Caller) -> None:
        codes = [bot.open("me", "open") for _ in range(5)]
        first = bot.ask("/matches?limit=2")
        second = bot.ask(f"/matches?limit=2&offset={first['next']}")
        third = bot.ask(f"/matches?limit=2&offset={second['next']}")
        assert third["next"] is None
        found = [row["code"] for page in (first, second, third) for row in page["matches"]]
        assert found == codes[::-1]

    def test_turns_tell_where_to_act(self, bot: Caller, rival: Caller, code: str) -> None:
        found = bot.ask("/turns")
        assert [(row["code"], row["ply"], row["seat"]) for row in found["turns"]] == [(code, 0, 0)]
        assert rival.ask("/turns") == {"turns": [], "unfinished": 1}

    def test_me(self, bot: Caller, code: str) -> None:
        found = bot.ask("/me")
        assert (found["agent"], found["owner"], found["unfinished"]) == ("alices-bot", "alice", 1)
        assert bot.secret not in json.dumps(found)


class TestActing:
    @pytest.mark.parametrize(
        "body", [{"ply": 0, "action": True}, {"ply": False, "action": 1}, {"ply": 0, "action": "1"}]
    )
    def test_a_number_is_a_number(self, bot: Caller, code: str, body: Any) -> None:
        assert kind(bot.post(f"/matches/{code}/actions", body)) == "invalid"

    def test_by_id_and_by_notation(self, bot: Caller, rival: Caller, code: str) -> None:
        state = bot.ask(f"/matches/{code}")
        assert state["your_turn"]
        played = bot.tell(f"/matches/{code}/actions", first_action(state))
        assert (played["ply"], played["seat"], played["notation"]) == (0, 0, state["actions"][0]["notation"])
        state = rival.ask(f"/matches/{code}")
        assert state["last"]["action"] == played["action"]
        notation = state["actions"][-1]["notation"]
        played = rival.tell(f"/matches/{code}/actions", {"ply": 1, "notation": notation})
        assert played["action"] == state["actions"][-1]["id"]

    def test_the_parts_spell_every_action(self, bot: Caller, code: str) -> None:
        actions = bot.ask(f"/matches/{code}")["actions"]
        steps = [step["name"] for step in bot.ask("/games/carcassonne")["steps"]]
        spelt = [tuple((part["name"], part["value"]) for part in action["parts"]) for action in actions]
        assert len(set(spelt)) == len(actions)
        assert all([name for name, _ in parts] == steps[: len(parts)] for parts in spelt)

    def test_refusals_say_where_the_match_stands(self, bot: Caller, rival: Caller, code: str) -> None:
        body = first_action(bot.ask(f"/matches/{code}"))
        response = rival.post(f"/matches/{code}/actions", body)
        assert kind(response) == "not-your-turn"
        bot.tell(f"/matches/{code}/actions", body)
        response = bot.post(f"/matches/{code}/actions", body)
        assert (response.status_code, kind(response)) == (409, "stale-ply")
        problem, match = response.json(), match_of(code)
        assert (problem["version"], problem["ply"], problem["on_turn"]) == (match.version, 1, 1)
        assert problem["match_status"] == "running"
        assert match.plies.count() == 1

    def test_the_rules_decide(self, bot: Caller, code: str) -> None:
        for wrong in ({"action": 10**12}, {"action": -1}, {"notation": "a1"}, {"notation": ""}):
            response = bot.post(f"/matches/{code}/actions", {"ply": 0, **wrong})
            assert (response.status_code, kind(response)) == (422, "illegal-action")
        for wrong in ({}, {"action": 1, "notation": "a1"}):
            assert kind(bot.post(f"/matches/{code}/actions", {"ply": 0, **wrong})) == "invalid"

    @pytest.mark.long
    def test_a_repeated_key_is_answered_as_the_first_time(self, bot: Caller, rival: Caller, code: str) -> None:
        state = bot.ask(f"/matches/{code}")
        body = first_action(state) | {"key": "first"}
        played = bot.tell(f"/matches/{code}/actions", body)
        theirs = rival.ask(f"/matches/{code}")
        rival.tell(f"/matches/{code}/actions", first_action(theirs) | {"key": "first"})
        assert bot.tell(f"/matches/{code}/actions", body) == played
        by_notation = {"ply": 0, "notation": state["actions"][0]["notation"], "key": "first"}
        assert bot.tell(f"/matches/{code}/actions", by_notation) == played
        response = bot.post(f"/matches/{code}/actions", body | {"action": state["actions"][1]["id"]})
        assert kind(response) == "key-reused"
        assert match_of(code).plies.count() == 2

    def test_an_agent_on_both_seats_plays_against_itself(self, bot: Caller) -> None:
        code = bot.open("me", "me")
        for seat in (0, 1, 0):
            state = bot.ask(f"/matches/{code}")
            assert state["your_seats"] == [0, 1]
            assert bot.tell(f"/matches/{code}/actions", first_action(state))["seat"] == seat

    def test_engines_answer(self, bot: Caller) -> None:
        code = bot.open("me", {"level": "easy"})
        bot.tell(f"/matches/{code}/actions", first_action(bot.ask(f"/matches/{code}")))
        answering.answer(match_of(code))
        state = bot.ask(f"/matches/{code}")
        assert (state["ply"], state["your_turn"], state["last"]["played_by"]) == (2, True, "engine")

    def test_a_spectator_looks_and_does_not_act(self, bot: Caller, alice: Any, bob: Any) -> None:
        seats = [tables.person(alice), tables.person(bob)]
        match = tables.open_match(alice, seats, Terms(visibility="public", spectator_delay=2))
        tables.play_on(match, 5)
        state = bot.ask(f"/matches/{match.code}")
        assert (state["ply"], state["latest"], state["your_seats"], state["actions"]) == (3, 3, [], [])
        refused = bot.post(f"/matches/{match.code}/actions", {"ply": 5, "action": 0})
        assert (kind(refused), refused.json()["ply"], refused.json()["on_turn"]) == ("not-your-turn", 3, None)
        assert bot.ask("/matches?which=public")["matches"][0]["ply"] == 3


class TestLooking:
    def test_past_positions_are_as_they_were(self, bot: Caller, code: str) -> None:
        before = bot.ask(f"/matches/{code}")
        tables.play_on(match_of(code), 4)
        past, now = bot.ask(f"/matches/{code}?ply=0"), bot.ask(f"/matches/{code}")
        assert past["observation"] == before["observation"]
        assert (past["actions"], past["latest"], now["ply"]) == ([], 4, 4)
        response = bot.get(f"/matches/{code}?ply=5")
        assert (kind(response), response.json()["errors"][0]["place"]) == ("invalid", "query.ply")
        assert kind(bot.get(f"/matches/{code}?ply=-1")) == "invalid"

    def test_what_is_private_looks_like_nothing(self, bot: Caller, rival: Caller) -> None:
        private = bot.open("me", {"level": "easy"})
        answers = []
        for code in (private, "nosuchcode", "NO%00PE", "a" * 300):
            answers.append(rival.get(f"/matches/{code}"))
            answers.append(rival.get(f"/matches/{code}/trace"))
            answers.append(rival.post(f"/matches/{code}/actions", {"ply": 0, "action": 1}))
            answers.append(rival.post(f"/matches/{code}/wishes/resign"))
        assert {kind(answer) for answer in answers} == {"not-found"}
        assert len({answer.content for answer in answers}) == 1

    def test_clocks_run_per_seat(self, bot: Caller, rival: Caller) -> None:
        code = bot.open("me", "open", clock_s=600, ply_limit_s=60)
        rival.tell(f"/matches/{code}/join")
        LiveMatch.objects.filter(code=code).update(turn_began_at="2026-01-01T00:00Z")
        state = bot.ask(f"/matches/{code}")
        assert [seat["left_s"] for seat in state["seats"]] == [600, 600]
        assert (state["clock_s"], state["ply_limit_s"]) == (600, 60)
        assert state["waited_s"] > 600

    @pytest.mark.long
    def test_a_match_in_full(self, bot: Caller, rival: Caller, code: str) -> None:
        committed = bot.ask(f"/matches/{code}")["commitment"]
        assert kind(bot.get(f"/matches/{code}/trace")) == "match-not-over"
        tables.play_on(match_of(code))
        state = bot.ask(f"/matches/{code}")
        assert (state["status"], state["ply"]) == ("finished", 71)
        assert sorted(row["rank"] for row in state["result"]) in ([1, 2], [1, 1])
        assert [row["score"] for row in state["result"]] == [seat["score"] for seat in state["seats"]]
        opened = f"{state['salt']}:{state['deal_seed']}"
        assert hashlib.sha256(opened.encode()).hexdigest() == committed
        trace = bot.ask(f"/matches/{code}/trace")
        assert game_registry.get("carcassonne").replay_trace(trace) == (71, None)
        assert kind(bot.post(f"/matches/{code}/actions", {"ply": 71, "action": 1})) == "match-not-running"
        assert bot.ask("/turns") == {"turns": [], "unfinished": 0}


class TestWishes:
    def test_resigning_ends_the_match(self, bot: Caller, rival: Caller, code: str) -> None:
        assert bot.tell(f"/matches/{code}/wishes/resign")["status"] == "ended"
        state = rival.ask(f"/matches/{code}")
        assert (state["ending"]["kind"], state["ending"]["seat"]) == ("resigned", 0)
        assert kind(bot.post(f"/matches/{code}/wishes/resign")) == "match-not-running"

    def test_an_offer_is_seen_and_taken(self, bot: Caller, rival: Caller, code: str) -> None:
        bot.tell(f"/matches/{code}/wishes/offer-end")
        assert rival.ask(f"/matches/{code}")["offers"] == [0]
        assert rival.tell(f"/matches/{code}/wishes/offer-end")["status"] == "ended"

    def test_against_engines_alone_nobody_can_agree(self, bot: Caller) -> None:
        code = bot.open("me", {"level": "beginner"})
        response = bot.post(f"/matches/{code}/wishes/offer-end")
        assert (kind(response), response.json()["ply"]) == ("refused", 0)
        assert bot.ask(f"/matches/{code}")["status"] == "running"

    def test_what_cannot_be_is_refused_with_a_sentence(self, bot: Caller, code: str) -> None:
        response = bot.post(f"/matches/{code}/wishes/take-back")
        assert (response.status_code, kind(response)) == (409, "refused")
        assert kind(bot.post(f"/matches/{code}/wishes/win")) == "invalid"

    def test_a_rematch_is_another_match(self, bot: Caller, rival: Caller, code: str) -> None:
        bot.tell(f"/matches/{code}/wishes/resign")
        again = bot.tell(f"/matches/{code}/wishes/rematch")
        assert again["code"] != code
        assert rival.tell(f"/matches/{code}/wishes/rematch")["code"] == again["code"]

    def test_an_open_match_is_cancelled_by_its_owner_alone(self, bot: Caller, rival: Caller) -> None:
        code = bot.open("me", "open")
        assert kind(rival.post(f"/matches/{code}/wishes/cancel")) == "refused"
        assert bot.tell(f"/matches/{code}/wishes/cancel")["status"] == "cancelled"
        assert kind(rival.post(f"/matches/{code}/join")) == "refused"

    def test_an_agent_has_no_part_in_what_its_owner_set_up_without_it(self, bot: Caller, alice: Any) -> None:
        seats = [tables.person(alice), SeatPlan(name=ANYBODY)]
        match = tables.open_match(alice, seats, Terms(visibility=LiveMatch.Visibility.PRIVATE))
        assert bot.get(f"/matches/{match.code}").status_code == 404
        LiveMatch.objects.filter(pk=match.pk).update(visibility=LiveMatch.Visibility.PUBLIC)
        assert kind(bot.post(f"/matches/{match.code}/wishes/cancel")) == "refused"
        assert match_of(match.code).status == LiveMatch.Status.OPEN

    def test_a_replaced_agent_may_look_but_not_act(self, bot: Caller, rival: Caller) -> None:
        code = bot.open("me", "open", {"level": "easy"})
        rival.tell(f"/matches/{code}/join")
        bot.tell(f"/matches/{code}/wishes/resign")
        state = bot.ask(f"/matches/{code}")
        assert (state["status"], state["your_turn"], state["actions"]) == ("running", False, [])
        assert state["seats"][0]["replaced"]
        assert kind(bot.post(f"/matches/{code}/actions", {"ply": 0, "action": 1})) == "not-your-turn"
        assert bot.ask("/turns") == {"turns": [], "unfinished": 0}
