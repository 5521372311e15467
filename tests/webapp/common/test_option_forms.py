from dataclasses import dataclass
from typing import ClassVar

import pytest
from django import forms

from engines import registry as registry_of_engines
from games import options as option_tools
from games import registry
from games.options import option
from webapp.common.engine_forms import configuration_data, is_as_shown
from webapp.common.option_forms import (
    BudgetForm,
    OptionForm,
    budget_data,
    budget_words,
    describe_options,
    in_force,
    policy_label,
    rules_data,
    to_data,
)

MANY = tuple((i, f"choice {i}") for i in range(5))


@dataclass(frozen=True)
class Sample:
    rate: float = option(0.5, "Rate", "A share", minimum=0.0, maximum=1.0)
    size: int = option(3, "Size", minimum=1)
    is_on: bool = option(True, "On")
    kind: str = option("a", "Kind", choices=(("a", "Alpha"), ("b", "Beta")))
    level: int = option(2, "Level", choices=MANY)
    name: str = option("x", "Name")


class Thinker:
    budgets: ClassVar = ("playouts", "playouts_per_action", "seconds_per_ply")
    default_budget: ClassVar = {"playouts_per_action": 20}


class Free:
    budgets: ClassVar = ()
    default_budget: ClassVar = {}


def defaults() -> dict[str, str]:
    return to_data(option_tools.to_json(Sample()), "o")


def form(**changes: str) -> OptionForm:
    data = {**defaults(), **{f"o-{name}": value for name, value in changes.items()}}
    return OptionForm(Sample, data, prefix="o")


def test_defaults_make_the_round_trip():
    bound = form()
    assert bound.is_valid(), bound.errors
    assert option_tools.from_json(Sample, bound.to_json()) == Sample()


def test_every_type_makes_the_round_trip():
    wanted = Sample(rate=0.25, size=9, is_on=False, kind="b", level=4, name="north")
    bound = OptionForm(Sample, to_data(option_tools.to_json(wanted), "o"), prefix="o")
    assert bound.is_valid(), bound.errors
    assert option_tools.from_json(Sample, bound.to_json()) == wanted


def test_values_are_typed():
    bound = form(level="4")
    assert bound.is_valid()
    assert {name: type(value) for name, value in bound.to_json().items()} == {
        "rate": float,
        "size": int,
        "is_on": bool,
        "kind": str,
        "level": int,
        "name": str,
    }


def test_a_bad_value_is_an_error_at_its_field(subtests):
    for name, value in [("rate", "2"), ("size", "0"), ("kind", "c"), ("level", "9"), ("rate", "")]:
        with subtests.test(name=name, value=value):
            bound = form(**{name: value})
            assert not bound.is_valid()
            assert list(bound.errors) == [name]


def test_fields_carry_label_help_and_bounds():
    fields = form().fields
    assert fields["rate"].label == "Rate"
    assert fields["rate"].help_text == "A share; 0 to 1"
    assert fields["size"].help_text == "1 or more"


def test_few_short_choices_are_a_segmented_control_others_a_select():
    fields = form().fields
    assert isinstance(fields["kind"].widget, forms.RadioSelect)
    assert type(fields["level"].widget) is forms.Select


def test_the_summary_names_what_is_not_at_its_default():
    assert form(rate="0.75", kind="b").changed_words() == "Rate: 0.75, Kind: Beta"


def test_an_option_that_names_a_policy_offers_those_of_the_game():
    @dataclass(frozen=True)
    class Player:
        policy: str = option("random", "Policy", choices=(("own", "my own"),), names="policies")

    game = registry.get("carcassonne")
    for name in ("greedy", "own"):
        bound = OptionForm(Player, {"o-policy": name}, prefix="o", game=game)
        assert bound.is_valid()
        assert bound.to_json() == {"policy": name}
    assert not OptionForm(Player, {"o-policy": "fg"}, prefix="o", game=game).is_valid()
    assert '<option value="greedy" selected>greedy: the move with the best score' in str(
        OptionForm(Player, {"o-policy": "greedy"}, prefix="o", game=game)
    )


def test_a_policy_has_one_name_in_all_games_and_what_it_does_is_said():
    names: dict[str, str] = {}
    for game in map(registry.get, registry.ids()):
        for policy in game.policies:
            label, summary = game.policy_words[policy]
            assert names.setdefault(policy, label) == label == policy_label(policy)
            assert summary
            assert len(f"{label}: {summary}") <= 90  # one line of a list of choices
    assert len(set(names.values())) == len(names)
    assert policy_label("of another version") == "of another version"


