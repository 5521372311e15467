"""The builder's form posted exactly as a page renders it, as a browser would."""

import pytest

from games import registry as game_registry
from tests.webapp.lab.experiments.pages import ESTIMATE, NEW, Form, text_of
from tests.webapp.specs import RANDOM, SCRIPTED, spec
from webapp.lab.experiments import arm_names, draft, spreads
from webapp.lab.experiments.builder import Builder
from worker import spec as specs
from worker.planning import openings

pytestmark = pytest.mark.django_db
LEAST_FIELDS = 15
"""A match's form has more: fewer would mean that the parser lost some."""


def test_a_match_starts_untouched_in_each_game(signed_in):
    """Experiments: `test_planning.test_a_newcomer_starts_at_once_in_each_game`, and here those without an opening."""
    for game_id in game_registry.ids():
        for address in ("/matches/new/",) if openings.for_game(game_id) else ("/matches/new/", NEW):
            posted = Form(text_of(signed_in.get(f"{address}?game={game_id}"))).data
            assert posted["game"] == game_id
            assert len(posted) > LEAST_FIELDS
            started = signed_in.post(address, posted)
            assert started.status_code == 302, (game_id, text_of(started))


def test_buttons_that_give_the_form_another_shape_keep_the_focus(signed_in):
    """htmx gives it back by id; after a removal the button to add an arm has it."""
    two = {**draft.from_spec(specs.from_json(spec())), "do": "add"}
    page = text_of(signed_in.post(NEW, two))
    ids = Form(page).ids
    assert {"kind-quick", "kind-publishable", "add-arm", "copy-0", "copy-1", "draw-seed", "start"} <= set(ids)
    assert "autofocus" not in page
    data = signed_in.post(NEW, two).context["builder"].data
    assert "autofocus" in text_of(signed_in.post(NEW, {**data, "do": "remove:1"})).split('id="add-arm"')[1][:200]


def test_arms_that_play_the_same_are_named_and_have_a_spread_of_their_own(signed_in, alice):
    data = draft.from_spec(specs.from_json(spec()))
    same = draft.duplicate_arm(data, 0)
    said = "Arm 2 plays the same as Arm 1."
    assert said in text_of(signed_in.post(ESTIMATE, same))
    assert said not in text_of(signed_in.post(ESTIMATE, data))
    one, other = {"seats": [SCRIPTED, RANDOM]}, {"seats": [RANDOM, RANDOM]}
    assert spreads._places([one, one], [one, other]) is None, "one arm less itself is nothing but 0"
    assert spreads._places([one, one], [one, other, one]) == (0, 2)
    assert spreads._places([one], [one, other]) == (0,)


def test_arms_that_nobody_named_are_called_by_what_differs(signed_in):
    flat = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 20}}
    arms = [("Arm 1", flat, RANDOM), ("Arm 1 (copy)", flat | {"budget": {"playouts": 40}}, RANDOM)]
    rows = [{"name": name, "seats": list(seats)} for name, *seats in arms]
    assert arm_names.names(rows) == ["Flat Monte Carlo, 20 playouts a ply", "Flat Monte Carlo, 40 playouts a ply"]
    assert arm_names.names([rows[0] | {"name": "Mine"}, rows[1]]) == ["Mine", "Flat Monte Carlo, 40 playouts a ply"]
    assert arm_names.names([rows[0], rows[0] | {"name": "Arm 2"}]) == ["Arm 1", "Arm 2"], "nothing differs"
    assert arm_names.names(rows[:1]) == ["Arm 1"]
    data = draft.from_spec(specs.from_json(spec(arms=[{"name": "Arm 1", "seats": [SCRIPTED, RANDOM]}, rows[1]])))
    assert [arm.name for arm in Builder(data).spec.arms] == ["Scripted policy: greedy", "Flat Monte Carlo"]


def test_partners_and_one_arm_for_two_engines_are_explained(signed_in):
    page = text_of(signed_in.get(f"{NEW}?game=dominoes"))
    assert "The first and third seat play together against the second and fourth" in page
    assert [page.count(f">team {team}<") for team in (1, 2)] == [2, 2]
    other = text_of(signed_in.get(NEW))
    assert ">team 1<" not in other
    assert "enough for two engines" in other
