"""How often intervals hold the truth, by simulation. `python -m tests.worker.analysis.coverage` prints a table.

A match has a margin in units of its own luck, normal with deviation 1; whoever is ahead wins. A deal
adds luck that all its matches share: it favours a seat, where the engines sit by turns, or an engine
wherever it sits. What is true follows from the normal law and is not itself estimated. Every estimator
is the project's own, asked once for each different outcome among the repetitions.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray
from scipy import special

from worker.analysis.first_seat import first_seat
from worker.analysis.independent import independent_difference
from worker.analysis.intervals import CONFIDENCE, Interval
from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.paired import paired_from_sums
from worker.analysis.rate_differences import TwoRates
from worker.analysis.rates import Share, bounded_interval, rate_interval

REPETITIONS = 2000
DEALS = (10, 50, 500)
RATES = (0.02, 0.5, 0.98)
PAIRS = ((0.02, 0.02), (0.5, 0.5), (0.98, 0.02))
"""Rates of two arms: equal near 0 and in the middle, and as far apart as can be."""
POINTS = 10
"""Points that the luck of a match is worth."""
SCORE, SCORE_SPREAD = 30.0, 1 / 3
"""A score is 30 points times e to a third of the margin: skewed to the right, as scores are."""
DRAW = 0.25
"""Margins up to this are draws where the first seat is looked at."""
SOME_DEALS = 50
"""From here on an interval is not to be too wide, either."""
MOST = 0.97
"""What is covered from there on is not to be more, unless it must."""
TAIL = 0.025
"""Part of the repetitions in which an interval is to miss on either side."""

Values = NDArray[np.float32]
"""float32[repetition, deal]."""
Counts = NDArray[np.int16]
"""int16[repetition, deal]."""
Sums = NDArray[np.float64]
"""float64[repetition]."""


@dataclass(frozen=True)
class World:
    """Luck that the matches of a deal share, as a multiple of a match's own. copies: of each match; arms: on a deal."""

    name: str
    seat: float = 0.0
    engine: float = 0.0
    copies: int = 1
    arms: int = 1

    @property
    def deviation(self) -> float:
        """Standard deviation of a margin."""
        return math.sqrt(1 + self.seat**2 + self.engine**2)

    def start(self, rate: float) -> float:
        """The margin in advance of an engine that wins at this rate."""
        return self.deviation * float(special.ndtri(rate))


ALONE = World("no common luck")
SEAT = World("the deal favours a seat", seat=1)
ENGINE = World("the deal favours an engine", engine=1)
TWICE = World("each match twice", copies=2)
ARMS = World("four arms on the same deals", seat=1, engine=1, arms=4)
WORLDS = (ALONE, SEAT, ENGINE, TWICE, ARMS)
MANY = (World("six arms, and it favours a seat", seat=1, arms=6), World("twenty arms, and it does", seat=1, arms=20))


@dataclass(frozen=True)
class Found:
    """What one setting came to. covered: part of the repetitions whose interval holds the truth.

    closed: part of them without any success, or without any failure, whichever are more. Then a rate's
    interval begins at 0, or ends at 1, and cannot miss on that side. step: part of them with the last rate
    on either side of which an interval still holds the truth, whichever are more.
    """

    estimator: str
    world: str
    truth: str
    deals: int
    covered: float
    closed: float = 0.0
    step: float = 0.0

    @property
    def lowest(self) -> float:
        """Part that must be covered at least."""
        return 0.92 if self.deals < SOME_DEALS else 0.93

    @property
    def highest(self) -> float:
        """Part that may be covered at most.

        What is closed cannot miss: it adds to `MOST`. Where it is more than an interval is to miss
        on a side, there is the other one alone to miss on. And a step may be so large that any narrower
        interval would hold the truth less often than it says. In both cases there is no bound.
        """
        is_forced = self.closed > TAIL or self.covered - self.step < CONFIDENCE
        return 1.0 if self.deals < SOME_DEALS or is_forced else MOST + self.closed


