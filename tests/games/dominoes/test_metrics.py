"""What dashboards count, against the slow reference."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from games.dominoes import reading, tiles
from games.dominoes.belief import beliefs
from tests.games.dominoes import reference
from tests.games.dominoes.tables import GAME, Tables, after, position


def test_metrics_of_a_match_are_those_of_its_rounds() -> None:
    rng = random.Random(4)
    tables = Tables({"target": 60, "all_pass_bonus": 10}, reference.random_hands(rng))
    passed, forced, partner = ([0] * 4 for _ in range(3))
    pips = [[0] * 7 for _ in range(4)]
    rounds: list[dict[str, Any]] = []
    credit: list[tuple[int, ...]] = []
    while not tables.slow.over:
        if not tables.slow.playing:
            tables.deal(reference.random_hands(rng))
        while tables.slow.playing:
            move, seat = rng.choice(tables.slow.legal()), tables.slow.player
            if move == "PASS":
                passed[seat] += 1
                if tables.slow.layer != seat:
                    (partner if (tables.slow.layer - seat) % 2 == 0 else forced)[tables.slow.layer] += 1
            else:
                pips[seat][7 - len(tables.slow.hands[seat])] += sum(move[0])
            tables.play(move)
        slow = tables.slow
        rounds.append({"kind": slow.kind, "winner": slow.winner, "ender": slow.ender, "opener": slow.opener})
        held = [sum(sum(tile) for tile in slow.hands[k] + slow.hands[k + 2]) for k in range(2)]
        rounds[-1]["counted"] = [
            held[k] < held[1 - k] or (slow.kind == "out" and slow.ender % 2 == k) for k in range(2)
        ]
        credit.append(tuple(slow.credit))
    assert len(rounds) > 2
    for seat, values in enumerate(GAME.metrics(tables.state)):
        team = seat % 2
        own = [one for one in rounds if one["winner"] == team]
        assert values["rounds_won"] == len(own)
        assert values["rounds_lost"] == sum(one["winner"] == 1 - team for one in rounds)
        assert values["rounds_void"] == sum(one["winner"] is None for one in rounds)
        assert values["dominai_won"] == sum(one["counted"][team] for one in rounds)
        assert values["won_out"] == sum(one["kind"] == "out" for one in own)
        assert values["won_block"] == sum(one["kind"] == "block" for one in own)
        assert values["went_out"] == sum(one["kind"] == "out" and one["ender"] == seat for one in rounds)
        assert values["blocked"] == sum(one["kind"] == "block" and one["ender"] == seat for one in rounds)
        assert values["opened"] == sum(one["opener"] == seat for one in rounds)
        assert values["opened_won"] == sum(one["opener"] == seat for one in own)
        assert values["rounds"] == len(rounds)
        assert values["ended_block"] == sum(one["kind"] == "block" for one in rounds)
        for name, is_own in (("team", True), ("others", False)):
            by_them = [one for one in rounds if (one["opener"] % 2 == team) == is_own]
            assert values[f"{name}_opened"] == len(by_them)
            assert values[f"{name}_opened_won"] == sum(one["winner"] == team for one in by_them)
        scores = [values[f"score_round_{k}"] for k in range(1, len(rounds) + 1)]
        assert scores == [-points[1 - team] for points in credit]
        assert f"score_round_{len(rounds) + 1}" not in values
        found = [values[name] for name in ("passes", "forced", "forced_partner")]
        assert found == [passed[seat], forced[seat], partner[seat]]
        for n in range(7):
            assert values[f"pips_tile_{n + 1}"] == pytest.approx(pips[seat][n] / len(rounds))
        points = sum(values[f"points_{kind}"] for kind in ("out", "block", "foul", "doubles", "bonus"))
        assert points == GAME.scores(tables.state)[seat] == -tables.slow.credit[1 - team]


def test_belief_is_the_mean_log_probability_of_the_true_deal() -> None:
    rng = random.Random(6)
    tables = Tables({"length": "round", "first_opener": "any"}, reference.random_hands(rng))
    start = math.lgamma(22) - 3 * math.lgamma(8)
    wanted: list[list[float]] = [[], [], [], []]
    paper: list[list[float]] = [[], [], [], []]
    while tables.slow.playing:
        seat = tables.slow.player
        chances = beliefs.paper(GAME.kernels(), tables.state, seat)
        others = [(other, hand) for other, hand in enumerate(tables.slow.hands) if other != seat]
        paper[seat].append(sum(math.log(chances[tiles.INDEX[tile], other]) for other, hand in others for tile in hand))
        held = [len(hand) for hand in tables.slow.hands]
        if sum(held) > 12:  # many deals: counted by the game, which other tests compare with brute force
            wanted[seat].append(beliefs.log_probability(GAME.kernels(), tables.state, seat))
        else:
            wanted[seat].append(-math.log(len(list(reference.possible_deals(tables.slow, seat)))))
        tables.play(rng.choice(tables.slow.legal()))
    assert wanted[tables.slow.opener][0] == pytest.approx(-start)
    assert paper[tables.slow.opener][0] == pytest.approx(21 * math.log(1 / 3))
    for seat, values in enumerate(GAME.metrics(tables.state)):
        assert values["belief_turn_2"] == pytest.approx(wanted[seat][1])
        assert values["belief_paper_turn_2"] == pytest.approx(paper[seat][1])
        assert values["belief_paper"] == pytest.approx(sum(paper[seat]) / len(paper[seat]))
        assert not [name for name in values if name.startswith("score_round")]
        assert values["belief"] == pytest.approx(sum(wanted[seat]) / len(wanted[seat]))


def test_rounds_are_counted_as_by_the_program_of_the_paper() -> None:
    """By hand, by team: went out, or holds fewer pips. Seat 0 goes out, and its partner holds 14 pips."""
    for last, counted in (((2, 6), [1, 0]), ((0, 2), [1, 1]), ((2, 5), [1, 0])):  # the others hold 15, 9, 14
        state = position([[(1, 2)], [(3, 4)], [(0, 3), (5, 6)], [last]], (1, 6), 0, length="round")
        ended = GAME.metrics(after(state, ((1, 2), "L")))
        assert [row["rounds_won"] for row in ended[:2]] == [1, 0]
        assert [row["dominai_won"] for row in ended[:2]] == counted
    blocked = position([[(1, 2), (0, 0)], [(4, 4)], [(5, 5)], [(0, 3)]], (1, 2), 0, length="round")
    ended = GAME.metrics(after(blocked, ((1, 2), "L")))  # 10 pips, and 11
    assert [(row["rounds_won"], row["dominai_won"]) for row in ended[:2]] == [(1, 1), (0, 0)]


def test_the_sheet_has_a_line_for_each_round() -> None:
    state = after(position([[(1, 2)], [(3, 4)], [(0, 3)], [(2, 6)]], (1, 2), 0, capicua=25), ((1, 2), "R"))
    (line,) = reading.sheet(state)
    assert line._asdict() == {
        "kind": "out",
        "winner": 0,
        "opener": 0,
        "seat": 0,
        "caller": None,
        "is_capicua": True,
        "is_chuchazo": False,
        "turns": 1,
        "pips": (0, 7, 3, 8),
        "points": 15,
        "bonuses": (25, 0),
    }
    assert (line.credit(0), line.credit(1)) == (40, 0)
    assert GAME.observation(state, 1)["sheet"][0]["points"] == 15
