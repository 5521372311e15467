"""What must not be known before a match is over is in no answer: whole matches, every operation."""

from __future__ import annotations

from typing import Any

import pytest

from games import rng
from tests.webapp.api.callers import Caller
from tests.webapp.table.live import answering, held, held_cards, luck, tables
from webapp.records.models import Match
from webapp.table.live import position_cache
from webapp.table.live.models import LiveMatch, LivePly

pytestmark = pytest.mark.django_db

WORDS = ('"seed"', '"deal_seed"', '"salt"', '"digest"', '"invite"', '"nodes"', '"playouts"', '"cpu_s"')
"""Keys of what belongs to the server or to engines."""


STEP = {"carcassonne": 10, "kingdomino": 4}
"""So many plies from one look at all answers to the next, of which the first two are played through the API."""
LOOKS_BACK = 6
"""So many plies into a match seats look back at all of them."""


class Listener:
    """Everything that two agents and a spectator are told while a match is on."""

    def __init__(self, callers: list[Caller], code: str) -> None:
        self.callers = callers
        self.paths = [f"/matches/{code}", f"/matches/{code}?ply=0", f"/matches/{code}/trace", "/turns", "/me"]
        self.paths += [f"/matches?which={which}" for which in ("mine", "open", "public")]

    def hear(self) -> list[str]:
        """All answers now."""
        return [text for caller in self.callers for text in self.hear_as(caller)]

    def hear_as(self, caller: Caller) -> list[str]:
        """All answers to one of them."""
        return [caller.get(path).content.decode() for path in self.paths]


def secrets_of(match: LiveMatch) -> list[str]:
    """What must not be told, as it would be written."""
    digests = [str(digest) for digest in LivePly.objects.filter(match=match).values_list("digest", flat=True)]
    return [str(match.seed), str(match.deal_seed), match.salt, match.invite, *digests]


def looks_back(seen_by: dict[int | None, Caller], code: str, then: dict[tuple[int, int], Any]) -> bool:
    """Whether every seat finds past positions as it saw them then; `then`: observations by seat and ply."""
    found = {(seat, ply): seen_by[seat].ask(f"/matches/{code}?ply={ply}")["observation"] for seat, ply in then}
    return found == then


def holds_secret(match: LiveMatch, text: str) -> bool:
    """Whether luck, or a key of what belongs to the server, stands in answers."""
    return any(secret in text for secret in (*secrets_of(match), *WORDS))


@pytest.mark.parametrize(
    ("game", "opponent", "is_sampled"),
    [
        pytest.param("carcassonne", "open", False, marks=pytest.mark.slow),  # 71 plies for two; kingdomino's are 28
        ("carcassonne", {"engine": "flat_mc", "budget": {"playouts_per_action": 1}}, True),
        pytest.param("kingdomino", "open", False, marks=pytest.mark.slow),
    ],
)
def test_a_whole_match_tells_no_secret_until_it_is_over(
    bot: Caller, rival: Caller, alice: Any, game: str, opponent: Any, is_sampled: bool
) -> None:
    """is_sampled: from one look to the next the plies are played at the table."""
    code = bot.open("me", opponent, game=game, visibility="public")
    if opponent == "open":
        rival.tell(f"/matches/{code}/join")
    callers = [bot, rival, Caller(alice, "spectator")]
    listener, r = Listener(callers, code), rng.new_stream(1, rng.ANALYSIS)
    is_over = False
    while not is_over:
        match = answering.answer(LiveMatch.objects.get(code=code))
        if match.status != LiveMatch.Status.RUNNING:
            break
        if is_sampled and (past := match.ply % STEP[game]) >= 2:
            is_over = tables.play_on(match, STEP[game] - past).status != LiveMatch.Status.RUNNING
            continue
        heard = listener.hear() if match.ply % STEP[game] < 2 else []
        assert game != "kingdomino" or not luck.told(luck.to_come(match), "\n".join(heard))
        mover = next(caller for caller in callers if caller.ask(f"/matches/{code}")["your_turn"])
        state = mover.ask(f"/matches/{code}")
        action = state["actions"][rng.below(r, len(state["actions"]))]
        played = mover.post(f"/matches/{code}/actions", {"ply": state["ply"], "action": action["id"]})
        stale = mover.post(f"/matches/{code}/actions", {"ply": state["ply"], "action": action["id"]})
        heard += [played.content.decode(), stale.content.decode()]
        now = LiveMatch.objects.get(code=code)
        is_over = now.status != LiveMatch.Status.RUNNING
        if not is_over:
            told = "\n".join(heard)
            assert not holds_secret(match, told)
            assert game != "kingdomino" or not luck.told(luck.to_come(now), told)
    assert Match.objects.filter(live_match__code=code, status="finished").exists()
    match = LiveMatch.objects.get(code=code)
    told = "\n".join(listener.hear())
    assert str(match.deal_seed) in told, "the search finds what is there"
    assert match.salt in told
    assert match.invite not in told


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])  # 3: each of four seats has its turn
def test_no_hand_of_dominoes_is_told_to_others_until_the_round_is_over(
    bot: Caller, rival: Caller, alice: Any, step: int
) -> None:
    seats = ("me", "open", {"engine": "random"}, {"engine": "random"})
    code = bot.open(*seats, game="dominoes", visibility="public", options={"length": "round"})
    rival.tell(f"/matches/{code}/join")
    seen_by = {0: bot, 1: rival, None: Caller(alice, "spectator")}
    listener, r = Listener(list(seen_by.values()), code), rng.new_stream(1, rng.ANALYSIS)
    then: dict[tuple[int, int], Any] = {}
    while (match := answering.answer(LiveMatch.objects.get(code=code))).status == LiveMatch.Status.RUNNING:
        for seat, caller in seen_by.items() if match.ply % step == 0 else ():
            text = "\n".join(listener.hear_as(caller))
            assert not holds_secret(match, text), (seat, match.ply)
            assert held.told(match, text, () if seat is None else (seat,)) == [], (seat, match.ply)
            assert seat is None or match.ply > 8 or held.told(match, text, ()), "the search finds the own hand"
        mover = seen_by[match.on_turn]
        state = mover.ask(f"/matches/{code}")
        then[match.on_turn, match.ply] = state["observation"]
        assert len(then) != LOOKS_BACK or looks_back(seen_by, code, then)
        action = state["actions"][rng.below(r, len(state["actions"]))]
        mover.tell(f"/matches/{code}/actions", {"ply": state["ply"], "action": action["id"]})
    assert match.status == LiveMatch.Status.FINISHED
    assert len(then) >= LOOKS_BACK
    text = seen_by[None].get(f"/matches/{code}/trace").content.decode()
    for seat in range(4):
        assert held.told(match, text, set(range(4)) - {seat}), "the trace of a finished match has all hands"


