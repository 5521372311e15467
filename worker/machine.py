"""What a worker says of its machine: processor, what that can, and how fast it is."""

from __future__ import annotations

import os
import platform
import time
from functools import cache
from pathlib import Path

from games import bench, loader
from games import registry as game_registry

REFERENCE_S = 1.3e-5
"""CPU seconds of one random playout of that game on the machine on which costs were measured (games.costs)."""
SLICES, PLAYOUTS = 20, 200
"""Slices of which the best counts, since others disturb the rest, and playouts in each: a tenth of a second in all."""
TELLING = ("avx512f", "avx2", "sse4.2", "neon", "sve")
"""Features by which kernels differ most."""


@cache
def processor() -> str:
    """The processor, its cores, and the instructions by which kernels differ: "AMD EPYC, znver4, 2 cores, avx2"."""
    from llvmlite import binding  # heavy, and only workers ask

    can = binding.get_host_cpu_features()
    features = [name for name in TELLING if can.get(name)]
    cores = f"{os.cpu_count()} cores"
    return ", ".join(dict.fromkeys(filter(None, [_model(), binding.get_host_cpu_name(), cores, *features])))


def _model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def speed() -> float | None:
    """How many times as fast as the reference one core here plays out a match; None where that is not compiled yet.

    By CPU time, so that what else runs here hardly matters.
    """
    try:
        with loader.only_warm():
            return _measured()
    except loader.ColdError:
        return None


@cache
def _measured() -> float:
    playouts = bench.Playouts(game_registry.get(bench.SPEED_GAME), bench.SPEED_POLICY)
    game = game_registry.get(bench.SPEED_GAME)
    start = game.initial_state(game.options(), bench.usual_seats(game))
    best = min(_slice_s(playouts, start, number) for number in range(SLICES))
    return round(REFERENCE_S / best, 3)


def _slice_s(playouts: bench.Playouts, start: object, number: int) -> float:
    began = time.thread_time()
    playouts.run(start, number * PLAYOUTS, PLAYOUTS, 1)
    return (time.thread_time() - began) / PLAYOUTS
