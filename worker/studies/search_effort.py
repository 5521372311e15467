"""Cost of searches on the stored positions of a game (Heyden 2009, section 6.3).

Parameters: `runs`, each a label, an engine with options and budget, and `against`, the number
of the run it is compared with; `positions`, "all" or a list of numbers. Instead of `runs` a
spec may name a `set` of them with `depth` and `bounds`. A piece is one run in one position:
the runs of a position stand side by side, each in a piece of its own, so no piece is long.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engines import bench_positions
from engines.driver import budget_at
from games import registry as game_registry
from games import rng
from games.json_paths import Path
from games.options import option
from games.protocol import Game
from worker import estimate, spec
from worker.analysis.moments import Moments
from worker.analysis.ratios import Estimate, gain, typical_ratio
from worker.fields import Field
from worker.spec import SeatSpec, SpecError, checks
from worker.studies import form, warm
from worker.studies.protocol import StudySpec

MAX_RUNS = 24
KEYS = ("runs", "positions", "set", "depth", "bounds")
RUN_KEYS = {"label": True, "engine": True, "options": False, "budget": False, "against": False}
ACTIONS, NODE_S = 70.0, 1.1e-6
"""Mean of legal actions in the stored positions, and seconds a node (of one core of 2026)."""

SETS = {
    "algorithms": "Expectimax, Star1, Star2, Star2.5",
    "orders": "move orders of Star1 and Star2",
    "probing": "probing factors of Star2.5",
    "deepening": "fixed depth and iterative deepening",
    "forward": "cyclic Star2.5 and ChanceProbCut",
}
"""Named comparisons; their runs: `named_runs`."""


@dataclass(frozen=True)
class Options:
    """Fields of the form: one of the thesis' comparisons."""

    set: str = option(
        "algorithms",
        "Comparison",
        "Searches that the thesis compares (figure 6.5, table 6.4, table 6.6, table 6.7), and two that it only names.",
        choices=tuple(SETS.items()),
    )
    depth: int = option(2, "Depth", "Own and other plies that are searched.", minimum=1, maximum=3)
    bounds: str = option(
        "fixed",
        "Bounds of values",
        "The thesis compared with fixed bounds and moved them with the score later.",
        choices=(("fixed", "fixed, as in the thesis' comparisons"), ("dynamic", "moved by the difference of scores")),
    )


