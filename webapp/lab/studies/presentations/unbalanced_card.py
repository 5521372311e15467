"""Purchases as one card gets better: kinds of cards stacked, and every card in a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.dominion import cards
from webapp.common.formats import count, number, plural
from webapp.lab.results.charts.figure import Column, Figure, Legend, Trace, nothing_yet
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study

TITLE = "Cards bought by the coins of a {card}"


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """Purchases of the card where it is worst and where it is best."""
    known = _known(result)
    if len(known) < 2:
        return ""
    (low, few), (high, many) = ((row["coins"], row["bought"][result["card"]]["mean"]) for row in (known[0], known[-1]))
    worst = f"{number(few)} times a match with {plural(low, 'coin', 'coins')}"
    return f"A {result['card']} is bought {worst}, and {number(many)} times with {high}."


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """The coins with which the card is bought most."""
    known = _known(result)
    if not known:
        return []
    most = max(known, key=lambda row: row["bought"][result["card"]]["mean"])
    mean = most["bought"][result["card"]]["mean"]
    return [Fact(f"Most {result['card']}s", number(mean), f"a match, with {plural(most['coins'], 'coin', 'coins')}")]


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """The stack, and the table by card."""
    known = _known(result)
    return [Section("Cards bought", figures=[_figure(result, known)], tables=[_table(result, known)] if known else [])]


def _known(result: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return sorted((row for row in result["values"] if row["matches"]), key=lambda row: row["coins"])


def _kinds(card: str) -> dict[str, Callable[[str], bool]]:
    """The stacked kinds of cards, from below."""
    types = {row.name: row.types for row in cards.table()}
    return {
        "Treasures": lambda name: "Treasure" in types[name],
        card: lambda name: name == card,
        "Other Actions": lambda name: "Action" in types[name] and name != card,
        "Victory cards": lambda name: "Victory" in types[name],
    }


def _figure(result: Mapping[str, Any], known: Sequence[Mapping[str, Any]]) -> Figure:
    title, subtitle = TITLE.format(card=result["card"]), "Means over matches."
    if not known:
        return nothing_yet(title, subtitle)
    kinds = _kinds(result["card"])
    sums = {
        kind: [sum(row["bought"][name]["mean"] for name in result["cards"] if fits(name)) for row in known]
        for kind, fits in kinds.items()
    }
    return Figure(
        title=title,
        subtitle=subtitle,
        name="; ".join(
            f"{row['coins']} coins: " + ", ".join(f"{kind} {number(sums[kind][i])}" for kind in kinds)
            for i, row in enumerate(known)
        ),
        data=[_layer(mark, kind, [row["coins"] for row in known], sums[kind]) for mark, kind in enumerate(kinds)],
        layout={
            "barmode": "stack",
            "xaxis": {"type": "category", "title": {"text": f"Coins of a {result['card']}"}},
            "yaxis": {"title": {"text": "Cards bought a match"}, "rangemode": "tozero"},
        },
        legend=[Legend(mark, kind) for mark, kind in enumerate(kinds)],
        columns=[Column("Coins", False), *map(Column, kinds)],
        rows=[[str(row["coins"]), *(number(sums[kind][i], 2) for kind in kinds)] for i, row in enumerate(known)],
        height_rem=22,
    )


def _layer(mark: int, kind: str, coins: Sequence[int], means: Sequence[float]) -> Trace:
    return {
        "type": "bar",
        "name": kind,
        "x": [str(value) for value in coins],
        "y": list(means),
        "marker": {"color": f"@seat-{mark}", "line": {"color": "@surface", "width": 1}},
        "hovertemplate": f"%{{x}} coins: %{{y:.2f}}<extra>{kind}</extra>",
    }


def _table(result: Mapping[str, Any], known: Sequence[Mapping[str, Any]]) -> Table:
    rows = [
        [name, *(number(row["bought"][name]["mean"], 2) for row in known)]
        for name in result["cards"]
        if any(row["bought"][name]["mean"] for row in known)
    ]
    rows.append(["Matches", *(count(row["matches"]) for row in known)])
    rows.append(["Won", *(count(row["wins"]) for row in known)])
    columns = [Column("Card", False), *(Column(plural(row["coins"], "coin", "coins")) for row in known)]
    return Table("By card, means a match", columns, rows)
