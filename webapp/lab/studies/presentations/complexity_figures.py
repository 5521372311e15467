"""Figures of the complexity study: branching, state space, and other games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from webapp.common.formats import THIN, count, interval_text, num_matches, number, plural, power
from webapp.lab.results.charts.figure import Column, Figure, Legend, Trace, band, line, nothing_yet, plain

INTERVAL = f"95{THIN}% interval"
BOUND = f"At least (95{THIN}%)"
NO_MATCH = "No match of it has ended yet."
NO_POPULATION = "No population of it has grown yet."
TAIL = 0.995
MAX_BARS = 60
THESIS = "Carcassonne, thesis"
SAMPLED = "Carcassonne, sampled"
PLACES = {
    "Awari": "middle left",
    "Backgammon": "bottom center",
    "Chinese chess": "top center",
    "Connect four": "bottom center",
    "Go (19 x 19)": "bottom center",
    "Nine men's morris": "top center",
    "Othello": "top right",
}
"""Places of names that would overlap others; all other names stand to the right of their dot."""


# ---- branching
def by_ply(branching: Mapping[str, Any]) -> Figure:
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
        columns=[Column("Ply", False), *map(Column, ("Matches", "Mean", INTERVAL, "Outcomes of chance"))],
        rows=[
            [count(r["ply"]), count(r["n"]), number(r["mean"]), _ends(r["interval"]), number(r["outcomes"])]
            for r in rows
        ],
    )


def frequencies(branching: Mapping[str, Any]) -> Figure:
    """Figure 3.2 of the thesis."""
    title, subtitle = "How often each number occurred", "Plies by their number of legal actions."
    counts = dict(branching["frequencies"])
    if not counts:
        return nothing_yet(title, subtitle, NO_MATCH)
    plies = sum(counts.values())
    tail = _tail(counts)
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


def _tail(counts: Mapping[int, int]) -> int:
    """The number of legal actions at which `TAIL` of the plies are shown. counts: plies by number, not empty."""
    numbers, enough = sorted(counts), TAIL * sum(counts.values())
    below = accumulate(counts[n] for n in numbers)
    return next(n for n, plies in zip(numbers, below, strict=True) if plies >= enough)


def _ends(interval: Sequence[float] | None, digits: int = 1) -> str:
    return interval_text(interval, digits)


# ---- state space
def states(result: Mapping[str, Any]) -> Figure:
    """Shapes, boards, and boards with meeples by number of tiles."""
    title, subtitle = "Positions by number of tiles", "Number of different positions, decimal logarithm."
    rows, shapes = result["states"]["by_tiles"], result["shapes"]["rows"]
    if not rows:
        return nothing_yet(title, subtitle, NO_POPULATION)
    names = ("Boards with meeples", "Boards", "Shapes (fixed polyominoes)")
    boards = [(row["tiles"], row["boards"]) for row in rows if row["boards"]["mean"] is not None]
    meeples = [(row["tiles"], row["meeples"]) for row in rows if row["meeples"]["mean"] is not None]
    traces: list[Trace] = []
    for mark, (name, points) in enumerate(zip(names, (meeples, boards), strict=False)):
        x, ends = [tiles for tiles, _ in points], [(p["lowest"], p["highest"]) for _, p in points]
        traces.append(band(x, [low for low, _ in ends], [high for _, high in ends], f"seat-{mark}"))
        traces.append(line(x, [p["mean"] for _, p in points], f"seat-{mark}", _hover(name)))
    x, y = [row["n"] for row in shapes], [row["log"] for row in shapes]
    traces.append(line(x, y, "muted", _hover(names[2]), "dash"))
    total = result["states"]["boards"]["mean"]
    return Figure(
        title=title,
        subtitle=f"{subtitle} {plural(result['states']['populations'], 'population', 'populations')}.",
        name=f"All boards together: {power(total)}; all shapes: {power(result['shapes']['fixed'])}",
        note="Lines: means over populations; bands: from the smallest to the largest population.",
        data=traces,
        layout={
            "xaxis": {"title": {"text": "Tiles, the start tile included"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "Positions, power of ten"}, "rangemode": "tozero"},
        },
        legend=[Legend(0, names[0]), Legend(1, names[1]), Legend(None, f"{names[2]} (dashed)")],
        columns=[Column("Tiles", False), *map(Column, ("Shapes", "Boards", BOUND, "With meeples", BOUND))],
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
        power(boards["at_least"]),
        power(meeples["mean"]),
        power(meeples["at_least"]),
    ]


# ---- other games
def games(result: Mapping[str, Any]) -> Figure:
    """Figure 3.3 of the thesis: state space against game tree."""
    points = [(row["game"], row["states"], row["tree"], row["source"]) for row in result["games"]]
    own: list[tuple[str, float, float, str]] = []
    if result["published"]:
        published = result["published"]
        own.append((THESIS, published["states"], published["tree"], published["source"]))
    states, leaves = result["states"], result["tree"]["leaves"]["mean"]
    if states and states["boards"]["mean"] is not None and leaves is not None:
        own.append(
            (SAMPLED, states["boards"]["mean"], leaves, "this study: boards without meeples, and leaves, both sampled")
        )
    traces = [_dots(points, "muted", "circle", 8, names=True)]
    traces += [
        _dots([point], f"seat-{mark}", symbol, 12, names=False)
        for mark, (point, symbol) in enumerate(zip(own, ("circle", "square"), strict=False))
    ]
    return Figure(
        title="Complexities of games",
        subtitle="Decimal logarithms of the number of positions and of leaves of the game tree.",
        name="; ".join(f"{name}: {number(x, 0)} and {number(y, 0)}" for name, x, y, _ in (own or points[:3])),
        note="Published figures of other games, with sources in the table. Sampled: boards without meeples.",
        data=traces,
        layout={
            "xaxis": {"title": {"text": "State space, power of ten"}, "range": [-14, 190], "showgrid": True},
            "yaxis": {"title": {"text": "Game tree, power of ten"}, "range": [-10, 430]},
        },
        legend=[*(Legend(mark, name) for mark, (name, *_) in enumerate(own)), Legend(None, "Other games")],
        columns=[Column("Game", False), Column("State space"), Column("Game tree"), Column("Source")],
        rows=[[name, power(x), power(y), source] for name, x, y, source in (*own, *sorted(points))],
        height_rem=31,
    )


def _dots(points: Sequence[tuple[str, float, float, str]], colour: str, symbol: str, size: int, names: bool) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers+text" if names else "markers",
        "x": [x for _, x, _, _ in points],
        "y": [y for _, _, y, _ in points],
        "text": [plain(name) for name, *_ in points],
        "textposition": [PLACES.get(name, "middle right") for name, *_ in points],
        "textfont": {"size": 11, "color": "@ink"},
        "marker": {"color": f"@{colour}", "size": size, "symbol": symbol},
        "cliponaxis": False,
        "hovertemplate": "%{text}: 10<sup>%{x:.1f}</sup> positions, 10<sup>%{y:.1f}</sup> leaves<extra></extra>",
    }
