"""New match: the form, who may sit where, one match for each form."""

from __future__ import annotations

import re
import uuid
from collections import Counter
from typing import Any

import pytest

from webapp.people.accounts.models import User
from webapp.people.agents.models import Agent
from webapp.play import draft, level_cards
from webapp.play.builder import MatchBuilder
from webapp.table.live import match_limits, match_setup, player_requests
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import ANYBODY, INVITED, SeatPlan, Terms
from worker.spec import SpecError

pytestmark = pytest.mark.django_db


def form(*kinds: str, **changes: str) -> dict[str, str]:
    """A new match of Carcassonne as a browser posts it; kinds: who sits at each seat."""
    data = {
        "game": "carcassonne",
        "rules-for": "carcassonne",
        "rules-unplaceable": "return",
        "rules-two_tile_city": "full",
        "seats": str(len(kinds)),
        "submission": str(uuid.uuid4()),
        "visibility": "private",
        "thinking_s": "1",
        "has_aids": "on",
        "absence": "replace",
        "spectator_delay": "0",
    }
    for seat, kind in enumerate(kinds):
        data |= {f"seat-{seat}-who": kind, f"seat-{seat}-who-for": kind}
        if kind == "level":
            data[f"seat-{seat}-level"] = "easy"
    return data | {key.replace("__", "-"): value for key, value in changes.items()}


def own_engine(seat: int, engine: str, **fields: str) -> dict[str, str]:
    """The fields of a configuration of one's own."""
    prefix = f"seat-{seat}"
    return {f"{prefix}-engine": engine, f"{prefix}-for": engine} | {f"{prefix}-{k}": v for k, v in fields.items()}


def seats(match: LiveMatch) -> list[tuple[str, str]]:
    return [(row.kind, row.name) for row in match.seats.order_by("seat")]


def test_a_rated_match_has_levels_as_measured_and_a_time_limit(client, alice):
    client.force_login(alice)
    client.post("/play/new/", form("me", "level", counts="rated", thinking_s="9") | {"seat-1-level": "master"})
    match = LiveMatch.objects.get()
    measured = level_cards.engine_levels.get("carcassonne", "master").budget
    assert match.is_rated
    assert match.seats.get(seat=1).configuration.budget == measured
    assert match.ply_limit_s == int(draft.RATED_PLY_LIMIT_S)


@pytest.mark.parametrize(
    ("kinds", "changes", "words"),
    [(("me", "me"), {}, "one seat"), (("me", "level"), {"rules-two_tile_city": "half"}, "just as they are")],
)
def test_what_cannot_be_rated_is_said_before_anything_opens(client, alice, kinds, changes, words):
    client.force_login(alice)
    page = client.post("/play/new/", form(*kinds, counts="rated") | changes).content.decode()
    assert words in page
    assert not LiveMatch.objects.exists()


def test_an_own_setting_is_not_exchanged_for_a_level_by_a_wish_to_be_rated(client, alice):
    client.force_login(alice)
    asked = form("me", "engine", counts="rated") | own_engine(1, "random")
    shown = client.post("/play/new/", asked | {"do": "update"})
    builder = shown.context["builder"]
    assert [seat.kind for seat in builder.seats] == ["me", "engine"]
    assert (builder.is_rated, builder.problems()) == (False, [])
    assert "no known rating" in shown.content.decode()
    assert [button.data["attrs"].get("disabled") for button, _, _ in builder.counts] == [None, True]
    assert "cannot be rated" in client.post("/play/new/", asked).content.decode()
    assert not LiveMatch.objects.exists()


def test_nothing_of_a_guest_is_rated(client):
    client.post("/play/new/", form("me", "level", counts="rated"))
    assert not LiveMatch.objects.get().is_rated


def test_a_form_as_it_is_first_shown_opens_a_match(client, alice):
    client.force_login(alice)
    shown = client.get("/play/new/").context["builder"]
    response = client.post("/play/new/", shown.data)
    match = LiveMatch.objects.get()
    assert response["Location"] == f"/play/{match.code}/"
    assert (match.status, match.visibility, match.has_aids, match.creator) == ("running", "private", True, alice)
    assert seats(match) == [("person", "alice"), ("engine", "Easy")]


