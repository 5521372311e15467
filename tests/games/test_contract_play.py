"""What every game promises to a board in play: steps, targets, aids, panel, and no secrets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import pytest

from games import rng
from games.panels import Panel
from games.protocol import State
from tests.games import walks

PREFIX = "b-"
MARKS = ("data-step", "data-show", "data-aid")


def positions(game: Any, count: int = 8) -> list[State]:
    """States of matches with the most seats, with any seat on turn, and one at the end."""
    states = [state for state, _ in walks.match(game.id, game.traits.max_seats)]
    return walks.some(states, count)


def board(game: Any, state: State, seat: int | None) -> ElementTree.Element:
    return ElementTree.fromstring(game.play_svg(state, seat=seat, prefix=PREFIX))


def marked(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [node for node in root.iter() if name in node.attrib]


def spelt(game: Any, state: State) -> list[Any]:
    spellings = (game.parts, *([game.other_parts] if game.other_parts is not None else []))
    actions = game.legal_actions(state).tolist()
    return [parts for spell in spellings for action in actions if (parts := spell(state, action))]


def onlookers(game: Any, state: State) -> Iterator[int | None]:
    """Everybody who is not on turn."""
    yield None
    yield from (seat for seat in range(game.num_seats(state)) if seat != game.current_player(state))


def test_steps_and_aids_say_what_people_are_asked(game: Any) -> None:
    assert game.steps
    assert game.steps[0].kind != "turn", "a turn says how something already chosen lies"
    assert {step.kind for step in game.steps} <= {"place", "turn", "choice"}
    for things in (game.steps, game.aids):
        names = [getattr(thing, "name", None) or thing.id for thing in things]
        assert len(set(names)) == len(names)
    assert all(step.label and step.ask.endswith(".") for step in game.steps)
    assert all(aid.label and aid.help.endswith(".") for aid in game.aids)


def test_parts_follow_the_steps_and_spell_each_action_differently(game: Any) -> None:
    names = tuple(step.name for step in game.steps)
    for state in walks.some(walks.turns(game.id, game.traits.max_seats)):
        spellings = spelt(game, state)
        for parts in spellings:
            assert parts
            steps = [names.index(part.name) for part in parts]
            assert steps == sorted(set(steps))
        assert len({tuple(part.value for part in parts) for parts in spellings}) == len(spellings)


def test_values_can_be_joined_to_paths(game: Any) -> None:
    for state in walks.some(walks.turns(game.id, game.traits.max_seats)):
        assert not any("|" in part.value or not part.value for parts in spelt(game, state) for part in parts)


def test_labels_tell_choices_apart_as_values_do(game: Any) -> None:
    for state in walks.some(walks.turns(game.id, game.traits.max_seats)):
        labels: dict[tuple[str, ...], dict[str, str]] = {}
        for parts in spelt(game, state):
            for depth, part in enumerate(parts):
                before = tuple(one.value for one in parts[:depth])
                known = labels.setdefault(before, {}).setdefault(part.value, part.label)
                assert known == part.label != ""
        assert all(len(set(of_values.values())) == len(of_values) for of_values in labels.values())


def test_every_part_with_an_element_has_its_target_on_the_board(game: Any) -> None:
    kinds = {step.name: step.kind for step in game.steps}
    for state in walks.some(walks.turns(game.id, game.traits.max_seats)):
        root = board(game, state, game.current_player(state))
        by_id = {node.get("id"): node for node in root.iter() if node.get("id")}
        for parts in spelt(game, state):
            for depth, part in enumerate(parts):
                if kinds[part.name] == "place":
                    assert part.element
                if not part.element:
                    continue
                target = by_id[PREFIX + part.element]
                if kinds[part.name] == "turn":
                    assert part.element == parts[depth - 1].element, "pointing at the same place again turns"
                else:
                    assert target.get("data-step") == part.name
                    assert target.get("data-value") == part.value
                    assert target.get("data-when") == "|".join(one.value for one in parts[:depth])


def test_targets_and_pictures_belong_to_legal_actions(game: Any) -> None:
    for state in walks.some(walks.turns(game.id, game.traits.max_seats)):
        root = board(game, state, game.current_player(state))
        paths, spellings = {()}, set()
        for parts in spelt(game, state):
            values = tuple(part.value for part in parts)
            paths |= {values[: depth + 1] for depth in range(len(values))}
            spellings |= {(part.name, values[:depth], part.value) for depth, part in enumerate(parts)}
        targets = [
            (node.attrib["data-step"], path(node.attrib["data-when"]), node.attrib["data-value"])
            for node in marked(root, "data-step")
        ]
        assert targets
        assert set(targets) <= spellings
        assert max(Counter(targets).values()) == 1
        assert {path(node.attrib["data-show"]) for node in marked(root, "data-show")} <= paths


def path(values: str) -> tuple[str, ...]:
    return tuple(values.split("|")) if values else ()


def test_targets_are_named_for_those_who_do_not_see_them(game: Any) -> None:
    for state in walks.some(walks.turns(game.id, game.traits.max_seats)):
        for target in marked(board(game, state, game.current_player(state)), "data-step"):
            assert target.attrib["aria-label"].endswith(".")
            assert "tabindex" not in target.attrib, "the script says what can be reached by keyboard"


@pytest.mark.long
def test_a_seat_not_on_turn_has_no_targets(game: Any) -> None:
    for state in positions(game):
        for seat in onlookers(game, state):
            root = board(game, state, seat)
            assert not marked(root, "data-step")
            assert not marked(root, "data-show")


def test_marks_are_off_until_a_script_shows_them(game: Any) -> None:
    for state in walks.some(walks.turns(game.id, game.traits.max_seats), 4):
        root = board(game, state, game.current_player(state))
        found = [node for name in MARKS for node in marked(root, name)]
        assert found
        assert all("off" in node.attrib["class"].split() for node in found)
        assert {node.attrib["data-aid"] for node in marked(root, "data-aid")} <= {aid.id for aid in game.aids}


@pytest.mark.long
def test_boards_and_panels_can_stand_on_one_page(game: Any) -> None:
    for state in positions(game):
        for seat in (None, 0):
            panel = game.panel(state, seat, prefix="p-")
            texts = [game.play_svg(state, seat=seat, prefix=PREFIX), panel.held, *pictures(panel)]
            ids = [name for text in texts for name in re.findall(r'\bid="([^"]+)"', text)]
            assert len(set(ids)) == len(ids)
            assert all(name.startswith((PREFIX, "p-")) for name in ids)
            for text in filter(None, texts):
                assert ElementTree.fromstring(text).tag.endswith("svg")
                assert not re.search(r"<script|javascript:|\son\w+=", text)


def pictures(panel: Panel) -> list[str]:
    return [row.picture for stock in panel.stocks for row in stock.rows]


@pytest.mark.long
def test_the_board_keeps_its_window_for_every_seat(game: Any) -> None:
    for state in positions(game):
        boxes = {board(game, state, seat).get("viewBox") for seat in (None, *range(game.num_seats(state)))}
        assert len(boxes) == 1


def test_points_float_up_from_things_on_the_board(game: Any) -> None:
    found = 0
    for state, _ in walks.match(game.id, game.traits.max_seats):
        elements = {element for event in game.events(state) for element in event.elements}
        if elements:
            text = game.play_svg(state, seat=None, prefix=PREFIX)
            assert elements <= {name.removeprefix(PREFIX) for name in re.findall(r'\bid="([^"]+)"', text)}
            found += 1
    assert (found > 0) == walks.has_events(game)


def test_panels_count_what_is_there(game: Any) -> None:
    for seats in walks.seat_counts(game):
        for state in walks.some([state for state, _ in walks.match(game.id, seats)], 12):
            panel = game.panel(state, 0)
            assert len(panel.supplies) == seats
            assert bool(panel.held) == bool(panel.held_label)
            assert all(0 <= one.left <= one.total and one.label for of_seat in panel.supplies for one in of_seat)
            for stock in panel.stocks:
                assert sum(row.left for row in stock.rows) == stock.left
                assert sum(row.total for row in stock.rows) == stock.total
                assert all(0 <= row.left <= row.total for row in stock.rows)
                assert len({row.label for row in stock.rows}) == len(stock.rows)
                chances = [row.chance for row in stock.rows if row.chance is not None]
                assert not chances or sum(chances) == pytest.approx(1)


@pytest.mark.long
def test_boards_and_panels_are_the_same_all_over_an_information_set(game: Any) -> None:
    varied = False
    for state in walks.rich_turns(game.id, 6):
        asked = game.current_player(state)
        for seat in (asked, (asked + 1) % game.num_seats(state)):
            full = game.determinize(game.view(state, seat), rng.new_stream(seat, rng.SEARCH))
            varied |= full.tobytes() != state.tobytes()
            for looking in (seat, None):  # a spectator knows less than any seat
                assert game.play_svg(full, seat=looking) == game.play_svg(state, seat=looking)
                assert game.panel(full, looking) == game.panel(state, looking)
    assert varied == game.traits.has_hidden_information


def test_a_move_in_a_list_has_few_words_a_picture_and_its_place_on_the_board(game: Any) -> None:
    sheet = set(re.findall(r'\bid="([^"]+)"', game.piece_sheet())) if game.piece_sheet is not None else set()
    found = 0
    for state in walks.some(walks.turns(game.id, game.traits.max_seats), 8):
        for action in game.legal_actions(state)[:4].tolist():
            if game.short_words is not None:
                words = game.short_words(game, state, action).words
                assert 1 <= len(words.split()) <= 6, words
                assert not re.search(r"\d,\d|\d°|-\d", words), words
            piece = game.piece_of(game.notation(state, action)) if game.piece_of is not None else None
            if piece is None:
                continue
            found += 1
            assert set(re.findall(r'href="#([^"]+)"', piece.picture)) <= sheet
            after = game.play_svg(game.apply(state, action), seat=None, prefix=PREFIX)
            assert any(f'id="{PREFIX}{name}"' in after or f'data-piece="{name}"' in after for name in piece.elements)
    assert found or game.piece_of is None
