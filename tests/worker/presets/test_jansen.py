"""Presets of the Dominion thesis: printed figures where they belong, and set-ups as printed."""

from __future__ import annotations

import pytest

from worker import spec as specs
from worker.analysis.moments import BlockMoments, Moments
from worker.presets import jansen, papers, registry
from worker.presets.comparison import NOT_JUDGED, NOT_PLAYED, Row, compare
from worker.presets.numbers import Numbers, SeatTally
from worker.studies.unbalanced_card import buyable

PARAMETERS = (4, 6, 8, 10, 12, 14, 16, 18, 20, 22)


def rows(preset: str, shown: Numbers | None = None, scale: str = "") -> dict[tuple[str, str], Row]:
    """The compared rows by group and label."""
    chosen = registry.get(preset)
    found = compare(chosen, shown or Numbers(), chosen.scales.get(scale))
    return {(row.group, row.label): row for row in found.rows}


def arms(preset: str, scale: str = "published") -> tuple[specs.ArmSpec, ...]:
    return specs.from_json(registry.get(preset).scales[scale].spec).arms


def test_printed_shares_are_those_of_the_printed_games(subtests: pytest.Subtests) -> None:
    for number in PARAMETERS:
        with subtests.test(number=number):
            for row in papers.results()[f"dominion-table-{number}"].rows:
                is_slip = (number, row.get("simulations")) == (12, 1000)  # 62-36-0 are 98 games
                assert (round(100 * jansen.share(row).value, 1) == row["win_percent"]) != is_slip


def test_parameters_play_the_thesis_simulations_against_bmfsm(subtests: pytest.Subtests) -> None:
    for number in PARAMETERS:
        with subtests.test(number=number):
            printed = papers.results()[f"dominion-table-{number}"].rows
            played = arms(f"jansen-table-{number}")
            for arm, row in zip(played[: len(printed)], printed, strict=True):
                player, opponent = arm.seats
                assert opponent.options["policy"] == "bmfsm"
                trees = row.get("threads", 1) * row.get("iterations", 1)
                assert player.budget.simulations == row.get("simulations", 100_000) * trees
                assert player.options["trees"] == trees
                assert player.options["utility"] == (
                    "win" if row.get("scoring") == "W/L" or number == 20 else "win_difference"
                )
                assert player.options["peek"] is True
                for name, key in (("c", "C"), ("min_visits", "min_visits")):
                    assert player.options[name] == row.get(key, player.options[name])
                if "mppaf" in row:
                    assert bool(player.options["forced"]) == row["mppaf"]
            spec = specs.from_json(registry.get(f"jansen-table-{number}").scales["published"].spec)
            assert spec.options["turn_limit"] == (999 if number == 12 else 40)
            assert spec.options["sizes"] == "thesis"


@pytest.mark.parametrize("number", [4, 8, 25])
def test_where_children_are_often_equal_every_row_is_played_as_the_program_chose_too(number: int) -> None:
    preset = registry.get(f"jansen-table-{number}")
    cells = [cell for cell in preset.cells if cell.as_run is not None]
    assert len(cells) == len(preset.cells)
    played = arms(preset.id)
    for cell in cells:
        assert cell.as_run is not None
        told, ran = played[cell.arm].seats[0], played[cell.as_run.arm].seats[0]
        assert {**told.options, "ties": "last"} == ran.options != told.options
        assert (told.engine, told.budget) == (ran.engine, ran.budget)
    assert preset.program is not None
    assert preset.program.is_certain


def test_a_small_scale_plays_the_first_numbers_of_simulations_and_says_so() -> None:
    table = rows("jansen-table-10", scale="quick")
    assert table["UCT_mod", "5,000 simulations"].budget == {"simulations": 5000}
    late = table["UCT_mod", "10,000 simulations"]
    assert (late.ours.words, late.verdict, late.budget) == (NOT_PLAYED, NOT_JUDGED, {})
    assert late.published.value == pytest.approx(85.07, abs=0.01)
    assert rows("jansen-table-10", scale="published")["UCT_mod", "10,000 simulations"].ours.words == ""
    assert len(arms("jansen-table-10", "quick")) == 3


def test_wins_of_both_sides_by_who_starts() -> None:
    table = rows("jansen-table-27")
    expected = {
        ("In all", "UCT_mod wins"): (132, 664),
        ("In all", "UCB_mod wins"): (532, 664),
        ("UCT_mod starts", "UCT_mod wins"): (89, 332),
        ("UCT_mod starts", "UCB_mod wins"): (243, 332),
        ("UCB_mod starts", "UCT_mod wins"): (43, 332),
        ("UCB_mod starts", "UCB_mod wins"): (289, 332),
    }
    for key, (won, games) in expected.items():
        assert (table[key].published.value, table[key].published.n) == (pytest.approx(100 * won / games), games)
    seats = {(0, 0, 0): SeatTally(wins=3, losses=1), (0, 0, 1): SeatTally(wins=1, losses=3)}
    ours = rows("jansen-table-27", Numbers(seats))
    assert ours["UCT_mod starts", "UCT_mod wins"].ours.value == 75
    assert ours["UCB_mod starts", "UCT_mod wins"].ours.value == 25


def test_all_pairs_meet_and_those_not_printed_are_told() -> None:
    table = rows("jansen-variants")
    assert table["UCT_orig against UCB_orig: In all", "UCB_orig wins"].published.value == 74.5
    assert table["UCT_orig against UCT_mod: In all", "UCT_mod wins"].published.words == "not played"
    pairs = {frozenset(seat.budget.simulations for seat in arm.seats) for arm in arms("jansen-variants")}
    assert pairs == {frozenset({100_000}), frozenset({10_000}), frozenset({10_000, 100_000})}