@pytest.mark.parametrize(("game", "num_others"), [("kingdomino", 1), ("dominion", 1), ("dominoes", 3)])
@pytest.mark.parametrize("has_levels", [True, False])
def test_a_fresh_form_of_a_game_opens_a_match_against_engines(client, alice, monkeypatch, game, num_others, has_levels):
    if not has_levels:
        monkeypatch.setattr(level_cards.engine_levels, "for_game", lambda game_id: ())
    client.force_login(alice)
    shown = client.get("/play/new/", {"game": game}).context["builder"]
    response = client.post("/play/new/", shown.data)
    match = LiveMatch.objects.get()
    assert (response["Location"], match.game) == (f"/play/{match.code}/", game)
    assert [row.kind for row in match.seats.order_by("seat")] == ["person", *["engine"] * num_others]
    assert all(bool(row.level) == has_levels for row in match.seats.filter(kind="engine"))


def test_a_table_for_one_is_laid_where_it_is_asked_for(client, alice):
    client.force_login(alice)
    shown = client.get("/play/new/", {"game": "dominion", "seats": "1"}).context["builder"]
    client.post("/play/new/", shown.data)
    assert seats(LiveMatch.objects.get()) == [("person", "alice")]


def test_what_was_chosen_is_what_is_opened(client, alice):
    client.force_login(alice)
    changes = {"visibility": "public", "spectator_delay": "3", "ply_limit_s": "3600", "clock_s": "1200"}
    data = form("level", "me", "invite", "anybody", **changes, absence="forfeit", **{"rules-two_tile_city": "half"})
    del data["has_aids"]
    client.post("/play/new/", data)
    match = LiveMatch.objects.get()
    assert seats(match) == [
        ("engine", "Easy"),
        ("person", "alice"),
        ("open", INVITED),
        ("open", ANYBODY),
    ]
    assert (match.status, match.has_aids, match.spectator_delay, match.replaces_absent) == ("open", False, 3, False)
    assert (match.ply_limit_s, match.clock_s, match.options["two_tile_city"]) == (3600, 1200.0, "half")


def test_limits_are_for_matches_with_others_only(client, alice):
    client.force_login(alice)
    client.post("/play/new/", form("me", "level", ply_limit_s="120", clock_s="300", spectator_delay="5"))
    match = LiveMatch.objects.get()
    assert (match.ply_limit_s, match.clock_s, match.spectator_delay) == (None, None, 0)


@pytest.mark.parametrize(("asked", "given"), [("0.2", 0.2), ("10", 10.0)])
def test_a_level_with_a_clock_thinks_as_long_as_said(client, alice, asked, given):
    client.force_login(alice)
    client.post("/play/new/", form("me", "level", thinking_s=asked, **{"seat-1-level": "learned_search"}))
    row = LiveMatch.objects.get().seats.get(seat=1)
    assert (row.level, row.configuration.budget) == ("learned_search", {"seconds_per_ply": given})


def test_a_level_without_a_clock_stays_as_it_was_measured(client, alice):
    client.force_login(alice)
    client.post("/play/new/", form("me", "level", thinking_s="5", **{"seat-1-level": "easy"}))
    assert LiveMatch.objects.get().seats.get(seat=1).configuration.budget == {"simulations": 12}


def test_an_engine_of_ones_own_setting_is_held_to_the_thinking_time(client, alice):
    client.force_login(alice)
    fields = {"budget-key": "playouts", "budget-amount": "100000"}
    for option, value in {"policy": "random", "utility": "win", "allocation": "equal"}.items():
        fields[f"option-{option}"] = value
    shown = client.post("/play/new/", form("me", "engine", do="update")).context["builder"].data
    client.post("/play/new/", shown | {"seat-1-budget-key": "playouts", "seat-1-budget-amount": "100000"})
    row = LiveMatch.objects.get().seats.get(seat=1)
    assert row.configuration.budget == {"playouts": 100000, "seconds_per_ply": 1.0}
    assert row.level == ""
    assert row.name.startswith("Flat Monte Carlo")


