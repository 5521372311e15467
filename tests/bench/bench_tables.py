"""How soon engines answer at a table, and how well they keep their time, while a batch plays on all cores.

    .venv/bin/python -m tests.bench.bench_tables [--game GAME] [--plies N] [--seconds S] [--no-batch]

Starts a lab of its own: Postgres, Valkey, workers as `up` starts them, and a batch without end.
A person plays against the game's strongest level with `seconds` a ply, `plies` plies of it.
Prints as JSON, in seconds: the latency (from the commit of the ply before until the engine's is
seen by one who waits as pages do, less what the engine took), and what the engine took of its
time. Plies with a single legal action are left out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from typing import Any

import numpy as np

from engines import levels
from games import registry
from tests.crash.lab import Lab

THINKS = {"engine": "flat_mc", "options": {}, "budget": {"playouts_per_action": 20}}
BATCH = {
    "version": 1,
    "game": "carcassonne",
    "seats": 2,
    "arms": [{"name": "load", "seats": [THINKS, THINKS]}],
    "deals": 1000,
    "seed": 1,
}
ANSWER_S = 60.0


def play(match_ids: list[int], plies: int) -> list[tuple[float, float]]:
    """Play for the person; (seconds until the answer was seen, seconds that the engine took) of each ply."""
    found: list[tuple[float, float]] = []
    for match_id in match_ids:
        while len(found) < plies and (rows := answered(match_id)) is not None:
            found += [row[:2] for row in rows if row[2]]
    return found


def answered(match_id: int) -> list[tuple[float, float, bool]] | None:
    """Play the person's ply and wait for those of engines; None where the match is over.

    Third of each: whether the engine had a choice.
    """
    from webapp.table.live import ply_writer, position_cache, pulse
    from webapp.table.live.models import LiveMatch

    match = LiveMatch.objects.get(pk=match_id)
    if match.status != LiveMatch.Status.RUNNING:
        return None
    if not match.is_engine_due:
        position = position_cache.position_at(match)
        legal = position.game.legal_actions(position.state)
        match = ply_writer.play(match.pk, match.on_turn, match.ply, int(legal[len(legal) // 2]))
    found = []
    while match.is_engine_due:
        ply, began = match.ply, time.perf_counter()
        while match.is_engine_due and match.ply == ply:
            assert asyncio.run(pulse.wait_for_change({match.pk: match.version}, ANSWER_S)), "no answer"
            match.refresh_from_db()
        row = match.plies.get(ply=ply)
        found.append((time.perf_counter() - began, row.elapsed_s, row.legal_count > 1))
    return found


def load(lab: Lab, processes: int) -> None:
    """A batch on all cores."""
    lab.start_worker(processes)
    lab.create(BATCH, [(0, first, 10) for first in range(0, 1000, 10)])
    lab.wait(lambda: len(lab.playing()) == processes, "the batch to run")


def quantiles(values: list[float]) -> dict[str, float]:
    """What is printed of some numbers."""
    low, median, high = np.quantile(values, [0.05, 0.5, 0.95])
    return {"n": len(values), "p5": low, "median": median, "p95": high, "max": max(values)}


def measure(lab: Lab, given: argparse.Namespace) -> dict[str, Any]:
    """Play and say what was seen."""
    lab.start_servers()
    lab.start_sweeper()
    lab.start_interactive()
    if not given.no_batch:
        load(lab, os.cpu_count() or 1)
    os.environ.update(lab.environment)
    import django

    django.setup()
    level, traits = levels.for_game(given.game)[-1], registry.get(given.game).traits
    engine = {"engine": level.engine, "options": level.options, "budget": {"seconds_per_ply": given.seconds}}
    seats = [None, *[engine] * max(1, traits.min_seats - 1)]
    warm, *matches = [lab.create_table(*seats, game=given.game) for _ in range(2 + given.plies // 30)]
    play([warm], 4)  # each process loads its kernels once
    found = play(matches, given.plies)
    took = [elapsed for _, elapsed in found]
    return {
        "latency": quantiles([seen - elapsed for seen, elapsed in found]),
        "took": quantiles(took),
        "share_within_10_percent": float(np.mean([elapsed <= 1.1 * given.seconds for elapsed in took])),
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="carcassonne", choices=registry.ids())
    parser.add_argument("--plies", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--no-batch", action="store_true")
    given = parser.parse_args()
    with Lab() as lab:
        print(json.dumps(measure(lab, given), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
