"""What might be played from a position, as marks that a script shows and hides."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from games import rng, variations
from games.carcassonne import reading
from games.protocol import CHANCE
from tests.games import walks
from tests.games.carcassonne.board.test_render import check_references, classes


@pytest.fixture(scope="module")
def game() -> Any:
    return walks.game_of("carcassonne")


def follow(game: Any, state: Any, plies: int, choice: int) -> list[Any]:
    """States right after each of some plies, with drawn tiles in between."""
    r, found = rng.new_stream(5, rng.ANALYSIS), []
    for _ in range(plies):
        actions = game.legal_actions(state)
        found.append(game.apply(state, int(actions[choice % len(actions)])))
        state = found[-1]
        if game.current_player(state) == CHANCE:
            state = game.apply(state, game.sample_chance(state, r))
    return found


def marked(svg: str, name: str) -> list[Any]:
    return [node for node in ET.fromstring(svg).iter() if node.get(name)]


def test_every_action_is_a_variation_of_one_ply(game: Any) -> None:
    state = walks.turns("carcassonne")[4]
    actions = [int(action) for action in game.legal_actions(state)]
    svg = variations.svg(game, state, [[game.apply(state, action)] for action in actions], prefix="p-")
    check_references(svg)
    groups = marked(svg, "data-variation")
    assert all("cc-off" in classes(node) and node.get("data-from") == "1" for node in groups)
    shown: dict[int, list[str]] = {n: [] for n in range(len(actions))}
    for node in groups:
        for number in node.get("data-variation").split():
            shown[int(number)].append("meeple" if "cc-meeple" in classes(node) else node.get("transform"))
    for number, action in enumerate(actions):
        move = reading.placement(state, action)
        place = f"translate({100 * move.x} {100 * move.y})"
        assert shown[number] == [place, "meeple"] if move.segment else [place]


def test_tiles_that_differ_in_their_meeple_alone_are_drawn_once(game: Any) -> None:
    state = walks.turns("carcassonne")[4]
    actions = [int(action) for action in game.legal_actions(state)]
    places = {reading.placement(state, action)[:4] for action in actions}
    svg = variations.svg(game, state, [[game.apply(state, action)] for action in actions])
    tiles = [node for node in marked(svg, "data-variation") if "cc-meeple" not in classes(node)]
    assert len(tiles) == len(places) < len(actions)


def test_a_line_lays_a_numbered_tile_each_ply(game: Any) -> None:
    state = walks.turns("carcassonne")[10]
    svg = variations.svg(game, state, [follow(game, state, 4, 0)])
    tiles = [node for node in marked(svg, "data-variation") if "cc-meeple" not in classes(node)]
    assert [node.get("data-from") for node in tiles] == ["1", "2", "3", "4"]
    assert re.findall(r'class="cc-number">(\d)<', svg) == ["1", "2", "3", "4"]


def test_meeples_that_come_home_leave_at_their_ply(game: Any) -> None:
    seen = 0
    for state in walks.turns("carcassonne")[5:60]:
        actions = [int(action) for action in game.legal_actions(state)]
        lines = [[game.apply(state, action)] for action in actions]
        svg = variations.svg(game, state, lines)
        gone = [entry for node in marked(svg, "data-gone") for entry in node.get("data-gone").split()]
        standing = sum(tile.meeple is not None for tile in reading.laid_tiles(game.kernels(), state))
        for number, (after,) in enumerate(lines):
            placed = reading.placement(state, actions[number]).segment is not None
            left = sum(tile.meeple is not None for tile in reading.laid_tiles(game.kernels(), after))
            home = sum(len(event.returned) for event in game.events(after))
            if not game.is_terminal(after) and left == standing + placed - home and not (placed and home):
                assert gone.count(f"{number}:1") == home
                seen += home
    assert seen > 20


def test_the_tile_in_hand_is_a_picture_of_its_own(game: Any) -> None:
    state = walks.turns("carcassonne")[3]
    svg = variations.drawn_svg(game, state, prefix="hand-")
    check_references(svg)
    assert ET.fromstring(svg).get("role") == "img"
    assert variations.drawn_svg(game, walks.end("carcassonne")) == ""


def test_a_game_that_draws_no_variations_shows_its_position() -> None:
    toy = walks.game_of("toy")
    state = walks.turns("toy")[2]
    svg = variations.svg(toy, state, [[toy.apply(state, 0)]], prefix="p-")
    assert svg == toy.replay_svg([state], ply=0, prefix="p-")
    assert variations.drawn_svg(toy, state) == ""
