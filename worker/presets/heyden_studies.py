"""Heyden 2009: the studies. Chapter 3 (how large the game is) and the searches of section 6.3."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from worker.analysis.moments import BlockMoments, Moments
from worker.analysis.rates import Share
from worker.analysis.verdict import Sample
from worker.presets import cells, papers
from worker.presets.model import (
    CLAIM_MEAN,
    GAIN,
    MEAN,
    NODES,
    SHARE_SHOWN,
    SHOWN,
    TIME,
    WHOLE,
    AsRun,
    Cell,
    Claim,
    Figure,
    Preset,
    Program,
    Reason,
    Scale,
    exact,
)
from worker.presets.numbers import Numbers
from worker.studies.search_effort import named_runs

GAME = "carcassonne"
SEED = 2009

OTHER_POSITIONS = Reason(
    "The 50 positions of the thesis are pictures only; ours are others in the same mix.",
    "Ours are stored with the project; those of the thesis stand as pictures in its appendix.",
)
POSITIONS = (
    "The 50 positions of the thesis are pictures that cannot be read from its text. Ours are 50 others in the same "
    "mix: opening, middle and end; ahead, level and behind."
)
SPREAD = "The thesis prints no spread over its positions: the error of its means is taken from the spread over ours."
NODE = "A node is one move made. Milliseconds are CPU time here; times are shown and never judged."

_GAIN_CLAIM, _GAIN_SHOWN = cells.judge_by_claim(GAIN), cells.without_judgement(GAIN)


def study(kind: str, **parameters: Any) -> dict[str, Any]:
    """A study spec."""
    return {"version": 1, "study": kind, "game": GAME, "parameters": parameters, "seed": SEED}


def _everywhere(words: str, spec: Mapping[str, Any]) -> dict[str, Scale]:
    """Scales of a study that is quick enough as published."""
    scale = Scale(words, spec)
    return {"quick": scale, "standard": scale, "published": scale}


def _preset(name: str, **values: Any) -> Preset:
    return Preset(id=name, paper=papers.paper("heyden-2009"), game=GAME, **values)


# ---- section 6.3: searches in 50 positions


def _searches(name: str, depth: int, positions: Any = "all") -> dict[str, Any]:
    return study("search_effort", set=name, depth=depth, bounds="fixed", positions=positions)


def _spent(numbers: Numbers, run: int, key: str) -> dict[int, float]:
    """Nodes or milliseconds of a run, by position; nothing where an older study has fewer runs."""
    positions = (row for row in numbers.study.get("positions", ()) if run < len(row["runs"]))
    rows = {row["number"]: row["runs"][run] for row in positions}
    return {number: 1000 * row["cpu_s"] if key == "ms" else row["nodes"] for number, row in rows.items() if row}


def _mean(run: int, key: str) -> Callable[[Numbers], Sample | None]:
    return lambda numbers: Sample.of(Moments.of(list(_spent(numbers, run, key).values())))


def _gain(run: int, base: int, key: str = "nodes") -> Callable[[Numbers], Sample | None]:
    """Share of the base's nodes or time that a run saves, over the positions both have."""
    parts = 1000 if key == "ms" else 1  # whole numbers: nodes, microseconds

    def gain(numbers: Numbers) -> Sample | None:
        ours, theirs = _spent(numbers, run, key), _spent(numbers, base, key)
        both = sorted(ours.keys() & theirs.keys())
        blocks = BlockMoments.of(Moments(round(parts * theirs[number]), parts * ours[number]) for number in both)
        ratio = Sample.of_blocks(blocks, len(both))
        return None if ratio is None else Sample(ratio.n, 1 - ratio.value, ratio.deviation, ratio.freedom)

    return gain


def _effort(
    group: str,
    run: int,
    row: Mapping[str, Any],
    base: tuple[int, Mapping[str, Any]] | None,
    as_run: int | None = None,
) -> list[Cell]:
    """Nodes, time and, against a base (run, its printed row), the shares of both that are saved.

    as_run: run that reads the thesis otherwise.
    """
    count, why = 50, OTHER_POSITIONS if as_run is None else ORDER_1
    again = None if as_run is None else AsRun(_mean(as_run, "nodes"))
    found = [
        Cell(group, "nodes", Sample(count, row["nodes"]), _mean(run, "nodes"), NODES, why, as_run=again),
        Cell(group, "time", row["ms"], _mean(run, "ms"), TIME),
    ]
    if base is not None:
        other, printed = base
        saved = Sample(count, 1 - row["nodes"] / printed["nodes"])
        again = None if as_run is None else AsRun(_gain(as_run, other))
        found.insert(1, Cell(group, "nodes saved", saved, _gain(run, other), GAIN, why, as_run=again))
        found.append(Cell(group, "time saved", 1 - row["ms"] / printed["ms"], _gain(run, other, "ms"), _GAIN_SHOWN))
    return found


