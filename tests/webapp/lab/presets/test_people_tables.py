"""Tables of matches against people: what counts, whose row it is, and what stands there before anybody played."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache

from engines import levels
from tests.webapp.pages import markup, names_person
from tests.webapp.table.live import tables
from webapp.lab.presets import people_tables
from webapp.lab.presets.people_tables import Played, interval
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan
from worker.analysis.intervals import wilson
from worker.presets import human_tests
from worker.spec import seat_from_json

PEOPLE = "/presets/papers/{}/people/"


def level(game: str, level_id: str) -> SeatPlan:
    """A level's seat."""
    one = levels.get(game, level_id)
    seat = seat_from_json({"engine": one.engine, "options": one.options, "budget": one.budget}, (), game)
    return tables.engine(seat, one.label, level_id)


def finish(creator: Any, *seats: SeatPlan, game: str = "dominoes", **further: Any) -> LiveMatch:
    """A match of those seats, played to its end."""
    return tables.play_on(tables.open_match(creator, seats, game=game, **further))


def lines(paper: str, table: str) -> dict[str, people_tables.Line]:
    """The lines of a table that somebody has played, by name."""
    cache.clear()
    (found,) = (one for one in people_tables.tables(paper) if one.table.id == table)
    return {line.name: line for line in found.lines if line.matches}


@pytest.mark.django_db
def test_matches_of_two_partners_fill_figure_3_and_only_those_that_may_be_counted(client: Any, alice: Any, bob: Any):
    people, easy = (tables.person(alice), tables.person(bob)), level("dominoes", "easy")
    page = markup(client.get(PEOPLE.format("dominai")))
    assert page.count("No match counts here yet.") == 2
    assert "It lost every one of a few matches" in page
    pimc = tables.engine(seat_from_json({"engine": "pimc", "budget": {"simulations": 2}}, (), "dominoes"), "PIMC")
    first = finish(alice, people[0], easy, people[1], easy)
    finish(alice, people[0], pimc, people[1], pimc)
    finish(alice, people[0], easy, people[1], easy, options={"length": "round"})  # no rules that have a name
    finish(alice, people[0], people[1], easy, easy)  # each has an engine as partner
    found = lines("dominai", "dominai-figure-3")
    wanted = {"PIMC, any parameters": 1, "Easy": 1, "Many worlds (PIMC)": 1}
    assert {name: line.matches for name, line in found.items()} == wanted
    assert first.match is not None
    won = first.match.seats.get(seat=1).result == "win"
    assert (found["Easy"].won, found["Easy"].lost) == ((1, 0) if won else (0, 1))
    assert found["Easy"].size == "1 deal, 2 people"
    assert not lines("dominai", "dominai-section-4-d")
    page = markup(client.get(PEOPLE.format("dominai")))
    assert page.count("No match counts here yet.") == 1
    assert not names_person(page, "alice")
    assert not names_person(page, "bob")
    for field, plain in (("deal_is_known", False), ("is_taken_back", False), ("status", LiveMatch.Status.ENDED)):
        before = {field: getattr(first, field)}
        LiveMatch.objects.filter(pk=first.pk).update(**{field: plain or True})
        assert "Easy" not in lines("dominai", "dominai-figure-3")
        LiveMatch.objects.filter(pk=first.pk).update(**before)
    first.seats.filter(seat=0).update(hints_used=1)
    assert "Easy" not in lines("dominai", "dominai-figure-3")


@pytest.mark.django_db
def test_table_52_is_filled_by_its_configuration_alone(client: Any, alice: Any):
    table = human_tests.TABLES[1]
    wanted = dict(table.players["UCB_mod, Table 52"])
    seat = {"engine": "flat_ucb", "options": dict(wanted["options"]), "budget": {"simulations": 100_000}}
    assert people_tables._is_like(seat, wanted)
    assert not people_tables._is_like({**seat, "budget": {"simulations": 10_000}}, wanted)
    assert not people_tables._is_like({**seat, "options": {**wanted["options"], "c": 1.0}}, wanted)
    page = markup(client.get(PEOPLE.format("jansen-2014")))
    assert "87.5\u202f% (52.9 to 97.8)" in page  # 7 of 8
    assert "Win+Diff" in page
    assert client.get(PEOPLE.format("gedda-2018")).status_code == 404
    assert client.get(PEOPLE.format("nobody")).status_code == 404
    assert [row.lost for row in table.tests] == [1, 3]


def test_an_interval_is_as_wide_as_deals_and_people_ask_for():
    def played(deal: int, person: int, result: str) -> Played:
        return Played(deal, (person,), result, ("easy", ""), "", {})

    apart = [played(n, n, "win" if n % 2 else "loss") for n in range(8)]
    assert tuple(interval(apart)) == pytest.approx(tuple(wilson(4, 8)), abs=0.05)
    one_person = [played(n, 1, "win" if n % 2 else "loss") for n in range(8)]
    assert interval(one_person) == wilson(0.5, 1)
    one_deal = [played(n % 2, n, "win" if n % 2 else "loss") for n in range(8)]
    assert interval(one_deal).high - interval(one_deal).low > interval(apart).high - interval(apart).low
    assert interval([]) is None
