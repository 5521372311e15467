"""Schedule of a spec's matches: line-ups, rotations, seeds, and chunks of work. Pure.

The ordinal of a match within its arm is deal * rotations + rotation. In rotation r the
entry i of the line-up sits in seat (i + r) mod n.

Where agents take part, every match has a deal of its own, with a number that no other match of
the experiment has.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games import rng
from worker.spec import UNDRAWN, ExperimentSpec, MatchSpec

_DEALS, _MATCHES = 0, 1
CHUNK_S = 3.0
"""Estimated play of a chunk: an estimate wrong by a factor of 3 still gives 1 to 10 s."""
MAX_CHUNK_S = 10.0


class ChunkSpec(NamedTuple):
    """Consecutive matches of one arm: ordinals first .. first + size - 1."""

    arm: int
    first: int
    size: int


def deal_seed(spec_seed: int, deal: int) -> int:
    """Seed of all luck of a deal, below 2^63; the same for every arm and rotation."""
    return rng.mix(spec_seed, rng.SCHEDULE, _DEALS, deal) >> 1


def match_seed(spec_seed: int, arm: int, deal: int, rotation: int) -> int:
    """Seed from which the engines of one match draw, below 2^63."""
    return rng.mix(spec_seed, rng.SCHEDULE, _MATCHES, arm, deal, rotation) >> 1


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
    per_arm = spec.deals * spec.num_rotations
    if not (0 <= arm < len(spec.arms) and 0 <= ordinal < per_arm):
        raise ValueError(f"no match {ordinal} in arm {arm}: {len(spec.arms)} arms of {per_arm} matches")
    deal, rotation = divmod(ordinal, spec.num_rotations)
    if spec.has_agents:
        if spec.seed == UNDRAWN:
            raise ValueError("the seed of a spec with agents has not been drawn")
        deal = arm * per_arm + ordinal
        luck, thought = (secret_seed(spec.seed, purpose, arm, ordinal) for purpose in ("deal", "match"))
    else:
        luck, thought = deal_seed(spec.seed, deal), match_seed(spec.seed, arm, deal, rotation)
    places = lineup(spec.seats, rotation)
    entries = spec.arms[arm].seats
    return MatchSpec(
        game=spec.game,
        options=spec.options,
        seats=tuple(entries[place] for place in places),
        lineup=places,
        arm=arm,
        deal=deal,
        rotation=rotation,
        seed=thought,
        deal_seed=luck,
        record=spec.record,
    )


def match_specs(spec: ExperimentSpec, arm: int, first: int, size: int) -> Iterator[MatchSpec]:
    """The matches of a chunk, lazily, in the order of their ordinals."""
    for ordinal in range(first, first + size):
        yield match_spec(spec, arm, ordinal)


def expand(spec: ExperimentSpec) -> Iterator[MatchSpec]:
    """All matches, lazily, arm by arm."""
    for arm in range(len(spec.arms)):
        yield from match_specs(spec, arm, 0, spec.deals * spec.num_rotations)


def chunks(spec: ExperimentSpec, seconds_per_match: Sequence[float]) -> list[ChunkSpec]:
    """Cut the experiment into chunks of about `CHUNK_S` of estimated play; arms with agents are not cut.

    seconds_per_match: one estimate per arm. Rotations of a deal stay together where they
    take no more than `MAX_CHUNK_S`. Arms take turns, so that they grow side by side.
    """
    if len(seconds_per_match) != len(spec.arms):
        raise ValueError(f"{len(spec.arms)} estimates are needed, not {len(seconds_per_match)}")
    rotations = spec.num_rotations
    rows = []
    for arm, seconds in enumerate(seconds_per_match):
        if spec.arms[arm].has_agents:
            continue
        if seconds * rotations <= MAX_CHUNK_S:
            cuts = _even_cuts(spec.deals, seconds * rotations)
            rows += [(arm, first * rotations, size * rotations) for first, size in cuts]
        else:
            cuts = _even_cuts(rotations, seconds)
            rows += [(arm, deal * rotations + first, size) for deal in range(spec.deals) for first, size in cuts]
    return sorted((ChunkSpec(*row) for row in rows), key=lambda chunk: (chunk.first, chunk.arm))


def num_chunks(spec: ExperimentSpec, seconds_per_match: Sequence[float]) -> int:
    """Number of `chunks`, without cutting them."""
    rotations, number = spec.num_rotations, 0
    for arm, seconds in zip(spec.arms, seconds_per_match, strict=True):
        if not arm.has_agents:
            deal_s = seconds * rotations
            is_whole = deal_s <= MAX_CHUNK_S
            number += _num_cuts(spec.deals, deal_s) if is_whole else spec.deals * _num_cuts(rotations, seconds)
    return number


def _even_cuts(items: int, seconds: float) -> list[tuple[int, int]]:
    """Cut items of `seconds` each into runs (first, size) near CHUNK_S, sizes differing by one at most."""
    number = _num_cuts(items, seconds)
    bounds = [items * i // number for i in range(number + 1)]
    return [(low, high - low) for low, high in itertools.pairwise(bounds)]


def _num_cuts(items: int, seconds: float) -> int:
    wanted = max(1, int(CHUNK_S / seconds)) if seconds * items > CHUNK_S else items
    return -(-items // wanted)
