import pytest

from games.dominoes.belief import quality
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.presets import dominai, dominai_studies, papers, pooling, registry
from worker.presets.comparison import compare
from worker.presets.numbers import WINS, Numbers
from worker.studies import ladder


def rows(preset: str, shown: Numbers) -> dict:
    """The compared rows by group and label."""
    return {(row.group, row.label): row for row in compare(registry.get(preset), shown).rows}


def test_every_experiment_of_the_paper_is_rebuilt_and_ours_beside_it():
    ours = {name for name, preset in registry.presets().items() if preset.paper.id == "dominai"}
    names = ("oracle", "footnote-10", "ims", "pimc", "pimc-ims", "beliefs", "ladder", "luck")
    assert ours == {f"dominai-{name}" for name in names}


def test_printed_wins_stand_beside_the_recount_and_beside_ours_as_the_program_counts():
    won, counted = (BlockMoments.of([Moments(4, number)] * 200) for number in (2.0, 3.0))
    table = rows("dominai-pimc", Numbers(blocks={(1, 0): {WINS: won, "dominai_won": counted}}))
    printed, true = (table["50 worlds, 4, 1/3", f"Won, {how}"] for how in ("as printed", "logs recounted"))
    assert tuple(round(f.value, 6) for f in (printed.published, true.published, printed.ours)) == (68.0, 57.0, 50.0)
    assert printed.verdict == "differs"
    assert (printed.as_run.ours.value, printed.as_run.published.value) == (75.0, printed.published.value)
    for name in ("oracle", "ims", "pimc", "pimc-ims"):
        cells = registry.get(f"dominai-{name}").cells
        assert {cell.as_run is not None for cell in cells if cell.label in ("Won", "Won, as printed")} == {True}


def test_all_experiments_of_the_paper_are_played_by_one_rule():
    """Rounds end as in the authors' program, and every page says so."""
    for name in ("oracle", "ims", "pimc", "pimc-ims"):
        preset = registry.get(f"dominai-{name}")
        assert {str(scale.spec["options"]["block_end"]) for scale in preset.scales.values()} == {"three_passes"}
        assert dominai.PASSES in preset.notes
    for name in ("beliefs", "ladder", "luck"):
        assert dominai_studies.AT_ONCE in registry.get(f"dominai-{name}").notes


def test_all_rows_of_the_logs_are_shown():
    shown = {
        cell.published.value
        for preset in ("dominai-ims", "dominai-pimc", "dominai-pimc-ims")
        for cell in registry.get(preset).cells
        if cell.label == "Won, logs recounted"
    }
    wanted = {row["true"][0] / sum(row["true"]) for row in papers.results()["dominoes-logs"].rows}
    assert shown == wanted


def test_partners_play_alike_and_teams_swap():
    for name, preset in registry.presets().items():
        if name.startswith("dominai") and not preset.scales["quick"].is_study:
            for arm in preset.scales["quick"].spec["arms"]:
                assert arm["seats"][0] == arm["seats"][2]
                assert arm["seats"][1] == arm["seats"][3]
            assert preset.scales["quick"].spec["rotation"] == "all"


def test_rounds_and_matches_stand_side_by_side():
    unit = {"deals": 2, "wins": 3, "draws": 0, "losses": 1, "won": {"effect": 1.0, "freedom": None}}
    told = {**unit, "points": {"mean": 5.0, "interval": [1.0, 9.0]}}
    pairs = [{"round": told, "match": told, "decision_s": [0.002, 0.001]}] * len(ladder.every_pair())
    table = rows("dominai-ladder", Numbers(study={"pairs": pairs}))
    group = "ISMCTS with inference, 300 simulations v PIMC 5, 1/3, 50 worlds"
    shown = {label: row.ours.value for (pair, label), row in table.items() if pair == group}
    assert shown == {
        "Rounds won": 75.0,
        "Matches won": 75.0,
        "Points a round ahead": 5.0,
        "Points a match ahead": 5.0,
        "CPU time of a decision, ms": 2.0,
    }


def test_losses_by_ply_are_a_line_for_each_player_and_belief():
    told = {"n": 4, "mean": 2.5, "interval": [2.0, 3.0]}
    beliefs = [
        {"id": name, "plies": [told] * 3, "gain": told, "classes": [{"came": 0.25}] * 10} for name in quality.BELIEFS
    ]
    player = {"rounds": 4, "beliefs": beliefs, "effective": [{"id": "manner", "all": {"mean": 0.5}}]}
    table = rows("dominai-beliefs", Numbers(study={"players": [player] * 2}))
    assert table["PIMC: fitted play", "Log-loss before ply 3"].ours.value == 2.5
    assert table["PIMC: fitted play", "Log-loss before ply 5"].ours.value is None  # no round was so long
    assert table["PIMC: fitted play", "Effective worlds"].ours.value == 50.0
    assert table["Greedy: gamma, flat", "Came true, of 20 to 30 % predicted"].ours.value == 25.0
    assert rows("dominai-beliefs", Numbers())["PIMC: fitted play", "Log-loss before ply 3"].ours.value is None


def test_the_luck_of_the_deal_is_told():
    mean = {"mean": 4.0, "interval": [2.0, 6.0]}
    study = {
        "deals": 9,
        "worth": {**mean, "deals": 9, "won": 6},
        "correlation": {"share": 0.3},
        "favoured": {"rounds": 10, "won": 7, "effect": 2.0, "freedom": 4},
        "margin": mean,
        "deviation": {"played": 25.0, "rest": 20.0},
    }
    table = rows("dominai-luck", Numbers(study=study))
    assert table["The result", "Share of its variance that the deal explains"].ours.value == 30.0
    favoured = table["The result", "Won by the team that the deal favours"].ours
    alone = Share(7, 10).interval()
    assert (favoured.value, favoured.low < 100 * alone.low) == (70.0, True)
    assert table["PIMC v greedy", "The same without the luck of the deal"].ours.value == 20.0
    assert table["The deal", "Worth to the openers, points"].ours.low == pytest.approx(2.0)


def test_two_readings_of_one_printed_figure_count_once():
    """Section IV-D prints one 91 of 100, for beta 3; it stands beside 1 / 3 as well, and no mean is taken of both."""
    preset = registry.get("dominai-oracle")
    beside = [cell for cell in preset.cells if cell.published is not None]
    assert [(cell.group, cell.is_counted) for cell in beside] == [("Beta 1/3", False), ("Beta 3", True)]
    for each in registry.presets().values():
        for pool in pooling.pools_of(each):
            printed = [id(each.cells[index].published) for index in pool.cells]
            assert len(set(printed)) == len(printed), each.id