@dataclass(frozen=True)
class Played:
    """What an engine did in the deals of a world, in all matches of a deal and in those of its first two arms."""

    wins: dict[float, Counts]
    points: Values
    scores: Values
    arm_wins: list[dict[float, Counts]]
    arm_points: list[Values]


def _rng(*key: int) -> np.random.Generator:
    return np.random.Generator(np.random.SFC64(np.random.SeedSequence((11, *key))))


def _normal(rng: np.random.Generator) -> Values:
    return rng.standard_normal((REPETITIONS, max(DEALS)), dtype=np.float32)


def _counts() -> dict[float, Counts]:
    return {rate: np.zeros((REPETITIONS, max(DEALS)), np.int16) for rate in RATES}


@cache
def played(world: World) -> Played:
    """Play the deals of a world, each in both seatings by all its arms, and by two for pairs of them."""
    rng = _rng(1, WORLDS.index(world))
    seat, engine = world.seat * _normal(rng), world.engine * _normal(rng)
    arm_wins, arm_points, scores = [], [], np.zeros_like(seat)
    for arm in range(max(2, world.arms)):
        wins, points = _counts(), np.zeros_like(seat)
        for side in (1, -1):
            margin = side * seat + engine + _normal(rng)
            points += np.rint(POINTS * margin)
            for rate, count in wins.items():
                count += margin > -world.start(rate)
            if arm < world.arms:
                scores += np.exp(SCORE_SPREAD * margin)
        arm_wins.append(wins)
        arm_points.append(points)
    every = range(world.arms)
    return Played(
        {rate: world.copies * sum(arm_wins[arm][rate] for arm in every) for rate in RATES},
        world.copies * sum(arm_points[arm] for arm in every),
        world.copies * scores,
        [{rate: world.copies * wins[rate] for rate in RATES} for wins in arm_wins[:2]],
        [world.copies * points for points in arm_points[:2]],
    )


def held(columns: Sequence[Sums], holds: Callable[..., bool]) -> NDArray[np.bool_]:
    """Whether the sums of each repetition hold the truth; `holds` is asked once for equal ones."""
    rows, places = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    return np.array([holds(*row) for row in rows.tolist()])[places]


def _sums(values: Counts | Values, deals: int) -> tuple[Sums, Sums]:
    """Totals, and totals of squares, over the first deals."""
    part = values[:, :deals].astype(np.float64)
    return part.sum(axis=1), (part * part).sum(axis=1)


def _blocks(deals: int, size: int, total: float, squares: float) -> BlockMoments:
    """Sums over deals of `size` values each."""
    return BlockMoments(deals, deals * size, total, squares, total * size, deals * size**2)


def _is_in(truth: float, interval: Interval | None) -> bool:
    return interval is None or interval.low <= truth <= interval.high


def _ends(is_held: NDArray[np.bool_], estimates: Sums) -> tuple[float, float]:
    """Parts of the repetitions that `Found` calls closed and step; estimates: from 0 to 1."""
    closed = max((estimates == 0).mean(), (estimates == 1).mean())
    inside = estimates[is_held & (estimates > 0) & (estimates < 1)]
    ends = (inside.min(), inside.max()) if inside.size else ()
    return float(closed), float(max(((is_held & (estimates == end)).mean() for end in ends), default=0.0))


def _rate_holds(deals: int, size: int, rate: float, total: float, squares: float) -> bool:
    return _is_in(rate, rate_interval(_blocks(deals, size, total, squares)))


def rates() -> Iterator[Found]:
    """Rates at which an engine wins."""
    for world, deals, rate in itertools.product(WORLDS, DEALS, RATES):
        size, sums = 2 * world.copies * world.arms, _sums(played(world).wins[rate], deals)
        is_held = held(sums, partial(_rate_holds, deals, size, rate))
        ends = _ends(is_held, sums[0] / (deals * size))
        yield Found("rate", world.name, str(rate), deals, is_held.mean(), *ends)


