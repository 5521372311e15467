"""Pages of strategies without a browser: forms as they are posted, files, who may see what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games import readiness, registry
from games.dominion.strategies import encoding, trial
from tests.webapp.pages import markup
from webapp.common import limits
from webapp.table.strategies import services, trials
from webapp.table.strategies.models import Strategy

pytestmark = pytest.mark.django_db
GAME: Any = registry.get("dominion")
EXAMPLES = GAME.strategies.examples
OWN = GAME.strategies.check({"version": 1, "name": "Own", "buy": [{"card": "Gold"}, {"card": "Silver"}]})


@pytest.fixture
def mine(alice: Any) -> Strategy:
    return services.create(alice, OWN)


@pytest.fixture
def signed_in(client: Client, alice: Any) -> Client:
    client.force_login(alice)
    return client


def posted(data: Any, **changes: str) -> dict[str, str]:
    """A strategy as the editor posts it."""
    made = {"name": data["name"], "about": data["about"]}
    for name in ("buy", "play", "trash"):
        made[name] = str(len(data[name]))
        for i, rule in enumerate(data[name]):
            made |= {f"{name}-{i}": str(len(rule["when"])), f"{name}-{i}-card": rule["card"]}
            for k, condition in enumerate(rule["when"]):
                made |= {f"{name}-{i}-{k}-{key}": str(value) for key, value in condition.items()}
    return made | changes


def test_a_copy_begins_in_a_kingdom_that_has_its_cards(client: Client, subtests: pytest.Subtests) -> None:
    for key in list(EXAMPLES):
        with subtests.test(key=key):
            shown = client.get("/strategies/new/", {"example": key}).context
            assert shown["trial_form"].is_valid(), shown["trial_form"].errors
            assert shown["editor"].remarks == []


def test_a_kingdom_for_cards_that_no_named_one_has_is_listed() -> None:
    rows = [{"card": name, "when": []} for name in ("Gardens", "Witch", "Chancellor", "Silver")]
    first = trials.first_kingdom({**OWN, "buy": rows})
    form = trials.TrialForm(first, {}, True)
    assert form.is_valid(), form.errors
    assert (first["trial-kingdom"], len(form.kingdom_cards)) == ("cards", 10)
    assert {"Gardens", "Witch", "Chancellor"} <= set(form.kingdom_cards)


@pytest.mark.parametrize("key", list(EXAMPLES))
def test_every_example_goes_through_the_form_unchanged(signed_in: Client, alice: Any, key: str) -> None:
    answer = signed_in.post("/strategies/new/", posted(EXAMPLES[key]))
    saved = alice.strategies.get()
    assert answer.url == f"/strategies/{saved.pk}/"
    assert saved.data == EXAMPLES[key]
    page = signed_in.get(answer.url).content.decode()
    assert f'value="{EXAMPLES[key]["name"]}"' in page


def test_buttons_change_the_rules_and_save_nothing(client: Client, subtests: pytest.Subtests) -> None:
    for action, cards in [
        ("up:buy:1", ["Silver", "Gold"]),
        ("down:buy:0", ["Silver", "Gold"]),
        ("up:buy:0", ["Gold", "Silver"]),
        ("remove:buy:0", ["Silver"]),
        ("add:buy", ["Gold", "Silver", "Gold"]),
        ("up:buy:9", ["Gold", "Silver"]),
        ("up:buy", ["Gold", "Silver"]),
        ("explode:buy:0", ["Gold", "Silver"]),
        ("up:buy:99999999999999999999", ["Gold", "Silver"]),
    ]:
        with subtests.test(action=action, cards=cards):
            page = client.post("/strategies/new/", posted(OWN, do=action))
            editor = page.context["editor"]
            assert [rule.data["card"] for rule in editor.lists[0].rules] == cards
            assert not Strategy.objects.exists()


def test_conditions_come_and_go(client: Client) -> None:
    editor = client.post("/strategies/new/", posted(OWN, do="when:buy:1")).context["editor"]
    assert len(editor.lists[0].rules[1].conditions) == 1
    assert str(editor.focus) == "buy-1-0-what"
    back = client.post("/strategies/new/", posted(editor.data, do="drop:buy:1:0")).context["editor"]
    assert back.data == {**OWN, "about": ""}


def test_what_is_wrong_is_named_and_not_saved(signed_in: Client) -> None:
    turn = {"what": "turn", "is": ">", "number": 3}
    data = {**OWN, "buy": [{"card": "Gold", "when": [turn]}]}
    wrong = posted(data, name="", **{"buy-0-0-number": "many"})
    page = signed_in.post("/strategies/new/", wrong)
    text = markup(page)
    assert "2 places need a change" in text
    assert '<a href="#buy-0-0-number">Buy rule 1, condition 1</a>: Must be a whole number from 0 to 999' in text
    assert not Strategy.objects.exists()
    assert "2 places to change" in signed_in.post("/strategies/check/", wrong).content.decode()
    empty = signed_in.post("/strategies/new/", {"name": "x", "buy": "0", "do": "save"})
    assert "Must have at least one rule" in empty.content.decode()


def test_a_remark_stands_at_its_rule(client: Client) -> None:
    data = {**OWN, "buy": [{"card": "Silver", "when": []}, {"card": "Gold", "when": []}]}
    page = client.post("/strategies/check/", posted(data)).content.decode()
    assert "Is reached only when the pile of Silver is empty" in page
    moat = {**OWN, "buy": [{"card": "Moat", "when": []}]}
    assert "Moat is not in this kingdom" in client.post("/strategies/check/", posted(moat)).content.decode()
    listed = posted(moat, **{"trial-kingdom": "cards", "trial-cards": "Moat"})
    assert "not in this kingdom" not in client.post("/strategies/check/", listed).content.decode()


def test_a_trial_shows_who_wins_and_why(client: Client) -> None:
    encoding.kernels(GAME)  # compiled by now
    first = client.post("/strategies/check/", posted(EXAMPLES["single_witch"], tried="yes"))
    result = first.context["result"]
    assert result.trial.total.matches == 200
    page = markup(first)
    assert f"{result.rate}</strong> won against Double Witch" in page
    assert 'id="trial-figure"' in page
    again = client.post("/strategies/check/", posted(EXAMPLES["single_witch"], tried="yes")).context["result"]
    assert again.trial == result.trial
    none = posted(OWN, tried="yes", **{"trial-kingdom": "cards", "trial-cards": ""})
    assert "Cannot stay empty here." in client.post("/strategies/check/", none).content.decode()
    bad = posted(OWN, tried="yes", **{"trial-kingdom": "cards", "trial-cards": "Chess"})
    answer = client.post("/strategies/check/", bad)
    assert "result" not in answer.context
    assert "kingdom cards separated by commas" in answer.content.decode()
    gone = client.post("/strategies/check/", posted(OWN, tried="yes", **{"trial-against": "mine:77"}))
    assert gone.status_code == 200


def test_who_comes_before_all_is_compiled_is_told_so(
    client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LAB_KERNELS", str(tmp_path))
    monkeypatch.setattr(readiness, "_leaves_compiling", True)
    monkeypatch.setattr(readiness, "is_cold", lambda module: True)
    page = client.post("/strategies/check/", posted(OWN, tried="yes"))
    assert "getting ready" in page.content.decode()
    assert ("dominion", "strategy") in readiness.pending_requests()
    assert not list(tmp_path.glob("*/compiled"))


@pytest.mark.long
def test_trials_are_few_without_an_account_and_so_many_a_minute(
    client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoding.kernels(GAME)  # compiled by now
    many = posted(OWN, tried="yes", **{"trial-matches": "2000"})
    assert client.post("/strategies/check/", many).context["result"].trial.total.matches == 200
    client.force_login(alice)
    assert client.post("/strategies/check/", many).context["result"].trial.total.matches == 2000
    monkeypatch.setattr(trials, "TRIALS", limits.Limit("address", 0, "trials of a test"))
    assert "At most 0 trials of a test a minute" in client.post("/strategies/check/", many).content.decode()


def test_the_pair_of_matches_of_equal_luck_is_the_unit() -> None:
    count = trial.Count(100, 0, 100)
    alike, apart = (
        trials._interval(trial.Trial((count, count), pairs, (0, 0), 20, (), {}, 0, {}))
        for pairs in ((100, 0, 100), (50, 100, 50))
    )
    # pairs that are won or lost whole are worth half of their matches; independent matches all of them
    assert alike.high - alike.low == pytest.approx((apart.high - apart.low) * 2**0.5, rel=0.02)


def test_only_the_owner_sees_and_changes_a_strategy(client: Client, mine: Strategy, bob: Any) -> None:
    addresses = [f"/strategies/{mine.pk}/", f"/strategies/{mine.pk}/json/", f"/strategies/{mine.pk}/delete/"]
    for _ in ("a stranger", "somebody else"):
        for address in addresses:
            assert client.get(address).status_code == 404
            assert client.post(address).status_code in (404, 405)
        assert client.get(f"/strategies/new/?copy={mine.pk}").status_code == 404
        client.force_login(bob)
    assert Strategy.objects.get().data == OWN


def test_a_strategy_is_changed_copied_and_deleted(signed_in: Client, mine: Strategy) -> None:
    assert "Own, mine" in signed_in.get(f"/strategies/new/?copy={mine.pk}").content.decode()
    signed_in.post(f"/strategies/{mine.pk}/", posted(OWN, name="Better"))
    mine.refresh_from_db()
    assert (mine.name, mine.data["name"]) == ("Better", "Better")
    assert "Better" in signed_in.get("/strategies/").content.decode()
    assert "Delete “Better”?" in signed_in.get(f"/strategies/{mine.pk}/delete/").content.decode()
    assert signed_in.post(f"/strategies/{mine.pk}/delete/").url == "/strategies/"
    assert not Strategy.objects.exists()


def test_what_is_exported_can_be_imported(signed_in: Client, mine: Strategy) -> None:
    answer = signed_in.get(f"/strategies/{mine.pk}/json/")
    assert answer["Content-Disposition"] == 'attachment; filename="own.json"'
    assert json.loads(answer.content) == OWN
    now = signed_in.post("/strategies/new/", posted(OWN, name="Now", do="export"))
    assert json.loads(now.content)["name"] == "Now"
    assert signed_in.get("/strategies/examples/double_witch/json/").status_code == 200
    assert signed_in.get("/strategies/examples/chess/json/").status_code == 404
    for sent in ({"pasted": answer.content.decode()}, {"file": SimpleUploadedFile("own.json", answer.content)}):
        page = signed_in.post("/strategies/import/", sent)
        assert page.context["editor"].checked == OWN
        assert 'action="/strategies/new/"' in page.content.decode()
    assert Strategy.objects.count() == 1


def test_a_bad_file_says_what_is_wrong(client: Client, subtests: pytest.Subtests) -> None:
    for text, problem in [
        ("", "This is not JSON: line 1"),
        ("[" * 100_000, "nested too deeply"),
        ('{"version": 1, "name": "x", "buy": [{"card": "Platinum"}]}', "buy[0].card: must be a card"),
        ("[]", "A strategy must be an object"),
        ('{"version": ' + "9" * 5000 + "}", "too many digits"),
        ('{"version": 1, "name": "\\ud800", "buy": [{"card": "Gold"}]}', "name: must be text"),
    ]:
        with subtests.test(text=text, problem=problem):
            page = client.post("/strategies/import/", {"pasted": text})
            assert problem in page.context["problem"]
            assert page.status_code == 200


def test_a_file_that_is_no_text_is_refused(client: Client) -> None:
    page = client.post("/strategies/import/", {"file": SimpleUploadedFile("x.json", b"\xff\xfe\x00")})
    assert "no text" in page.context["problem"]


def test_what_a_stranger_saves_is_kept_with_the_account(client: Client) -> None:
    answer = client.post("/strategies/new/", posted(OWN))
    assert answer.url == "/sign-up/?next=/strategies/keep/" or "next=/strategies/keep/" in answer.url
    assert not Strategy.objects.exists()
    password = "a long enough one"
    given = {"username": "carol", "password1": password, "password2": password, "email": ""}
    signed_up = client.post(answer.url, {**given, "next": "/strategies/keep/"}, follow=True)
    saved = Strategy.objects.get()
    assert signed_up.redirect_chain[-1][0] == f"/strategies/{saved.pk}/"
    assert (saved.owner.username, saved.data) == ("carol", OWN)
    assert client.get("/strategies/keep/").url == "/strategies/"
    assert Strategy.objects.count() == 1


def test_there_is_a_limit(signed_in: Client, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_STRATEGIES", 1)
    services.create(alice, OWN)
    answer = signed_in.post("/strategies/new/", posted(OWN))
    assert answer.status_code == 200
    assert Strategy.objects.count() == 1


def test_data_of_another_version_can_still_be_opened_and_deleted(signed_in: Client, mine: Strategy) -> None:
    Strategy.objects.filter(pk=mine.pk).update(data={"version": 0, "name": "Old", "game": "dominion"})
    assert signed_in.get("/strategies/").status_code == 200
    assert signed_in.get(f"/strategies/{mine.pk}/").status_code == 200
    assert signed_in.get("/play/new/?game=dominion").status_code == 200


def test_nothing_is_wrong_before_anything_is_typed(client):
    assert "to change" not in client.get("/strategies/new/").content.decode()
    assert "to change" in client.post("/strategies/new/", {"do": "save", "name": ""}).content.decode()
