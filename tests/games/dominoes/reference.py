"""Team dominoes as slowly and plainly as it can be said: tiles in lists, everything found anew.

This is the yardstick for the real game and shares no code with it. A tile is (a, b) with a <= b; a
move is (tile, "L" or "R"), "PASS", ("CALL", seat) or "PARTNER". Points are counted in favour of teams.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

Tile = tuple[int, int]
Move = Any
TILES: list[Tile] = [(a, b) for a in range(7) for b in range(a, 7)]


@dataclass(frozen=True)
class Rules:
    """Options as `games.dominoes.house_rules.Options`."""

    length: str = "match"
    direction: str = "losers"
    target: int = 100
    first_opener: str = "66"
    next_opener: str = "left"
    out_points: str = "own"
    block_points: str = "own"
    block_compare: str = "team"
    block_tie: str = "none"
    block_end: str = "at_once"
    enforce_pass: bool = True
    foul: str = "points"
    foul_points: int = 50
    call_scope: str = "opponents"
    wrong_call: str = "caller"
    capicua: int = 0
    capicua_ends: str = "differ"
    chuchazo: int = 0
    all_pass_bonus: int = 0
    opening_pass_bonus: int = 0
    first_rounds_bonus: bool = False
    zapato: bool = False
    many_doubles: str = "play"


@dataclass
class Turn:
    """What a seat did, the ends it met, and its hand at that moment."""

    seat: int
    move: Move
    ends: tuple[int, int] | None
    hand: list[Tile]


class Match:
    """A match, dealt from outside: `deal` before each round, then `play`."""

    def __init__(self, rules: Rules, opener: int | None = None) -> None:
        self.rules = rules
        self.credit = [0, 0]
        self.round = 0
        self.opener = opener
        self.following: int | None = None
        self.winner: int | None = None
        self.kind = ""
        self.over = False
        self.playing = False
        self.hands: list[list[Tile]] = [[], [], [], []]

    # ---- a round
    def deal(self, hands: list[list[Tile]]) -> None:
        """Deal four hands; with many doubles in one of them there may be nothing to play."""
        self.hands = [sorted(hand) for hand in hands]
        self.first_hands = [list(hand) for hand in self.hands]
        doubles = [sum(a == b for a, b in hand) for hand in hands]
        if self.rules.many_doubles == "redeal" and max(doubles) >= 5:
            return
        self.round += 1
        self.row: list[int] = []
        self.turns: list[Turn] = []
        self.called = [0] * 4
        self.bonus = [0, 0]
        self.must_open: Tile | None = None
        self.may_hand_over = False
        self._seat_opener()
        self.player = self.opener
        self.playing = True
        if self.rules.many_doubles == "win" and max(doubles) >= 4:
            seat = doubles.index(max(doubles))
            self.end("doubles", seat % 2, seat, self.out_points(seat % 2))

    def _seat_opener(self) -> None:
        if self.round == 1 and self.rules.first_opener != "any":
            self.opener = next(seat for seat in range(4) if (6, 6) in self.hands[seat])
            self.must_open = (6, 6) if self.rules.first_opener == "66" else None
        elif self.round > 1:
            self.opener = self.following
            self.may_hand_over = self.rules.next_opener == "choice" and self.winner is not None

    @property
    def ends(self) -> tuple[int, int] | None:
        """Numbers at both ends."""
        return (self.row[0], self.row[-1]) if self.row else None

    def fitting(self, hand: list[Tile], ends: tuple[int, int] | None) -> list[Tile]:
        """Tiles of a hand that may be laid."""
        if ends is None:
            return [tile for tile in hand if self.must_open in (None, tile)]
        return [tile for tile in hand if tile[0] in ends or tile[1] in ends]

    def legal(self) -> list[Move]:
        """Every move of the seat on turn."""
        moves: list[Move] = []
        tiles = self.fitting(self.hands[self.player], self.ends)
        for tile in tiles:
            sides = ["L"]
            if self.ends is not None and self.ends[0] != self.ends[1]:
                sides = [side for side, end in zip("LR", self.ends, strict=True) if end in tile]
            moves += [(tile, side) for side in sides]
        if self.ends is not None and (not tiles or not self.rules.enforce_pass):
            moves.append("PASS")
        moves += [("CALL", seat) for seat in range(4) if self._may_call(seat)]
        if self.may_hand_over and self.ends is None:
            moves.append("PARTNER")
        return moves

    def _callable(self, seat: int) -> list[int]:
        """Turns in which a seat passed and has not been called for it."""
        turns = range(self.called[seat], len(self.turns))
        return [n for n in turns if self.turns[n].seat == seat and self.turns[n].move == "PASS"]

    def _may_call(self, seat: int) -> bool:
        if self.rules.enforce_pass or seat == self.player or not self._callable(seat):
            return False
        if self.rules.call_scope == "all":
            return True
        if (seat - self.player) % 2 == 0:
            return False
        if self.rules.call_scope == "opponents":
            return True
        return max(n for other in range(4) for n in self._callable(other)) in self._callable(seat)

    def _passed_wrongly(self, seat: int) -> bool:
        passes = self._callable(seat)
        if self.rules.call_scope == "last":
            passes = passes[-1:]
        return any(self.fitting(self.turns[n].hand, self.turns[n].ends) for n in passes)

    def play(self, move: Move) -> None:
        """Do a move of `legal`."""
        assert move in self.legal()
        seat, ends = self.player, self.ends
        is_wrong = move[0] == "CALL" and self._passed_wrongly(move[1])
        self.turns.append(Turn(seat, move, ends, list(self.hands[seat])))
        if move == "PARTNER":
            self.may_hand_over = False
            self.opener = self.player = (seat + 2) % 4
        elif move == "PASS":
            self._pass(seat)
        elif move[0] == "CALL":
            self._call(seat, move[1], is_wrong)
        else:
            self._lay(seat, *move)
        if self.playing and len(self.turns) == 128:
            self.block()

    def _lay(self, seat: int, tile: Tile, side: str) -> None:
        ends = self.ends
        self.hands[seat].remove(tile)
        self.layer = seat
        self.may_hand_over = False
        if ends is None:
            self.row = [tile[0], tile[1]]
        elif side == "L":
            inner = self.row[0]
            self.row = [tile[1] if tile[0] == inner else tile[0], inner, *self.row]
        else:
            inner = self.row[-1]
            self.row = [*self.row, inner, tile[1] if tile[0] == inner else tile[0]]
        if not self.hands[seat]:
            self._out(seat, tile, ends)
        elif self.rules.block_end == "at_once" and not any(self.fitting(hand, self.ends) for hand in self.hands):
            self.block()
        else:
            self.player = (seat + 1) % 4

    def _pass(self, seat: int) -> None:
        passes = 0
        for turn in reversed(self.turns):
            if turn.move != "PASS" and turn.move[0] != "CALL":
                break
            passes += turn.move == "PASS"
        if passes == 3:
            self._add_bonus(self.layer % 2, self.rules.all_pass_bonus)
        if passes == 1 and len(self.row) == 2:
            times = 1 if self.row[0] == self.row[1] else 2
            self._add_bonus(self.layer % 2, times * self.rules.opening_pass_bonus)
        if passes == {"four_passes": 4, "three_passes": 3}.get(self.rules.block_end):
            self.block()
        else:
            self.player = (seat + 1) % 4

    def _call(self, caller: int, accused: int, is_wrong: bool) -> None:
        if self.rules.foul != "warning" and (is_wrong or self.rules.wrong_call == "caller"):
            offender = accused if is_wrong else caller
            winner = 1 - offender % 2
            points = self.rules.foul_points if self.rules.foul == "points" else self.out_points(winner)
            self.end("foul", winner, offender, points)
        else:
            self.called[accused] = len(self.turns) - 1

    # ---- ends of a round
    def pips(self, seat: int) -> int:
        """Pips of a hand."""
        return sum(a + b for a, b in self.hands[seat])

    def team_pips(self, team: int) -> int:
        """Pips of both hands of a team."""
        return self.pips(team) + self.pips(team + 2)

    def out_points(self, winner: int) -> int:
        """Points of a team that goes out."""
        both = self.team_pips(0) + self.team_pips(1)
        return both if self.rules.out_points == "all" else self.team_pips(1 - winner)

    def _add_bonus(self, team: int, points: int) -> None:
        self.credit[team] += points
        self.bonus[team] += points

    def _out(self, seat: int, tile: Tile, ends: tuple[int, int] | None) -> None:
        assert ends is not None
        if ends[0] in tile and ends[1] in tile:
            is_plain = ends[0] != ends[1] and tile[0] != tile[1]
            if is_plain or self.rules.capicua_ends == "any":
                self._add_bonus(seat % 2, self.rules.capicua)
        if tile == (0, 0):
            self._add_bonus(seat % 2, self.rules.chuchazo)
        self.end("out", seat % 2, seat, self.out_points(seat % 2))

    def block(self) -> None:
        """Nobody can lay, or nobody does."""
        compared = {
            "team": [[0, 2], [1, 3]],
            "player": [[0], [1], [2], [3]],
            "blocker": [[self.layer], [(self.layer + 1) % 4]],
        }[self.rules.block_compare]
        sums = [sum(self.pips(seat) for seat in group) for group in compared]
        teams = {group[0] % 2 for group, pips in zip(compared, sums, strict=True) if pips == min(sums)}
        winner = teams.pop() if len(teams) == 1 else self._tied()
        points = 0
        if winner is not None:
            own, other = self.team_pips(1 - winner), self.team_pips(winner)
            points = {"own": own, "all": own + other, "difference": abs(own - other)}[self.rules.block_points]
        self.end("block", winner, self.layer, points)

    def _tied(self) -> int | None:
        rule = self.rules.block_tie
        if rule == "none":
            return None
        if rule == "nearest":
            least = min(self.pips(seat) for seat in range(4))
            order = [(self.opener + step) % 4 for step in range(4)]
            return next(seat for seat in order if self.pips(seat) == least) % 2
        who, how = rule.split("_")
        team = (self.opener if who == "opener" else self.layer) % 2
        return team if how == "wins" else 1 - team

    def _follower(self, kind: str, winner: int | None, seat: int) -> int:
        after = (self.opener + 1) % 4
        if self.rules.next_opener == "left" or winner is None:
            return after
        if kind in ("out", "doubles"):
            return seat
        if self.rules.next_opener == "blocker" and kind == "block":
            return seat if seat % 2 == winner else (seat + 1) % 4
        return min((winner, winner + 2), key=self.pips)

    def end(self, kind: str, winner: int | None, seat: int, points: int) -> None:
        """Count a round that is over."""
        if winner is not None:
            self.credit[winner] += points
            if self.rules.first_rounds_bonus and self.round <= 4 and kind != "foul":
                self._add_bonus(winner, [100, 75, 50, 25][self.round - 1])
        self.following = self._follower(kind, winner, seat)
        self.kind, self.winner, self.ender, self.playing = kind, winner, seat, False
        top, low = max(self.credit), min(self.credit)
        if self.rules.length == "round" or self.round == 128 or (top >= self.rules.target and top != low):
            self.over = True
            if self.rules.zapato and self.rules.length == "match" and low == 0:
                self.credit[self.credit.index(top)] *= 2

    @property
    def scores(self) -> list[int]:
        """Points by seat: for its team, or, below zero, against it."""
        if self.rules.direction == "winners":
            return [self.credit[seat % 2] for seat in range(4)]
        return [-self.credit[1 - seat % 2] for seat in range(4)]


def random_hands(rng: random.Random) -> list[list[Tile]]:
    """A fair deal."""
    order = rng.sample(TILES, 28)
    return [sorted(order[7 * seat : 7 * seat + 7]) for seat in range(4)]


def possible_deals(match: Match, seat: int) -> Iterator[list[set[Tile]]]:
    """Every way in which the hidden tiles can lie, as a seat sees it: by trying all hands.

    Others hold as many tiles as they do, and none that they had to lay instead of passing.
    """
    others = [(seat + step) % 4 for step in (1, 2, 3)]
    hidden = {tile for other in others for tile in match.hands[other]}
    allowed = {other: {tile for tile in hidden if not _has_passed_on(match, other, tile)} for other in others}
    first, second, third = others
    for one in combinations(sorted(allowed[first]), len(match.hands[first])):
        rest = hidden - set(one)
        for two in combinations(sorted(rest & allowed[second]), len(match.hands[second])):
            three = rest - set(two)
            if three <= allowed[third]:
                yield [{first: set(one), second: set(two), third: three}.get(k, set(match.hands[k])) for k in range(4)]


def _has_passed_on(match: Match, seat: int, tile: Tile) -> bool:
    if not match.rules.enforce_pass:
        return False
    passes = [turn.ends for turn in match.turns if turn.seat == seat and turn.move == "PASS" and turn.ends]
    return any(tile[0] in ends or tile[1] in ends for ends in passes)


def random_round(rng: random.Random) -> Match:
    """A single round by chance, opened by lot."""
    match = Match(Rules(length="round", first_opener="any"), rng.randrange(4))
    match.deal(random_hands(rng))
    while not match.over:
        match.play(rng.choice(match.legal()))
    return match


def rate(seconds: float) -> float:
    """Random rounds per CPU second."""
    rng, done, start = random.Random(1), 0, time.process_time()
    while (used := time.process_time() - start) < seconds or not done:
        random_round(rng)
        done += 1
    return done / used
