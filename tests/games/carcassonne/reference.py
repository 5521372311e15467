"""Carcassonne as slowly and plainly as it can be said: painted tiles and flood fill.

This is the yardstick for the real game and shares no code with it. A tile is a painted picture
(`painted.py`); what belongs together is found by flood fill over the table, anew for every
question, so that there is nothing to keep in step.

Places are (x, y) with x growing east and y growing south; rotations are clockwise quarter
turns. A node is (x, y, segment name); a feature is a set of nodes.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.games.carcassonne.painted import COUNTS, START, TILES, Tile, kind_of

KINDS = ("city", "road", "monastery", "field")
SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
MEEPLES = 7

Node = tuple[int, int, str]
Move = tuple[int, int, int, str | None]


@dataclass(frozen=True)
class Rules:
    """Options: unplaceable ``return`` or ``discard``, two_tile_city ``full`` or ``half``, farmers ``on``,
    ``off`` or ``cities``."""

    unplaceable: str = "return"
    two_tile_city: str = "full"
    farmers: str = "on"


@dataclass(frozen=True)
class Feature:
    """What one flood fill found: `complete` = nothing can be added; owners: sorted, with repeats."""

    kind: str
    nodes: frozenset[Node]
    complete: bool
    owners: tuple[int, ...]

    @property
    def places(self) -> list[tuple[int, int]]:
        """Places of the feature's tiles, each once, sorted."""
        return sorted({(x, y) for x, y, _ in self.nodes})

    @property
    def winners(self) -> list[int]:
        """Seats with the most meeples in it."""
        counts = Counter(self.owners)
        return sorted(seat for seat, count in counts.items() if count == max(counts.values()))


@dataclass
class Scored:
    """A feature with meeples that was scored, in play or at the end."""

    kind: str
    points: int
    winners: list[int]
    tiles: list[tuple[int, int]]
    owners: tuple[int, ...]
    finished: bool


