"""A match played whole leaves the record of the same match played ply by ply, but for seconds."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from games import options as option_tools
from games import readiness, registry, rng
from games.protocol import CHANCE, TERMINAL
from tests.games.samples import sample_of
from tests.warming import WHOLE_MATCHES
from webapp.records.batches import Batch
from webapp.records.ply_rows import ply_rows
from worker import schedule
from worker import spec as specs
from worker.files import lines
from worker.records import MatchRecord
from worker.runner import noted, play_match
from worker.spec import ExperimentSpec
from worker.whole_matches import players
from worker.whole_matches import registry as courses
from worker.whole_matches.plies import PlyColumns

DEALS = 1
RULES: dict[str, tuple[int, dict[str, Any]]] = {
    "carcassonne": (3, {"unplaceable": "return", "farmers": "cities"}),
    "kingdomino": (3, {"three_seats": "48", "ties": "official"}),
    "dominion": (3, {"kingdom": "random"}),
    "dominoes": (4, {"first_opener": "any", "many_doubles": "win"}),
}
"""Rules by which chance does all that it can, and seats."""


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are worth compiling from the first match on."""
    monkeypatch.setattr(players, "WORTH_S", 0.0)


def spec_of(game_id: str, options: Mapping[str, Any], policies: Sequence[str], record: str) -> ExperimentSpec:
    return spec_with(
        game_id, options, [{"engine": "scripted", "options": {"policy": policy}} for policy in policies], record
    )


def spec_with(
    game_id: str, options: Mapping[str, Any], seats: Sequence[Mapping[str, Any]], record: str
) -> ExperimentSpec:
    arms = [{"name": "arm", "seats": list(seats)}]
    whole = {"version": 1, "game": game_id, "options": dict(options), "seats": len(seats), "arms": arms}
    return specs.from_json(whole | {"deals": DEALS, "rotation": "none", "seed": 7, "record": record})


def lineups(game_id: str, seats: int) -> Iterator[list[str]]:
    """Every policy in every seat, and each beside those that follow it."""
    known = registry.get(game_id).policies
    for first, policy in enumerate(known):
        yield [policy] * seats
        yield [known[(first + seat) % len(known)] for seat in range(seats)]


def check_alike(spec: ExperimentSpec) -> None:
    for match in schedule.expand(spec):
        whole, by_ply = play_match(match), play_match(match, is_by_ply=True)
        assert isinstance(whole.plies, PlyColumns) or spec.record == "matches"
        assert whole.failure is None
        one_by_one = dataclasses.replace(whole, plies=tuple(whole.plies))
        assert lines(spec, [whole]) == lines(spec, [by_ply])
        assert lines(spec, [whole], times=True) == lines(spec, [one_by_one], times=True)
        assert list(ply_rows([1], Batch([whole]))) == list(ply_rows([1], Batch([one_by_one])))
        assert without_seconds(whole) == without_seconds(by_ply)


def without_seconds(record: MatchRecord) -> MatchRecord:
    plies = tuple(dataclasses.replace(ply, elapsed_s=0.0, cpu_s=0.0) for ply in record.plies)
    return dataclasses.replace(record, elapsed_s=0.0, cpu_s=0.0, plies=plies)


def quick_policies(game_id: str) -> list[str]:
    """Those that need no journal: with it the kernel is another one."""
    game = registry.get(game_id)
    return [policy for policy in game.policies if policy not in game.kernels().policies.NEEDS_JOURNAL]


@pytest.mark.parametrize(
    "game_id", [pytest.param(name, marks=[] if name in WHOLE_MATCHES else pytest.mark.slow) for name in courses.COURSES]
)
def test_a_match_played_whole_is_the_match_played_ply_by_ply(game_id: str) -> None:
    seats, options = RULES[game_id]
    known = quick_policies(game_id)
    for first in range(0, len(known), seats):
        policies = [known[(first + seat) % len(known)] for seat in range(seats)]
        check_alike(spec_of(game_id, options, policies, "standard"))
    check_alike(spec_of(game_id, options, policies, "matches"))