@pytest.mark.parametrize(
    ("preset", "shares"),
    [
        ("jansen-tables-36-42", {"UCT_mod": 35, "UCB_mod": 68.5, "UCT_orig": 54, "UCB_orig": 68.5}),
        ("jansen-tables-44-50", {"UCT_mod": 31, "UCB_mod": 62.5, "UCT_orig": 45.5, "UCB_orig": 68.5}),
    ],
)
def test_witches_meet_every_variant_with_its_own_set_up(preset: str, shares: dict[str, float]) -> None:
    table = rows(preset)
    for arm, (name, share) in zip(arms(preset), shares.items(), strict=True):
        group = f"Wins of {name}"
        assert table[group, "in all"].published.value == share  # tables 42 and 50
        starts = [table[group, f"{name} starts"], table[group, "the other starts"]]
        assert sum(row.published.value for row in starts) == 2 * share
        assert arm.seats[0].budget.simulations == (10_000 if name.endswith("orig") else 100_000)
    least = [arm.seats[0].options["min_visits"] for arm in arms(preset)]
    assert least == ([10, 1, 10, 10] if preset == "jansen-tables-36-42" else [10, 1, 10, 1])


def test_rules_against_rules_are_printed_by_who_starts() -> None:
    table = rows("jansen-table-43")
    group = "DoubleWitch against SingleWitch: "
    assert table[f"{group}In all", "DoubleWitch wins"].published.value == 65
    assert table[f"{group}SingleWitch starts", "DoubleWitch wins"].published.value == pytest.approx(55)
    assert table["SingleWitch against BMFSM", "SingleWitch wins"].published.n == 200
    assert registry.get("jansen-table-43").scales["standard"].units == 20_000


def test_the_tree_is_judged_row_by_row() -> None:
    by_turn = [{"turn": 1, "nodes": "21"}, {"turn": 2, "nodes": "98"}]
    table = rows("jansen-table-3", Numbers(study={"by_turn": by_turn}))
    assert table["Nodes", "First turn"].verdict == "equivalent"
    assert table["Nodes", "First 2 turns"].verdict == "differs"
    assert table["Nodes", "First 6 turns"].published.value == 15_366_943


def test_games_of_83_points_are_counted() -> None:
    blocks = {"most_points": BlockMoments.of([Moments(1, 1.0), Moments(1, 0.0), Moments(1, 1.0), Moments(1, 1.0)])}
    table = rows("jansen-table-25", Numbers(blocks={(0, 0): blocks}))
    row = table["UCT_mod, 10 simulations", "Games of 83 points"]
    assert (row.published.value, row.ours.value, row.ours.n) == (77, 75, 4)
    alone = specs.from_json(registry.get("jansen-table-25").scales["published"].spec)
    assert (alone.seats, alone.options["kingdom"], alone.num_matches) == (1, "none", 2 * 600)
    assert {arm.seats[0].options["utility"] for arm in alone.arms} == {"own"}


def test_what_the_text_says_of_the_unbalanced_card_is_judged() -> None:
    known = [*buyable()]

    def less(one: int, other: int, woodcutters: float, treasures: float) -> dict[str, object]:
        told = {
            "Woodcutter": {"mean": woodcutters, "deviation": 0.5},
            "Treasures": {"mean": treasures, "deviation": 0.5},
        }
        return {"coins": [one, other], "matches": 10, "bought": told}

    bought = {name: {"mean": 1.0, "deviation": 0.0} for name in known}
    sums = {"Treasures": {"mean": 3.0, "deviation": 0.5}, "Other Actions": {"mean": 7.0, "deviation": 0.5}}
    study = {
        "values": [{"coins": 2, "matches": 10, "bought": bought, "sums": sums}],
        "less": [
            *(less(4, 2, 2.0, -1.0), less(10, 4, 2.0, 1.0), less(20, 10, 0.1, -5.0)),
            *(less(10, 2, 4.0, 0.0), less(20, 2, 4.1, -5.0)),
        ],
    }
    table = rows("jansen-figure-25", Numbers(study=study))
    told = {label: row.verdict for (group, label), row in table.items() if group == "What the text says"}
    assert told == {
        "Woodcutters at 4 coins less those at 2": "equivalent",
        "Woodcutters at 10 coins less those at 4": "equivalent",
        "Woodcutters at 20 coins less those at 10": "cannot tell",
        "Treasures at 10 coins less those at 2": "cannot tell",
        "Treasures at 20 coins less those at 2": "equivalent",
    }
    assert table["Other Actions", "2 coins"].ours.value == 7.0
    assert table["Other Actions", "3 coins"].ours.value is None


def test_times_are_printed_with_their_deviations_and_never_judged() -> None:
    run = {"label": "UCT_mod, 100,000 simulations, 3 x 2"}
    span = {"moves": 40, "mean": 1.25, "deviation": 0.5, "interval": [1.0, 1.5]}
    table = rows("jansen-tables-53-56", Numbers(study={"runs": [{**run, "all": span, "early": span, "late": span}]}))
    row = table[run["label"], "all turns"]
    assert (row.published.words, row.ours.value, row.verdict) == ("21.6 ± 11.8 s", 1.25, NOT_JUDGED)
    assert len(table) == 17 * 3
    parameters = registry.get("jansen-tables-53-56").scales["published"].spec["parameters"]
    assert parameters["runs"][4]["player"]["budget"] == {"simulations": 600_000}