ORDER_1 = Reason(
    "Order 1 puts moves with a meeple first and leaves open how these come among themselves. What it saves or costs "
    "hangs on just that.",
    "The column beside it, in which they come the other way round.",
)
EQUAL_RANKS = Program(
    "Order 1 puts moves with a meeple first and leaves open how these come among themselves: as described they come as "
    "our rules list them, here the other way round, which its words allow as well.",
    "Its source is not public; which of many ways it took is open. The printed cost of order 1 lies between these two.",
    "How moves of equal rank are listed can cost or save more nodes than the order itself.",
)


def _orders_study() -> dict[str, Any]:
    """The searches of Table 6.4, then order 1 of both algorithms with equal ranks the other way round."""
    runs = named_runs("orders", 2, "fixed")
    for first in (0, 3):
        run = runs[first + 1]
        options = {**run["options"], "equal_ranks": "reversed"}
        runs.append({**run, "label": f"{run['label']}, equal ranks reversed", "options": options})
    return study("search_effort", runs=runs, positions="all")


def orders() -> Preset:
    """Table 6.4."""
    rows = papers.results()["heyden-table-6.4"].rows
    found: list[Cell] = []
    for part, (key, label) in enumerate((("star1", "Star1"), ("star2", "Star2"))):
        first = 3 * part
        for i, row in enumerate(rows):
            base = None if i == 0 else (first, rows[0][key])
            group = f"{label}, {'no order' if i == 0 else row['order']}"
            found += _effort(group, first + i, row[key], base, 6 + part if i == 1 else None)
    return _preset(
        "heyden-table-6.4",
        where="Table 6.4",
        title="move orders of Star1 and Star2",
        question="How many nodes does an order of moves save?",
        method="Depth 2, mean over 50 positions, bounds of values fixed at plus and minus 2,000.",
        scales=_everywhere("50 positions, 8 searches to depth 2 in each", _orders_study()),
        cells=tuple(found),
        notes=(POSITIONS, SPREAD, NODE),
        program=EQUAL_RANKS,
    )


def searches() -> tuple[Preset, ...]:
    """Figures 6.5 and 6.6, tables 6.6 and 6.7."""
    return _algorithms(), _probing(), _deepening()


def _algorithms() -> Preset:
    names = ("Expectimax", "Star1", "Star2")
    found = []
    for run, name in enumerate(names):
        found += [
            Cell(name, "nodes", None, _mean(run, "nodes"), WHOLE),
            Cell(name, "time", None, _mean(run, "ms"), TIME),
        ]
    fewer = Claim(0.0, 1.0, "a few")
    most = Claim(0.15, 1.0, "many")
    return _preset(
        "heyden-figures-6.5-6.6",
        where="Figures 6.5 and 6.6",
        title="Expectimax, Star1 and Star2",
        question="How many nodes and how much time does pruning at chance save?",
        method="Depth 2 in each of 50 positions, drawn on a logarithmic axis.",
        scales=_everywhere("50 positions, 4 searches to depth 2 in each", _searches("algorithms", 2)),
        cells=(
            *found,
            Cell("Saved against Expectimax", "Star1, nodes", fewer, _gain(1, 0), _GAIN_CLAIM),
            Cell("Saved against Expectimax", "Star2, nodes", most, _gain(2, 0), _GAIN_CLAIM),
            Cell("Saved against Expectimax", "Star2, nodes in its best position", 0.974, _best_gain(2, 0), _GAIN_SHOWN),
        ),
        notes=(
            POSITIONS,
            NODE,
            "The figures are pictures. The text says that Star1 has few advantages, that Star2 gains much, and 97.4 % "
            "in one position. Judged is that Star1 saves something, and that Star2 saves at least 15 %.",
        ),
    )


