from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests import counting
from tests.webapp.lab.studies.conftest import fill
from tests.webapp.pages import markup
from webapp.lab.studies import draft, results
from webapp.lab.studies.presentations import registry as presentations
from webapp.records.models import Study, StudyPiece
from worker.spec import SpecError
from worker.studies import registry
from worker.studies.regret import Regret

pytestmark = pytest.mark.django_db
Make = Callable[..., Study]


@pytest.fixture
def owner(alice: Any) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def text(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status
    return markup(response)


def test_the_list_counts_the_pieces_that_are_done(owner: Client, alice: Any, make: Make) -> None:
    make(alice, 1)
    assert "1 of 3" in text(owner, "/studies/")


def test_a_new_study_waits_and_shows_no_result(owner: Client, alice: Any, make: Make) -> None:
    page = text(owner, f"/studies/{make(alice).pk}/")
    assert "Waiting" in page
    assert "No result yet" in page
    assert 'data-poll="2"' in page


def test_a_running_study_shows_what_is_known(owner: Client, alice: Any, make: Make) -> None:
    study = make(alice, 2)
    page = text(owner, f"/studies/{study.pk}/")
    assert "The squares add up to 1." in page
    assert "Squares &amp; sums" in page
    assert f'data-chart-source="/studies/{study.pk}/charts/squares-sums-1.json"' in page
    assert "Small print." in page
    assert "2 of 3 pieces" in page
    assert page.count('<th scope="row"><span class="phone-only">Piece') == 2


def test_a_finished_study_is_no_longer_asked_for(owner: Client, alice: Any, make: Make) -> None:
    page = text(owner, f"/studies/{make(alice, -1).pk}/")
    assert "data-poll" not in page.partition("<main")[2]  # the bell of each page asks on
    assert "The squares add up to 5." in page


def test_another_state_reloads_the_live_page(owner: Client, alice: Any, make: Make) -> None:
    study = make(alice, 1)
    address = f"/studies/{study.pk}/live/?state=running"
    assert "HX-Refresh" not in owner.get(address).headers
    fill(study, 3)
    assert owner.get(address).headers["HX-Refresh"] == "true"


def test_failed_pieces_are_told(owner: Client, alice: Any, make: Make) -> None:
    study = make(alice, -1, raises_at=1)
    assert "1 piece failed." in text(owner, f"/studies/{study.pk}/")
    page = text(owner, f"/studies/{study.pk}/rows/?only=failed")
    assert "ZeroDivisionError: a kind&#x27;s fault" in page
    assert page.count('<span class="phone-only">Piece') == 1
    sound = make(alice, -1)
    assert "No piece has failed" in text(owner, f"/studies/{sound.pk}/rows/?only=failed")


def test_a_chart_that_lags_behind_never_passes_for_the_newest(
    owner: Client, alice: Any, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make(alice, 1)
    address = f"/studies/{study.pk}/charts/squares-sums-1.json"
    monkeypatch.setattr(results, "SLOW_S", -1.0)
    monkeypatch.setattr(results, "PATIENCE", 1e9)
    assert owner.get(address).json()["data"][0]["y"] == [0]
    fill(study, 2)
    lagging = owner.get(address)
    assert lagging.json()["data"][0]["y"] == [0]
    asked = {"If-None-Match": lagging.headers["ETag"]}
    assert owner.get(address, headers=asked).status_code == 304
    monkeypatch.setattr(results, "PATIENCE", 0.0)
    assert owner.get(address, headers=asked).json()["data"][0]["y"] == [0, 1]


def test_the_chart_has_an_address_and_a_page(owner: Client, alice: Any, make: Make) -> None:
    base = f"/studies/{make(alice, -1).pk}/charts/"
    response = owner.get(f"{base}squares-sums-1.json")
    figure = response.json()
    assert (figure["title"], figure["live"], figure["data"][0]["y"]) == ("Squares", False, [0, 1, 4])
    again = owner.get(f"{base}squares-sums-1.json", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304
    assert "Each number times itself" in text(owner, f"{base}squares-sums-1/")
    assert owner.get(f"{base}nothing.json").status_code == 404
    assert owner.get(f"{base}nothing/").status_code == 404


def test_rows_come_in_pages_with_their_plain_fields(owner: Client, alice: Any, make: Make) -> None:
    study = make(alice, 60, pieces=60)
    StudyPiece.objects.filter(index=0).update(row={"number": 3.5e40, "square": 1, "list": [1], "num_legal": 9})
    assert "The first 10 of 60 rows" in text(owner, f"/studies/{study.pk}/")
    page = text(owner, f"/studies/{study.pk}/rows/")
    assert "1 to 50 of 60 rows" in page
    assert "3.5·10⁴⁰" in page
    assert '<th scope="col" class="num">Legal</th>' in page
    assert "List" not in page
    assert "3\u202f481" in text(owner, f"/studies/{study.pk}/rows/?page=2")


def test_settings_name_kind_parameters_and_versions(owner: Client, alice: Any, make: Make) -> None:
    page = text(owner, f"/studies/{make(alice, -1).pk}/settings/")
    assert "<dt>Pieces</dt><dd>3</dd>" in page
    assert "counting 4" in page
    assert "python -m worker study spec.json" in page


def test_files(owner: Client, alice: Any, make: Make) -> None:
    study = make(alice, -1)
    assert owner.get(f"/studies/{study.pk}/spec.json").json() == study.spec
    assert owner.get(f"/studies/{study.pk}/result.json").json()["result"] == {"sum": 5, "numbers": 3}
    assert owner.get(f"/studies/{study.pk}/export/rows.xlsx").status_code == 404


def test_a_kind_that_is_gone_still_shows_its_rows(
    owner: Client, alice: Any, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make(alice, -1)
    monkeypatch.delitem(registry.STUDIES, "counting")
    page = text(owner, f"/studies/{study.pk}/")
    assert "cannot read it any more" in page
    assert "Run again" not in page
    assert "Square" in page
    assert text(owner, f"/studies/{study.pk}/settings/")
    assert "counting" in text(owner, "/studies/?tab=finished")
    assert owner.get(f"/studies/{study.pk}/result.json").status_code == 404


def test_a_kind_without_a_module_shows_its_plain_entries(
    owner: Client, alice: Any, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(presentations.PRESENTATIONS, "counting")
    assert '<th scope="row">Sum</th><td class="num">5</td>' in text(owner, f"/studies/{make(alice, -1).pk}/")


# ---- starting


def form(**changes: str) -> dict[str, str]:
    return {**draft.blank_data(counting.Counting()), "kind": "counting", **changes}


def test_kinds_with_options_can_be_set_up(owner: Client) -> None:
    page = text(owner, "/studies/new/")
    assert "?kind=counting" in page
    assert "?kind=position" not in page
    assert "Counting Carcassonne" in re.sub(r"\s*<[^>]+>\s*", " ", page).replace("  ", " ")
    page = text(owner, "/studies/new/?kind=counting")
    assert "How many numbers are squared; 1 to" in page
    assert "Time with" in page
    assert owner.get("/studies/new/?kind=position").status_code == 404
    assert owner.get("/studies/new/?kind=nothing").status_code == 404


def test_a_form_starts_a_study_once(owner: Client) -> None:
    data = form(**{"p-pieces": "5", "seed": "11"})
    addresses = {owner.post("/studies/new/", data).headers["Location"] for _ in range(2)}
    study = Study.objects.get()
    assert addresses == {f"/studies/{study.pk}/"}
    assert (study.title, study.num_pieces, study.spec["seed"]) == ("Counting, Carcassonne", 5, 11)


@pytest.mark.parametrize("changes", [{"p-pieces": "0"}, {"seed": "x"}, {"game": "chess"}, {"p-pieces": "150000"}])
def test_a_bad_form_starts_nothing_and_says_so(owner: Client, changes: dict[str, str]) -> None:
    page = markup(owner.post("/studies/new/", form(**changes)))
    assert "1 place needs a change." in page
    assert not Study.objects.exists()
    estimate = owner.post("/studies/new/estimate/", form(**changes)).content.decode()
    assert "No estimate yet" in estimate


def test_a_large_study_is_asked_about_once_more(owner: Client, settings: Any) -> None:
    settings.LAB_WORKERS = 1
    data = form(**{"p-pieces": "1000", "p-seconds": "100"})
    page = markup(owner.post("/studies/new/", data))
    assert "Nothing has started yet." in page
    key = re.search(r'name="confirmed" id="confirmed" value="([^"]+)"', page)
    assert key is not None
    owner.post("/studies/new/", data | {"confirmed": key[1]})
    assert Study.objects.get().num_pieces == 1000


def test_what_would_take_months_is_refused(owner: Client) -> None:
    data = form(**{"p-pieces": "100000", "p-seconds": "600"})
    page = markup(owner.post("/studies/new/", data))
    key = re.search(r'name="confirmed" id="confirmed" value="([^"]+)"', page)
    assert key is not None
    page = owner.post("/studies/new/", data | {"confirmed": key[1]}).content.decode()
    assert "would take about" in page
    assert not Study.objects.exists()


def test_a_study_is_run_again_from_its_own_form(owner: Client, alice: Any, bob: Any, make: Make) -> None:
    page = text(owner, f"/studies/new/?from={make(alice, pieces=17).pk}")
    assert 'value="17"' in page
    assert owner.get(f"/studies/new/?from={make(bob).pk}").status_code == 404


def test_with_another_game_the_form_begins_with_what_that_game_has(owner: Client) -> None:
    page = text(owner, "/studies/new/?kind=complexity")
    assert '<option value="star_1" selected>' in page
    changed = {
        **draft.blank_data(registry.get("complexity")),
        "kind": "complexity",
        "game": "kingdomino",
        "do": "update",
    }
    page = owner.post("/studies/new/", changed).content.decode()
    assert '<option value="usual" selected>' in page
    assert "Star2.5" not in page
    assert "must be" not in page


def test_regret_is_judged_by_a_policy_of_the_game_at_hand(owner: Client) -> None:
    kind = registry.get("regret")
    assert isinstance(kind, Regret)
    blank = {**draft.blank_data(kind), "kind": "regret", "game": "dominion", "p-policy": "learned"}
    made = draft.Draft(kind, blank)
    assert made.spec is not None
    assert made.spec.parameters["policy"] == "learned"
    again = draft.from_spec(made.spec, "")
    assert again["p-policy"] == "learned"
    page = owner.post("/studies/new/", {**blank, "do": "update"}).content.decode()
    assert re.search(r'<option value="learned"\s+selected', page)
    page = owner.post("/studies/new/", {**blank, "game": "kingdomino", "do": "update"}).content.decode()
    assert re.search(r'<option value=""\s+selected', page), "no policy of another game"
    unasked = draft.Draft(kind, {**blank, "p-policy": ""}).spec
    assert unasked is not None
    assert "policy" not in unasked.parameters


def test_the_json_of_a_shown_study_is_valid(owner: Client, alice: Any, make: Make) -> None:
    page = text(owner, f"/studies/{make(alice).pk}/settings/")
    shown = re.search(r'<pre id="spec">(.*?)</pre>', page)
    assert shown is not None
    assert json.loads(shown[1].replace("&quot;", '"'))["study"] == "counting"


def test_a_kind_says_itself_what_its_form_would_ask(
    owner: Client, alice: Any, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make(alice, pieces=2)
    monkeypatch.setattr(counting.Counting, "to_form", lambda self, game, values: {"pieces": 41}, raising=False)
    assert 'value="41"' in text(owner, f"/studies/new/?from={study.pk}")

    def refuse(self: Any, game: Any, values: Any) -> None:
        raise SpecError((), "too special")

    monkeypatch.setattr(counting.Counting, "to_form", refuse)
    assert "too special" in text(owner, f"/studies/new/?from={study.pk}")
    assert "Run again" not in text(owner, f"/studies/{study.pk}/")
