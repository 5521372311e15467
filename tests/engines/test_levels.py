"""Named levels: their file is consistent, playable and says how strong they are; how that is measured."""

from __future__ import annotations

import io
import itertools
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines import __main__ as command_line
from engines import ladder, level_choice, levels
from engines import registry as engine_registry
from engines.levels import Level, Measurement
from engines.protocol import Budget
from games import data_files, rng, rule_sets
from games import registry as game_registry
from games.loader import FRAME
from tests.looping import looped
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import rate_interval
from worker.spec import from_json

CLEARLY = 0.5
"""A level is clearly weaker than the next where the upper end of its share of wins is below this."""
DEADLINE_S = 3600

every_game = pytest.mark.parametrize("game_id", ladder.game_ids())


def every_level() -> list[tuple[str, Level]]:
    return [(game_id, level) for game_id in ladder.game_ids() for level in levels.for_game(game_id)]


@pytest.fixture
def own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of Carcassonne's levels that may be written."""
    copy, path = tmp_path / "levels.json", data_files.path
    shutil.copy(path(game_registry.get("carcassonne").folder, levels.NAME), copy)
    monkeypatch.setattr(data_files, "path", lambda folder, name: copy if name == levels.NAME else path(folder, name))
    levels.for_game.cache_clear()
    return copy


@pytest.fixture(autouse=True)
def _read_anew() -> Iterator[None]:
    """What a test wrote elsewhere is forgotten after it."""
    yield
    levels.for_game.cache_clear()


def test_carcassonne_has_levels() -> None:
    assert "carcassonne" in ladder.game_ids()
    assert len(levels.for_game("carcassonne")) >= 5


@every_game
def test_a_file_is_consistent(game_id: str) -> None:
    known = levels.for_game(game_id)
    assert len({level.id for level in known}) == len({level.label for level in known}) == len(known)
    assert len({json.dumps([level.engine, level.options, level.budget], sort_keys=True) for level in known}) == len(
        known
    ), "two levels are the same engine"
    assert [level.stands_in for level in known].count(True) == 1
    file = data_files.path(game_registry.get(game_id).folder, levels.NAME)
    assert file.read_text(encoding="utf-8") == levels.text(game_id, known)


@looped("game_id, level", every_level)
def test_a_level_is_an_engine_that_fits_its_game(game_id: str, level: Level) -> None:
    game = game_registry.get(game_id)
    engine = engine_registry.make(level.engine, level.options)
    assert engine.refuses(game) is None
    assert set(Budget.from_json(level.budget).to_json()) <= set(engine.budgets)
    assert bool(level.budget) == bool(engine.budgets), "it has a budget if it needs one"
    if level.has_clock:
        assert "seconds_per_ply" in engine.budgets
    assert level.label
    assert level.summary.endswith(".")
    assert level.decision_s is not None
    state = game.initial_state(game.options(), game.traits.min_seats)
    while game.current_player(state) < 0:
        state = game.apply(state, game.sample_chance(state, rng.new_stream(1, rng.DEAL)))
    budget = Budget.from_json({"seconds_per_ply": 0.01} if level.has_clock else level.budget)
    seat = game.current_player(state)
    decision = engine.choose(game, game.view(state, seat), seat, budget, rng.new_stream(1, rng.SEARCH))
    assert decision.action in game.legal_actions(state)


@every_game
def test_only_the_strongest_levels_think_as_long_as_they_are_let(game_id: str) -> None:
    """A weaker level with more time would be a stronger one under its name."""
    clocks = [level.has_clock for level in levels.for_game(game_id)]
    assert clocks == sorted(clocks)
    assert sum(clocks) <= 1


def blocks(measured: Measurement) -> BlockMoments:
    """Matches that the weaker level won, deal by deal."""
    rows = [[Moments(measured.matches_per_deal, wins)] * count for wins, _, count in measured.deals]
    return BlockMoments.of(itertools.chain.from_iterable(rows))


def lost_blocks(measured: Measurement) -> BlockMoments:
    """Matches that the stronger level won, deal by deal."""
    size = measured.matches_per_deal
    rows = [[Moments(size, size - wins - draws)] * count for wins, draws, count in measured.deals]
    return BlockMoments.of(itertools.chain.from_iterable(rows))


def test_totals_follow_from_the_deals() -> None:
    """By hand: three deals of two matches lost, one with a win and a draw, two with a win and a loss."""
    measured = Measurement(2, ((0, 0, 3), (1, 0, 2), (1, 1, 1)))
    assert (measured.num_deals, measured.matches) == (6, 12)
    assert measured.totals() == {"wins": 3, "draws": 1, "losses": 8}


@looped("deals", [((2, 1, 4),), ((-1, 0, 4),), ((0, -1, 4),), ((0, 0, 0),)])
def test_deals_that_cannot_be_are_refused(deals: tuple[tuple[int, int, int], ...]) -> None:
    with pytest.raises(ValueError, match="deals with"):
        Measurement(2, deals)