@pytest.mark.parametrize(
    "game_id", [pytest.param(name, marks=pytest.mark.slow if name in WHOLE_MATCHES else []) for name in courses.COURSES]
)
def test_luck_notation_and_notes_are_those_of_the_game(game_id: str) -> None:
    seats, chosen = RULES[game_id]
    game, course = registry.get(game_id), courses.get(game_id)
    assert course is not None
    kernels = course.load(game, journal=False)
    options, luck, chance = option_tools.from_json(game.options, chosen), np.zeros(kernels.LUCK, np.int64), stream(3)
    state, deal, dice = game.initial_state(options, seats), game.deal(options, seats, stream(3)), random.Random(3)
    notes, points = np.zeros((kernels.NOTES, seats), np.int64), np.zeros(game.traits.max_seats, np.int64)
    kernels.deal(state, luck, chance)
    while (player := game.current_player(state)) != TERMINAL:
        if player == CHANCE:
            action = deal.draw(state)
            assert kernels.draw(state, luck, chance) == action
        else:
            action = int(dice.choice(game.legal_actions(state)))
            assert course.spell(int(kernels.spelling(state, action))) == game.notation(state, action)
        state = game.apply(state, action)
        if kernels.NOTES:
            kernels.note(state, points, notes)
            assert dict(zip(game.ply_notes, notes.tolist(), strict=True)) == noted(game, state)


def stream(seed: int) -> Any:
    """The stream that a deal is made with."""
    return rng.new_stream(seed, rng.DEAL)


@pytest.mark.slow
@pytest.mark.parametrize("game_id", courses.COURSES)
def test_all_policies_at_all_tables_by_all_rules(game_id: str) -> None:
    game, sample = registry.get(game_id), sample_of(game_id)
    rules = [{}, *(one.options for one in game.presets.values()), sample.rich_options, *(row for row, _ in sample.rare)]
    for options in rules:
        for seats in range(game.traits.min_seats, game.traits.max_seats + 1):
            for policies in lineups(game_id, seats):
                try:
                    spec = spec_of(game_id, options, policies, "standard")
                except specs.SpecError:  # these rules are not for so many seats
                    break
                check_alike(spec)


def test_each_ply_has_an_equal_part_of_the_seconds() -> None:
    match = next(schedule.expand(spec_of("dominoes", {}, ["greedy"] * 4, "standard")))
    record = play_match(match)
    assert {ply.cpu_s for ply in record.plies} == {record.plies[0].cpu_s}
    assert 0 < sum(ply.cpu_s for ply in record.plies) <= record.cpu_s


SHREWD: dict[str, Any] = {"engine": "shrewd"}
GREEDY: dict[str, Any] = {"engine": "scripted", "options": {"policy": "greedy"}}


def programs(game_id: str) -> Iterator[list[dict[str, Any]]]:
    """Line-ups with players that a game's kernel knows beside the policies."""
    if game_id == "dominoes":
        yield [SHREWD] * 4
        yield [SHREWD, GREEDY, SHREWD, GREEDY]
    strategies = registry.get(game_id).strategies
    for strategy in strategies.examples.values() if strategies else ():
        yield [{"engine": "strategy", "options": {"strategy": strategy}}, GREEDY, GREEDY]


@pytest.mark.parametrize("game_id", ["dominoes", pytest.param("dominion", marks=pytest.mark.slow)])
def test_strategies_and_fitted_play_are_played_whole(game_id: str) -> None:
    _, options = RULES[game_id]
    for seats in programs(game_id):
        check_alike(spec_with(game_id, options, seats, "standard"))


def test_no_kernel_is_compiled_for_a_few_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """What matches took that it could have played is what says so; none is asked for where twins play."""
    game = registry.get("dominoes")
    monkeypatch.setattr(players, "WORTH_S", 10.0)
    monkeypatch.setattr(players, "_missed_s", players.defaultdict(float))
    assert not players.is_worth_compiling(game, ["greedy"] * 4)
    players.note_missed(game, ["greedy"] * 4, 9.0)
    assert not players.is_worth_compiling(game, ["greedy"] * 4)
    players.note_missed(game, ["random"] * 4, 1.0)
    assert players.is_worth_compiling(game, ["greedy"] * 4)
    with readiness.plainly():
        assert not players.is_worth_compiling(game, ["greedy"] * 4)
        assert players.player_for(game, ["greedy"] * 4) is None