@dataclass
class Match:
    """One match. `tile` is what the seat on turn has to place, None before the draw."""

    seats: int
    rules: Rules = Rules()
    board: dict[tuple[int, int], tuple[str, int]] = field(default_factory=dict)
    meeples: dict[Node, int] = field(default_factory=dict)
    turn: int = 0
    tile: str | None = None
    vain: list[str] = field(default_factory=list)
    discarded: list[str] = field(default_factory=list)
    history: list[tuple[int, str, Move]] = field(default_factory=list)
    scored: list[Scored] = field(default_factory=list)
    events: list[Scored] = field(default_factory=list)
    ended: bool = False

    def __post_init__(self) -> None:
        self.board[0, 0] = (START, 0)
        self.pool = Counter(COUNTS)
        self.pool[START] -= 1
        self.points = [0] * self.seats
        self.in_hand = [MEEPLES] * self.seats
        self.placed: list[Counter[str]] = [Counter() for _ in range(self.seats)]
        self.returned: list[Counter[str]] = [Counter() for _ in range(self.seats)]
        self.hand_before: list[list[int]] = [[] for _ in range(self.seats)]
        self.vain_draws = [0] * self.seats

    # -- what lies on the table

    def _tile_at(self, x: int, y: int) -> Tile | None:
        if (x, y) not in self.board:
            return None
        letter, rotation = self.board[x, y]
        return TILES[letter][rotation]

    def feature(self, node: Node) -> Feature:
        """Flood fill from a node over everything joined to it."""
        x, y, segment = node
        if segment == "monastery":
            return Feature("monastery", frozenset({node}), self._num_around(x, y) == 8, self._owners({node}))
        found, waiting, complete = {node}, [node], True
        while waiting:
            x, y, segment = waiting.pop()
            here = self._tile_at(x, y)
            for side, (dx, dy) in SIDES.items():
                if segment not in here.ports[side]:
                    continue
                there = self._tile_at(x + dx, y + dy)
                if there is None:
                    complete = False
                    continue
                for mine, theirs in zip(here.ports[side], there.ports[OPPOSITE[side]], strict=True):
                    other = (x + dx, y + dy, theirs)
                    if mine == segment and other not in found:
                        found.add(other)
                        waiting.append(other)
        return Feature(kind_of(node[2]), frozenset(found), complete, self._owners(found))

    def _owners(self, nodes: set[Node]) -> tuple[int, ...]:
        return tuple(sorted(self.meeples[node] for node in nodes if node in self.meeples))

    def _num_around(self, x: int, y: int) -> int:
        return sum((x + dx, y + dy) in self.board for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0))

    def value(self, feature: Feature) -> int:
        """Points of a feature if it were scored as it lies."""
        if feature.kind == "road":
            return len(feature.places)
        if feature.kind == "monastery":
            ((x, y),) = feature.places
            return 1 + self._num_around(x, y)
        if feature.kind == "field":
            return 3 * len(self._finished_cities_beside(feature))
        pennants = sum(segment in self._tile_at(x, y).pennants for x, y, segment in feature.nodes)
        size = len(feature.places)
        if not feature.complete or (size == 2 and self.rules.two_tile_city == "half"):
            return size + pennants
        return 2 * (size + pennants)

    def _finished_cities_beside(self, meadow: Feature) -> set[frozenset[Node]]:
        cities = {
            (x, y, city) for x, y, segment in meadow.nodes for city in self._tile_at(x, y).touching.get(segment, ())
        }
        return {found.nodes for found in map(self.feature, cities) if found.complete}

    # -- placing

    def fits(self, letter: str, x: int, y: int, rotation: int) -> bool:
        """Whether a tile may be laid at an empty place beside the table."""
        if (x, y) in self.board:
            return False
        tile, touches = TILES[letter][rotation], False
        for side, (dx, dy) in SIDES.items():
            there = self._tile_at(x + dx, y + dy)
            if there is not None:
                touches = True
                if tile.terrain[side] != there.terrain[OPPOSITE[side]]:
                    return False
        return touches

    def placements(self, letter: str) -> list[tuple[int, int, int]]:
        """Every (x, y, rotation) where the tile fits."""
        return list(self._placements(letter))

    def fits_somewhere(self, letter: str) -> bool:
        """Whether any place takes the tile."""
        return any(True for _ in self._placements(letter))

    def _placements(self, letter: str) -> Iterator[tuple[int, int, int]]:
        rim = {(x + dx, y + dy) for x, y in self.board for dx, dy in SIDES.values()}
        for x, y in sorted(rim - set(self.board)):
            for rotation in range(len(TILES[letter])):
                if self.fits(letter, x, y, rotation):
                    yield x, y, rotation

    def free_segments(self, letter: str, x: int, y: int, rotation: int) -> list[str]:
        """Segments of the tile, laid there, whose features hold no meeple."""
        self.board[x, y] = (letter, rotation)
        free = [name for name in TILES[letter][rotation].segments if not self.feature((x, y, name)).owners]
        del self.board[x, y]
        return [name for name in free if self.rules.farmers != "off" or kind_of(name) != "field"]

    def legal_moves(self) -> list[Move]:
        """All moves of the seat on turn with the drawn tile."""
        moves: list[Move] = []
        for place in self.placements(self.tile):
            moves.append((*place, None))
            if self.in_hand[self.turn] > 0:
                moves += [(*place, segment) for segment in self.free_segments(self.tile, *place)]
        return moves

    # -- playing

    def can_go_on(self) -> bool:
        """Whether some tile of the pool fits somewhere."""
        return any(count and self.fits_somewhere(letter) for letter, count in self.pool.items())

    def draw(self, letter: str) -> bool:
        """Draw a tile; False when it fits nowhere, so that the same seat draws again."""
        assert not self.ended
        assert self.tile is None
        assert self.pool[letter] > 0
        if self.fits_somewhere(letter):
            self.pool[letter] -= 1
            self.tile = letter
            return True
        self.vain.append(letter)
        self.vain_draws[self.turn] += 1
        if self.rules.unplaceable == "discard":
            self.pool[letter] -= 1
            self.discarded.append(letter)
        return False

    def play(self, move: Move) -> None:
        """Lay the drawn tile, set the meeple, score what is finished, pass the turn on."""
        x, y, rotation, segment = move
        seat = self.turn
        assert self.tile is not None
        self.hand_before[seat].append(self.in_hand[seat])
        self.history.append((seat, self.tile, move))
        self.board[x, y] = (self.tile, rotation)
        if segment is not None:
            self.meeples[x, y, segment] = seat
            self.in_hand[seat] -= 1
            self.placed[seat][kind_of(segment)] += 1
        self.events = [self._score(feature, finished=True) for feature in self._just_finished(x, y)]
        self.tile, self.vain, self.turn = None, [], (seat + 1) % self.seats

    def _just_finished(self, x: int, y: int) -> list[Feature]:
        """Complete cities, roads and monasteries with meeples that the tile at (x, y) may have finished."""
        nodes = [(x, y, segment) for segment in self._tile_at(x, y).segments]
        nodes += [node for node in self.meeples if node[2] == "monastery"]
        features = {feature.nodes: feature for feature in map(self.feature, nodes)}
        return _in_order(f for f in features.values() if f.complete and f.owners and f.kind != "field")

    def _score(self, feature: Feature, *, finished: bool) -> Scored:
        entry = Scored(
            feature.kind, self.value(feature), feature.winners, feature.places, feature.owners, finished=finished
        )
        for seat in entry.winners:
            self.points[seat] += entry.points
        self.scored.append(entry)
        if finished:
            for node in feature.nodes & set(self.meeples):
                seat = self.meeples.pop(node)
                self.in_hand[seat] += 1
                self.returned[seat][feature.kind] += 1
        return entry

    def _unscored(self) -> list[Feature]:
        features = {feature.nodes: feature for feature in map(self.feature, self.meeples)}
        is_by_city = self.rules.farmers == "cities"
        return _in_order(found for found in features.values() if found.kind != "field" or not is_by_city)

    def _supplied(self) -> list[Scored]:
        """The finished cities with farmers round them, where the first edition's farmers are counted."""
        if self.rules.farmers != "cities":
            return []
        fields = {found.nodes: found for found in map(self.feature, self.meeples) if found.kind == "field"}
        beside = {city for meadow in fields.values() for city in self._finished_cities_beside(meadow)}
        entries = []
        for nodes in beside:
            near = [meadow for meadow in fields.values() if nodes in self._finished_cities_beside(meadow)]
            owners = tuple(sorted(seat for meadow in near for seat in meadow.owners))
            city = Feature("field", nodes, complete=True, owners=owners)
            entries.append(Scored("field", 4, city.winners, city.places, owners, finished=False))
        return sorted(entries, key=lambda entry: entry.tiles)

    def projected(self) -> list[int]:
        """Scores if the match ended now."""
        if self.ended:
            return list(self.points)
        scores = list(self.points)
        for feature in self._unscored():
            for seat in feature.winners:
                scores[seat] += self.value(feature)
        for entry in self._supplied():
            for seat in entry.winners:
                scores[seat] += entry.points
        return scores

    def end(self) -> list[Scored]:
        """Score what lies unfinished; returns the breakdown."""
        assert not self.ended
        self.ended = True
        supplied = self._supplied()
        for entry in supplied:
            for seat in entry.winners:
                self.points[seat] += entry.points
        self.scored += supplied
        return [*(self._score(feature, finished=False) for feature in self._unscored()), *supplied]

    @property
    def left(self) -> dict[str, int]:
        """Tiles never laid nor discarded, by type."""
        return {letter: count for letter, count in self.pool.items() if count}

    def metrics(self) -> list[dict[str, float]]:
        """What a dashboard counts, per seat, at the end."""
        assert self.ended
        return [self._metrics_of(seat) for seat in range(self.seats)]

    def _metrics_of(self, seat: int) -> dict[str, float]:
        paying = [entry for entry in self.scored if entry.points > 0]
        won = [entry for entry in paying if seat in entry.winners]
        found: dict[str, float] = {}
        for kind in KINDS:
            mine = [entry for entry in won if entry.kind == kind]
            found[f"points_{kind}"] = sum(entry.points for entry in mine)
            found[f"points_{kind}_finished"] = sum(entry.points for entry in mine if entry.finished)
            found[f"points_{kind}_open"] = sum(entry.points for entry in mine if not entry.finished)
            found[f"features_{kind}"] = len(mine)
            found[f"placed_{kind}"] = self.placed[seat][kind]
            found[f"returned_{kind}"] = self.returned[seat][kind]
            found[f"stranded_{kind}"] = self.placed[seat][kind] - self.returned[seat][kind]
        found["shared"] = sum(len(entry.winners) > 1 for entry in won)
        found["taken_over"] = sum(entry.winners == [seat] and set(entry.owners) != {seat} for entry in won)
        found["lost"] = sum(seat in entry.owners and seat not in entry.winners for entry in paying)
        hands = self.hand_before[seat]
        found["mean_in_hand"] = sum(hands) / len(hands) if hands else MEEPLES
        found["vain_draws"] = self.vain_draws[seat]
        return found