def _mean_holds(deals: int, size: int, mean: float, total: float, squares: float) -> bool:
    return _is_in(mean, _blocks(deals, size, total, squares).interval())


def means() -> Iterator[Found]:
    """Mean margins, which are even, and mean scores, which are skewed."""
    for world, deals in itertools.product(WORLDS, DEALS):
        size, values = 2 * world.copies * world.arms, played(world)
        score = math.exp((SCORE_SPREAD * world.deviation) ** 2 / 2)
        for name, what, mean in (("margin", values.points, 0.0), ("score", values.scores, score)):
            is_held = held(_sums(what, deals), partial(_mean_holds, deals, size, mean))
            yield Found(f"mean {name}", world.name, "", deals, is_held.mean())


def _two_rates_hold(deals: int, size: int, truth: float, *sums: float) -> bool:
    difference, first, second = (Moments(deals, *sums[i : i + 2]) for i in (0, 2, 4))
    return TwoRates.of_deals((difference, first, second), (size, size)).holds(truth)


def paired_rates() -> Iterator[Found]:
    """Differences of the rates of two arms on the same deals."""
    for world, deals, (one, other) in itertools.product(WORLDS, DEALS, PAIRS):
        size, arms = 2 * world.copies, played(world).arm_wins
        ours, theirs = arms[0][one][:, :deals] / size, arms[1][other][:, :deals] / size
        sums = [column for values in (ours - theirs, ours, theirs) for column in _sums(values, deals)]
        is_held = held(sums, partial(_two_rates_hold, deals, size, one - other))
        closed = max(_ends(is_held, sums[i] / deals)[0] for i in (2, 4))
        yield Found("paired rates", world.name, f"{one} - {other}", deals, is_held.mean(), closed)


def _paired_holds(deals: int, *sums: float) -> bool:
    difference, first, second = (Moments(deals, *sums[i : i + 2]) for i in (0, 2, 4))
    return _is_in(0.0, paired_from_sums(difference, first, second, 0).interval)


def paired_means() -> Iterator[Found]:
    """Differences of the mean margins of two equal arms on the same deals."""
    for world, deals in itertools.product(WORLDS, DEALS):
        ours, theirs = (points / (2 * world.copies) for points in played(world).arm_points)
        sums = [column for values in (ours - theirs, ours, theirs) for column in _sums(values, deals)]
        yield Found("paired margins", world.name, "", deals, held(sums, partial(_paired_holds, deals)).mean())


def _first_seat_holds(share: float, *sums: float) -> bool:
    blocks, n, total, squares, cross, n_squares = sums
    won = BlockMoments(int(blocks), int(n), total, squares, cross, int(n_squares))
    return _is_in(share, first_seat(won, BlockMoments(), 2).decisive_interval)


def first_seats() -> Iterator[Found]:
    """Shares that the first seat has of decisive matches, over all arms; it leads by so much in advance."""
    for key, world in enumerate((*WORLDS[:-1], *MANY)):
        rng, ahead, won, lost = _rng(2, key), {share: _ahead(world, share) for share in RATES}, _counts(), _counts()
        seat, engine = world.seat * _normal(rng), world.engine * _normal(rng)
        for _, side in itertools.product(range(world.arms), (1, -1)):
            lead = seat + side * engine + _normal(rng)
            for share in RATES:
                won[share] += lead > DRAW - ahead[share]
                lost[share] += lead < -DRAW - ahead[share]
        for deals, share in itertools.product(DEALS, RATES):
            wins, losses = (world.copies * values[share][:, :deals].astype(np.float64) for values in (won, lost))
            n = wins + losses
            sums = ((n > 0).sum(axis=1), n.sum(axis=1), wins.sum(axis=1), (wins**2).sum(axis=1))
            sums += ((wins * n).sum(axis=1), (n * n).sum(axis=1))
            is_held = held(sums, partial(_first_seat_holds, share))
            yield Found("first seat", world.name, str(share), deals, is_held.mean(), *_ends(is_held, sums[2] / sums[1]))