def test_errors_stand_at_their_fields_and_nothing_opens(client, alice):
    client.force_login(alice)
    shown = client.post("/play/new/", form("me", "engine", do="update")).context["builder"].data
    wrong = shown | {"thinking_s": "11", "seat-1-budget-amount": "x"}
    response = client.post("/play/new/", wrong)
    text = response.content.decode()
    assert 'id="id_thinking_s_error"' in text
    assert 'id="id_seat-1-budget-amount_error"' in text
    assert re.search(r'href="#id_thinking_s"', text)
    assert not LiveMatch.objects.exists()


@pytest.mark.parametrize(
    ("kinds", "words"), [(("level", "level"), "Only engines sit here"), (("me", "anybody"), "make the match public")]
)
def test_what_no_single_field_can_see_is_said(client, alice, kinds, words):
    client.force_login(alice)
    assert words in client.post("/play/new/", form(*kinds)).content.decode()
    assert not LiveMatch.objects.exists()


def test_a_seat_opened_to_anybody_makes_the_form_public_until_none_is(alice):
    opened = MatchBuilder(form("me", "anybody", visibility="unlisted") | {"seat-1-who-for": "level"}, alice)
    assert (opened.data["visibility"], opened.kept_visibility) == ("public", "unlisted")
    closed = [button.data["value"] for button, _, words in opened.visibilities if "open to anybody" in words]
    assert closed == ["private", "unlisted"]
    again = MatchBuilder({**opened.data, "seat-1-who": "level"}, alice)
    assert (again.data["visibility"], again.kept_visibility) == ("unlisted", "")


def test_a_changed_seat_shows_its_fields_before_anything_opens(client, alice):
    client.force_login(alice)
    response = client.post("/play/new/", form("me", "level") | {"seat-1-who": "engine"})
    assert "Look once more" in response.content.decode()
    assert not LiveMatch.objects.exists()


def test_a_change_of_shape_keeps_what_was_set_and_shows_no_error(client, alice):
    client.force_login(alice)
    data = form("me", "level", thinking_s="many", do="update", **{"seat-1-level": "medium"}) | {"seats": "3"}
    response = client.post("/play/new/", data, headers={"HX-Request": "true"})
    builder = response.context["builder"]
    assert (builder.data["seat-1-level"], builder.data["seat-2-level"]) == ("medium", "easy")
    assert builder.data["thinking_s"] == "many"
    assert "_error" not in response.content.decode()
    assert "<html" not in response.content.decode()


def test_boxes_that_are_not_ticked_stay_so(client, alice):
    client.force_login(alice)
    data = form("me", "level", do="update")
    del data["has_aids"]
    assert "has_aids" not in client.post("/play/new/", data).context["builder"].data


def test_a_double_click_opens_one_match(client, alice):
    client.force_login(alice)
    data = form("me", "level")
    first, second = client.post("/play/new/", data), client.post("/play/new/", data)
    assert first["Location"] == second["Location"]
    assert LiveMatch.objects.count() == 1


def test_a_changed_form_is_another_match(client, alice):
    client.force_login(alice)
    data = form("me", "level")
    client.post("/play/new/", data)
    client.post("/play/new/", data | {"thinking_s": "2"})
    assert LiveMatch.objects.count() == 2


def test_the_same_form_opens_another_match_once_the_first_is_over(client, alice):
    client.force_login(alice)
    data = form("me", "invite")
    client.post("/play/new/", data)
    player_requests.grant("cancel", LiveMatch.objects.get().pk, (), is_creator=True)
    client.post("/play/new/", data)
    assert LiveMatch.objects.count() == 2


@pytest.mark.long
def test_shuffled_seats_are_drawn(client, alice):
    client.force_login(alice)
    for _ in range(20):
        client.post("/play/new/", form("me", "level", shuffle="on"))
    firsts = Counter(match.seats.get(seat=0).kind for match in LiveMatch.objects.all())
    assert set(firsts) == {"person", "engine"}  # all alike once in half a million


