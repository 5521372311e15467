"""Complexity: branching, game tree, state space, and other games (Heyden 2009, chapter 3)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from engines import registry as engine_registry
from games import registry as game_registry
from webapp.common.formats import THIN, count, num_matches, number, plural, power, span
from webapp.records.models import Study
from webapp.results.charts.figure import Column, Figure, Legend, Trace, band, line, nothing_yet, plain
from webapp.studies.shown.section import Fact, Section, Table

INTERVAL = f"95{THIN}% interval"
NO_MATCH = "No match of it has ended yet."
NO_POPULATION = "No population of it has grown yet."
PLY_STEP = 5
TAIL = 0.995
MAX_BARS = 60
THESIS = "Carcassonne, thesis"
COUNTED = "Carcassonne, counted"
LABEL_PLACES = ("top center", "bottom center", "middle right", "middle left")
TREE_NOTES = (
    "Typical match: the mean over matches of the sum of logarithms along the match. Mean product: the logarithm of "
    "the mean over matches of the product of legal actions and of what could be drawn. Both follow the paths that "
    "this player and the true frequencies of tiles take, so neither counts the leaves of the tree without bias: that "
    "would need the chance of each path (Knuth 1975).",
    "Leaves, counted: Knuth's estimator with uniform choices of draw and action, without bias, in populations of "
    "paths that keep the heavy and drop the light ones. Its interval is a bootstrap over populations; with few of "
    "them it is narrower than it should be, because heavy paths are rare.",
)
STATE_NOTES = (
    "Boards: sets of tiles that can lie round the start tile, each tile with its cell and rotation, whatever the "
    "order they came in; counted without bias by random boards, each divided by the boards that it can come from. "
    "Boards that differ only in which equal tile was the start count apart.",
    "With meeples: each board times the ways in which at most one meeple stands on each open feature, at most seven "
    "of a seat. Features shared by several meeples and scores are left out, and not every such placement need be "
    "reachable: an order of magnitude, no bound.",
    "Shapes: polyominoes, the bound of the thesis. Its 5·10⁴⁰ is the sum of free ones (an eighth of the fixed ones); "
    "a mirrored map is another position to the rules, and the start tile fixes how a board is turned.",
)


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """Branching, and what was counted."""
    parts = []
    branching, leaves = result["branching"], result["tree"]["leaves"]["mean"]
    if branching["mean"] is not None:
        parts.append(f"{number(branching['mean'])} legal actions on average")
    if leaves is not None:
        parts.append(f"about {power(leaves)} different matches")
    if result["states"] and result["states"]["boards"]["mean"] is not None:
        parts.append(f"about {power(result['states']['boards']['mean'])} different boards")
    return f"{_game(study)} has {_joined(parts)}." if parts else ""


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """The four numbers of chapter 3."""
    found, branching = [], result["branching"]
    if branching["mean"] is not None:
        small = f"{span(*(branching['interval'] or (None, None)))}, {num_matches([branching['matches']])}"
        found.append(Fact("Legal actions a ply", number(branching["mean"]), small))
        found.append(Fact("Most legal actions", count(branching["maximum"]), f"most often {branching['mode']}"))
    if result["tree"]["leaves"]["mean"] is not None:
        found.append(Fact("Game tree", power(result["tree"]["leaves"]["mean"]), "leaves, counted"))
    if result["states"] and result["states"]["boards"]["mean"] is not None:
        found.append(Fact("State space", power(result["states"]["boards"]["mean"]), "boards without meeples, counted"))
    return found


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """Branching, tree, states, other games."""
    player = result["player"]
    who = engine_registry.get(player["engine"]).label
    budget = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in player["budget"].items())
    found = [
        Section(
            "Branching",
            [f"Legal actions in matches that {who}{f' ({budget})' if budget else ''} plays in every seat."],
            [_by_ply(result["branching"]), _frequencies(result["branching"])],
        ),
        Section("Game tree", tables=[_tree(result)], notes=TREE_NOTES),
    ]
    if result["states"] is not None:
        found.append(
            Section(
                "State space", figures=[_states(result)], tables=[_totals(result), _shapes(result)], notes=STATE_NOTES
            )
        )
    found.append(Section("Other games", figures=[_games(study, result)]))
    return found


def _game(study: Study) -> str:
    return game_registry.get(study.game).label


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _ends(interval: Sequence[float] | None, digits: int = 1) -> str:
    return span(*(interval or (None, None)), digits)


def _powers(interval: Sequence[float] | None) -> str:
    return "" if interval is None else f"{power(interval[0])} to {power(interval[1])}"


# ---- branching
def _by_ply(branching: Mapping[str, Any]) -> Figure:
    """Figure 3.1 of the thesis."""
    title, subtitle = "Legal actions by ply", f"Mean over matches, with its {INTERVAL} as a band."
    rows = branching["by_ply"]
    if not rows:
        return nothing_yet(title, subtitle, NO_MATCH)
    x, y = [row["ply"] for row in rows], [row["mean"] for row in rows]
    ends = [row["interval"] or [row["mean"], row["mean"]] for row in rows]
    peak = max(rows, key=lambda row: row["mean"])
    return Figure(
        title=title,
        subtitle=f"{subtitle} {num_matches([branching['matches']])}.",
        name=f"{number(branching['mean'])} on average, most at ply {peak['ply']} with {number(peak['mean'])}",
        note="Kinds of tiles that could be drawn before each ply are in the table.",
        data=[
            band(x, [low for low, _ in ends], [high for _, high in ends], "ink"),
            line(x, y, "ink", "ply %{x}: %{y:.1f}<extra></extra>"),
        ],
        layout={
            "xaxis": {"title": {"text": "Ply"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "Legal actions"}, "rangemode": "tozero"},
        },
        columns=[*map(Column, ("Ply", "Matches", "Mean", INTERVAL, "Outcomes of chance"))],
        rows=[
            [count(r["ply"]), count(r["n"]), number(r["mean"]), _ends(r["interval"]), number(r["outcomes"])]
            for r in rows
        ],
    )


def _frequencies(branching: Mapping[str, Any]) -> Figure:
    """Figure 3.2 of the thesis."""
    title, subtitle = "How often each number came", "Plies by their number of legal actions."
    counts = dict(branching["frequencies"])
    if not counts:
        return nothing_yet(title, subtitle, NO_MATCH)
    plies = sum(counts.values())
    tail, below = 0, 0
    for tail in sorted(counts):
        below += counts[tail]
        if below >= TAIL * plies:
            break
    width = max(1, -(-tail // MAX_BARS))
    starts = range(0, branching["maximum"] + 1, width)
    bars = [(first, sum(counts.get(n, 0) for n in range(first, first + width))) for first in starts]
    labels = [str(first) if width == 1 else f"{first} to {first + width - 1}" for first, _ in bars]
    return Figure(
        title=title,
        subtitle=f"{subtitle} {plural(plies, 'ply', 'plies')}.",
        name=f"Most often {branching['mode']}, from {branching['minimum']} to {branching['maximum']}",
        note=f"Most often {branching['mode']}, at least {branching['minimum']}, at most {branching['maximum']}. "
        f"Bars of {width}; the axis ends where {number(100 * TAIL)}{THIN}% of plies are shown.",
        data=[
            {
                "type": "bar",
                "x": [first + (width - 1) / 2 for first, _ in bars],
                "y": [n for _, n in bars],
                "width": width,
                "marker": {"color": "@muted", "line": {"color": "@surface", "width": 1 if width > 1 else 0}},
                "customdata": labels,
                "hovertemplate": "%{customdata} legal actions: %{y} plies<extra></extra>",
            }
        ],
        layout={
            "bargap": 0,
            "barcornerradius": 0,
            "xaxis": {"title": {"text": "Legal actions"}, "range": [-0.5, max(tail, 10) + width]},
            "yaxis": {"title": {"text": "Plies"}, "rangemode": "tozero"},
        },
        columns=[Column("Legal actions", False), Column("Plies"), Column("Share of plies, %")],
        rows=[[label, count(n), number(100 * n / plies, 2)] for label, (_, n) in zip(labels, bars, strict=True) if n],
    )


# ---- game tree
def _tree(result: Mapping[str, Any]) -> Table:
    """How large the tree is, by every way of reckoning."""
    tree, rows = result["tree"], []
    if result["published"]:
        published = result["published"]
        rows.append(["Thesis", power(published["moves"]), power(published["chance"]), power(published["tree"]), ""])
    if tree["thesis"]:
        own = tree["thesis"]
        how = f"As the thesis reckons: {number(own['branching'])} actions, {number(own['plies'])} plies"
        rows.append([how, power(own["moves"]), power(own["chance"]), power(own["total"]), ""])
    if tree["typical"]:
        own = {key: tree["typical"][key] for key in ("moves", "chance", "total")}
        rows.append(["Typical match", *(power(own[key]["mean"]) for key in own), _powers(own["total"]["interval"])])
        rows.append(["Mean product along a match", "", "", power(tree["path"]), ""])
    leaves = tree["leaves"]
    size = plural(tree["populations"], "population", "populations")
    rows.append([f"Leaves, counted ({size})", "", "", power(leaves["mean"]), _powers(leaves["interval"])])
    return Table(
        "Leaves of the game tree",
        [Column("How", False), *map(Column, ("Actions", "Chance", "Together", INTERVAL))],
        rows,
    )


# ---- state space
def _states(result: Mapping[str, Any]) -> Figure:
    """Shapes, boards, and boards with meeples by number of tiles."""
    title, subtitle = "Positions by number of tiles", "Different ones, decimal logarithm."
    rows, shapes = result["states"]["by_tiles"], result["shapes"]["rows"]
    if not rows:
        return nothing_yet(title, subtitle, NO_POPULATION)
    names = ("Boards with meeples", "Boards", "Shapes (fixed polyominoes)")
    boards = [(row["tiles"], row["boards"]) for row in rows if row["boards"]["mean"] is not None]
    meeples = [(row["tiles"], row["meeples"]) for row in rows if row["meeples"]["mean"] is not None]
    traces: list[Trace] = []
    for mark, (name, points) in enumerate(zip(names, (meeples, boards), strict=False)):
        x, ends = [tiles for tiles, _ in points], [p["interval"] or [p["mean"], p["mean"]] for _, p in points]
        traces.append(band(x, [low for low, _ in ends], [high for _, high in ends], f"seat-{mark}"))
        traces.append(line(x, [p["mean"] for _, p in points], f"seat-{mark}", _hover(name)))
    x, y = [row["n"] for row in shapes], [row["log"] for row in shapes]
    traces.append(line(x, y, "muted", _hover(names[2]), "dash"))
    total = result["states"]["boards"]["mean"]
    return Figure(
        title=title,
        subtitle=f"{subtitle} {plural(result['states']['populations'], 'population', 'populations')}.",
        name=f"All boards together: {power(total)}; all shapes: {power(result['shapes']['fixed'])}",
        note=f"Bands: {INTERVAL}s of the mean over populations.",
        data=traces,
        layout={
            "xaxis": {"title": {"text": "Tiles, the start tile included"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "Positions, power of ten"}, "rangemode": "tozero"},
        },
        legend=[Legend(0, names[0]), Legend(1, names[1]), Legend(None, f"{names[2]} (dashed)")],
        columns=[Column("Tiles"), *map(Column, ("Shapes", "Boards", INTERVAL, "With meeples", INTERVAL))],
        rows=[_state_cells(row, shapes) for row in rows],
        height_rem=22,
    )


def _hover(name: str) -> str:
    return f"%{{x}} tiles: 10<sup>%{{y:.1f}}</sup><extra>{plain(name)}</extra>"


def _state_cells(row: Mapping[str, Any], shapes: Sequence[Mapping[str, Any]]) -> list[str]:
    boards, meeples = row["boards"], row["meeples"]
    return [
        count(row["tiles"]),
        power(shapes[row["tiles"] - 1]["log"]) if row["tiles"] <= len(shapes) else "",
        power(boards["mean"]),
        _powers(boards["interval"]),
        power(meeples["mean"]),
        _powers(meeples["interval"]),
    ]


def _totals(result: Mapping[str, Any]) -> Table:
    """One line for each way of counting states."""
    states, shapes = result["states"], result["shapes"]
    return Table(
        "State space",
        [Column("What is counted", False), Column("All numbers of tiles"), Column(INTERVAL)],
        [
            ["Shapes: free polyominoes, the thesis' bound", power(shapes["free"]), "exact up to 56, then c·λⁿ/n"],
            ["Shapes: fixed polyominoes", power(shapes["fixed"]), "the same"],
            ["Boards, counted", power(states["boards"]["mean"]), _powers(states["boards"]["interval"])],
            ["Boards with meeples, counted", power(states["meeples"]["mean"]), _powers(states["meeples"]["interval"])],
        ],
    )


def _shapes(result: Mapping[str, Any]) -> Table:
    """Table 3.1 of the thesis, with what is known exactly today."""
    rows = [row for row in result["shapes"]["rows"] if row["n"] >= 46]
    return Table(
        "Polyominoes of 46 to 72 squares (table 3.1)",
        [Column("Squares"), *map(Column, ("Free, about", "Fixed, c·λⁿ/n", "Fixed, exact"))],
        [
            [
                count(row["n"]),
                power(math.log10(row["free"])),
                power(math.log10(row["approximation"])),
                count(int(row["exact"])) if row["exact"] else "not known",
            ]
            for row in rows
        ],
        "Free: an eighth of the exact number up to 56 squares, of the approximation beyond, as the thesis has it.",
    )


# ---- other games
def _games(study: Study, result: Mapping[str, Any]) -> Figure:
    """Figure 3.3 of the thesis: state space against game tree."""
    points = [(row["game"], row["states"], row["tree"], row["source"]) for row in result["games"]]
    own: list[tuple[str, float, float, str]] = []
    if result["published"]:
        published = result["published"]
        own.append((THESIS, published["states"], published["tree"], published["source"]))
    states, leaves = result["states"], result["tree"]["leaves"]["mean"]
    if states and states["boards"]["mean"] is not None and leaves is not None:
        own.append((COUNTED, states["boards"]["mean"], leaves, "this study: boards without meeples, leaves counted"))
    traces = [_dots(points, "muted", "circle", 8)]
    traces += [
        _dots([point], f"seat-{mark}", symbol, 12)
        for mark, (point, symbol) in enumerate(zip(own, ("circle", "square"), strict=False))
    ]
    return Figure(
        title="Complexities of games",
        subtitle="Decimal logarithms of the number of positions and of leaves of the game tree.",
        name="; ".join(f"{name}: {number(x, 0)} and {number(y, 0)}" for name, x, y, _ in (own or points[:3])),
        note="Published figures of other games; their sources are in the table.",
        data=traces,
        layout={
            "xaxis": {"title": {"text": "State space, power of ten"}, "range": [-8, 190], "showgrid": True},
            "yaxis": {"title": {"text": "Game tree, power of ten"}, "range": [-10, 430]},
        },
        legend=[*(Legend(mark, name) for mark, (name, *_) in enumerate(own)), Legend(None, "Other games")],
        columns=[Column("Game", False), Column("State space"), Column("Game tree"), Column("Source")],
        rows=[[name, power(x), power(y), source] for name, x, y, source in (*own, *sorted(points))],
        height_rem=31,
    )


def _dots(points: Sequence[tuple[str, float, float, str]], colour: str, symbol: str, size: int) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [x for _, x, _, _ in points],
        "y": [y for _, _, y, _ in points],
        "text": [plain(name) for name, *_ in points],
        "textposition": [_place(points, i) for i in range(len(points))],
        "textfont": {"size": 11, "color": "@ink"},
        "marker": {"color": f"@{colour}", "size": size, "symbol": symbol},
        "cliponaxis": False,
        "hovertemplate": "%{text}: 10<sup>%{x:.1f}</sup> positions, 10<sup>%{y:.1f}</sup> leaves<extra></extra>",
    }


def _place(points: Sequence[tuple[str, float, float, str]], index: int) -> str:
    """Where a name stands: the side of its dot on which no other dot is near."""
    _, x, y, _ = points[index]
    near = [
        (u - x, v - y) for i, (_, u, v, _) in enumerate(points) if i != index and abs(u - x) < 22 and abs(v - y) < 14
    ]
    if not near:
        return "middle right"
    above, right = sum(v >= 0 for _, v in near), sum(u >= 0 for u, _ in near)
    if above and right < len(near) and right == 0:
        return "middle right"
    return "bottom center" if above == len(near) else "top center" if above == 0 else "middle left"
