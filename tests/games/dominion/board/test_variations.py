"""What might be played from a position, as marks that a script shows and hides."""

import re
import xml.etree.ElementTree as ET

from games import registry, rng
from games import variations as frame
from games.dominion import reading
from games.dominion import state as layout
from games.dominion.board import variations
from games.protocol import CHANCE
from tests.games.dominion.drawn import GAME, by_id, check_harmless, check_references, of_kinds, settled, turns
from tests.looping import looped

MOST_BYTES = 200_000


def is_shown(node, variation, step):
    """As `static/js/position.js` has it."""
    if own := node.get("data-variation"):
        start, end = int(node.get("data-from")), int(node.get("data-to", 10**9))
        return str(variation) in own.split() and start <= step < end
    gone = dict(entry.split(":") for entry in node.get("data-gone", "").split())
    return str(variation) not in gone or step < int(gone[str(variation)])


def seen(node, variation, step):
    """The element and all in it that is shown, on the wide arrangement."""
    if node.get("class") != "dm-narrow" and is_shown(node, variation, step):
        yield node
        for child in node:
            yield from seen(child, variation, step)


def drawn(root, name, variation, step, pattern, kind=int):
    """What a part of the table refers to, as often as it does."""
    hrefs = (node.get("href") or "" for node in seen(by_id(root, name), variation, step))
    return [kind(found.group(1)) for href in hrefs if (found := re.fullmatch(pattern, href))]


def check(root, state, seat, variation, step):
    """The variation shows, after so many plies, what the state holds."""
    for number, left in reading.supply(state).items():
        assert drawn(root, f"pile-{number}", variation, step, r"#n(\d+)") == [left]
    if state[layout.KIND] != layout.CLEAN_UP:
        assert set(drawn(root, "table", variation, step, r"#[cm](\d+)")) >= set(reading.zone(state, layout.PLAYED))
        hand = reading.seat_zone(state, seat, layout.HAND)
        assert sorted(drawn(root, "hand", variation, step, r"#[cm](\d+)")) == sorted(hand)


def follow(view, plies, choice):
    """States right after each of some plies, with draws in between."""
    r, found, state = rng.new_stream(5, rng.ANALYSIS), [], view
    for _ in range(plies):
        while GAME.current_player(state) == CHANCE:
            state = GAME.apply(state, GAME.sample_chance(state, r))
        actions = GAME.legal_actions(state)
        found.append(state := GAME.apply(state, int(actions[choice % len(actions)])))
    return found


@looped("kind", of_kinds)
def test_every_action_is_a_variation_that_shows_what_it_changes(kind):
    state = of_kinds()[kind]
    seat = GAME.current_player(state)
    view = GAME.view(state, seat)
    after = [GAME.apply(view, int(action)) for action in GAME.legal_actions(view)]
    text = variations.svg(GAME, state, [[one] for one in after], prefix="p-")
    check_references(text)
    check_harmless(text)
    assert len(text) < MOST_BYTES
    root = ET.fromstring(text.replace("p-", ""))
    for number, one in enumerate(after):
        check(root, view, seat, number, 0)
        check(root, one, seat, number, 1)


def test_a_line_is_shown_ply_by_ply():
    state = turns(2, kingdom="thesis")[40]
    seat = GAME.current_player(state)
    lines = [follow(GAME.view(state, seat), 9, choice) for choice in (0, 3)]
    root = ET.fromstring(variations.svg(GAME, state, lines))
    for number, line in enumerate(lines):
        for step, one in enumerate(line, start=1):
            check(root, one, seat, number, step)


def test_a_bought_card_has_a_ring_and_the_cards_that_paid_stay():
    state = next(one for one in turns(2, kingdom="thesis") if one[layout.KIND] == layout.BUY and one[layout.BUYS] == 1)
    seat, action = GAME.current_player(state), int(GAME.legal_actions(state)[0])
    text = variations.svg(GAME, state, [[GAME.apply(GAME.view(state, seat), action)]])
    root = ET.fromstring(text)
    assert [len(drawn(root, "rings", 0, step, "#ring-([ct])", str)) for step in (0, 1)] == [0, 1]
    assert set(drawn(root, "table", 0, 1, r"#[cm](\d+)")) == set(reading.zone(state, layout.PLAYED))
    assert set(drawn(root, "hand", 0, 1, r"#[cm](\d+)")) == set(reading.seat_zone(state, seat, layout.HAND))
    assert "The turn ends" in text


def test_nothing_is_drawn_that_the_seat_on_turn_cannot_know():
    state = turns(3, kingdom="interaction")[60]
    seat, r = GAME.current_player(state), rng.new_stream(3, rng.ANALYSIS)
    others = [GAME.determinize(GAME.view(state, seat), r) for _ in range(3)]
    assert any((other != state).any() for other in others)
    assert {variations.svg(GAME, other, [follow(other, 1, 0)]) for other in others} == {
        variations.svg(GAME, state, [follow(state, 1, 0)])
    }


def test_the_end_of_a_match_can_be_drawn():
    check_references(variations.svg(GAME, settled(2, kingdom="thesis")[-1], []))


def test_the_card_that_asks_is_a_picture_of_its_own():
    known, game = of_kinds(), registry.get("dominion")
    asked = frame.drawn_svg(game, known[layout.DISCARD_DOWN], prefix="hand-")
    check_references(asked)
    assert 'aria-label="Militia"' in asked
    assert frame.drawn_svg(game, known[layout.BUY]) == ""