def test_ones_agents_can_sit_down_and_those_of_others_cannot(client, alice, bob):
    mine = Agent.objects.create(owner=alice, name="mine")
    theirs = Agent.objects.create(owner=bob, name="theirs")
    client.force_login(alice)
    client.post("/play/new/", form("agent", "level", **{"seat-0-agent": str(theirs.pk)}))
    assert not LiveMatch.objects.exists()
    client.post("/play/new/", form("agent", "level", **{"seat-0-agent": str(mine.pk)}))
    assert LiveMatch.objects.get().seats.get(seat=0).agent == mine


def test_a_retired_agent_is_not_offered(client, alice):
    Agent.objects.create(owner=alice, name="mine", retired_at="2026-01-01T00:00Z")
    client.force_login(alice)
    assert "One of my agents" not in client.get("/play/new/").content.decode()


def test_an_account_has_so_many_matches_at_once(client, alice, monkeypatch):
    monkeypatch.setattr(match_limits, "MAX_LIVE", 1)
    client.force_login(alice)
    client.post("/play/new/", form("me", "level"))
    assert "Finish or cancel some first" in client.post("/play/new/", form("me", "level")).content.decode()
    assert LiveMatch.objects.count() == 1


# ---- guests


def test_a_guest_opens_a_match_against_an_engine(client):
    response = client.post("/play/new/", form("me", "level"))
    match = LiveMatch.objects.get()
    assert response["Location"] == f"/play/{match.code}/"
    assert match.creator.is_guest
    assert seats(match) == [("person", "Guest"), ("engine", "Easy")]


@pytest.mark.long
@pytest.mark.parametrize("kind", ["invite", "anybody", "agent"])
def test_a_guest_plays_engines_only(client, kind):
    client.post("/play/new/", form("me", kind, visibility="public"))
    assert not LiveMatch.objects.filter(seats__kind__in=["open", "agent"]).exists()
    assert f'value="{kind}"' not in client.get("/play/new/").content.decode()


def test_engines_think_a_second_at_most_for_guests(client):
    text = client.post("/play/new/", form("me", "level", thinking_s="1.1")).content.decode()
    assert 'id="id_thinking_s_error"' in text
    assert not User.objects.exists()


def test_a_guest_has_one_match_at_a_time(client):
    client.post("/play/new/", form("me", "level"))
    match = LiveMatch.objects.get()
    text = client.post("/play/new/", form("me", "level")).content.decode()
    assert "one match at a time" in text
    assert f'href="/play/{match.code}/"' in text
    assert LiveMatch.objects.count() == 1


def test_the_second_click_of_somebody_new_finds_the_match_of_the_first(client, client_of):
    data = form("me", "level")
    first = client.post("/play/new/", data)["Location"]
    again = client_of(None)  # the answer to the first click, and its cookie, never came
    assert again.post("/play/new/", data)["Location"] == first
    assert again.session["guest"] == LiveMatch.objects.get().creator_id
    assert User.objects.count() == 1


@pytest.fixture
def client_of() -> Any:
    from django.test import Client

    def make(user: Any) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return make


# ---- levels


def test_the_standing_of_a_level_has_its_interval_and_what_was_played(monkeypatch):
    """By hand: 2 wins of 8 on four deals, one each on two of them.

    A deal is off by a half from the mean of a half, so the squared error is 4/3 of 4/4 over 8 squared, or 8/9 of
    that of independent matches, 3/128; the success that was not seen adds 1/30 of 1/2, which makes 0.90556. Student's
    3.1824 of 3 degrees for the normal 1.9600 leaves (1.9600 / 3.1824)^2 / 0.90556 of a match, 0.41888: Wilson's
    interval of 3.3510 trials at 1/4, z^2/n 1.1464, has its centre at (0.25 + 0.57319) / 2.1464 and reaches
    1.9600 (0.1875 + 1.1464/4)^(1/2) / 3.3510^(1/2) / 2.1464 to both sides.
    """
    from engines.levels import Level, Measurement

    def level(name: str, measured: Measurement | None, has_clock: bool = False) -> Level:
        budget = {"simulations": 8000} if has_clock else {}
        return Level(name.lower(), name, "", "random", {}, budget, has_clock, measured)

    known = (
        level("Low", Measurement(2, ((0, 0, 1), (0, 1, 1), (1, 0, 2)))),
        level("Mid", None),
        level("High", None, True),
    )
    monkeypatch.setattr(level_cards.engine_levels, "for_game", lambda game_id: known)
    low, mid, high = (card.standing for card in level_cards.cards("carcassonne"))
    assert low == "Against Mid: wins 25.0\u202f% (4.0 to 72.7) of 8 matches on 4 deals, 1 draw, by the paper's rules."
    assert mid == "Against High at 8\u202f000 simulations a ply: not measured yet."
    assert high == ""