def _in_order(features) -> list[Feature]:
    """Features by kind, then by their places."""
    return sorted(features, key=lambda feature: (feature.kind, feature.places))


def moves_hash(moves: list[Move]) -> str:
    """Sixteen hex digits that stand for a set of legal moves in the traces."""
    spelt = sorted(f"{x},{y},{rotation},{segment or '-'}" for x, y, rotation, segment in moves)
    return hashlib.sha256(";".join(spelt).encode()).hexdigest()[:16]


def draw_random(match: Match, rng: random.Random) -> bool:
    """Draw until a tile fits. False, and the match is scored, when none of the pool does."""
    while match.can_go_on():
        if match.draw(rng.choice(sorted(Counter(match.left).elements()))):
            return True
    match.end()
    return False


def random_match(rng: random.Random, seats: int = 2, rules: Rules | None = None) -> Match:
    """A whole match between seats that choose uniformly among all legal moves."""
    match = Match(seats, rules or Rules())
    while draw_random(match, rng):
        match.play(rng.choice(match.legal_moves()))
    return match


def rate(seconds: float) -> float:
    """Complete random two-seat matches per second of CPU time."""
    rng, played, start = random.Random(1), 0, time.process_time()
    while played == 0 or time.process_time() - start < seconds:
        random_match(rng)
        played += 1
    return played / (time.process_time() - start)