def _ahead(world: World, share: float) -> float:
    """The lead in advance with which the first seat wins this share of decisive matches."""
    low, high = -8 * world.deviation, 8 * world.deviation
    while high - low > 1e-9:
        middle = (low + high) / 2
        wins, losses = (special.ndtr((side * middle - DRAW) / world.deviation) for side in (1, -1))
        low, high = (middle, high) if wins < share * (wins + losses) else (low, middle)
    return low


def _place_holds(deals: int, size: int, mean: float, total: float, squares: float) -> bool:
    return _is_in(mean, bounded_interval(_blocks(deals, size, total, squares), 1, 3))


def places() -> Iterator[Found]:
    """Mean places of one of three engines, of which each other one comes in before it at a rate."""
    for key, world in enumerate(WORLDS):
        rng, beaten = _rng(3, key), _counts()
        seats, engines = ([part * _normal(rng) for _ in range(3)] for part in (world.seat, world.engine))
        for _, rotation in itertools.product(range(world.arms), range(3)):
            own, *others = (engines[k] + seats[(k + rotation) % 3] + _normal(rng) for k in range(3))
            for rate, other in itertools.product(RATES, others):
                beaten[rate] += other - own > -math.sqrt(2) * world.start(rate)
        for deals, rate in itertools.product(DEALS, RATES):
            size = 3 * world.copies * world.arms
            sums = _sums(size + world.copies * beaten[rate], deals)
            is_held = held(sums, partial(_place_holds, deals, size, 1 + 2 * rate))
            ends = _ends(is_held, (sums[0] / (deals * size) - 1) / 2)
            yield Found("mean place", world.name, f"{1 + 2 * rate}", deals, is_held.mean(), *ends)


def _independent_rates_hold(n: int, m: int, truth: float, wins: float, others: float) -> bool:
    first, second = (Share.of_blocks(BlockMoments(k, k, won, won, won, k)) for k, won in ((n, wins), (m, others)))
    assert first is not None
    assert second is not None
    return TwoRates(first, second).holds(truth)


def _independent_holds(n: int, m: int, *sums: float) -> bool:
    return _is_in(0.0, independent_difference(Moments(n, *sums[:2]), Moments(m, *sums[2:])).interval)


def independent() -> Iterator[Found]:
    """Differences of two arms whose matches share no deal, and so no luck; one has half as many as the other."""
    rng = _rng(4)
    margins, others = _normal(rng), 3 * _normal(rng)
    for n in DEALS:
        m = n // 2
        for one, other in PAIRS:
            wins = (margins[:, :n] < special.ndtri(one)).sum(axis=1).astype(np.float64)
            lost = (others[:, :m] < 3 * special.ndtri(other)).sum(axis=1).astype(np.float64)
            is_held = held((wins, lost), partial(_independent_rates_hold, n, m, one - other))
            closed = max(_ends(is_held, wins / n)[0], _ends(is_held, lost / m)[0])
            yield Found("independent rates", "a deal for each match", f"{one} - {other}", n, is_held.mean(), closed)
        sums = (*_sums(margins, n), *_sums(others, m))
        is_held = held(sums, partial(_independent_holds, n, m))
        yield Found("independent margins", "a deal for each match", "", n, is_held.mean())


ESTIMATORS = (rates, means, paired_rates, paired_means, first_seats, places, independent)


def main() -> None:
    """Print what all settings come to: per cent, by number of deals; + where it is over what is wanted."""
    print(f"{'':20}{'':38}{'':12}", *(f"{deals:>6}" for deals in DEALS))
    for estimator in ESTIMATORS:
        rows: dict[tuple[str, str, str], list[str]] = {}
        for found in estimator():
            cells = rows.setdefault((found.estimator, found.world, found.truth), [])
            cells.append(f"{100 * found.covered:5.1f}" + ("+" if found.covered > MOST else " "))
        for (name, world, truth), cells in rows.items():
            print(f"{name:20}{world:38}{truth:12}", *cells)


if __name__ == "__main__":
    main()
