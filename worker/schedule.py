"""Schedule of a spec's matches: line-ups, seatings, seeds, and chunks of work. Pure.

The ordinal of a match within its arm is deal * seatings + rotation. In rotation r the
entry i of the line-up sits in seat (i + r) mod n; which rotations are played, `spec.seatings` says.

Where agents take part, every match has a deal of its own, with a number that no other match of
the experiment has.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from games import rng
from worker.spec import UNDRAWN, ExperimentSpec, MatchSpec

_DEALS, _MATCHES = 0, 1
CHUNK_S = 3.0
"""Estimated play of a chunk: an estimate wrong by a factor of 3 still gives 1 to 10 s."""
FIRST_CHUNK_S = 0.2
"""The first chunk of an arm is as short as this, each following one twice as long: so all arms soon have matches."""
MAX_CHUNK_S = 10.0
PART = 1 / 50
"""Of what an arm has played, a chunk under a stop rule may be as much: see `shortest`."""


class ChunkSpec(NamedTuple):
    """Consecutive matches of one arm: ordinals first .. first + size - 1."""

    arm: int
    first: int
    size: int


class Span(NamedTuple):
    """Consecutive deals of one arm: first .. first + deals - 1."""

    arm: int
    first: int
    deals: int


def deal_seed(spec_seed: int, deal: int) -> int:
    """Seed of all luck of a deal, below 2^63; the same for every arm and rotation."""
    return rng.mix(deal, after=_mixed(spec_seed, rng.SCHEDULE, _DEALS)) >> 1


def match_seed(spec_seed: int, arm: int, deal: int, rotation: int) -> int:
    """Seed from which the engines of one match draw, below 2^63."""
    return rng.mix(deal, rotation, after=_mixed(spec_seed, rng.SCHEDULE, _MATCHES, arm)) >> 1


_mixed = lru_cache(rng.mix)
"""What the seeds of many matches begin with."""


def secret_seed(spec_seed: int, purpose: str, arm: int, ordinal: int) -> int:
    """A seed, below 2^63, that tells nothing about those of other matches: an agent that has seen one match
    to its end still plays the next without foreknowledge.
    """
    digest = hashlib.sha256(f"{spec_seed}:{purpose}:{arm}:{ordinal}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def lineup(num_seats: int, rotation: int) -> tuple[int, ...]:
    """Entries of the line-up, by the seat where each sits."""
    return tuple((seat - rotation) % num_seats for seat in range(num_seats))


def match_spec(spec: ExperimentSpec, arm: int, ordinal: int) -> MatchSpec:
    """One match of an arm. Raises ValueError where the experiment has no such match."""
    return next(match_specs(spec, arm, ordinal, 1))


def match_specs(spec: ExperimentSpec, arm: int, first: int, size: int) -> Iterator[MatchSpec]:
    """The matches of a chunk, lazily, in the order of their ordinals.

    Raises ValueError where the experiment has no such match.
    """
    if not 0 <= arm < len(spec.arms):
        raise ValueError(f"no arm {arm} among {len(spec.arms)}")
    matches, seatings, entries = spec.arm_matches(arm), spec.num_seatings(arm), spec.arms[arm].seats
    lineups = [lineup(spec.seats, rotation) for rotation in range(seatings)]
    seated = [(tuple(entries[place] for place in places), places) for places in lineups]
    has_agents, before = spec.has_agents, sum(map(spec.arm_matches, range(arm)))
    if has_agents and spec.seed == UNDRAWN:
        raise ValueError("the seed of a spec with agents has not been drawn")
    for ordinal in range(first, first + size):
        if not 0 <= ordinal < matches:
            raise ValueError(f"no match {ordinal} in arm {arm} of {matches} matches")
        deal, rotation = divmod(ordinal, seatings)
        if has_agents:
            deal = before + ordinal
            luck, thought = (secret_seed(spec.seed, purpose, arm, ordinal) for purpose in ("deal", "match"))
        else:
            luck, thought = deal_seed(spec.seed, deal), match_seed(spec.seed, arm, deal, rotation)
        seats, places = seated[rotation]
        yield MatchSpec(spec.game, spec.options, seats, places, arm, deal, rotation, thought, luck, spec.record)


def expand(spec: ExperimentSpec) -> Iterator[MatchSpec]:
    """All matches, lazily, arm by arm."""
    for arm in range(len(spec.arms)):
        yield from match_specs(spec, arm, 0, spec.arm_matches(arm))


def chunks(spec: ExperimentSpec, seconds_per_match: Sequence[float]) -> Iterator[ChunkSpec]:
    """Cut the experiment into chunks of about `CHUNK_S` of estimated play; arms with agents are not cut.

    seconds_per_match: one estimate per arm. Seatings of a deal stay together where they
    take no more than `MAX_CHUNK_S`. All arms are cut behind the same deals and take turns, so that
    they grow side by side: whenever an experiment is stopped, its arms can be compared. Under a stop rule chunks are
    shorter (`shortest`), so that it looks often, and little is played beyond the deal at which it ends.
    """
    arms = [arm for arm, entry in enumerate(spec.arms) if not entry.has_agents]
    yield from span_chunks(spec, seconds_per_match, [Span(arm, 0, spec.deals) for arm in arms])


def span_chunks(spec: ExperimentSpec, seconds_per_match: Sequence[float], spans: Sequence[Span]) -> Iterator[ChunkSpec]:
    """Cut the deals of some arms in the same way, each counted from where its span begins."""
    if len(seconds_per_match) != len(spec.arms):
        raise ValueError(f"{len(spec.arms)} estimates are needed, not {len(seconds_per_match)}")
    if not spans:
        return
    seatings = {span.arm: spec.num_seatings(span.arm) for span in spans}
    deal_s = {arm: seconds_per_match[arm] * number for arm, number in seatings.items()}
    mean_s = sum(deal_s.values()) / len(deal_s)
    for first, deals in _ranges(max(span.deals for span in spans), mean_s, shortest(spec)):
        for arm, start, number in spans:
            size = min(deals, number - first)
            for begin, matches in _cuts(max(0, size), seatings[arm], deal_s[arm]):
                yield ChunkSpec(arm, (start + first) * seatings[arm] + begin, matches)


def shortest(spec: ExperimentSpec) -> float:
    """Estimated play of a chunk of which nothing but `PART` of what was played before makes a longer one.

    Where a stop rule may end it any moment, that of all arms together is as long as otherwise that of one.
    """
    return CHUNK_S if spec.stop.is_fixed else max(FIRST_CHUNK_S, CHUNK_S / len(spec.arms))


def _ranges(deals: int, seconds: float, shortest_s: float) -> Iterator[tuple[int, int]]:
    """Ranges of deals (first, number) at whose ends all arms are cut; seconds: what a deal takes an arm, on average."""
    first, wanted = 0, FIRST_CHUNK_S
    while first < deals and wanted < CHUNK_S:
        size = min(deals - first, max(1, int(wanted / seconds)) if seconds * deals > wanted else deals)
        yield first, size
        first += size
        wanted = min(2 * wanted, max(shortest_s, PART * first * seconds))
    for begin, size in _even_cuts(deals - first, seconds):
        yield first + begin, size


def _cuts(deals: int, seatings: int, deal_s: float) -> Iterator[tuple[int, int]]:
    """Cut the matches of some deals of one arm, which takes `deal_s` for each, into chunks (first, size)."""
    if deal_s <= MAX_CHUNK_S:
        for first, size in _even_cuts(deals, deal_s):
            yield first * seatings, size * seatings
        return
    for deal in range(deals):
        for first, size in _even_cuts(seatings, deal_s / seatings):
            yield deal * seatings + first, size


def _even_cuts(items: int, seconds: float) -> Iterator[tuple[int, int]]:
    """Cut items of `seconds` each into runs (first, size) near CHUNK_S, sizes differing by one at most."""
    if not items:
        return
    wanted = max(1, int(CHUNK_S / seconds)) if seconds * items > CHUNK_S else items
    number = -(-items // wanted)
    bounds = (items * i // number for i in range(number + 1))
    for low, high in itertools.pairwise(bounds):
        yield low, high - low