def _gains(numbers: Numbers, run: int, base: int, key: str) -> dict[int, float]:
    """Share of the base's nodes or time that a run saves, by position."""
    ours, theirs = _spent(numbers, run, key), _spent(numbers, base, key)
    return {number: 1 - ours[number] / theirs[number] for number in ours.keys() & theirs.keys() if theirs[number]}


def _best_gain(run: int, base: int, key: str = "nodes") -> Callable[[Numbers], float | None]:
    """The largest share saved in any position."""
    return lambda numbers: max(_gains(numbers, run, base, key).values(), default=None)


def _probing() -> Preset:
    rows = papers.results()["heyden-table-6.6"].rows
    found: list[Cell] = []
    for run, row in enumerate(rows):
        base = None if run == 0 else (0, rows[0])
        found += _effort(f"Probing factor {row['probing']}{' (Star2)' if run == 0 else ''}", run, row, base)
    return _preset(
        "heyden-table-6.6",
        where="Table 6.6",
        title="the probing factor of Star2.5",
        question="How many moves should be tried at once before the full search?",
        method="Depth 2, mean over 50 positions, probing factors 1 (which is Star2) to 7.",
        scales=_everywhere("50 positions, 7 searches to depth 2 in each", _searches("probing", 2)),
        cells=tuple(found),
        notes=(POSITIONS, SPREAD, NODE),
    )


CHOSEN = 31


def _deepening() -> Preset:
    whole = Scale("50 positions, 2 searches to depth 3 in each", _searches("deepening", 3))
    return _preset(
        "heyden-table-6.7",
        where="Table 6.7",
        title="iterative deepening",
        question="Does searching depth 1 and 2 first save nodes at depth 3?",
        method=f"Position {CHOSEN}, the one of 50 in which deepening helped most.",
        scales={
            "quick": Scale(f"position {CHOSEN}, 2 searches to depth 3", _searches("deepening", 3, [CHOSEN])),
            "standard": whole,
            "published": whole,
        },
        cells=_deepening_cells(),
        notes=(
            f"Position {CHOSEN} of the thesis is a picture, and was chosen as the one where deepening gained most; "
            "ours is another. So these figures are shown and not judged; compare the best of our positions.",
            "The thesis counts 20 of its 50 positions as improved by time: deepening was done there within 20 s. Ours "
            "counts those in which deepening takes fewer nodes, however long it takes. The two are not comparable.",
            NODE,
        ),
    )


def _deepening_cells() -> tuple[Cell, ...]:
    """The position that the thesis names, then all positions together."""
    result = papers.results()["heyden-table-6.7"]
    rows, setup = result.rows, result.setup
    position, together = f"Position {CHOSEN}", "All positions"
    found = []
    for run, (name, row) in enumerate(zip(("fixed depth 3", "deepening to depth 3"), rows, strict=True)):
        found += [
            Cell(position, f"nodes, {name}", float(row["nodes"]), _at_position(run, "nodes"), WHOLE),
            Cell(position, f"time, {name}", float(row["ms"]), _at_position(run, "ms"), TIME),
        ]
    saved, quicker = (1 - rows[1][key] / rows[0][key] for key in ("nodes", "ms"))
    cheaper = Share(setup["done within 20 s by deepening"], setup["positions"])
    return (
        *found,
        Cell(position, "nodes saved", saved, _gain_at_position(1, 0, "nodes"), _GAIN_SHOWN),
        Cell(position, "time saved", quicker, _gain_at_position(1, 0, "ms"), _GAIN_SHOWN),
        Cell(together, "nodes saved in the best position", saved, _best_gain(1, 0), _GAIN_SHOWN),
        Cell(together, "time saved in the best position", quicker, _best_gain(1, 0, "ms"), _GAIN_SHOWN),
        Cell(together, "positions that deepening makes cheaper", cheaper, _cheaper(1, 0), SHARE_SHOWN),
        Cell(together, "nodes saved", None, _gain(1, 0), _GAIN_SHOWN),
        Cell(together, "time saved", None, _gain(1, 0, "ms"), _GAIN_SHOWN),
        Cell(together, "time, fixed depth 3", float(setup["mean ms at fixed depth 3"]), _mean(0, "ms"), TIME),
    )


def _at_position(run: int, key: str) -> Callable[[Numbers], float | None]:
    """Value of the position that the thesis names."""
    return lambda numbers: _spent(numbers, run, key).get(CHOSEN)


