from worker.analysis.moments import BlockMoments, Moments
from worker.presets import dominai, published, registry
from worker.presets.comparison import compare
from worker.presets.numbers import WINS, Numbers


def rows(preset: str, shown: Numbers) -> dict:
    """The compared rows by group and label."""
    return {(row.group, row.label): row for row in compare(registry.get(preset), shown).rows}


def test_every_experiment_of_the_paper_is_rebuilt_and_ours_beside_it():
    ours = {name for name, preset in registry.presets().items() if preset.paper.id == "dominai"}
    names = ("oracle", "ims", "pimc", "pimc-ims", "beliefs", "ladder-rounds", "ladder-matches")
    assert ours == {f"dominai-{name}" for name in names}


def test_printed_wins_stand_beside_the_recount():
    won = BlockMoments.of([Moments(4, 2.0)] * 200)  # half of the rounds
    table = rows("dominai-pimc", Numbers(blocks={(1, 0): {WINS: won}}))
    printed, true = (table["50 worlds, 4, 1/3", f"Won, {how}"] for how in ("as printed", "logs recounted"))
    assert tuple(round(f.value, 6) for f in (printed.published, true.published, printed.ours)) == (68.0, 57.0, 50.0)
    assert printed.verdict == "differs"


def test_all_rows_of_the_logs_are_shown():
    shown = {
        cell.published.value
        for preset in ("dominai-ims", "dominai-pimc", "dominai-pimc-ims")
        for cell in registry.get(preset).cells
        if cell.label == "Won, logs recounted"
    }
    wanted = {row["true"][0] / sum(row["true"]) for row in published.results()["dominoes-logs"].rows}
    assert shown == wanted


def test_partners_play_alike_and_teams_swap():
    for name, preset in registry.presets().items():
        if name.startswith("dominai"):
            for arm in preset.scales["quick"].spec["arms"]:
                assert arm["seats"][0] == arm["seats"][2]
                assert arm["seats"][1] == arm["seats"][3]
            assert preset.scales["quick"].spec["rotation"] == "all"


def test_the_ladder_is_the_same_in_rounds_and_in_matches():
    rounds, matches = (registry.get(f"dominai-ladder-{unit}").scales["quick"].spec for unit in ("rounds", "matches"))
    assert rounds["arms"] == matches["arms"]
    assert rounds["options"] == dominai.ROUND
    assert matches["options"] == {}
