"""Random matches on the real game and on the slow reference agree ply by ply."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from games import rng as streams
from tests.games.carcassonne import reference
from tests.games.carcassonne.recorded import FILES, matches
from tests.games.carcassonne.tables import GameTable, ReferenceTable, spell, standing
from tests.looping import looped

ALL_RULES = [
    {"unplaceable": unplaceable, "two_tile_city": two_tile_city}
    for unplaceable in ("return", "discard")
    for two_tile_city in ("full", "half")
]
NO_FARMERS = {"unplaceable": "discard", "farmers": "off"}
FIRST_EDITION = {"unplaceable": "discard", "two_tile_city": "half", "farmers": "cities"}


def play_both(seed: int, seats: int, rules: Mapping[str, str]) -> tuple[GameTable, ReferenceTable]:
    """A match with the game's own deal and random moves, compared after every draw and ply."""
    game, slow = GameTable(seats, **rules), ReferenceTable(seats, **rules)
    deal = game.game.deal(game.options, seats, streams.new_stream(seed, streams.DEAL))
    rng = random.Random(seed)
    assert standing(game) == standing(slow)
    while not slow.over:
        letter = game.game.outcome_notation(game.state, deal.draw(game.state))
        fits = slow.draw(letter)
        assert game.draw(letter) == fits
        if not fits:
            assert standing(game) == standing(slow)
            continue
        moves = game.moves()
        assert moves == slow.moves()
        move = rng.choice(sorted(moves, key=str))
        game.lay(move)
        slow.lay(move)
        assert standing(game) == standing(slow), f"after {move}"
    return game, slow


def assert_same_end(game: GameTable, slow: ReferenceTable) -> None:
    """Metrics and ranks of a finished match."""
    for values, wanted in zip(game.metrics, slow.metrics, strict=True):
        assert list(values) == [metric.id for metric in game.game.metric_table]
        assert values == pytest.approx(wanted)
    points = slow.points
    assert list(game.game.ranks(game.state)) == [1 + sum(other > own for other in points) for own in points]


@looped("seats", [2, 3, 4, 5])
def test_random_match_agrees(seats: int) -> None:
    """Each number of seats and each of the four sets of rules once; all of both with --slow."""
    assert_same_end(*play_both(100 + seats, seats, ALL_RULES[seats - 2]))


def test_random_match_without_farmers_agrees() -> None:
    game, slow = play_both(7, 2, NO_FARMERS)
    assert_same_end(game, slow)
    assert not any(values["placed_field"] for values in game.metrics)


def test_random_match_with_farmers_of_the_first_edition_agrees() -> None:
    game, slow = play_both(24, 3, FIRST_EDITION)
    assert_same_end(game, slow)
    assert sum(entry.kind == "field" and entry.points == 4 for entry in slow.match.scored) > 1


@pytest.mark.slow
@looped("seed", range(100))
def test_many_random_matches_agree(seed: int) -> None:
    assert_same_end(*play_both(1000 + seed, 2 + seed % 4, [*ALL_RULES, NO_FARMERS, FIRST_EDITION][seed // 4 % 6]))


def test_farmers_of_the_first_edition_are_counted_city_by_city_over_all_fields() -> None:
    """A city between two fields gives both farmers 4, another beside the first field alone 4 more; today 6 and 3."""
    moves = ("E 0,-1 180° field0", "U 1,0 90° field0", "E 0,-2 0°", "E 0,-3 180°")
    for rules, wanted in ((FIRST_EDITION, [8, 4]), ({}, [6, 3])):
        for table in (ReferenceTable(**rules), GameTable(**rules)):
            table.play(*moves)
            assert table.projected == wanted


@looped("path", FILES)
def test_metrics_of_recorded_matches_agree(path: Path) -> None:
    """Recorded seats play better than random ones: they contest, close and draw in vain more."""
    for trace in itertools.islice(matches(path), 2):
        game, slow = (table(trace["players"], **trace["rules"]) for table in (GameTable, ReferenceTable))
        for ply in trace["plies"]:
            for table in (game, slow):
                assert [table.draw(letter) for letter in ply["vain"]] == [False] * len(ply["vain"])
                table.play(spell(ply["tile"], (ply["x"], ply["y"], ply["rot"], ply["meeple"])))
        assert_same_end(game, slow)


@pytest.mark.parametrize("seats", [2, 5])
def test_metrics_add_up_to_scores_and_meeples(seats: int) -> None:
    match = reference.random_match(random.Random(seats), seats)
    for seat, values in enumerate(match.metrics()):
        assert sum(values[f"points_{kind}"] for kind in reference.KINDS) == match.points[seat]
        standing_meeples = sum(owner == seat for owner in match.meeples.values())
        assert sum(values[f"stranded_{kind}"] for kind in reference.KINDS) == standing_meeples
        assert match.in_hand[seat] == reference.MEEPLES - standing_meeples


def ended(*words: str, seats: int = 2) -> list[dict[str, float]]:
    """Metrics of the reference when a match is broken off after some moves."""
    table = ReferenceTable(seats)
    table.play(*words)
    table.match.end()
    return table.metrics


def test_city_won_against_a_minority_is_taken_over_and_lost() -> None:
    first, second = ended(
        "U 1,0 90°",
        "U -1,0 90°",
        "E 1,-1 270° city0",
        "E -1,-1 90° city0",
        "E 1,-2 0°",
        "U 2,0 90°",
        "E 0,-2 180° city0",
        "C 0,-1 0°",
    )
    assert (first["taken_over"], first["shared"], first["lost"]) == (1, 0, 0)
    assert (second["taken_over"], second["shared"], second["lost"]) == (0, 0, 1)
    assert (first["points_city_finished"], first["features_city"]) == (12, 1)
    assert (first["placed_city"], first["returned_city"], first["stranded_city"]) == (2, 2, 0)
    assert first["mean_in_hand"] == (7 + 7 + 6 + 6) / 4


def test_tied_road_is_shared() -> None:
    for values in ended("W 0,1 0° road0", "V 0,2 180° road0", "V 1,1 0°", "V 1,2 90°"):
        assert (values["shared"], values["taken_over"], values["lost"]) == (1, 0, 0)
        assert (values["points_road"], values["points_road_open"]) == (4, 0)


def test_worthless_field_is_no_feature_but_its_meeple_is_stranded() -> None:
    first, _ = ended("U 1,0 90° field1")
    assert (first["features_field"], first["points_field"], first["stranded_field"]) == (0, 0, 1)


@pytest.mark.slow  # perft and stored traces hold it to other programs
def test_random_scores_lie_in_the_known_band() -> None:
    """Uniformly random seats average 18.4 to 19.6 points over thousands of matches."""
    totals = [sum(reference.random_match(random.Random(seed)).points) / 2 for seed in range(40)]
    error = np.std(totals, ddof=1) / np.sqrt(len(totals))
    assert abs(np.mean(totals) - 19.0) < 0.6 + 3 * error


def test_rate_counts_whole_matches() -> None:
    assert reference.rate(0.01) > 0