def _gain_at_position(run: int, base: int, key: str) -> Callable[[Numbers], float | None]:
    """The share saved in the position that the thesis names."""
    return lambda numbers: _gains(numbers, run, base, key).get(CHOSEN)


def _cheaper(run: int, base: int) -> Callable[[Numbers], Share | None]:
    """Share of the positions in which a run needs fewer nodes than the base."""

    def share(numbers: Numbers) -> Share | None:
        ours, theirs = _spent(numbers, run, "nodes"), _spent(numbers, base, "nodes")
        both = ours.keys() & theirs.keys()
        return Share(sum(ours[number] < theirs[number] for number in both), len(both)) if both else None

    return share


# ---- chapter 3: how large the game is

DEPTH_3 = {"engine": "expectimax", "options": {}, "budget": {"depth": 3}}
PLAYER = Reason(
    "The thesis let *-Minimax play at depth 3; quick takes depth 1 and standard depth 2, and how one plays changes "
    "how many moves there are.",
    "As published it plays at depth 3 here, too.",
)


def sizes() -> tuple[Preset, ...]:
    """Table 3.1, figures 3.1 to 3.3."""
    return _shapes(), _branching(), _complexity()


def _shapes() -> Preset:
    rows = papers.results()["heyden-table-3.1"].rows
    found: dict[str, list[Cell]] = {"Free, estimated": [], "Fixed, exact": [], "Fixed, estimated": []}
    for row in rows:
        n, label = row["squares"], f"{row['squares']} squares"
        free, counted, estimated = (_shape(n, key) for key in ("free", "exact", "approximation"))
        found["Free, estimated"].append(Cell("Free, estimated", label, row["free"], free, exact(2)))
        if isinstance(row["fixed"], str):
            found["Fixed, exact"].append(Cell("Fixed, exact", label, int(row["fixed"]), counted, exact(None)))
        else:
            found["Fixed, estimated"].append(Cell("Fixed, estimated", label, row["fixed"], estimated, exact(2)))
    return _preset(
        "heyden-table-3.1",
        where="Table 3.1",
        title="polyominoes",
        question="How many shapes can be laid with up to 72 tiles?",
        method="Exact counts as far as they are known, beyond them c·λⁿ/n with c = 0.3169 and λ = 4.0626.",
        scales=_everywhere(
            "computed from the formula and stored exact counts", study("complexity", matches=1, populations=0)
        ),
        cells=tuple(cell for group in found.values() for cell in group),
        notes=(
            "Nothing here is left to chance: numbers agree where all printed digits do.",
            "The thesis gives 5·10⁴⁰ as the sum of fixed polyominoes; that is the sum of its free ones, and the fixed "
            "ones add up to 4·10⁴¹.",
        ),
    )


def _shape(n: int, key: str) -> Callable[[Numbers], float | None]:
    def value(numbers: Numbers) -> float | None:
        rows = (numbers.study.get("shapes") or {}).get("rows", ())
        found = next((row[key] for row in rows if row["n"] == n), None)
        return int(found) if isinstance(found, str) else found

    return value


def _players(populations: Mapping[str, int]) -> dict[str, Scale]:
    """200 matches by players of depth 1, 2 and 3; populations: of each scale."""
    players = {"quick": "star_1", "standard": "star_2", "published": DEPTH_3}
    tail = {scale: f", {count} populations of 100 paths" if count else "" for scale, count in populations.items()}
    return {
        scale: Scale(
            f"200 matches, Star2.5 to depth {depth}{tail[scale]}",
            study("complexity", matches=200, player=players[scale], populations=populations[scale], paths=100),
        )
        for depth, scale in enumerate(players, start=1)
    }