def test_described():
    assert describe_options(Sample, {"is_on": False, "kind": "b"})[2:4] == [("On", "no"), ("Kind", "Beta")]
    assert describe_options(Sample, {"kind": "b"}, changed_only=True) == [("Kind", "Beta")]


def test_stored_choices_are_told_and_filled_in_by_the_names_that_they_have_now():
    stored = {"selection": "thompson", "first_play": "parent"}
    uct = registry_of_engines.get("uct").options_class
    words = [("Selection formula", "draws from normal beliefs"), ("First play", "mean of their siblings")]
    assert describe_options(uct, stored, changed_only=True) == words
    data = configuration_data("s", "uct", stored, {"simulations": 10})
    assert (data["s-option-selection"], data["s-option-first_play"]) == ("normal", "siblings")


def test_what_is_nothing_by_default_is_not_said_to_be_in_force():
    @dataclass(frozen=True)
    class Rules:
        target: int = option(100, "Target")
        bonus: int = option(0, "Bonus")
        names: str = option("", "Names")
        is_open: bool = option(False, "Open")
        has_end: bool = option(True, "End")
        first: int = option(0, "First", choices=((0, "drawn"), (1, "by lot")))

    usual = [("Target", "100"), ("End", "yes"), ("First", "drawn")]
    assert in_force(Rules, {}) == usual
    changed = in_force(Rules, {"bonus": 25, "names": "Moat", "is_open": True, "has_end": False})
    assert sorted({*changed} - {*usual}) == [("Bonus", "25"), ("End", "no"), ("Names", "Moat"), ("Open", "yes")]


def budget(**values: str) -> BudgetForm:
    return BudgetForm(Thinker, {f"b-{name}": value for name, value in values.items()}, prefix="b")


def test_a_budget_is_a_kind_and_an_amount():
    bound = budget(key="playouts", amount="1 000")
    assert bound.is_valid(), bound.errors
    assert bound.to_json() == {"playouts": 1000}


def test_further_limits_are_kept():
    bound = budget(key="playouts", amount="1000", also_seconds_per_ply="0.5")
    assert bound.is_valid(), bound.errors
    assert bound.to_json() == {"playouts": 1000, "seconds_per_ply": 0.5}
    assert [field.name for field in bound.further()] == ["also_playouts_per_action", "also_seconds_per_ply"]


def test_a_budget_makes_the_round_trip():
    wanted = {"playouts": 40, "seconds_per_ply": 1.5}
    bound = BudgetForm(Thinker, budget_data(wanted, "b"), prefix="b")
    assert bound.is_valid(), bound.errors
    assert bound.to_json() == wanted


def test_an_amount_may_be_a_count_for_each_round_or_ply():
    bound = budget(key="playouts", amount=" 29,31, 1 200 By Round", also_playouts_per_action="3, 4 by ply")
    assert bound.is_valid(), bound.errors
    wanted = {
        "playouts": {"by": "round", "counts": [29, 31, 1200]},
        "playouts_per_action": {"by": "ply", "counts": [3, 4]},
    }
    assert bound.to_json() == wanted
    again = BudgetForm(Thinker, budget_data(wanted, "b"), prefix="b")
    assert again["amount"].value() == "29, 31, 1200 by round"
    assert again.is_valid()
    assert again.to_json() == wanted
    assert "29, 31, 40 by round" in bound["amount"].help_text
    assert not budget(key="seconds_per_ply", amount="1")["amount"].help_text


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        ("29, 31", "Say what these counts go by"),
        ("29, 31 by turn", "Counts go by round or by ply"),
        ("29,, 31 by ply", "missing between two commas"),
        ("29, 0 by ply", "a whole number, 1 to"),
        ("29, 3.5 by ply", "a whole number, 1 to"),
        (", ".join(["1"] * 1001) + " by ply", "At most 1000 counts"),
    ],
)
def test_counts_that_are_none_say_what_to_write(amount, said):
    bound = budget(key="playouts", amount=amount)
    assert not bound.is_valid()
    assert said in bound.errors["amount"][0]


def test_a_bad_amount_is_an_error_at_the_amount(subtests):
    for key, amount in [
        ("playouts", "0"),
        ("playouts", "1.5"),
        ("seconds_per_ply", "601"),
        ("seconds_per_ply", "0"),
        ("playouts", ""),
    ]:
        with subtests.test(key=key, amount=amount):
            bound = budget(key=key, amount=amount)
            assert not bound.is_valid()
            assert list(bound.errors) == ["amount"]


def test_a_strange_kind_is_an_error_at_the_kind():
    bound = budget(key="depth", amount="3")
    assert not bound.is_valid()
    assert list(bound.errors) == ["key"]


