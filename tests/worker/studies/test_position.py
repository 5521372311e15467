"""The kind `position`: what it takes, what engines answer, and lines that replay."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines import registry as engine_registry
from engines.expectimax import VISITED
from games import registry as game_registry
from games.protocol import IllegalActionError
from tests.games import walks
from tests.worker.studies.thinkers import ENGINES, Looking
from worker.spec import SpecError
from worker.studies import position, registry
from worker.studies.position import Position
from worker.studies.protocol import StudySpec

FLAT = {"engine": "flat_mc", "options": {}, "budget": {"playouts": 60}}
LINER = {"engine": "liner", "options": {}, "budget": {"playouts": 10}}
TIMES = ("cpu_s", "elapsed_s")


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(game_registry.GAMES, "toy", "games.toy.game:Cards")
    for engine in ENGINES:
        monkeypatch.setitem(engine_registry.ENGINES, engine.id, f"tests.worker.studies.thinkers:{engine.__name__}")


def parameters(*runs: dict[str, Any], game_id: str = "toy", plies: int = 2, **changes: Any) -> dict[str, Any]:
    """The position after some plies of first actions, seed 7."""
    made = {"options": {}, "seats": 2, "deal_seed": 7, "actions": [], "runs": list(runs) or [LINER]}
    for _ in range(plies):
        state = position.walk_match(game_id, made).state
        made["actions"].append(int(walks.game_of(game_id).legal_actions(state)[0]))
    return made | changes


def study(*runs: dict[str, Any], game_id: str = "toy", plies: int = 2, seed: int = 3) -> StudySpec:
    given = parameters(*runs, game_id=game_id, plies=plies)
    return StudySpec("position", game_id, Position().complete_parameters(game_registry.get(game_id), given), seed)


def timeless(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in TIMES}


def refused(given: dict[str, Any]) -> SpecError:
    with pytest.raises(SpecError) as found:
        Position().complete_parameters(game_registry.get("toy"), given)
    return found.value


class TestParameters:
    """What is taken, and what is refused with the place."""

    def test_it_is_registered_under_its_id(self) -> None:
        assert registry.get("position").id == "position"

    def test_defaults_are_filled_in_and_checking_again_changes_nothing(self) -> None:
        checked = Position().complete_parameters(game_registry.get("toy"), parameters({"engine": "flat_mc"}))
        assert checked["options"] == {"cards": 6}
        assert checked["runs"][0]["options"]["utility"] == "difference"
        assert checked["runs"][0]["budget"] == {"playouts_per_action": 20}
        assert Position().complete_parameters(game_registry.get("toy"), json.loads(json.dumps(checked))) == checked

    def test_bad_parameters_name_their_place(self, subtests: pytest.Subtests) -> None:
        for changes, path in [
            ({"depth": 3}, "depth"),
            ({"seats": 9}, "seats"),
            ({"deal_seed": -1}, "deal_seed"),
            ({"deal_seed": True}, "deal_seed"),
            ({"options": {"cards": 99}}, "options.cards"),
            ({"options": 5}, "options"),
            ({"actions": "0"}, "actions"),
            ({"actions": [0, "x"]}, "actions[1]"),
            ({"actions": [0] * 99}, "actions"),
            ({"actions": [2]}, "actions"),
            ({"runs": []}, "runs"),
            ({"runs": [LINER] * 7}, "runs"),
            ({"runs": [LINER, {"engine": "nobody"}]}, "runs[1].engine"),
            ({"runs": [{"engine": "flat_mc", "options": {"utility": "fun"}}]}, "runs[0].options.utility"),
            ({"runs": [{"engine": "flat_mc", "budget": {"depth": 2}}]}, "runs[0].budget.depth"),
        ]:
            with subtests.test(changes=changes, path=path):
                assert refused(parameters(**changes)).place == path

    def test_what_is_missing_is_named(self) -> None:
        for key in ("seats", "deal_seed", "actions", "runs"):
            given = parameters()
            del given[key]
            assert refused(given).place == key

    def test_the_end_of_a_match_has_nobody_on_turn(self) -> None:
        assert "nobody is on turn" in refused(parameters(plies=6)).message


class TestRuns:
    """What engines answer in the position."""

    def test_the_answer_is_legal_and_the_table_holds_every_action(self) -> None:
        asked = study(FLAT)
        state = position.walk_match("toy", asked.parameters).state
        row = Position().piece(asked, 0)
        legal = set(walks.game_of("toy").legal_actions(state).tolist())
        assert row["action"] in legal
        assert {entry["action"] for entry in row["table"]} == legal
        assert row["notation"] == walks.game_of("toy").notation(state, row["action"])
        assert sum(entry["visits"] for entry in row["table"]) == row["playouts"] == 60
        values = [entry["value"] for entry in row["table"]]
        assert values == sorted(values, reverse=True)
        assert json.loads(json.dumps(row, allow_nan=False)) == row

    def test_the_same_spec_gives_the_same_rows(self) -> None:
        asked = study(FLAT, LINER)
        for index in range(2):
            assert timeless(Position().piece(asked, index)) == timeless(Position().piece(asked, index))

    def test_equal_runs_answer_alike_in_any_place_of_the_list(self) -> None:
        alone, second = Position().piece(study(LINER), 0), Position().piece(study(FLAT, LINER), 1)
        assert timeless(alone) == timeless(second)

    def test_a_repeated_run_and_another_seed_have_luck_of_their_own(self) -> None:
        first, second = (Position().piece(study(LINER, LINER), index) for index in range(2))
        other = Position().piece(study(LINER, seed=4), 0)
        assert len({first["value"], second["value"], other["value"]}) == 3

    def test_undefined_numbers_are_null_and_a_bound_follows_what_is_exact(self) -> None:
        table = Position().piece(study(LINER), 0)["table"]
        assert [entry["is_bound"] for entry in table] == [False, True]
        assert table[0]["value"] == table[1]["value"]
        assert [entry["deviation"] for entry in table] == [2.0, None]

    def test_engines_get_what_their_seat_may_see(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(game_registry.GAMES, "toy_secret", "games.toy.secret:SecretCards")
        asked = study({"engine": "looking"}, game_id="toy_secret", plies=1)
        Position().piece(asked, 0)
        game, course = walks.game_of("toy_secret"), position.walk_match("toy_secret", asked.parameters)
        assert (Looking.seen[-1] == game.view(course.state, course.player)).all()
        assert (Looking.seen[-1] != course.state).any()

    def test_an_engine_is_warm_before_its_time_is_taken(self) -> None:
        asked = study({"engine": "looking", "options": {"length": 7}})
        before = len(Looking.seen)
        Position().piece(asked, 0)
        assert len(Looking.seen) == before + 2, "once to load what it needs, then the decision"
        Position().piece(asked, 0)
        assert len(Looking.seen) == before + 3

    @pytest.mark.parametrize(
        ("engine", "error", "words"),
        [
            ("failing", RuntimeError, "no move came to mind"),
            ("cheating", ValueError, "not legal here"),
            ("straying", IllegalActionError, "not legal"),
        ],
    )
    def test_an_engine_that_goes_wrong_raises(self, engine: str, error: type[Exception], words: str) -> None:
        with pytest.raises(error, match=words):
            Position().piece(study({"engine": engine}), 0)


class TestLines:
    """Principal variations."""

    @pytest.mark.parametrize("game_id", ["toy", "carcassonne"])
    def test_a_line_replays_legally_and_is_spelt(self, game_id: str) -> None:
        asked = study(LINER, game_id=game_id)
        row = Position().piece(asked, 0)
        game, state = walks.game_of(game_id), position.walk_match(game_id, asked.parameters).state
        assert len(row["line"]) == 5
        assert row["line"][0][:2] == ["action", row["action"]]
        assert [kind for kind, _, _ in row["line"]] == ["action", "chance", "action", "chance", "action"]
        for kind, number, notation in row["line"]:
            spell = game.outcome_notation if kind == "chance" else game.notation
            assert notation == spell(state, number)
            state = game.apply(state, number)

    def test_no_line_is_an_empty_one(self) -> None:
        assert Position().piece(study(FLAT), 0)["line"] == []

    def test_the_result_holds_every_run_done_or_not(self) -> None:
        asked = study(LINER, FLAT)
        row = Position().piece(asked, 0)
        result = Position().result(asked, {0: row})
        assert (result["ply"], result["seat"]) == (2, 0)
        assert [run["engine"] for run in result["runs"]] == ["liner", "flat_mc"]
        assert [run["answer"] for run in result["runs"]] == [row, None]


class TestSeconds:
    """The estimate before the start."""

    def test_a_tree_grows_with_its_depth(self) -> None:
        runs = [{"engine": "liner", "budget": {"depth": depth}} for depth in (1, 2, 3)]
        one, two, three = position.run_seconds(study(*runs, game_id="carcassonne", plies=10))
        assert one < two / 100 < three / 10_000

    def test_pruning_saves_as_much_as_in_a_match(self) -> None:
        def run(algorithm: str, killers: bool) -> dict[str, Any]:
            options = {"algorithm": algorithm, "killers": killers}
            return {"engine": "expectimax", "options": options, "budget": {"depth": 3}}

        keys = [key for key in VISITED if key[0] in ("star2", "star2.5")]
        runs = (run("expectimax", False), *(run(*key) for key in keys))
        whole, *pruned = position.run_seconds(study(*runs, game_id="carcassonne", plies=10))
        assert [seconds / whole for seconds in pruned] == pytest.approx([VISITED[key] ** 2 for key in keys])

    def test_the_tightest_limit_counts(self) -> None:
        runs = [{"engine": "liner", "budget": {"depth": 9}}, {"engine": "liner", "budget": {"depth": 9, "playouts": 5}}]
        asked = study(*runs, game_id="carcassonne", plies=10)
        deep, limited = position.run_seconds(asked)
        assert limited < 0.01 < deep
        assert Position().seconds(asked) == deep + limited

    @pytest.mark.long
    def test_seconds_of_a_match_are_shared_over_the_plies_left(self) -> None:
        run = {"engine": "flat_mc", "budget": {"seconds_per_match": 70}}
        early, late = (position.run_seconds(study(run, game_id="carcassonne", plies=plies))[0] for plies in (1, 67))
        assert early == pytest.approx(2.0)
        assert late == pytest.approx(35.0)
