"""Arguments of ``python -m worker plan``, ``counts`` and ``openings``, and their answers."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engines.schedules import BY
from worker import batch
from worker.analysis.power import POWER
from worker.analysis.stop_rules.chances import Chance
from worker.analysis.stop_rules.model import MARGIN
from worker.planning import design as designs
from worker.planning import equal_time, openings, trial
from worker.planning.design import TRIAL, Spread
from worker.planning.plan import Outlook, Plan, plan
from worker.spec import MAX_DEALS, MAX_SEED, ExperimentSpec, stop
from worker.spec import to_json as to_json_of_spec
from worker.stats.tables import InputError

MAX_PROBE_S = 60.0
WANTED = 5.0
"""Difference that is looked for, where nobody says."""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser], positive: Callable[[str], int]) -> None:
    """Add the commands. positive: reads a whole number."""
    parser = commands.add_parser("plan", help="say what an experiment will show and cost, as JSON")
    parser.add_argument("spec", type=Path, metavar="SPEC.json", help="the experiment (- reads standard input)")
    parser.add_argument(
        "--wanted",
        type=float,
        default=WANTED,
        metavar="X",
        help=f"difference to look for: per cent of win rate, or points (default {WANTED:g})",
    )
    parser.add_argument(
        "--trial", type=positive, metavar="N", help="play so many trial deals first, and plan from how far they spread"
    )
    _add_counts(commands, positive)
    pairs = commands.add_parser("openings", help="measure the pairs of engines that first experiments begin with")
    pairs.add_argument("--game", action="append", choices=tuple(openings.openings()), help="only this one, repeatable")
    pairs.add_argument("--deals", type=positive, default=openings.DEALS, metavar="N", help="deals (default 200)")
    for command in (parser, pairs):
        command.add_argument("--processes", type=positive, default=1, metavar="N", help="use N processes (default 1)")


def _add_counts(commands: argparse._SubParsersAction[argparse.ArgumentParser], positive: Callable[[str], int]) -> None:
    parser = commands.add_parser(
        "counts", help="print a spec with counts by round or ply in place of seconds a ply, measured on this machine"
    )
    parser.add_argument("spec", type=Path, metavar="SPEC.json", help="the experiment (- reads standard input)")
    parser.add_argument("--by", choices=BY, default=BY[0], help="what counts go by (default round)")
    parser.add_argument("--matches", type=positive, default=4, metavar="N", help="matches to measure in (default 4)")
    parser.add_argument(
        "--probe", type=float, default=0.05, metavar="S", help="CPU seconds that each position takes (default 0.05)"
    )


def counted(spec: ExperimentSpec, options: argparse.Namespace) -> dict[str, Any]:
    """The spec as `counts` prints it. Raises InputError."""
    if not 0 < options.probe <= MAX_PROBE_S:
        raise InputError(f"--probe: must be above 0 and at most {MAX_PROBE_S:g} s, not {options.probe:g}")
    how = equal_time.Measurement(options.by, options.matches, options.probe)
    return to_json_of_spec(equal_time.with_counts(spec, how))


def measure_openings(options: argparse.Namespace) -> str:
    """Play, and return the file that holds what came out."""
    chosen = options.game or list(openings.openings())
    today = datetime.now(UTC).date().isoformat()
    return openings.text(list(openings.measure(chosen, options.deals, today, options.processes)))


def answer(spec: ExperimentSpec, options: argparse.Namespace) -> dict[str, Any]:
    """The plan of a spec. Raises InputError where there is none."""
    measure = designs.measure_of(spec)
    if not 0 < options.wanted < float("inf"):
        raise InputError(f"--wanted: must be a number above 0, not {options.wanted:g}")
    found = _tried(spec, measure, options) if options.trial else openings.known_spread(spec, measure)
    if found is None:
        raise InputError("how far margins spread is not known for this game and these seats: add --trial 24")
    made = plan(spec, found, options.wanted)
    if not made.is_possible:
        raise InputError(f"--wanted: no difference of win rates is as large as {options.wanted:g} here")
    return to_json(made)


def _tried(spec: ExperimentSpec, measure: str, options: argparse.Namespace) -> Spread:
    if options.trial < designs.LEAST_DEALS:
        raise InputError(f"--trial: fewer than {designs.LEAST_DEALS} deals do not tell how far they spread")
    asked = trial.trial_spec(spec, min(options.trial, MAX_DEALS), (spec.seed + 1) % (MAX_SEED + 1))
    records = [record for part in batch.play(asked, options.processes) for record in part]
    found = trial.spread(asked, trial.values_of(asked, records, measure), measure, TRIAL)
    if found is None:
        raise InputError("too few of the trial deals came to a result")
    return found


def to_json(made: Plan) -> dict[str, Any]:
    """A plan as JSON; win rates are in per cent."""
    needed_s = made.needed_s
    return {
        "on": made.measure,
        "of": _compared(made),
        "comparisons": made.design.comparisons,
        "deals": made.deals,
        "deviation_of_a_deal": made.deviation,
        "known_from": {"source": made.spread.source, "deals": made.spread.deals},
        "power": POWER,
        "detectable": made.detectable,
        "detectable_at_every_look": made.at_every_look,
        "half_width": made.half_width if made.deals > 1 else None,
        "wanted": made.wanted,
        "deals_for_wanted": made.needed,
        "cpu_s_for_wanted": None if needed_s is None else round(needed_s, 1),
        "rules": [_outlook(row, made) for row in made.outlooks],
    }


def _compared(made: Plan) -> str:
    if made.design.arms > 1:
        return "each arm less the first"
    is_between = made.design.is_between_sides and made.measure != MARGIN
    return "the first side less the other" if is_between else "the only arm"


def _outlook(row: Outlook, made: Plan) -> dict[str, Any]:
    asked = {"stop": stop.to_json(row.rule), "is_chosen": row.is_chosen}
    if row.alike is None or row.wanted is None:
        return asked | {"refused": row.refused}
    worst = made.deals * made.design.arms * made.arm_deal_s
    cases = {"if_alike": _case(row.alike, made), "if_wanted": _case(row.wanted, made)}
    return asked | cases | {"at_worst": {"deals": made.deals, "cpu_s": round(worst, 1)}}


def _case(row: Chance, made: Plan) -> dict[str, Any]:
    seconds = round(row.arm_deals * made.arm_deal_s, 1)
    return {"found": round(row.found, 3), "deals": round(row.deals), "cpu_s": seconds}


def text(spec: ExperimentSpec, options: argparse.Namespace) -> str:
    """The answer as it is printed."""
    return json.dumps(answer(spec, options), indent=2, allow_nan=False)