@every_game
def test_every_level_is_clearly_weaker_than_the_next(game_id: str) -> None:
    *below, strongest = levels.for_game(game_id)
    assert strongest.against_next is None
    for level in below:
        measured = level.against_next
        assert measured is not None, f"{level.id} was never measured"
        assert measured.matches_per_deal == 2, "two seatings, of partners, too"
        assert measured.num_deals >= ladder.LEAST_DEALS
        found = rate_interval(blocks(measured))
        assert found is not None
        assert found.high < CLEARLY, level.id


@every_game
def test_steps_are_even(game_id: str) -> None:
    """The next level wins 65 to 80 %, as far as the matches by the rule book or by the paper's rules can tell."""
    low, high = level_choice.EVEN
    for level in levels.for_game(game_id)[:-1]:
        measured = level.by_book or level.against_next
        assert measured is not None
        won = rate_interval(lost_blocks(measured))
        assert won is not None
        assert won.low <= high, f"the step above {level.id} is too high: {won}"
        assert won.high >= low, f"the step above {level.id} is too low: {won}"


def test_neighbours() -> None:
    known = levels.for_game("carcassonne")
    assert levels.weaker("carcassonne", known[0].id) is None
    assert levels.stronger("carcassonne", known[-1].id) is None
    for below, above in itertools.pairwise(known):
        assert levels.weaker("carcassonne", above.id) == below
        assert levels.stronger("carcassonne", below.id) == above
    with pytest.raises(KeyError):
        levels.weaker("carcassonne", "grandmaster")


def test_a_game_without_levels_has_none() -> None:
    assert levels.for_game("toy") == ()
    assert levels.stand_in("toy") is None
    with pytest.raises(KeyError):
        levels.get("toy", "beginner")


def test_who_stands_in_searches() -> None:
    level = levels.stand_in("carcassonne")
    assert level is not None
    assert level.budget


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any]:
    status = command_line.main(["levels", *(str(argument) for argument in arguments)])
    return status, json.loads(capsys.readouterr().out)


def test_the_command_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    status, rows = run(capsys, "carcassonne")
    assert status == 0
    assert [row["id"] for row in rows] == [level.id for level in levels.for_game("carcassonne")]
    measured = levels.for_game("carcassonne")[0].against_next
    assert measured is not None
    assert rows[0]["against_next"] == measured.totals()
    assert list(rows[0]["against_next"]) == ["wins", "draws", "losses"]
    assert rows[-1]["against_next"] is None


def test_the_printed_experiment_is_one_that_the_worker_takes(capsys: pytest.CaptureFixture[str]) -> None:
    for below, above in itertools.pairwise(levels.for_game("carcassonne")):
        status, printed = run(capsys, "carcassonne", "--spec", below.id, "--deals", 7)
        assert status == 0
        spec = from_json(printed)
        assert (spec.num_matches, spec.rotation) == (14, "all")
        assert [seat.engine for seat in spec.arms[0].seats] == [below.engine, above.engine]
        assert [seat.budget.to_json() for seat in spec.arms[0].seats] == [below.budget, above.budget]


def test_partners_are_alike_and_have_two_seatings(capsys: pytest.CaptureFixture[str]) -> None:
    status, printed = run(capsys, "dominoes", "--spec", "beginner", "--deals", 200)
    assert status == 0
    assert from_json(printed).num_matches == 400


def summary(level_id: str) -> dict[str, Any]:
    """What the worker prints of such matches, as far as it is read: four deals lost, one won and drawn."""
    spec = ladder.spec("carcassonne", level_id)
    lost, won = {"wins": 0, "draws": 0, "losses": 2, "deals": 4}, {"wins": 1, "draws": 1, "losses": 0, "deals": 1}
    places = [seat | {"deal_results": [lost, won]} for seat in spec["arms"][0]["seats"]]
    options = rule_sets.complete(game_registry.get("carcassonne"), rule_sets.PAPER)
    return {"game": "carcassonne", "failed": 0, "options": options, "arms": [{"places": places}]}


def with_deals(level_id: str, *rows: dict[str, int]) -> dict[str, Any]:
    """Such a summary with other deals."""
    data = summary(level_id)
    data["arms"][0]["places"][0]["deal_results"] = list(rows)
    return data


def note(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, level_id: str, data: Any) -> Any:
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(data)))
    return run(capsys, "carcassonne", "--note", level_id)


