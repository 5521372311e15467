"""The tree of one player's turns: its nodes by turn beside the printed ones, and its first turn whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import RAISED, count, number
from webapp.lab.results.charts.figure import Column, Figure, Legend, Trace, line_with_marks, nothing_yet
from webapp.lab.results.sides import SYMBOLS
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study
from worker.presets import papers

PRINTED = "dominion-tree-size"
KINDS = {"draws": "Hands drawn", "buys": "Buys, or none"}
WRITTEN_OUT = 4
"""Powers of ten below this one stand as numbers."""
WORDS = (
    "One player, Treasures and Victory cards alone. Below the root stands a node for each hand of five that may be "
    "drawn, whatever the order of its cards; below each hand one for every card that its coins buy, Curses apart, and "
    "one for buying nothing. Equal positions that are reached in different ways are different nodes."
)
NOTES = (
    "Exact: equal positions are examined once, and counted with the number of ways that lead to them.",
    "Piles run out as in the rules. The first that can is the pile of eight Estates, after eight turns.",
)


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """The nodes, and whether the printed numbers are the same."""
    rows = result["by_turn"]
    if not rows:
        return ""
    last = rows[-1]
    turns = "one turn" if last["turn"] == 1 else f"{last['turn']} turns"
    same = all(_printed(row["turn"]) in (None, int(row["nodes"])) for row in rows)
    judgement = "as printed, turn by turn" if same else "unlike the printed numbers"
    known = "" if same and last["turn"] > len(_all_printed()) else f", {judgement}"
    return f"The tree of {turns} has {count(int(last['nodes']))} nodes{known}."


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """Nodes, and how they grow."""
    rows = result["by_turn"]
    if not rows:
        return []
    last = rows[-1]
    found = [Fact("Nodes", count(int(last["nodes"])), f"to the end of turn {last['turn']}")]
    if last["factor"] is not None:
        found.append(Fact("Times as many", number(last["factor"]), f"as to the end of turn {last['turn'] - 1}"))
    return found


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """Nodes by turn; the first turn, which can be counted by hand."""
    tree = Section("Nodes by turn", [WORDS], figures=[_figure(result)], notes=NOTES)
    return [tree, Section("The first turn", tables=[_first_turn(result["first_turn"])])]


def _all_printed() -> Mapping[int, int]:
    return {row["turns"]: row["nodes"] for row in papers.results()[PRINTED].rows}


def _printed(turn: int) -> int | None:
    return _all_printed().get(turn)


def _figure(result: Mapping[str, Any]) -> Figure:
    title, subtitle = "The tree, turn by turn", "Logarithmic axis; each step is ten times the one below."
    rows = result["by_turn"]
    if not rows:
        return nothing_yet(title, subtitle, "No turn is counted yet.")
    turns = [row["turn"] for row in rows]
    traces = [_stroke(mark, name, turns, [int(row[key]) for row in rows]) for mark, (key, name) in enumerate(_LINES)]
    known = [(turn, nodes) for turn in turns if (nodes := _printed(turn)) is not None]
    return Figure(
        title=title,
        subtitle=subtitle,
        name="; ".join(f"turn {row['turn']}: {count(int(row['nodes']))} nodes" for row in rows),
        note="Diamonds: nodes in all as the thesis prints them.",
        data=[*traces, _diamonds(known)],
        layout={
            "xaxis": {"title": {"text": "Turn"}, "dtick": 1},
            "yaxis": {"title": {"text": "Nodes"}, "type": "log", **_powers(int(rows[-1]["nodes"]))},
        },
        legend=[Legend(mark, name) for mark, (_, name) in enumerate(_LINES)] + [Legend(None, "Printed")],
        columns=[
            Column("Turn", False),
            *map(Column, (*KINDS.values(), "Nodes in all", "Printed", "Times as many", "Printed")),
        ],
        rows=[_cells(row) for row in rows],
        height_rem=22,
    )


def _powers(most: int) -> dict[str, Any]:
    """Ticks at every power of ten, the small ones written out."""
    exponents = range(len(str(most)) + 1)
    words = [count(10**k) if k < WRITTEN_OUT else f"10{str(k).translate(RAISED)}" for k in exponents]
    return {"tickvals": [10**k for k in exponents], "ticktext": words}


_LINES = (("nodes", "Nodes in all"), ("draws", "Hands drawn in the turn"), ("buys", "Buys in the turn, or none"))


def _cells(row: Mapping[str, Any]) -> list[str]:
    """One row of the table; the thesis prints what the nodes are divided by those of one turn less."""
    printed, before = _printed(row["turn"]), _printed(row["turn"] - 1)
    return [
        str(row["turn"]),
        *(count(int(row[key])) for key in (*KINDS, "nodes")),
        "" if printed is None else count(printed),
        "" if row["factor"] is None else number(row["factor"]),
        "" if printed is None or before is None else number(printed / before),
    ]


def _stroke(mark: int, name: str, turns: Sequence[int], values: Sequence[int]) -> Trace:
    hover = f"turn %{{x}}: %{{y:,}}<extra>{name}</extra>"
    trace = line_with_marks(turns, values, f"seat-{mark}", hover, size=7, symbol=SYMBOLS[mark])
    return trace | {"cliponaxis": False}


def _diamonds(known: Sequence[tuple[int, int]]) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers",
        "cliponaxis": False,
        "x": [turn for turn, _ in known],
        "y": [nodes for _, nodes in known],
        "marker": {"symbol": "diamond-open", "size": 13, "color": "@muted", "line": {"width": 2, "color": "@muted"}},
        "hovertemplate": "turn %{x}: %{y:,}<extra>printed</extra>",
    }


def _first_turn(hands: Sequence[Mapping[str, Any]]) -> Table:
    rows = [
        [
            ", ".join(f"{number} {name}" for name, number in hand["hand"].items()),
            str(hand["coins"]),
            ", ".join([*hand["buys"], "nothing"]),
            str(1 + len(hand["buys"])),
        ]
        for hand in hands
    ]
    buys = sum(1 + len(hand["buys"]) for hand in hands)
    return Table(
        "Hands, and what they buy",
        [Column("Hand", False), Column("Coins"), Column("What may be bought", False), Column("Nodes")],
        rows,
        note=f"The root, {len(hands)} hands and {buys} nodes below them: {1 + len(hands) + buys}.",
    )