@pytest.mark.slow  # pages of Dominion in two worlds: `play/test_secrecy.py`; hands in answers: dominoes, above
def test_no_hand_of_dominion_is_told_to_others_until_the_match_is_over(bot: Caller, rival: Caller, alice: Any) -> None:
    options = {"kingdom": "cards", "cards": "Militia, Spy, Library, Cellar, Bureaucrat", "turn_limit": 4}
    code = bot.open("me", "open", game="dominion", visibility="public", options=options)
    rival.tell(f"/matches/{code}/join")
    seen_by = {0: bot, 1: rival, None: Caller(alice, "spectator")}
    listener, r = Listener(list(seen_by.values()), code), rng.new_stream(1, rng.ANALYSIS)
    then: dict[tuple[int, int], Any] = {}
    while (match := LiveMatch.objects.get(code=code)).status == LiveMatch.Status.RUNNING:
        begun, now = position_cache.position_at(match, 0).state, position_cache.position_at(match).state
        for seat, caller in seen_by.items() if match.ply % 3 < 1 else ():
            for path, text in zip(listener.paths, listener.hear_as(caller), strict=True):
                state = begun if "ply=0" in path else now
                assert held_cards.told(state, text, seat) == [], (seat, match.ply, path)
                assert not holds_secret(match, text), (seat, match.ply, path)
        mover = seen_by[match.on_turn]
        state = mover.ask(f"/matches/{code}")
        then[match.on_turn, match.ply] = state["observation"]
        assert len(then) != LOOKS_BACK or looks_back(seen_by, code, then)
        own = held_cards.hand_of(now, match.on_turn)[0]
        assert own in list(held_cards.things(state["observation"])), "the search finds the own hand"
        action = state["actions"][rng.below(r, len(state["actions"]))]
        mover.tell(f"/matches/{code}/actions", {"ply": state["ply"], "action": action["id"]})
    assert match.status == "finished"
    assert len(then) >= LOOKS_BACK


def test_only_the_seat_on_turn_is_told_the_actions(bot: Caller, rival: Caller, alice: Any) -> None:
    code = bot.open("me", "open")
    rival.tell(f"/matches/{code}/join")
    listed = {
        caller.agent.name: bool(caller.ask(f"/matches/{code}")["actions"])
        for caller in (bot, rival, Caller(alice, "spectator"))
    }
    assert listed == {"alices-bot": True, "bobs-bot": False, "spectator": False}


def test_no_answer_is_kept_on_its_way(bot: Caller, rival: Caller) -> None:
    code = bot.open("me", "invited")
    answers = [bot.get(f"/matches/{code}"), bot.get("/games"), rival.get(f"/matches/{code}"), bot.get("/nowhere")]
    assert [answer.status_code for answer in answers] == [200, 200, 404, 404]
    assert {answer.headers.get("Cache-Control") for answer in answers} == {"no-store"}
