"""Heyden 2009: what the thesis names and leaves to others. Cyclic Star2.5, ChanceProbCut, Star for more than two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.analysis.verdict import Sample
from worker.presets import papers
from worker.presets.model import GAIN, MARGIN, RATE, SHARE_SHOWN, TIME, WHOLE, Cell, Measure, Preset, Scale
from worker.presets.numbers import Numbers
from worker.studies.search_effort import named_runs

GAME, SEED = "carcassonne", 2009
ERROR = Measure("", 2, None)
"""Units of the evaluation, of which a point is worth 100."""
FEW = list(range(1, 11))
"""Positions that a small scale searches to depth 3: one of each phase's mix."""
NODES = {"nodes": 5000}
PLAYERS = (3, 4, 5)


def presets() -> tuple[Preset, ...]:
    """Forward pruning and cycles, then each number of seats."""
    return (_pruning(), *(_seats(count) for count in PLAYERS))


def _preset(name: str, **values: Any) -> Preset:
    return Preset(id=f"heyden-{name}", paper=papers.paper("heyden-2009"), game=GAME, **values)


# ---- cyclic Star2.5 and ChanceProbCut


def _rows(numbers: Numbers, run: int) -> dict[int, Mapping[str, Any]]:
    """Rows of a run by position."""
    found = {row["number"]: row["runs"][run] for row in numbers.study.get("positions", ())}
    return {number: row for number, row in found.items() if row}


def _pairs(numbers: Numbers, run: int) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Star2.5 and a run, in the positions that both have."""
    base, ours = _rows(numbers, 0), _rows(numbers, run)
    return [(base[number], ours[number]) for number in sorted(base.keys() & ours.keys())]


def _saved(run: int) -> Callable[[Numbers], Sample | None]:
    """Share of Star2.5's nodes that a run saves."""

    def saved(numbers: Numbers) -> Sample | None:
        pairs = _pairs(numbers, run)
        blocks = BlockMoments.of(Moments(base["nodes"], ours["nodes"]) for base, ours in pairs)
        ratio = Sample.of_blocks(blocks, len(pairs))
        return None if ratio is None else replace(ratio, value=1 - ratio.value)

    return saved


def _error(run: int) -> Callable[[Numbers], Sample | None]:
    """Mean of how far its values are from those of Star2.5."""
    return lambda numbers: Sample.of(
        Moments.of([abs(base["value"] - ours["value"]) for base, ours in _pairs(numbers, run)])
    )


def _same(run: int) -> Callable[[Numbers], Share | None]:
    """Share of the positions in which it chooses the same action."""

    def same(numbers: Numbers) -> Share | None:
        pairs = _pairs(numbers, run)
        return Share(sum(base["action"] == ours["action"] for base, ours in pairs), len(pairs)) if pairs else None

    return same


def _spent(run: int, key: str) -> Callable[[Numbers], Sample | None]:
    """Mean nodes or milliseconds of a run."""
    factor = 1000 if key == "cpu_s" else 1
    return lambda numbers: Sample.of(Moments.of([factor * row[key] for row in _rows(numbers, run).values()]))


