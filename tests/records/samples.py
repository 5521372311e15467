"""Made-up matches, shaped like those of a two-seat game: for tests and benchmarks."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from worker.records import Failure, MatchRecord, PlyRecord

METRICS = (
    [f"points_{kind}" for kind in ("city", "road", "monastery", "field")]
    + [f"features_{kind}" for kind in ("city", "road", "monastery", "field")]
    + [f"{what}_{kind}" for what in ("placed", "stranded") for kind in ("city", "road", "monastery", "field")]
    + ["shared", "taken_over", "mean_in_hand", "vain_draws"]
)
LINEUPS = ((0, 1), (1, 0))


def match(ordinal: int, *, arm: int = 0, num_plies: int = 71, weighs: bool = True, seed: int = 1) -> MatchRecord:
    """A finished match with its plies; the same arguments give the same record.

    weighs: the engines leave five weighed actions beside each ply.
    """
    dice = random.Random(f"{seed} {arm} {ordinal}")
    deal, rotation = divmod(ordinal, 2)
    plies, scores = [], [0, 0]
    for index in range(num_plies):
        scores[index % 2] += dice.choice((0, 0, 0, 2, 4, 9))
        plies.append(_ply(index, scores, dice, weighs))
    ranks = tuple(1 + sum(other > own for other in scores) for own in scores)
    results = ("draw", "draw") if scores[0] == scores[1] else tuple("win" if rank == 1 else "loss" for rank in ranks)
    return MatchRecord(
        arm=arm,
        deal=deal,
        rotation=rotation,
        seed=dice.getrandbits(63),
        deal_seed=deal,
        lineup=LINEUPS[rotation],
        status="finished",
        scores=tuple(scores),
        ranks=ranks,
        results=results,
        metrics=tuple({name: dice.randrange(40) / 4 for name in METRICS} for _ in range(2)),
        num_plies=num_plies,
        digest=plies[-1].digest if plies else 0,
        elapsed_s=0.25,
        cpu_s=0.25,
        versions={"carcassonne": "1", "random": "1"},
        plies=tuple(plies),
    )


def _ply(index: int, scores: Sequence[int], dice: random.Random, weighs: bool) -> PlyRecord:
    info: Mapping[str, Any] | None = None
    if weighs:
        info = {"best": [[action, "12,-3 r90 city 2", 0.51, 20, 0.083] for action in range(5)]}
    return PlyRecord(
        ply=index,
        seat=index % 2,
        action=dice.randrange(10_000),
        notation=f"{dice.randrange(20)},{dice.randrange(20)} r90 city 2",
        legal_count=dice.randrange(1, 120),
        scores=tuple(scores),
        value=dice.random(),
        playouts=20,
        nodes=0,
        depth=0,
        elapsed_s=0.005,
        cpu_s=0.005,
        digest=dice.getrandbits(63) - 2**62,
        info=info,
    )


def failed(ordinal: int, *, arm: int = 0, seat: int | None = 0, message: str = "it broke") -> MatchRecord:
    """A match whose engine failed at the start."""
    deal, rotation = divmod(ordinal, 2)
    return MatchRecord(
        arm=arm,
        deal=deal,
        rotation=rotation,
        seed=ordinal,
        deal_seed=deal,
        lineup=LINEUPS[rotation],
        status="failed",
        failure=Failure(seat, "exception", message),
    )