def test_a_result_is_noted(own_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    before = levels.for_game("carcassonne")
    assert note(capsys, monkeypatch, "easy", summary("easy")) == (0, {"wins": 1, "draws": 1, "losses": 8})
    place = [level.id for level in before].index("easy")
    stored = json.loads(own_file.read_text())["levels"][place]["against_next"]
    assert stored == {"matches_per_deal": 2, "deals": [[0, 0, 4], [1, 1, 1]]}
    levels.for_game.cache_clear()
    after = {level.id: level for level in levels.for_game("carcassonne")}
    assert after["easy"].against_next == Measurement(2, ((0, 0, 4), (1, 1, 1)))
    assert [after[level.id] for level in before if level.id != "easy"] == [
        level for level in before if level.id != "easy"
    ]


@looped(
    "level_id, data, complaint",
    [
        ("easy", lambda: summary("medium"), "not matches of Easy against Fair"),
        ("easy", lambda: summary("easy") | {"failed": 2}, "2 of the matches failed"),
        ("easy", lambda: summary("easy") | {"game": "toy"}, "not matches of Easy"),
        ("easy", lambda: {"arms": []}, "no summary"),
        ("easy", lambda: [], "no summary"),
        ("easy", lambda: with_deals("easy"), "no summary"),
        (
            "easy",
            lambda: with_deals(
                "easy",
                {"wins": 1, "draws": 0, "losses": 0, "deals": 1},
                {"wins": 1, "draws": 0, "losses": 1, "deals": 1},
            ),
            "no summary",
        ),
        (levels.for_game("carcassonne")[-1].id, lambda: {}, "strongest level"),
        ("grandmaster", lambda: {}, "no level of carcassonne; known: beginner, newcomer, "),
    ],
)
def test_other_results_are_refused(
    level_id: str,
    data: Any,
    complaint: str,
    own_file: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = own_file.read_bytes()
    status, answer = note(capsys, monkeypatch, level_id, data())
    assert status == 1
    assert complaint in answer["error"]
    assert own_file.read_bytes() == before


def ladder_report(deals: int = 60) -> dict[str, Any]:
    """A report of Carcassonne's ladder: each level wins both matches of a fifth of its deals against the next."""
    known = levels.for_game("carcassonne")
    rows = [{"wins": w, "draws": 0, "losses": 2 - w, "deals": n} for w, n in ((0, deals - deals // 5), (2, deals // 5))]
    pairs = [{"first": a.label, "second": b.label, "deal_results": rows} for a, b in itertools.pairwise(known)]
    spec = ladder.ladder_spec("carcassonne")
    return {"game": "carcassonne", "entries": spec["ladder"]["entries"], "pairs": pairs}


def test_the_ladder_of_all_levels_is_played_and_noted(
    own_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = from_json(run(capsys, "carcassonne", "--ladder", "--deals", "30")[1])
    assert spec.ladder is not None
    assert [entry.name for entry in spec.ladder.entries] == [level.label for level in levels.for_game("carcassonne")]
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(ladder_report())))
    status, noted = run(capsys, "carcassonne", "--note-ladder")
    assert (status, noted["hard"]) == (0, {"wins": 24, "draws": 0, "losses": 96})
    levels.for_game.cache_clear()
    after = levels.for_game("carcassonne")
    assert {level.against_next for level in after[:-1]} == {Measurement(2, ((0, 0, 48), (2, 0, 12)))}
    assert after[-1].against_next is None


@looped(
    "data, complaint",
    [
        (lambda: ladder_report(20), "met Newcomer on 20 deals"),
        (lambda: ladder_report() | {"game": "kingdomino"}, "no ladder of the levels"),
        (lambda: ladder_report() | {"entries": []}, "no ladder of the levels"),
        (lambda: {}, "no report of a ladder"),
    ],
)
def test_other_ladders_are_refused(
    data: Any, complaint: str, own_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = own_file.read_bytes()
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(data())))
    status, answer = run(capsys, "carcassonne", "--note-ladder")
    assert status == 1
    assert complaint in answer["error"]
    assert own_file.read_bytes() == before


def test_times_are_kept(own_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    few = levels.for_game("carcassonne")[:4]
    levels.store("carcassonne", [Level(**(vars(level) | {"decision_s": None})) for level in few])
    status, seconds = run(capsys, "carcassonne", "--times")
    assert status == 0
    assert {level.id: level.decision_s for level in levels.for_game("carcassonne")} == seconds
    assert all(taken > 0 for taken in seconds.values())


@pytest.mark.slow
@pytest.mark.parametrize("level_id", ["novice", "medium", "hard"])
def test_a_level_is_as_strong_as_it_says(level_id: str) -> None:
    """Sixty matches on other deals, beside what was counted."""
    deals = 30
    spec = ladder.spec("carcassonne", level_id, deals) | {"seed": 11}
    command = [sys.executable, "-m", "worker", "run", "-"]
    answer = subprocess.run(
        command,
        cwd=FRAME.parent,
        input=json.dumps(spec),
        check=True,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    found = json.loads(answer.stdout)["arms"][0]["places"][0]
    measured = levels.get("carcassonne", level_id).against_next
    assert measured is not None
    # four standard deviations of the difference, from what deals of the stored measurement differ by
    counted = blocks(measured)
    assert counted.mean is not None
    variance = counted.spread / (counted.blocks - 1) / measured.matches_per_deal**2
    error = (variance * (1 / deals + 1 / measured.num_deals)) ** 0.5
    assert abs(found["win_rate"] - counted.mean) < 4 * error