class SearchEffort:
    """Nodes and time of engines over stored positions; see `worker.studies.protocol.StudyKind`."""

    id = "search_effort"
    version = "1"
    label = "Search effort"
    summary = "How many nodes and how much time searches take on stored positions, each against another."
    row_fields: Mapping[str, Field] = {
        "position": Field("Number of the stored position, from 1."),
        "run": Field("Number of the engine configuration in the spec, from 0."),
        "legal": Field("Actions that were legal.", unit="actions"),
        "action": Field("The action that was chosen, as a number of the game."),
        "notation": Field("The action in the notation of the game.", "string"),
        "value": Field("What the engine thought it worth, in its own utility.", "double"),
        "nodes": Field("Positions that the search visited.", unit="nodes"),
        "playouts": Field("Matches simulated to their end for it.", unit="playouts"),
        "depth": Field("Greatest depth that the search reached.", unit="plies"),
        "cpu_s": Field("CPU time of the decision.", "double", "seconds"),
        "elapsed_s": Field("Wall time of the decision.", "double", "seconds"),
    }
    options = Options

    def complete_parameters(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in a named set, check every run. Raises SpecError naming the place."""
        for key in parameters:
            if key not in KEYS:
                raise SpecError((str(key),), f"unknown field; known: {', '.join(KEYS)}")
        if not bench_positions.load(game.id):
            raise SpecError((), f"no positions of {game.label} are stored")
        if "runs" in parameters:
            for key in ("set", "depth", "bounds"):
                if key in parameters:
                    raise SpecError((key,), "is for a named set; runs of your own say it themselves")
            rows = checks.list_of(parameters["runs"], ("runs",), 1, MAX_RUNS)
        else:
            rows = _named({key: value for key, value in parameters.items() if key != "positions"})
        runs = [_run(game, row, ("runs", i), len(rows)) for i, row in enumerate(rows)]
        labels = [run["label"] for run in runs]
        for i, label in enumerate(labels):
            if label in labels[:i]:
                raise SpecError(("runs", i, "label"), f"{label!r} is the label of another run")
        return {"runs": runs, "positions": _numbers(game, parameters.get("positions", "all"))}

    def to_form(self, game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """What the form would say for these parameters. Raises SpecError where it cannot."""
        first = parameters["runs"][0]
        also = {"depth": first["budget"].get("depth"), "bounds": first["options"].get("bounds")}
        for name in SETS:
            try:
                if self.complete_parameters(game, {"set": name, **also}) == parameters:
                    return {"set": name, **also}
            except SpecError:
                break
        raise SpecError((), "its runs and positions are not those of a named comparison")

    def num_pieces(self, study: StudySpec) -> int:
        """One for each position and run."""
        return len(_chosen(study)) * len(study.parameters["runs"])

    def seconds(self, study: StudySpec) -> float:
        """All runs over all positions."""
        cost = dataclasses.replace(game_registry.get(study.game).costs, legal_actions=ACTIONS, action_s=NODE_S)
        runs = [_seat(study, i) for i in range(len(study.parameters["runs"]))]
        return len(_chosen(study)) * sum(estimate.thinking_s(cost, run, bench_positions.SEATS) for run in runs)

    def piece(self, study: StudySpec, index: int) -> dict[str, Any]:
        """Let one engine decide in one position. Raises what it raises, ValueError for an illegal answer."""
        game = game_registry.get(study.game)
        number, run_index = piece_of(study, index)
        position = bench_positions.load(game.id)[number - 1]
        state = position.state(game)
        seat, run = game.current_player(state), _seat(study, run_index)
        engine = warm.engine(game.id, run.engine, run.options)
        legal = game.legal_actions(state)
        view = state.copy() if engine.peeks else game.view(state, seat)
        budget = budget_at(run.budget, game, state, position.ply(game) + 1)
        decision = engine.choose(game, view, seat, budget, rng.new_stream(study.seed, rng.SEARCH, seat, number))
        if decision.action not in legal:
            raise ValueError(f"{run.engine} chose {decision.action!r}, which is not legal in position {number}")
        value = decision.value
        return {
            "position": number,
            "run": run_index,
            "legal": len(legal),
            "action": int(decision.action),
            "notation": game.notation(state, int(decision.action)),
            "value": float(value) if value is not None and math.isfinite(value) else None,
            "nodes": int(decision.nodes),
            "playouts": int(decision.playouts),
            "depth": int(decision.depth),
            "cpu_s": float(decision.cpu_s),
            "elapsed_s": float(decision.elapsed_s),
        }

    def result(self, study: StudySpec, rows: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Means by run with intervals, gains over the positions both have, and every position.

        Milliseconds are CPU time of the deciding thread.
        """
        found = {(row["position"], row["run"]): row for row in rows.values()}
        runs = [_summary(study, found, i) for i in range(len(study.parameters["runs"]))]
        stored = bench_positions.load(study.game)
        table = [
            {
                "number": number,
                "phase": stored[number - 1].phase,
                "standing": stored[number - 1].standing,
                "runs": [found.get((number, i)) for i in range(len(runs))],
            }
            for number in _chosen(study)
        ]
        return {"runs": runs, "positions": table, "missing": self.num_pieces(study) - len(found)}


# ---- what is asked
def named_runs(name: str, depth: int, bounds: str) -> list[dict[str, Any]]:
    """The runs of a comparison of the thesis; the first of a group is what the others are held against."""

    def run(label: str, against: int, **options: Any) -> dict[str, Any]:
        complete = {"bounds": bounds, **options}
        return {
            "label": label,
            "engine": "expectimax",
            "options": complete,
            "budget": {"depth": depth},
            "against": against,
        }

    def orders() -> list[dict[str, Any]]:
        words = {"none": "no order", "order1": "order 1", "order2": "order 2"}
        return [
            run(f"{label}, {words[order]}", 3 * group, algorithm=algorithm, order=order)
            for group, (algorithm, label) in enumerate((("star1", "Star1"), ("star2", "Star2")))
            for order in words
        ]

    def forward() -> list[dict[str, Any]]:
        usual = {"algorithm": "star2.5", **({"killers": True} if depth > 2 else {})}  # 14 million nodes without
        cuts = [(left_out, threshold) for left_out in (1, 2) for threshold in (0.5, 1.0, 2.0)]
        return [
            run("Star2.5", 0, **usual),
            run("Star2.5, cyclic", 0, **{**usual, "algorithm": "star2.5_cyclic"}),
            *(
                run(
                    f"ChanceProbCut, {left_out} left out, {threshold:g} deviations",
                    0,
                    **usual,
                    forward="chance_prob_cut",
                    forward_reduction=left_out,
                    forward_threshold=threshold,
                )
                for left_out, threshold in cuts
            ),
        ]

    sets: dict[str, Callable[[], list[dict[str, Any]]]] = {
        "algorithms": lambda: [
            run("Expectimax", 0, algorithm="expectimax"),
            run("Star1", 0, algorithm="star1"),
            run("Star2", 0, algorithm="star2"),
            run("Star2.5", 0, algorithm="star2.5"),
        ],
        "orders": orders,
        "probing": lambda: [
            run("1 (Star2)", 0, algorithm="star2"),
            *(run(str(factor), 0, algorithm="star2.5", probing=factor) for factor in range(2, 8)),
        ],
        "deepening": lambda: [
            run(f"Fixed depth of {depth}", 0),
            run(f"Iterative deepening until depth {depth}", 0, deepening=True),
        ],
        "forward": forward,
    }
    return sets[name]()


def _named(parameters: Mapping[str, Any]) -> list[dict[str, Any]]:
    chosen = form.read_options(Options, parameters)
    return named_runs(chosen.set, chosen.depth, chosen.bounds)


def _run(game: Game, data: Any, path: Path, num_runs: int) -> dict[str, Any]:
    fields = checks.object_of(data, path, RUN_KEYS)
    seat = spec.seat_from_json(
        {key: fields[key] for key in ("engine", "options", "budget") if key in fields}, path, game.id
    )
    return {
        "label": checks.name_of(fields["label"], (*path, "label")),
        "engine": seat.engine,
        "options": dict(seat.options),
        "budget": seat.budget.to_json(),
        "against": checks.whole_number(fields.get("against", 0), (*path, "against"), 0, num_runs - 1),
    }


def _numbers(game: Game, data: Any) -> str | list[int]:
    """Numbers of positions in order, each once; "all" stays as it is."""
    if data == "all":
        return "all"
    count = len(bench_positions.load(game.id))
    if not isinstance(data, list):
        raise SpecError(("positions",), f'must be "all" or a list of numbers from 1 to {count}')
    rows = checks.list_of(data, ("positions",), 1, count)
    numbers = [checks.whole_number(number, ("positions", i), 1, count) for i, number in enumerate(rows)]
    if len(set(numbers)) < len(numbers):
        raise SpecError(("positions",), "name a position twice")
    return sorted(numbers)


def _chosen(study: StudySpec) -> Sequence[int]:
    chosen = study.parameters["positions"]
    return range(1, len(bench_positions.load(study.game)) + 1) if chosen == "all" else chosen


def _seat(study: StudySpec, run: int) -> SeatSpec:
    row = study.parameters["runs"][run]
    fields = {key: row[key] for key in ("engine", "options", "budget")}
    return spec.seat_from_json(fields, ("runs", run), study.game)


def piece_of(study: StudySpec, index: int) -> tuple[int, int]:
    """Position and run of a piece: all runs of a position, then those of the next."""
    at, run = divmod(index, len(study.parameters["runs"]))
    return _chosen(study)[at], run


# ---- what it says
def _summary(study: StudySpec, found: Mapping[tuple[int, int], Mapping[str, Any]], run: int) -> dict[str, Any]:
    """One run over the positions that it has, and against its base over those that both have."""
    asked = study.parameters["runs"][run]
    own = [found[number, run] for number in _chosen(study) if (number, run) in found]
    pairs = [
        (found[number, asked["against"]], found[number, run])
        for number in _chosen(study)
        if (number, run) in found and (number, asked["against"]) in found
    ]

    def compared(key: str) -> dict[str, Any]:
        base, values = ([float(row[key]) for row in side] for side in (zip(*pairs, strict=True) if pairs else ((), ())))
        return {"gain": _estimate(gain(base, values)), "ratio": _estimate(typical_ratio(base, values))}

    is_base = asked["against"] == run
    return {
        **asked,
        "positions": len(own),
        "nodes": _mean([row["nodes"] for row in own]),
        "playouts": _mean([row["playouts"] for row in own]),
        "ms": _mean([1000 * row["cpu_s"] for row in own]),
        "depth": _mean([row["depth"] for row in own]),
        "compared": None
        if is_base
        else {
            "positions": len(pairs),
            "nodes": compared("nodes"),
            "ms": compared("cpu_s"),
            "same_action": sum(a["action"] == b["action"] for a, b in pairs),
            "same_value": sum(_is_close(a["value"], b["value"]) for a, b in pairs),
            "error": _error([(a["value"], b["value"]) for a, b in pairs]),
        },
    }


def _is_close(a: float | None, b: float | None) -> bool:
    """Whether two values are the same but for rounding."""
    return a is not None and b is not None and bool(np.isclose(a, b, rtol=1e-9, atol=1e-6))


def _error(pairs: Sequence[tuple[float | None, float | None]]) -> dict[str, Any]:
    """How far values are from those of the base, in units of the evaluation: mean, its interval, the largest."""
    away = [abs(a - b) for a, b in pairs if a is not None and b is not None]
    return {**_mean(away), "largest": max(away, default=None)}


def _mean(values: Sequence[float]) -> dict[str, Any]:
    moments = Moments.of(values)
    interval = moments.interval()
    return {"mean": moments.mean, "interval": None if interval is None else list(interval)}


def _estimate(found: Estimate) -> dict[str, Any]:
    return {"value": found.value, "interval": None if found.interval is None else list(found.interval)}
