import re
from xml.etree import ElementTree

from games.dominion import cards
from games.dominion.board import symbols, texts
from games.svg import ID, referenced_ids, use
from tests.looping import looped

ON_WHITE = 4.5


def test_symbols_refer_to_symbols():
    known = symbols.symbols()
    for name, markup in known.items():
        assert referenced_ids(markup) <= set(known), name


def test_every_card_has_a_picture_and_every_form():
    known = symbols.symbols()
    for card in cards.table():
        assert symbols.picture_of(card) in symbols.pictures(), card.name
        assert all(f"{form.key}{card.number}" in known for form in symbols.FORMS)


def new_card(**more):
    row = {"number": 0, "name": "Lighthouse", "cost": 2, "types": ("Action",), "is_kingdom": True}
    return cards.Card(
        **(row | {"text": "1 more action. A safe night.", "editions": (1,), "gives": {"actions": 1}} | more)
    )


def test_a_new_card_is_drawn_from_its_row():
    drawn = symbols.card_in(symbols.CARD, new_card())
    assert "Lighthouse" in drawn
    assert "sign-Action" in drawn
    assert ">+1</text>" in drawn
    assert referenced_ids(drawn) <= set(symbols.symbols())


def test_a_new_card_that_gives_nothing_shows_its_text():
    assert texts.rest(new_card(gives={})) == "1 more action. A safe night."
    assert texts.rest(new_card()) == "A safe night."


def test_only_what_is_needed_is_defined():
    ids = set(re.findall(r'\bid="\ue000([^"]+)"', symbols.definitions(use("t3"))))
    assert {"t3", "art-Estate", "ftVictory35", "sign-Victory", "i-vp", "clipt35"} == ids


@looped("card", cards.table())
def test_the_whole_text_of_a_card_stands_on_it_at_reading_size(card):
    drawn = ElementTree.fromstring(symbols.card_in(symbols.CARD, card).replace(ID, ""))
    written = [node for node in drawn.iter("text") if node.get("class") is None]
    words = " ".join(node.text for node in written)
    assert texts.rest(card) in words
    for gift in texts.gifts(card, 2):
        assert gift.words in words
    low = max((float(node.get("y")) for node in written), default=0)
    assert low < symbols.CARD.height - 3
    for node in written:
        wide = 0.5 * float(node.get("font-size")) * len(node.text)
        assert wide <= symbols.CARD.width - 8


@looped("form", symbols.FORMS)
def test_no_writing_on_a_card_is_smaller_than_twelve(form):
    for card in cards.table():
        if form is symbols.BASIC and card.is_kingdom:
            continue  # never drawn so
        drawn = ElementTree.fromstring(symbols.card_in(form, card).replace(ID, ""))
        assert all(float(node.get("font-size")) >= symbols.LEAST for node in drawn.iter("text")), card.name


def test_only_sentences_that_icons_say_are_left_out():
    rest = {card.name: texts.rest(card) for card in cards.table()}
    assert rest["Witch"] == "Everybody else gains a Curse."
    assert rest["Spy"].startswith("Everybody, you too, shows the top card")
    assert rest["Cellar"] == "Discard as many cards as you like, then draw as many."
    assert rest["Market"] == rest["Woodcutter"] == rest["Festival"] == rest["Gold"] == ""
    assert rest["Library"] == cards.by_name()["Library"].text


def test_a_card_shows_what_it_gives():
    found = {card.name: [f"{gift.icon} {gift.words}" for gift in texts.gifts(card)] for card in cards.table()}
    assert found["Market"] == ["card +1", "action +1", "buy +1", "coin +1"]
    assert found["Gold"] == ["coin +3"]
    assert found["Curse"] == ["hex \N{MINUS SIGN}1"]
    assert found["Gardens"] == ["vp 1/10"]
    assert found["Remodel"] == []


@looped("kind", symbols.BANDS)
def test_bands_can_be_read(kind):
    band, writing, _ = symbols.BANDS[kind]
    assert contrast(band, writing) >= ON_WHITE


def contrast(*colors):
    low, high = sorted(luminance(color) for color in colors)
    return (high + 0.05) / (low + 0.05)


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
