import re

import pytest
from django.db import connection
from django.http import QueryDict

from tests.webapp.pages import markup
from tests.webapp.specs import RANDOM, SCRIPTED
from webapp.lab.experiments import match_list
from webapp.lab.experiments.match_list import PAGE, SORTS, page

pytestmark = pytest.mark.django_db
ARMS = [{"name": "A", "seats": [SCRIPTED, RANDOM]}, {"name": "B", "seats": [RANDOM, SCRIPTED]}]


@pytest.fixture
def experiment(alice, played):
    return played(alice, failed=3, arms=ARMS, deals=20)


def shown(experiment, query=""):
    return page(experiment, QueryDict(query.lstrip("?")), 80)


def walk(experiment, query):
    """All rows, page by page."""
    rows, pages = [], 0
    while True:
        found = shown(experiment, query)
        rows += found.rows
        pages += 1
        if not found.older:
            return rows, pages
        query = found.older


@pytest.mark.long
def test_pages_hold_every_match_once_in_order(experiment, subtests):
    for name in SORTS:
        for sign in ["-", "%2B"]:
            with subtests.test(name=name, sign=sign):
                rows, pages = walk(experiment, f"sort={sign}{name}")
                assert pages == -(-80 // PAGE)
                assert len({row.id for row in rows}) == 80
                value = {
                    "deal": lambda row: row.deal,
                    "margin": lambda row: match_list.UNKNOWN_MARGIN if row.margin is None else row.margin,
                    "plies": lambda row: row.num_plies,
                    "cpu": lambda row: row.cpu_s,
                    "ended": lambda row: -row.deal,
                }[name]
                values = [value(row) for row in rows]
                assert values == sorted(values, reverse=sign == "-")


def test_back_leads_to_the_page_before(experiment, subtests):
    for name in SORTS:
        with subtests.test(name=name):
            first = shown(experiment, f"sort={name}")
            second = shown(experiment, first.older)
            back = shown(experiment, second.newer)
            assert [row.id for row in back.rows] == [row.id for row in first.rows]
            assert not first.newer


@pytest.mark.long
def test_each_page_says_which_of_all_it_shows(experiment, subtests):
    for query in ["", *(f"sort={name}" for name in SORTS), "sort=-deal&result=win"]:
        with subtests.test(query=query):
            total, seen = len(walk(experiment, query)[0]), 0
            while True:
                found = shown(experiment, query)
                assert found.place == f"{seen + 1} to {seen + len(found.rows)} of {total}"
                assert [row.id for row in shown(experiment, found.here).rows] == [row.id for row in found.rows]
                assert found.is_first is (seen == 0)
                seen += len(found.rows)
                if not found.older:
                    break
                query = found.older
            assert seen == total


def test_filters(experiment):
    assert {row.arm for row in walk(experiment, "arm=1")[0]} == {"B"}
    assert {row.deal for row in shown(experiment, "deal=7").rows} == {7}
    assert {row.result for row in walk(experiment, "result=win")[0]} == {"win"}
    failed = shown(experiment, "result=failed")
    assert [row.failure["message"] for row in failed.rows] == ["ValueError: no move"] * 4
    assert failed.place == "1 to 4 of 4"
    assert failed.is_filtered


def test_filters_meet(experiment):
    rows, _ = walk(experiment, "arm=0&result=loss&sort=margin")
    assert rows
    assert {(row.arm, row.result) for row in rows} == {("A", "loss")}


def test_a_filter_stays_while_turning_pages(experiment):
    found = shown(experiment, "arm=1&sort=deal")
    assert "arm=1" in found.older
    assert "arm=1" in found.headings["cpu"].query


def test_an_order_stays_while_filtering(experiment, subtests):
    for query, order in [("", ""), ("sort=deal", "+deal"), ("sort=-deal", "-deal"), ("sort=evil", "")]:
        with subtests.test(query=query):
            assert shown(experiment, query).order == order


def test_nonsense_counts_as_absent(experiment, subtests):
    for query in [
        "sort=evil",
        "after=x~y",
        "after=~",
        "before=1~2~3",
        "after=99999999999999999999~1",
        f"sort=plies&after={10**30}~{10**30}",
        "arm=9",
        "deal=x",
    ]:
        with subtests.test(query=query):
            assert shown(experiment, query).rows


def test_scores_are_in_line_up_order_and_the_margin_is_the_arms(experiment):
    row = next(row for row in walk(experiment, "arm=0")[0] if row.deal == 5 and row.seating == "2 of 2")
    assert row.scores == f"{60 + 35 % 40} : {60 + 38 % 40}"
    assert row.margin == (5 * 13) % 41 - 20


def test_a_seating_is_one_of_those_of_its_arm(alice, played):
    arms = [{"name": "A", "seats": [SCRIPTED, RANDOM]}, {"name": "itself", "seats": [RANDOM, RANDOM]}]
    rows = page(played(alice, arms=arms, deals=2), QueryDict("sort=deal"), 6).rows
    assert sorted((row.arm, row.seating) for row in rows) == [
        *[("A", "1 of 2")] * 2,
        *[("A", "2 of 2")] * 2,
        *[("itself", "1 of 1")] * 2,
    ]


def test_many_that_fit_are_not_counted_to_the_end(experiment, monkeypatch):
    monkeypatch.setattr(match_list, "MAX_COUNTED", 5)
    assert shown(experiment, "arm=1").place == "1 to 15 of more than 5"
    assert shown(experiment, shown(experiment).older).place == "15 of 80, beyond the first 5"


def test_a_reload_keeps_filter_and_page(client, alice, experiment):
    client.force_login(alice)
    around = f"/experiments/{experiment.pk}/"
    asked = f"{around}matches/?arm=1&result=&deal="
    headers = {"HX-Request": "true", "HX-Target": "matches", "HX-Current-URL": f"http://testserver{around}?arm=0"}
    assert client.get(asked, headers=headers)["HX-Replace-Url"] == f"{around}?arm=1"
    assert client.get(f"{around}?arm=1").context["matches"].is_filtered
    assert client.get(f"{around}matches/", headers=headers)["HX-Replace-Url"] == around
    following = client.get(asked, headers={**headers, "HX-Target": "match-rows"})
    assert "HX-Replace-Url" not in following


def test_a_filter_that_cannot_be_is_said(client, alice, experiment):
    client.force_login(alice)
    text = markup(client.get(f"/experiments/{experiment.pk}/matches/?deal=abc"))
    assert "Deal: Enter a whole number. All matches are shown." in text


def test_the_list_follows_a_running_experiment_on_its_first_page(client, alice, experiment):
    client.force_login(alice)
    address = f"/experiments/{experiment.pk}/"
    first = client.get(f"{address}?arm=1")
    assert f'hx-get="{address}matches/?arm=1" hx-trigger="lab:tick from:body"' in markup(first)
    second = client.get(f"{address}{first.context['matches'].older}")
    assert "matches/?arm=1" in second.content.decode()
    assert second.content.decode().count("lab:tick from:body") == first.content.decode().count("lab:tick from:body") - 1


def test_the_fragment_is_only_the_list(client, alice, experiment):
    client.force_login(alice)
    address = f"/experiments/{experiment.pk}/matches/"
    assert client.get(address).content.decode().lower().lstrip().startswith("<!doctype")
    fragment = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert re.match(r'\s*<section class="card flush" id="matches">', fragment)


def test_an_index_has_the_rows_of_each_order(experiment, subtests):
    """First page, and the one behind it: where Postgres would rather do anything than sort, it has not to."""
    plans = []

    def explained(execute, query, values, many, context):
        if "sort_value" in query:
            with connection.connection.cursor() as cursor:
                plans.append("\n".join(line for (line,) in cursor.execute("explain " + query, values).fetchall()))
        return execute(query, values, many, context)

    with connection.cursor() as cursor:
        for way in ("seqscan", "bitmapscan", "sort", "hashjoin", "mergejoin"):
            cursor.execute(f"set local enable_{way} = off")
    for name in SORTS:
        for sign in ("-", "%2B"):
            with subtests.test(name=name, sign=sign), connection.execute_wrapper(explained):
                plans.clear()
                assert shown(experiment, shown(experiment, f"sort={sign}{name}").older).rows
                assert len(plans) == 3, "two pages, and what is before the second"
                assert [plan for plan in plans if "Sort" in plan] == []


def test_an_address_behind_the_last_match_shows_the_first_page(experiment):
    found = shown(experiment, "sort=%2Bdeal&after=99~1")
    assert (len(found.rows), found.newer) == (PAGE, "")
    assert found.place.startswith("1 to 15 of ")
