"""Kingdomino as slowly and plainly as it can be said: squares in a dictionary, everything found anew.

This is the yardstick for the real game and shares no code with it, nor its table of dominoes.
Squares are (x, y) from the castle, x growing east and y growing south. A placement is the pair of
squares of ends a and b; a domino with equal ends is listed once, end a first in reading order.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field

# Number -> ends as "terrain crowns": w wheat, f forest, l lake, p pasture, s swamp, m mine.
FACES = """
1 w0 w0, 2 w0 w0, 3 f0 f0, 4 f0 f0, 5 f0 f0, 6 f0 f0, 7 l0 l0, 8 l0 l0, 9 l0 l0, 10 p0 p0, 11 p0 p0, 12 s0 s0,
13 w0 f0, 14 w0 l0, 15 w0 p0, 16 w0 s0, 17 f0 l0, 18 f0 p0, 19 w1 f0, 20 w1 l0, 21 w1 p0, 22 w1 s0, 23 w1 m0,
24 f1 w0, 25 f1 w0, 26 f1 w0, 27 f1 w0, 28 f1 l0, 29 f1 p0, 30 l1 w0, 31 l1 w0, 32 l1 f0, 33 l1 f0, 34 l1 f0,
35 l1 f0, 36 w0 p1, 37 l0 p1, 38 w0 s1, 39 p0 s1, 40 m1 w0, 41 w0 p2, 42 l0 p2, 43 w0 s2, 44 p0 s2, 45 m2 w0,
46 s0 m2, 47 s0 m2, 48 w0 m3
"""
TERRAINS = {"w": "wheat", "f": "forest", "l": "lake", "p": "pasture", "s": "swamp", "m": "mine"}

Square = tuple[int, int]
Placement = tuple[Square, Square]
Face = tuple[str, int]
Move = tuple[Placement | None, int | None]


def _dominoes() -> dict[int, tuple[Face, Face]]:
    found = {}
    for entry in FACES.replace("\n", " ").split(","):
        number, a, b = entry.split()
        found[int(number)] = ((TERRAINS[a[0]], int(a[1])), (TERRAINS[b[0]], int(b[1])))
    return found


DOMINOES = _dominoes()


@dataclass(frozen=True)
class Rules:
    """Options as `games.kingdomino.game.Options`."""

    size: int = 5
    must_place: bool = True
    middle: str = "reach"
    harmony: str = "full"
    ties: str = "shared"
    three_seats: str = "36"


def around(square: Square) -> list[Square]:
    """The four neighbours."""
    x, y = square
    return [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]


@dataclass
class Kingdom:
    """Squares laid, the castle at (0, 0) left out."""

    limit: int
    faces: dict[Square, Face] = field(default_factory=dict)
    discards: int = 0

    def fits(self, squares: list[Square]) -> bool:
        """Whether all squares are empty and the kingdom keeps its limit with them."""
        if any(square in self.faces or square == (0, 0) for square in squares):
            return False
        everything = [(0, 0), *self.faces, *squares]
        xs, ys = [x for x, _ in everything], [y for _, y in everything]
        return max(xs) - min(xs) < self.limit and max(ys) - min(ys) < self.limit

    def touches(self, square: Square, terrain: str) -> bool:
        """Whether a square lies beside the castle or the terrain."""
        return any(near == (0, 0) or self.faces.get(near, ("", 0))[0] == terrain for near in around(square))

    def placements(self, number: int) -> list[Placement]:
        """Where a domino may be placed."""
        (ta, ca), (tb, cb) = DOMINOES[number]
        reach = range(-self.limit - 1, self.limit + 2)
        found: list[Placement] = []
        for a in ((x, y) for x in reach for y in reach):
            for b in around(a):
                if (ta, ca) == (tb, cb) and (a[1], a[0]) > (b[1], b[0]):
                    continue
                if self.fits([a, b]) and (self.touches(a, ta) or self.touches(b, tb)):
                    found.append((a, b))
        return found

    def place(self, number: int, placement: Placement | None) -> None:
        """Lay a domino, or discard it."""
        if placement is None:
            self.discards += 1
            return
        for square, face in zip(placement, DOMINOES[number], strict=True):
            self.faces[square] = face

    def areas(self) -> list[tuple[str, int, int]]:
        """(terrain, squares, crowns) of every area."""
        left, found = dict(self.faces), []
        while left:
            first = next(iter(left))
            terrain = left[first][0]
            group, border = [], [first]
            while border:
                square = border.pop()
                if left.get(square, ("", 0))[0] == terrain:
                    group.append(left.pop(square))
                    border.extend(around(square))
            found.append((terrain, len(group), sum(crowns for _, crowns in group)))
        return found

    def middle(self, mode: str, is_over: bool) -> int:
        """Points for the castle in the middle."""
        xs, ys = [0, *(x for x, _ in self.faces)], [0, *(y for _, y in self.faces)]
        reach = self.limit // 2
        in_reach = max(abs(v) for v in xs + ys) <= reach
        centred = min(xs) == -max(xs) and min(ys) == -max(ys)
        is_full = len(self.faces) + 1 == self.limit**2
        gets_points = {"reach": in_reach, "bbox": centred, "full": centred and is_full, "off": False}
        return 10 * (gets_points | {"book": centred and is_over})[mode]

    def points(self, rules: Rules, is_over: bool) -> int:
        """Points as the kingdom stands."""
        is_full = len(self.faces) + 1 == self.limit**2
        harmony = {"full": is_full, "nodiscard": is_over and not self.discards, "off": False}[rules.harmony]
        return sum(size * crowns for _, size, crowns in self.areas()) + self.middle(rules.middle, is_over) + 5 * harmony


@dataclass
class Match:
    """One match. `kings` and `deck` are the luck: who draws when in round 1, and the dominoes in order."""

    seats: int
    rules: Rules
    kings: list[int]
    deck: list[int]

    def __post_init__(self) -> None:
        self.kingdoms = [Kingdom(self.rules.size) for _ in range(self.seats)]
        self.num_kings = 3 if self.seats == 3 else 4
        self.row_length = 4 if self.rules.three_seats == "48" else self.num_kings
        self.num_rows = 6 if self.seats == 2 and self.rules.size == 5 else 12
        self.round, self.over = 1, False
        self.row: list[int] = []
        self.claims: dict[int, int] = {}
        self.aside: list[int] = []
        self.waiting: list[tuple[int | None, int]] = [(None, seat) for seat in self.kings]
        self._draw()

    def _draw(self) -> None:
        self.row, self.deck = sorted(self.deck[: self.row_length]), self.deck[self.row_length :]
        self.claims = {}

    @property
    def player(self) -> int:
        """Seat on turn."""
        return self.waiting[0][1]

    @property
    def domino(self) -> int | None:
        """Number to place now."""
        return self.waiting[0][0]

    @property
    def free(self) -> list[int]:
        """Numbers on offer that nobody has taken."""
        return [number for number in self.row if number not in self.claims]

    def legal_moves(self) -> list[Move]:
        """All (placement, number chosen)."""
        placements: list[Placement | None] = [None]
        if self.domino is not None:
            found = self.kingdoms[self.player].placements(self.domino)
            placements = list(found) if found else [None]
            if found and not self.rules.must_place:
                placements.append(None)
        choices: list[int | None] = list(self.free) if self.row else [None]
        return [(placement, choice) for placement in placements for choice in choices]

    def play(self, move: Move) -> None:
        """Carry out a legal move of the seat on turn."""
        placement, choice = move
        domino, seat = self.waiting.pop(0)
        if domino is not None:
            self.kingdoms[seat].place(domino, placement)
        if choice is not None:
            self.claims[choice] = seat
        if self.waiting:
            return
        if not self.row:
            self.over = True
            return
        self.aside += self.free
        self.waiting = sorted(self.claims.items())  # type: ignore[arg-type]
        self.round += 1
        self._draw() if self.round <= self.num_rows else self.row.clear()

    @property
    def scores(self) -> list[int]:
        """Points of all seats as the kingdoms stand."""
        return [kingdom.points(self.rules, self.over) for kingdom in self.kingdoms]

    @property
    def projected(self) -> list[int]:
        """Points if the match ended now; harmony for discarding nothing is given at the end alone."""
        at_end = [kingdom.middle(self.rules.middle, is_over=True) for kingdom in self.kingdoms]
        now = [kingdom.middle(self.rules.middle, self.over) for kingdom in self.kingdoms]
        return [score + then - here for score, then, here in zip(self.scores, at_end, now, strict=True)]

    @property
    def ranks(self) -> list[int]:
        """Places, 1 the best."""
        found = []
        for kingdom, score in zip(self.kingdoms, self.scores, strict=True):
            areas = kingdom.areas()
            largest, crowns = max([size for _, size, _ in areas], default=0), sum(row[2] for row in areas)
            found.append((score, largest, crowns) if self.rules.ties == "official" else (score,))
        return [1 + len([other for other in found if other > own]) for own in found]


def shuffled_match(rng: random.Random, seats: int, rules: Rules) -> Match:
    """A match with luck of its own."""
    kings = [seat for seat in range(seats) for _ in range((3 if seats == 3 else 4) // seats)]
    deck = list(range(1, 49))
    rng.shuffle(kings)
    rng.shuffle(deck)
    return Match(seats, rules, kings, deck)


def random_match(rng: random.Random, seats: int = 4, rules: Rules | None = None) -> Match:
    """A whole match of uniformly random moves."""
    match = shuffled_match(rng, seats, rules or Rules())
    while not match.over:
        match.play(rng.choice(match.legal_moves()))
    return match


def rate(seconds: float) -> float:
    """Random four-seat matches per CPU second."""
    rng, start, done = random.Random(1), time.process_time(), 0
    while done == 0 or time.process_time() - start < seconds:
        random_match(rng)
        done += 1
    return done / (time.process_time() - start)
