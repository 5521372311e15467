import re
import time
import xml.etree.ElementTree as ET

import pytest

from games.dominion import cards, reading
from games.dominion import state as layout
from games.dominion.board import symbols
from games.dominion.board.layout import Box
from games.dominion.play import spelling
from tests.games import walks
from tests.games.dominion.drawn import ALL_CARDS, GAME, by_id, check_harmless, check_references, marked, of_kinds, turns
from tests.looping import looped

SIZE_LIMIT = 230_000
KINDS = sorted(spelling.ASKED)


def on_turn(state, **more):
    return GAME.play_svg(state, seat=GAME.current_player(state), **more)


@looped("kind", KINDS)
def test_each_card_that_may_be_chosen_is_a_target_on_the_board(kind):
    state = of_kinds()[kind]
    root = ET.fromstring(on_turn(state))
    chosen = [GAME.parts(state, int(action))[0] for action in GAME.legal_actions(state)]
    targets = {node.get("id"): node for node in marked(root, "data-step")}
    assert set(targets) == {part.element for part in chosen if part.element}
    for part in chosen:
        if part.element:
            node = targets[part.element]
            assert (node.get("data-step"), node.get("data-value")) == (part.name, part.value)
            assert node.get("aria-label").startswith(f"{part.label}. ")


@looped("kind", KINDS)
def test_the_board_is_whole_for_everybody(kind):
    state = of_kinds()[kind]
    for theme in ("page", "auto", "light"):
        check_references(on_turn(state, theme=theme, prefix="b-"))
    check_references(GAME.play_svg(state, seat=None, prefix="b-"))


def test_targets_lie_on_the_cards_they_choose():
    """Of both arrangements: what is pressed is where the card is drawn."""
    for state in walks.some(turns(2), 6):
        root = ET.fromstring(on_turn(state))
        for node in marked(root, "data-step"):
            number = int(node.get("id").rsplit("-", 1)[1])
            zone = node.get("id").split("-")[0]
            card = by_id(root, f"pile-{number}" if zone == "supply" else f"{zone}-card-{number}")
            for hit, drawn in zip(node, card, strict=True):
                x, y = float(hit[0].get("x")), float(hit[0].get("y"))
                at = re.match(r"translate\(([\d.-]+) ([\d.-]+)\)", drawn[0].get("transform"))
                assert (x, y) == pytest.approx((float(at[1]) - 1.5, float(at[2]) - 1.5), abs=6)


def test_without_the_aid_a_card_can_still_be_pressed():
    for node in marked(ET.fromstring(on_turn(turns(2)[8])), "data-step"):
        for form in node:
            assert form[0].get("fill") == "transparent"
            assert [child.get("data-aid") for child in form] == [None, "legal", None, None]


def test_every_card_on_the_table_can_be_shown_at_large():
    state = turns(2)[30]
    root = ET.fromstring(on_turn(state))
    pointed = {node.get("data-f") for node in marked(root, "data-f") if node.get("href") is None}
    large = {node.get("data-f"): node.get("href") for node in marked(root, "data-f") if node.get("href")}
    assert pointed == set(large)
    assert all(href == f"#c{name.rsplit('-', 1)[1]}" for name, href in large.items())
    held = reading.seat_zone(state, GAME.current_player(state), layout.HAND)
    assert {f"pile-{number}" for number in reading.piles(state)} < pointed
    assert {f"hand-card-{number}" for number in held} < pointed
    assert by_id(root, "hover").get("data-aid") == spelling.POINTED


def test_hands_of_others_are_backs_and_numbers():
    """No word or picture of a card that is in another's hand alone."""
    for state in walks.some(turns(3, kingdom="interaction"), 12):
        for seat in (None, *range(3)):
            text = GAME.play_svg(state, seat=seat)
            drawn = {int(number) for number in re.findall(r'id="hand-card-(\d+)"', text)}
            own = set() if seat is None else set(reading.seat_zone(state, seat, layout.HAND))
            assert drawn == own


def test_both_arrangements_are_in_one_drawing():
    root = ET.fromstring(on_turn(turns(2)[0]))
    assert root.get("data-narrow") != root.get("viewBox")
    for piece in ("pile-0", "pile-8", "trash", "turn"):
        assert [form.get("class") for form in by_id(root, piece)][-2:] == ["dm-wide", "dm-narrow"]


def test_the_view_of_a_phone_begins_at_what_is_asked():
    for kind, top in ((layout.BUY, "pile"), (layout.DISCARD_DOWN, "hand")):
        root = ET.fromstring(on_turn(of_kinds()[kind]))
        home = [float(form[0].get("y")) for form in by_id(root, "home-last")]
        turn = [float(form[0].get("y")) for form in by_id(root, "turn")[1:]]
        assert all((mine < theirs) == (top == "pile") for mine, theirs in zip(home, turn, strict=True))


@looped("kind", KINDS)
def test_an_enlarged_card_never_covers_what_may_be_chosen(kind):
    root = ET.fromstring(on_turn(of_kinds()[kind]))
    targets = marked(root, "data-step")
    for holder in root.iter():
        if holder.get("class") != "dm-at":
            continue
        for place, moved in enumerate(
            (holder.get("transform"), holder.get("style").partition(":")[2].replace("px,", " "))
        ):
            x, y, scale = (float(one) for one in re.findall(r"-?[\d.]+", moved.replace("px", "")))
            card = Box(x, y, symbols.CARD.width * scale, symbols.CARD.height * scale)
            for target in targets:
                hit = target[place][0]
                spot = Box(*(float(hit.get(side)) for side in ("x", "y", "width", "height")))
                if holder[0].get("data-f") != target.get("data-f"):
                    assert apart(card, spot), (holder[0].get("data-f"), target.get("id"))


def apart(a, b):
    return a.right <= b.x + 2 or b.right <= a.x + 2 or a.bottom <= b.y + 2 or b.bottom <= a.y + 2


def busiest():
    states = turns(4, kingdom="cards", cards=ALL_CARDS)
    return max(states, key=lambda state: len(GAME.legal_actions(state)))


def test_the_busiest_positions_are_small_and_harmless():
    text = on_turn(busiest(), prefix="board-")
    assert len(text.encode()) < SIZE_LIMIT
    check_harmless(text)
    assert len(re.findall(r'\bid="board-pile-\d+"', text)) == cards.NUM_CARDS


def test_a_busy_position_is_drawn_quickly_once_warm():
    state = busiest()
    on_turn(state)
    times = []
    for _ in range(5):
        start = time.process_time()
        on_turn(state)
        times.append(time.process_time() - start)
    assert min(times) < 0.1  # some 25 ms on an idle core: room for slow machines