def of_kingdomino(*kinds: str, **changes: str) -> dict[str, str]:
    """A new match of Kingdomino as a browser posts it."""
    rules = {"size": "5", "must_place": "on", "middle": "reach", "harmony": "full", "ties": "shared"}
    posted = {key: value for key, value in form(*kinds).items() if not key.startswith("rules-")}
    return (
        posted
        | {"game": "kingdomino", "rules-for": "kingdomino"}
        | {f"rules-{name}": value for name, value in rules.items()}
        | changes
    )


def test_rules_that_do_not_go_with_the_seats_are_refused_at_their_field(client, alice):
    client.force_login(alice)
    duel = {"rules-size": "7"}
    response = client.post("/play/new/", of_kingdomino("me", "invite", "invite") | duel)
    builder = response.context["builder"]
    assert not LiveMatch.objects.exists()
    assert list(builder.rules.errors) == ["size"]
    assert builder.problems()[0].target == builder.rules["size"].id_for_label
    assert "Mighty Duel" in response.content.decode()
    client.post("/play/new/", of_kingdomino("me", "invite") | duel)
    assert LiveMatch.objects.get().options["size"] == "7"


def test_what_other_doors_open_is_checked_too(alice):
    plans = [SeatPlan(name=INVITED)] * 3
    with pytest.raises(SpecError) as caught:
        match_setup.open_match(alice, "kingdomino", {"size": "7"}, plans, Terms())
    assert caught.value.place == "options.size"
    assert not LiveMatch.objects.exists()


@pytest.mark.parametrize("do", ["start", "update"])
def test_a_rule_with_an_error_is_not_told_as_its_default(client, alice, do):
    client.force_login(alice)
    shown = client.post("/play/new/", {"game": "dominoes", "do": "update"}).context["builder"]
    assert ("Target", "200") in [(label.split()[0], value) for label, value in shown.rule_words]
    told = client.post("/play/new/", {**shown.data, "rules-target": "x", "do": do}).context["builder"].rule_words
    assert [label for label, _ in told] == [label for label, _ in shown.rule_words if not label.startswith("Target")]


def test_a_form_and_play_now_begin_with_the_rule_book(client, alice):
    client.force_login(alice)
    page = client.get("/play/new/?game=kingdomino")
    assert page.context["builder"].rules_name == "Rule book"
    assert 'value="full"' not in re.search(r'<select name="rules-middle".*?</select>', page.content.decode(), re.S)[0]
    client.post("/play/now/", {"game": "kingdomino", "level": "easy", "submission": str(uuid.uuid4())})
    opened = LiveMatch.objects.get().options
    assert (opened["middle"], opened["ties"], opened["three_seats"]) == ("book", "official", "48")
    kept = {**page.context["builder"].data, "rules-middle": "full", "do": "update"}
    assert client.post("/play/new/", kept).context["builder"].rules.to_json()["middle"] == "full"


def test_house_rules_fill_in_the_rules_by_name(client, alice):
    client.force_login(alice)
    shown = client.post("/play/new/", {"game": "dominoes", "do": "update"})
    assert shown.context["builder"].rules_name == "Rule book"
    assert "house:Puerto Rico 500" in shown.content.decode()
    asked = {**shown.context["builder"].data, "rules-chuchazo": "7", "do": "house:Puerto Rico 500"}
    data = client.post("/play/new/", asked).context["builder"].data
    assert [data[f"rules-{name}"] for name in ("target", "capicua", "chuchazo", "direction")] == [
        "500",
        "100",
        "100",
        "winners",
    ]
    choices = client.post("/play/new/", {"game": "carcassonne", "do": "house:Paper"}).context["builder"].rule_choices
    assert [(choice.name, choice.is_chosen) for choice in choices[:2]] == [("Rule book", False), ("Paper", True)]
