"""Kills of each kind of process, at random moments of an experiment and of engines' tables, with records compared.

Eight kinds: a child and the main process of the workers for experiments, a child of those for tables, a connection's
process of Postgres, Postgres itself, Valkey, the sweeper, the web server; all are brought back by the supervisor.
Whatever is killed, the experiment and the tables end with the records of an undisturbed run.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

import psutil
import psycopg

from tests.crash.lab import Lab
from tests.journey.conftest import COLD_START_S
from webapp.ops.supervisor import ESSENTIAL_FAILURES, STEADY_SECONDS

FLAT = {"engine": "flat_mc", "options": {}, "budget": {"playouts_per_action": 2}}
RANDOM = {"engine": "random", "options": {}, "budget": {}}
GREEDY = {"engine": "scripted", "options": {"policy": "greedy"}, "budget": {}}
PIECE, SEATINGS = 10, 2
ROUND = ESSENTIAL_FAILURES - 1
"""Kills of a kind one after another: of a database that dies once more in a row the supervisor despairs."""
MATCHES_A_KILL = 30
"""So many matches are recorded at least between two kills: the experiment is long enough for all of them."""
TABLES = 4
BACK_S = 1800.0
"""Patience: a program that is killed again and again comes back after ever longer pauses, on a busy machine slowly."""
_DIGESTS = """
select arm_index, deal, rotation, status, digest, num_plies from records_match where experiment_id = %s
"""
# A match that loses its worker twice is recorded as failed, so none is met twice.
_SUSPECTS = "select count(*) from records_chunk where experiment_id = %s and deaths > 0 and status <> 'done'"
_PLIES = "select m.seed, p.ply, p.action, p.digest from live_liveply p join live_livematch m on m.id = p.match_id"
_CONNECTED = """
select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
"""
Pick = Callable[[Lab], list[int]]


def _of(program: str, *, children: bool = False) -> Pick:
    """Process ids of a program that the supervisor runs, or of its children."""

    def pick(lab: Lab) -> list[int]:
        note = lab.folder.processes / f"{program}.json"
        try:
            pid = int(json.loads(note.read_text())["pid"])
            return [child.pid for child in psutil.Process(pid).children()] if children else [pid]
        except (OSError, ValueError, psutil.Error):
            return []

    return pick


def _backends(lab: Lab) -> list[int]:
    """Connections that programs of the lab hold, but ours."""
    found = lab.rows(
        "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
    )
    return [int(pid) for (pid,) in found]


KINDS: dict[str, Pick] = {
    "child of the batch workers": _of("worker-batch", children=True),
    "main process of the batch workers": _of("worker-batch"),
    "child of the workers of tables": _of("worker-interactive", children=True),
    "connection of Postgres": _backends,
    "Postgres": _of("postgres"),
    "Valkey": _of("valkey"),
    "sweeper": _of("sweeper"),
    "web server": _of("web"),
}


def _spec(kills: int) -> tuple[dict[str, Any], int]:
    """An experiment that is not over before its kills are, and its matches."""
    deals = max(2, kills * MATCHES_A_KILL // (2 * SEATINGS))
    arms = [{"name": "flat", "seats": [FLAT, RANDOM]}, {"name": "greedy", "seats": [GREEDY, RANDOM]}]
    spec = {"version": 1, "game": "carcassonne", "seats": 2, "arms": arms, "deals": deals, "seed": 11}
    return spec, 2 * SEATINGS * deals


def _begin(lab: Lab, kills: int) -> tuple[int, list[int]]:
    """The experiment, and tables of engines that play beside it."""
    spec, matches = _spec(kills)
    half = matches // 2
    pieces = [(arm, first, min(PIECE, half - first)) for first in range(0, half, PIECE) for arm in (0, 1)]
    tables = [lab.ask("table", [FLAT, FLAT], "carcassonne") for _ in range(TABLES)]
    return lab.create(spec, pieces), tables


def _records(lab: Lab, experiment: int, tables: list[int]) -> tuple[Any, Any]:
    lab.wait(lambda: lab.status(experiment) == "finished", f"experiment {experiment} to finish", BACK_S)
    running = "select count(*) from live_livematch where id = any(%s) and status = 'running'"
    lab.wait(lambda: lab.rows(running, tables) == [(0,)], "the tables to end", BACK_S)
    plies = [sorted(lab.rows(f"{_PLIES} where m.id = %s", pk)) for pk in tables]
    return sorted(lab.rows(_DIGESTS, experiment)), plies


def _kill(lab: Lab, pick: Pick, r: random.Random, experiment: int) -> None:
    """Kill one process of a kind, once there is one, and wait for a match after it."""
    found: list[int] = []

    def is_there() -> bool:
        found[:] = pick(lab)
        return bool(found)

    def is_further() -> bool:
        try:
            return lab.num_matches(experiment) > before or lab.status(experiment) == "finished"
        except psycopg.Error:  # the database is on its way back
            return False

    lab.wait(lambda: lab.rows(_SUSPECTS, experiment) == [(0,)], "matches that lost their worker to be played", BACK_S)
    lab.wait(is_there, "a process to kill", BACK_S)
    before = lab.num_matches(experiment)
    os.kill(r.choice(found), signal.SIGKILL)
    lab.wait(is_further, "a match after the kill", BACK_S)


def run(kills: int = 20, seed: int = 1) -> dict[str, Any]:
    """Kill so many of each kind, in rounds over all kinds; what was compared, JSON-ready."""
    r = random.Random(seed)
    found: dict[str, Any] = {
        kind: {"kills": 0, "matches": 0, "seconds": 0.0, "same matches": True, "same plies at tables": True}
        for kind in KINDS
    }
    rounds = [min(ROUND, kills - done) for done in range(0, kills, ROUND)]
    with Lab(is_in_haste=True) as lab:
        lab.start_supervisor(workers=2)
        said = lab.folder.root / "supervisor.log"
        lab.wait(lambda: "[workers] started" in said.read_text(), "the workers to start", COLD_START_S)
        undisturbed = {num: _records(lab, *_begin(lab, num)) for num in set(rounds)}
        rested_at = 0.0
        for num in rounds:
            time.sleep(max(0.0, rested_at - time.monotonic()))
            for kind, pick in KINDS.items():
                _round(lab, pick, num, r, undisturbed[num], found[kind])
                print(f"{kind}: {found[kind]}", file=sys.stderr, flush=True)
            rested_at = time.monotonic() + STEADY_SECONDS
    return found


def _round(lab: Lab, pick: Pick, kills: int, r: random.Random, undisturbed: Any, row: dict[str, Any]) -> None:
    """Kill so many processes of a kind under one experiment, and add what was compared to the row of that kind."""
    begun = time.monotonic()
    experiment, tables = _begin(lab, kills)
    for _ in range(kills):
        time.sleep(r.uniform(0, 1))
        _kill(lab, pick, r, experiment)
    matches, plies = _records(lab, experiment, tables)
    row["kills"] += kills
    row["matches"] += len(matches)
    row["seconds"] = round(row["seconds"] + time.monotonic() - begun, 1)
    row["same matches"] &= matches == undisturbed[0]
    row["same plies at tables"] &= plies == undisturbed[1]


def faults(found: dict[str, Any]) -> list[str]:
    """Kinds after whose kills something is not as in the undisturbed run."""
    return [
        f"{kind}: {name}"
        for kind, row in found.items()
        for name in ("same matches", "same plies at tables")
        if not row[name]
    ]
