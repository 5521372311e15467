"""Named configurations fill in engine, options and budget of a seat."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from engines import named_engines, registry
from games import registry as games
from webapp.common import engine_forms
from webapp.lab.experiments import draft
from webapp.lab.experiments.builder import Builder

DOMINION = games.get("dominion")
ALL = named_engines.for_game("dominion")
SEAT = draft.seat_prefix(0, 0)


def begun(one: Any, **changes: str) -> Builder:
    """The form after a seat was to begin with a configuration."""
    posted = {"game": "dominion", "seats": "2", "do": f"named:{SEAT}", f"{SEAT}-named": one.id, **changes}
    return Builder(draft.complete(posted))


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_a_name_fills_in_engine_options_and_budget(one: Any) -> None:
    builder = begun(one)
    assert builder.spec is not None, builder.first_error()
    seat = builder.spec.arms[0].seats[0]
    assert (seat.engine, seat.budget.to_json()) == (one.engine, one.budget)
    assert {key: seat.options[key] for key in one.options} == one.options
    shown = builder.arms[0].seats[0].named
    assert shown["named"].value() == one.id
    assert shown.summary == one.summary


def test_another_option_makes_it_a_setting_of_ones_own() -> None:
    data = begun(ALL[0]).data
    changed = Builder(data | {f"{SEAT}-budget-amount": "77", f"{SEAT}-named": ALL[0].id})
    assert changed.spec is not None
    assert changed.spec.arms[0].seats[0].budget.to_json() == {"simulations": 77}
    assert changed.arms[0].seats[0].named["named"].value() == ""


def test_a_name_counts_where_it_was_asked_for_alone() -> None:
    posted = {"game": "dominion", "seats": "2", f"{SEAT}-named": ALL[0].id}
    for do in (
        {},
        {"do": "start"},
        {"do": f"named:{draft.seat_prefix(0, 1)}"},
        {"do": f"named:{SEAT}", f"{SEAT}-named": "x"},
    ):
        builder = Builder(draft.complete(posted | do))
        assert builder.arms[0].seats[0].engine_id == "random" or builder.arms[0].seats[0].named["named"].value() == ""


def test_who_peeks_is_not_offered_where_people_play() -> None:
    data = engine_forms.complete({}, "seat-1", registry.suitable(DOMINION), "random", DOMINION)
    forms = engine_forms.ConfigurationForms(data, "dominion", "seat-1", "Engine", with_people=True)
    offered = {value for value, _ in forms.named["named"].field.choices if value}
    assert offered == {one.id for one in ALL if not one.options.get("peek")}


@pytest.mark.django_db
def test_pages_offer_names_where_the_game_has_some(client: Client, alice: Any) -> None:
    client.force_login(alice)
    page = client.get("/experiments/new/?game=dominion").content.decode()
    assert "Begin with" in page
    changed = client.post("/experiments/new/", {"game": "dominion", "do": f"named:{SEAT}", f"{SEAT}-named": ALL[0].id})
    assert escape(ALL[0].summary) in changed.content.decode()