def test_errors_of_a_spec_find_their_field():
    bound = budget(key="playouts", amount="1", also_seconds_per_ply="2")
    assert bound.field_of("playouts") == "amount"
    assert bound.field_of("seconds_per_ply") == "also_seconds_per_ply"
    assert bound.field_of("depth") is None


def test_an_engine_without_budget_asks_for_none():
    bound = BudgetForm(Free, {}, prefix="b")
    assert bound.is_valid()
    assert bound.to_json() == {}
    assert not bound.further()


def test_budget_words():
    few, many = ({"by": "round", "counts": counts} for counts in ([10, 2000], list(range(1, 14))))
    assert budget_words({"playouts": few}) == "10, 2\u202f000 playouts a ply by round"
    assert budget_words({"simulations": many}) == "1, 2, 3, … 13 (13 counts) simulations a ply by round"
    assert budget_words({"playouts_per_action": 20}) == "20 playouts per legal action"
    assert budget_words({"seconds_per_ply": 0.05, "depth": 3}) == "depth 3, 0.05 s a ply"
    assert budget_words({"simulations": 10_000}) == "10\u202f000 simulations a ply"
    assert budget_words({"seconds_per_ply": 1e-6}) == "0.000001 s a ply"
    assert budget_words({}) == "no budget"


def test_rules_that_do_nothing_beside_others_are_left_out_and_not_told():
    dominion = registry.get("dominion")

    def shown(kingdom: str) -> tuple[set[str], dict[str, str]]:
        options = dominion.options(kingdom=kingdom, cards="Moat" if kingdom == "cards" else "")
        bound = OptionForm(dominion.options, to_data(option_tools.to_json(options), "rules"), prefix="rules")
        assert bound.is_valid(), bound.errors
        assert option_tools.from_json(dominion.options, bound.to_json()) == options
        return set(bound.fields) & {"cards", "kingdom_seed", "woodcutter_coins"}, bound.shape

    assert shown("thesis") == ({"woodcutter_coins"}, {"rules-kingdom-for": "thesis"})
    assert shown("cards")[0] == {"cards", "woodcutter_coins"}
    assert shown("random")[0] == {"kingdom_seed", "woodcutter_coins"}
    assert shown("interaction") == (set(), {"rules-kingdom-for": "interaction"})
    words = dict(in_force(dominion.options, {"kingdom": "interaction"}))
    assert "Coins of a Woodcutter" not in words


@pytest.mark.parametrize("listed", ["", "  "])
def test_a_list_that_is_asked_for_cannot_stay_empty(listed: str) -> None:
    options = registry.get("dominion").options
    bound = OptionForm(options, to_data({"kingdom": "cards", "cards": listed, "woodcutter_coins": 2}, "r"), prefix="r")
    assert bound.errors["cards"] == ["Cannot stay empty here."]


def test_a_form_that_was_sent_before_it_took_its_shape_is_known():
    dominion = registry.get("dominion")
    posted = {"rules-for": "dominion", "rules-kingdom": "cards", "rules-kingdom-for": "thesis"}
    assert not is_as_shown(posted, {"rules-for": "dominion"} | rules_data(dominion, posted))
    seen = posted | {"rules-kingdom-for": "cards"}
    assert is_as_shown(seen, {"rules-for": "dominion"} | rules_data(dominion, seen))


def test_an_empty_choice_is_a_choice():
    rows = [row for row in option_tools.schema(registry_of_engines.get("uct").options_class) if row["default"] == ""]
    assert rows
    data = registry_of_engines.defaults("uct", registry.get("carcassonne"))
    options = option_tools.to_json(registry_of_engines.get("uct").options_class()) | data
    bound = OptionForm(
        registry_of_engines.get("uct").options_class,
        to_data(options, "o"),
        prefix="o",
        game=registry.get("carcassonne"),
    )
    assert bound.is_valid(), bound.errors
    assert {row["name"]: bound.to_json()[row["name"]] for row in rows} == {row["name"]: "" for row in rows}


def test_a_default_that_comes_back_as_a_form_shows_it_is_the_default() -> None:
    """A third is written in twelve digits: neither is it changed, nor does the spec hold another number."""
    cls = registry_of_engines.get("ims").options_class
    shown = to_data(option_tools.to_json(cls()), "e")
    assert shown["e-beta"] == "0.333333333333"
    form = OptionForm(cls, shown, prefix="e")
    assert form.is_valid()
    assert form.changed_words() == ""
    assert form.to_json()["beta"] == 1 / 3