def _branching() -> Preset:
    result = papers.results()["heyden-complexity"]
    games = int(result.setup["games"])

    def printed(figure: str) -> Any:
        return result.row(figure=figure)["value"]

    def mean(figure: str) -> Sample:
        return Sample(games, float(printed(figure)))

    ply, often = "Legal moves by ply (figure 3.1)", "How often each number comes (figure 3.2)"
    return _preset(
        "heyden-figures-3.1-3.2",
        where="Figures 3.1 and 3.2",
        title="how many moves there are",
        question="How many moves does a player have at each ply?",
        method="200 games between two *-Minimax players at depth 3.",
        scales=_players({"quick": 0, "standard": 0, "published": 0}),
        cells=(
            Cell(ply, "mean over all plies", mean("mean branching"), _branching_mean, MEAN, PLAYER),
            Cell(ply, "ply 1", mean("ply 1"), _at_ply(1), MEAN, PLAYER),
            Cell(ply, "ply 14, the peak", mean("ply 14, peak"), _at_ply(14), MEAN, PLAYER),
            Cell(ply, "lowest mean after ply 14", float(printed("dip after ply 14")), _dip, SHOWN),
            Cell(ply, "ply 71", Claim(100.0, float("inf"), printed("last plies")), _at_ply(71), CLAIM_MEAN, PLAYER),
            Cell(often, "lowest", float(printed("minimum")), _extreme("minimum"), WHOLE),
            Cell(often, "highest", float(printed("maximum")), _extreme("maximum"), WHOLE),
            Cell(often, "most frequent", float(printed("most frequent")), _extreme("mode"), WHOLE),
        ),
        notes=(PLAYER, "The thesis prints no spread: the error of its means is taken from the spread of our matches."),
    )


def _branching_of(numbers: Numbers) -> Mapping[str, Any]:
    found: Mapping[str, Any] = numbers.study.get("branching") or {}
    return found


def _branching_mean(numbers: Numbers) -> Sample | None:
    found = _branching_of(numbers)
    return cells.known_sample(found.get("matches"), found.get("mean"), found.get("interval"))


def _at_ply(ply: int) -> Callable[[Numbers], Sample | None]:
    def mean(numbers: Numbers) -> Sample | None:
        rows = _branching_of(numbers).get("by_ply", ())
        row: Mapping[str, Any] = next((row for row in rows if row["ply"] == ply), {})
        return cells.known_sample(row.get("n"), row.get("mean"), row.get("interval"))

    return mean


def _dip(numbers: Numbers) -> float | None:
    rows = _branching_of(numbers).get("by_ply", ())
    return min((row["mean"] for row in rows if 14 < row["ply"] <= 40), default=None)


def _extreme(key: str) -> Callable[[Numbers], float | None]:
    return lambda numbers: _branching_of(numbers).get(key)


def _complexity() -> Preset:
    result = papers.results()["heyden-complexity"]
    tree, states = "Game tree", "State space"

    def cell(group: str, label: str, figure: str, ours: Callable[[Numbers], float | None], digits: int = 0) -> Cell:
        value: Figure | None = float(result.row(figure=figure)["value"]) if figure else None
        return Cell(group, label, value, ours, exact(digits) if digits else SHOWN)

    return _preset(
        "heyden-figure-3.3",
        where="Figure 3.3",
        title="how complex the game is",
        question="How large are the game tree and the state space, beside those of other games?",
        method=(
            "Tree: mean moves to the power of 71, times a product over the kinds of tiles that are left. States: the "
            "number of polyominoes, as a lower bound."
        ),
        scales=_players({"quick": 16, "standard": 32, "published": 64}),
        cells=(
            cell(tree, "moves", "moves, game tree", _size("tree", "thesis", "moves")),
            cell(tree, "chance", "chance, game tree", _size("tree", "thesis", "chance"), digits=2),
            cell(tree, "together", "game tree", _size("tree", "thesis", "total")),
            cell(tree, "along a typical match", "", _size("tree", "typical", "total", "mean")),
            cell(tree, "leaves, counted by sampling", "", _size("tree", "leaves", "mean")),
            cell(states, "shapes, at least", "state space, at least", _size("shapes", "free"), digits=1),
            cell(states, "boards, counted by sampling", "", _size("states", "boards", "mean")),
            cell(states, "boards with meeples, counted by sampling", "", _size("states", "meeples", "mean")),
        ),
        notes=(
            PLAYER,
            "A mean of 1 move more makes the tree 3.6 times as large, so its first and third figure are not judged.",
            "The bound of the thesis is the sum of free polyominoes; of fixed ones it would be 8 times that.",
            "The page of the run shows Carcassonne among other games.",
        ),
    )


def _size(*keys: str) -> Callable[[Numbers], float | None]:
    """A size that the result holds as a decimal logarithm."""

    def value(numbers: Numbers) -> float | None:
        found: Any = numbers.study
        for key in keys:
            found = found.get(key) if isinstance(found, Mapping) else None
        return None if found is None else float(10.0**found)

    return value