def _pruning() -> Preset:
    gain = replace(GAIN, judge=None)
    found = []
    for run, row in enumerate(named_runs("forward", 2, "fixed")):
        label = row["label"]
        found += [
            Cell(label, "nodes", None, _spent(run, "nodes"), WHOLE),
            Cell(label, "time", None, _spent(run, "cpu_s"), TIME),
        ]
        if run:
            found += [
                Cell(label, "nodes saved", None, _saved(run), gain),
                Cell(label, "error of the value", None, _error(run), ERROR),
                Cell(label, "same action", None, _same(run), SHARE_SHOWN),
            ]
    return _preset(
        "section-7.3-pruning",
        where="Sections 5.4.3 and 7.3",
        title="cyclic Star2.5 and ChanceProbCut",
        question="What do probes in rounds save, and what does forward pruning at chance save and cost?",
        method="The thesis takes sequential Star2.5, since Ballard found cyclic to need more overhead, and names "
        "ChanceProbCut (Schadd, Winands, Uiterwijk 2009) for later. It prints no figures of either.",
        scales={
            "quick": _searches(2, "all", "50 positions to depth 2, 8 searches in each"),
            "standard": _searches(3, FEW, "10 positions to depth 3, 8 searches in each"),
            "published": _searches(3, "all", "50 positions to depth 3, 8 searches in each"),
        },
        cells=tuple(found),
        notes=(
            "All are compared with sequential Star2.5, probing factor 5. Cyclic finds the same values; what "
            "ChanceProbCut finds may be wrong, and stands as the error of the value: 100 units are a point.",
            "ChanceProbCut is built after the first part of its article alone: the authors' own may probe otherwise, "
            "so what is measured here holds for ours.",
            "To depth 3 all try killers first: without them a search makes 14 million nodes.",
            "Its lines from shallow to deep values are fitted on 200 positions that are none of the 50 "
            "(python -m engines depth-models carcassonne).",
        ),
    )


def _searches(depth: int, positions: Any, words: str) -> Scale:
    parameters = {"set": "forward", "depth": depth, "bounds": "fixed", "positions": positions}
    return Scale(words, {"version": 1, "study": "search_effort", "game": GAME, "parameters": parameters, "seed": SEED})


# ---- more than two seats


def _star(budget: Mapping[str, int], **options: Any) -> dict[str, Any]:
    usual = {"algorithm": "star2.5", "probing": 5, "bounds": "dynamic", "killers": True}
    return {"engine": "expectimax", "options": {**usual, **options}, "budget": dict(budget)}


def _seats(count: int) -> Preset:
    """One player of each kind against those of the other kind, every player in every seat."""
    others = count - 1
    kinds = {
        "Best reply": _star(NODES, opponents="best_reply"),
        "Paranoid": _star(NODES),
        "Max^n": _star(NODES, algorithm="expectimax", opponents="maxn", killers=False),
    }
    against = {"Best reply": "Paranoid", "Paranoid": "Best reply", "Max^n": "Best reply"}
    arms = {f"{one}, others {other.lower()}": (one, other) for one, other in against.items()}

    def scale(deals: int) -> Scale:
        spec = {
            "version": 1,
            "game": GAME,
            "seats": count,
            "arms": [
                {"name": name, "seats": [kinds[one], *[kinds[other]] * others]} for name, (one, other) in arms.items()
            ],
            "deals": deals,
            "rotation": "all",
            "seed": SEED,
        }
        return Scale(f"{deals * count} matches each, {NODES['nodes']:,} nodes a ply", spec)

    found = []
    for arm, name in enumerate(arms):
        found += [
            Cell(name, "alone first", None, _wins(arm), RATE, arm=arm),
            Cell(name, "points ahead of the best other", None, _lead(arm), MARGIN, arm=arm),
        ]
    return _preset(
        f"section-7.3-seats-{count}",
        where=f"Section 7.3, {count} seats",
        title=f"Star for {count} seats",
        question="How should a search for two think of more: all against it, one reply between them, or each for "
        "itself?",
        method="The thesis says that its Star variants should be extended for more than two; it prints no figures.",
        scales={"quick": scale(10 if count == 3 else 7), "standard": scale(40), "published": scale(200)},
        cells=tuple(found),
        notes=(
            f"An equal player is alone first in a little less than one of {count} matches.",
            "Best reply: between two of its own plies one other seat chooses against it, the rest take the first move "
            "in order. Nobody passes, so every position can come. Star prunes that tree as it prunes one of two seats.",
            "Max^n is searched without pruning. Shallow pruning would be sound, but it never cuts here: what two seats "
            "lead by cannot add up to the bound of values.",
        ),
    )


def _wins(arm: int) -> Callable[[Numbers], Share | None]:
    return lambda numbers: numbers.wins(arm, 0)


def _lead(arm: int) -> Callable[[Numbers], Sample | None]:
    return lambda numbers: numbers.margin(arm, 0)
