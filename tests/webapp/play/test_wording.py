"""What the page of a match says of its end, where partners play together."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from webapp.common import naming
from webapp.play import moves, wording
from webapp.play.moves import Called


def table(*own: int) -> Any:
    """Four people at a table of dominoes; own: seats of who looks."""
    return _table(("Ann", "Bob", "Cem", "Dia"), own)


def _table(names: Sequence[str], own: tuple[int, ...]) -> Any:
    rows = [SimpleNamespace(name=name, seat=seat, kind="person") for seat, name in enumerate(names)]
    match = SimpleNamespace(
        game="dominoes", options={}, num_seats=4, is_over=True, status="finished", ending={"kind": "finished"}
    )
    return SimpleNamespace(match=match, rows=rows, seats=own)


@pytest.mark.parametrize(
    ("own", "scores", "ranks", "words"),
    [
        ((), (-40, -124, -40, -124), (1, 3, 1, 3), "Ann and Cem win with 40 points against, to 124"),
        ((2,), (-40, -124, -40, -124), (1, 3, 1, 3), "You and Ann win with 40 points against, to 124"),
        ((0,), (-124, -40, -124, -40), (3, 1, 3, 1), "Bob and Dia win with 40 points against, to 124"),
        ((0,), (0, 0, 0, 0), (1, 1, 1, 1), "A draw, 0 to 0"),
    ],
)
def test_partners_win_together(
    own: tuple[int, ...], scores: tuple[int, ...], ranks: tuple[int, ...], words: str
) -> None:
    seats, result = [SimpleNamespace(score=score) for score in scores], [SimpleNamespace(rank=rank) for rank in ranks]
    seen: Any = SimpleNamespace(seats=seats, result=result)
    assert wording.result(table(*own), seen) == words


@pytest.mark.parametrize(
    ("own", "kind", "words"),
    [
        ((0,), "resigned", "Bob resigned: you and Cem win"),
        ((), "over_time", "Bob ran out of time: Ann and Cem win"),
        ((1,), "absent", "You were away too long"),
        ((3,), "resigned", "Bob resigned"),  # the partner, who has lost with him
    ],
)
def test_who_has_won_is_said_where_somebody_gives_up(own: tuple[int, ...], kind: str, words: str) -> None:
    seen = table(*own)
    seen.match.status, seen.match.ending = "ended", {"kind": kind, "seat": 1}
    assert wording.result(seen, seen) == words


@pytest.mark.parametrize(
    ("own", "names", "told"),
    [
        ((0,), ("Ann", "Random", "Random", "Random"), ["You", "Random (right)", "Random (across)", "Random (left)"]),
        ((3,), ("Ann", "Hard", "Hard", "Bob"), ["Ann", "Hard (across)", "Hard (left)", "You"]),
        ((), ("Ann", "Random", "Random", "Bob"), ["Ann", "Random (orange)", "Random (green)", "Bob"]),
        ((0, 2), ("Ann", "Bob", "Ann", "Bob"), ["Ann (blue)", "Bob (orange)", "Ann (green)", "Bob (pink)"]),
    ],
)
def test_equal_names_say_where_they_sit(own: tuple[int, ...], names: tuple[str, ...], told: list[str]) -> None:
    seen = _table(names, own)
    assert [wording.name(seen, seat) for seat in range(4)] == told


@pytest.mark.parametrize(
    ("called", "name", "parts"),
    [
        ("Random (left)", "Random", ("Random", "left")),
        ("UCT (old) (orange)", "UCT (old)", ("UCT (old)", "orange")),
        ("UCT (left)", "UCT (left)", ("UCT (left)", "")),
        ("You", "Ann", ("You", "")),
    ],
)
def test_what_tells_a_name_apart_is_kept_where_the_name_is_cut(called: str, name: str, parts: tuple[str, str]) -> None:
    assert naming.split_name(called, name) == parts


def test_words_of_the_game_name_who_sits_there() -> None:
    words = "Call the pass of pink"
    assert naming.with_names(words, wording.inner_names(table(0))) == "Call the pass of Dia"
    assert naming.with_names(words, wording.inner_names(table(3))) == "Call the pass of you"
    assert naming.with_names("Green Dragon, pinkish, amber", ["Ann", "Bob"]) == "Green Dragon, pinkish, amber"
    assert naming.with_names("king of seat 1, seat 2", ["Ann", "Bob"]) == "king of Bob, seat 2"


def test_labels_of_a_drawing_name_who_sits_there() -> None:
    names = [*wording.inner_names(table(0))[:3], '"D" <b>']
    drawing = '<g aria-label="The pass of pink."><title id="t">blue disc: Pass</title><text>blue</text></g>'
    told = '<g aria-label="The pass of &quot;D&quot; &lt;b&gt;."><title id="t">You: Pass</title><text>blue</text></g>'
    assert naming.label_seats(drawing, names) == told


def test_names_that_hold_words_of_the_game_are_told_as_they_are() -> None:
    names = naming.distinguish(["Greedy", "Greedy", "blue seat 0"])
    words = "king of seat 0, king of seat 2, the pass of orange"
    assert naming.with_names(words, names) == "king of Greedy (blue), king of blue seat 0, the pass of Greedy (orange)"


def test_a_team_is_named_once() -> None:
    seen = table(0)
    assert wording.sides(seen) == [(0, 2), (1, 3)]
    assert moves._points(Called.of(seen), 1, [0, -6, 0, -6]) == ["6 against"]
    assert moves._points(Called.of(seen), 1, [-26, 0, -26, 0]) == ["26 against your team"]
    assert moves._points(Called.of(seen), 2, [0, -26, 0, -26]) == ["26 against the other team"]
    for_winners = table()
    for_winners.match.options = {"direction": "winners"}
    assert moves._points(Called.of(for_winners), 2, [4, 26, 4, 26]) == ["+4", "+26 Bob and Dia"]
