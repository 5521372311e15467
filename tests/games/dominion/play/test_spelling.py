from games.dominion import cards
from games.dominion import state as layout
from games.dominion.play import spelling
from tests.games.dominion.drawn import GAME, of_kinds
from tests.looping import looped

KINDS = sorted(spelling.ASKED)
PHASES = (layout.ACTION, layout.TREASURE, layout.BUY)


def spelt(state):
    return {int(action): GAME.parts(state, int(action)) for action in GAME.legal_actions(state)}


def test_every_decision_has_words_of_its_own():
    assert set(of_kinds()) == set(spelling.ASKED)
    asks = [one.ask for one in spelling.ASKED.values()]
    assert len(set(asks)) == len(asks)


@looped("kind", KINDS)
def test_an_action_is_a_card_or_a_button(kind):
    asked = spelling.ASKED[kind]
    for action, parts in spelt(of_kinds()[kind]).items():
        (part,) = parts
        if action < cards.NUM_CARDS:
            assert (part.name, part.value) == (asked.name, cards.name(action))
            assert part.element == (f"{asked.zone}-{action}" if asked.zone else "")
            assert kind == layout.DISCARD_DECK or cards.name(action) in part.label
        else:
            button = spelling.DONE if kind in PHASES else spelling.STOP
            assert part.name == (asked.name if asked.is_choice else button)
            assert part.element == ""


@looped("kind", KINDS)
def test_replies_are_set_in_below_what_they_answer(kind):
    steps = {step.name: step for step in GAME.steps}
    for parts in spelt(of_kinds()[kind]).values():
        assert steps[parts[0].name].is_reply == (kind not in PHASES)


def test_treasures_can_be_played_with_one_button():
    parts = spelt(of_kinds()[layout.TREASURE])
    assert parts[layout.ALL][0].label == "Play all Treasures"
    assert parts[layout.END][0].label == "Go on to buying"


def test_questions_say_what_it_is_about():
    states = of_kinds()
    assert spelling.question(states[layout.BUY]) == "Buy phase"
    left = GAME.observation(states[layout.DISCARD_DOWN], None)
    held = sum(left["seats"][left["player"]]["hand"].values()) + left["seats"][left["player"]]["unknown_in_hand"]
    words = "1 card" if held == 4 else f"{held - 3} cards"
    assert spelling.question(states[layout.DISCARD_DOWN]) == f"Militia: discard {words}"
    assert spelling.question(states[layout.TRASH_ANY]).startswith("Chapel: trash up to ")
    judged = GAME.observation(states[layout.JUDGE], None)["decision"]["about"]
    assert spelling.question(states[layout.JUDGE]) == f"Spy: discard {judged}, or leave it?"


def test_questions_name_the_kind_of_card_that_is_asked_for():
    found = {spelling.question(state) for state in of_kinds().values()}
    assert any(words.endswith(": trash a Treasure") for words in found)
    assert any(": gain a card costing up to " in words for words in found)


def test_what_only_a_hand_knows_is_not_in_the_question_that_others_see():
    state = of_kinds()[layout.SET_ASIDE]
    seat = GAME.current_player(state)
    own, other = (spelling.question(GAME.view(state, looking)) for looking in (seat, (seat + 1) % 3))
    assert own.startswith("Library: set ")
    assert own.endswith(" aside, or keep it?")
    assert other == "Library: set it aside?"
