"""Search effort: nodes and time by position, runs with their gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webapp.common.formats import THIN, count, interval_text, number, percent, plural, span
from webapp.lab.results.charts.figure import Column, Figure, Legend, Trace, line_with_marks, nothing_yet, plain
from webapp.lab.results.charts.win_rate import wrap_label
from webapp.lab.results.sides import DASH_WORDS, DASHES, MAX_MARKS, SYMBOLS
from webapp.lab.studies.presentations.section import Fact, Section, Table
from webapp.records.models import Study

INTERVAL = f"95{THIN}% interval"
POSITION_AXIS = {"title": {"text": "Position"}, "dtick": 5, "tick0": 0}
NONE_YET = "No search of it has ended yet."
GAIN_NOTE = (
    "Saved: how far the mean over positions lies below that of the run it is compared with, over the positions that "
    "both have; negative where it costs more. Intervals are Fieller's over positions, both runs of a position "
    "together; there is none where positions are too few, or too unequal, to bound it. Typical ratio: the geometric "
    "mean over positions, all weighted equally, with Student's interval of its logarithm. Times are CPU time of the "
    "search alone."
)
SAME_NOTE = (
    "Same value: positions in which both find the same value, as searches must that only prune. Different actions of "
    "equal value are no difference. Error: how far a value is from that of the other run, in units of the evaluation "
    "(100 are a point), mean and largest; forward pruning makes some."
)


def finding(study: Study, result: Mapping[str, Any]) -> str:
    """The run that saves most, and the run it is compared with."""
    runs = result["runs"]
    compared = [run for run in runs if _gain(run) is not None]
    if not compared:
        return ""
    best = max(compared, key=lambda run: _gain(run) or 0.0)
    gain, interval = _gain(best), best["compared"]["nodes"]["gain"]["interval"]
    base, where = runs[best["against"]]["label"], plural(best["compared"]["positions"], "position", "positions")
    if gain is None or gain <= 0:
        return f"No run visits fewer nodes than the one it is compared with, over {where}."
    around = f" (95{THIN}% interval {span(*interval)})" if interval else ""
    return f"{best['label']} visits {number(gain)}{THIN}% fewer nodes than {base}{around}, over {where}."


def facts(study: Study, result: Mapping[str, Any]) -> Sequence[Fact]:
    """The cheapest run, and whether the values agree."""
    runs = [run for run in result["runs"] if run["nodes"]["mean"]]
    if not runs:
        return ()
    least = min(runs, key=lambda run: run["nodes"]["mean"])
    found = [
        Fact("Fewest nodes", number(least["nodes"]["mean"], 0), f"{least['label']}, mean of {_positions(least)}"),
        Fact("Its time a position", f"{number(least['ms']['mean'])} ms", "CPU time, mean"),
    ]
    compared = [run["compared"] for run in runs if run["compared"]]
    if compared:
        same, all_of = (sum(row[key] for row in compared) for key in ("same_value", "positions"))
        found.append(Fact("Same value", f"{count(same)} of {count(all_of)}", "comparisons with another run"))
    return found


def sections(study: Study, result: Mapping[str, Any]) -> Sequence[Section]:
    """Runs, then every position."""
    has_gains = any(run["compared"] for run in result["runs"])
    return [
        Section("Runs", figures=[_gains(result)] if has_gains else [], tables=_tables(result), notes=_notes(result)),
        Section(
            "By position",
            ["Positions are stored with the lab: opening, middle and end, the seat on turn ahead, level or behind."],
            [
                _by_position(result, "Nodes by position", "Nodes", lambda row: row["nodes"], 0),
                _by_position(result, "Time by position", "CPU time, ms", lambda row: 1000 * row["cpu_s"], 2),
            ],
        ),
    ]


def _gain(run: Mapping[str, Any]) -> float | None:
    gain: float | None = run["compared"]["nodes"]["gain"]["value"] if run["compared"] else None
    return gain


def _positions(run: Mapping[str, Any]) -> str:
    return plural(run["positions"], "position", "positions")


def _notes(result: Mapping[str, Any]) -> list[str]:
    missing = result["missing"]
    still = (
        [f"{plural(missing, 'search', 'searches')} of it {'is' if missing == 1 else 'are'} not done."]
        if missing
        else []
    )
    return [GAIN_NOTE, SAME_NOTE, *still]


def _tables(result: Mapping[str, Any]) -> list[Table]:
    runs = result["runs"]
    means = Table(
        "Nodes and time",
        [Column("Run", False), *map(Column, ("Positions", "Nodes", INTERVAL, "Time, ms", INTERVAL, "Depth reached"))],
        [_mean_cells(run) for run in runs],
        "Means over positions.",
    )
    compared = [run for run in runs if run["compared"]]
    if not compared:
        return [means]
    labels = ("Against", "Nodes saved, %", INTERVAL, "Typical ratio", INTERVAL, "Time saved, %", INTERVAL)
    agreement = ("Same action", "Same value", "Error", "Largest error")
    gains = Table(
        "What each run saves",
        [Column("Run", False), *map(Column, (*labels, *agreement))],
        [_gain_cells(run, runs[run["against"]]["label"]) for run in compared],
    )
    return [means, gains]


def _mean_cells(run: Mapping[str, Any]) -> list[str]:
    return [
        run["label"],
        count(run["positions"]),
        number(run["nodes"]["mean"]),
        interval_text(run["nodes"]["interval"], 0),
        number(run["ms"]["mean"], 2),
        interval_text(run["ms"]["interval"], 2),
        number(run["depth"]["mean"]),
    ]


def _gain_cells(run: Mapping[str, Any], base: str) -> list[str]:
    found = run["compared"]
    nodes, ratio, ms = found["nodes"]["gain"], found["nodes"]["ratio"], found["ms"]["gain"]
    return [
        run["label"],
        base,
        number(nodes["value"]),
        interval_text(nodes["interval"]),
        number(ratio["value"], 3),
        interval_text(ratio["interval"], 3),
        number(ms["value"]),
        interval_text(ms["interval"]),
        f"{found['same_action']} of {found['positions']}",
        f"{found['same_value']} of {found['positions']}",
        number(found["error"]["mean"], 2),
        number(found["error"]["largest"], 1),
    ]


# ---- figures
def _gains(result: Mapping[str, Any]) -> Figure:
    """One dot per compared run: nodes saved, with its interval."""
    title, subtitle = "Nodes saved", f"Against the run it is compared with, {INTERVAL}s."
    runs = result["runs"]
    rows = [(i, run) for i, run in enumerate(runs) if _gain(run) is not None]
    if not rows:
        return nothing_yet(title, subtitle, NONE_YET)
    names = [wrap_label(run["label"]) for _, run in rows]
    return Figure(
        title=title,
        subtitle=subtitle,
        name="; ".join(f"{run['label']} {percent((_gain(run) or 0) / 100)}" for _, run in rows),
        note="Dotted line: as many nodes as the run it is compared with.",
        data=[_gain_dot(at, i, run) for at, (i, run) in enumerate(rows)],
        layout={
            "xaxis": {"title": {"text": "Nodes saved, %"}, "showgrid": True},
            "yaxis": {
                "range": [len(rows) - 0.4, -0.75],
                "showgrid": False,
                "tickvals": list(range(len(rows))),
                "ticktext": names,
                "tickfont": {"color": "@ink", "size": 12},
            },
            "shapes": [{"type": "line", "x0": 0, "x1": 0, "yref": "paper", "y0": 0, "y1": 1}],
        },
        columns=[Column("Run", False), Column("Against"), Column("Nodes saved, %"), Column(INTERVAL)],
        rows=[_gain_cells(run, runs[run["against"]]["label"])[:4] for _, run in rows],
        height_rem=max(10, 5 + 2.6 * len(rows)),
    )


def _gain_dot(at: int, index: int, run: Mapping[str, Any]) -> Trace:
    found = run["compared"]["nodes"]["gain"]
    value, interval = found["value"], found["interval"] or (found["value"], found["value"])
    around = f" ({span(*interval)})" if found["interval"] else ""
    colour = f"@seat-{index % MAX_MARKS}"
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [value],
        "y": [at],
        "marker": {"color": colour, "size": 11, "symbol": SYMBOLS[index % MAX_MARKS]},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": [interval[1] - value],
            "arrayminus": [value - interval[0]],
            "color": colour,
            "thickness": 2.5,
            "width": 0,
        },
        "text": [number(value)],
        "textposition": "top center",
        "textfont": {"size": 12, "color": "@ink"},
        "cliponaxis": False,
        "hovertemplate": f"{number(value)} %{around}<extra></extra>",
    }


def _by_position(result: Mapping[str, Any], title: str, axis: str, value: Any, digits: int) -> Figure:
    """A line per run over all positions, on a logarithmic axis."""
    runs, table = result["runs"], result["positions"]
    subtitle = "Each position and run, logarithmic axis."
    if not any(row for position in table for row in position["runs"]):
        return nothing_yet(title, subtitle, NONE_YET)
    is_dashed = len(runs) > MAX_MARKS
    traces = []
    for i, run in enumerate(runs):
        points = [(position["number"], value(position["runs"][i])) for position in table if position["runs"][i]]
        traces.append(_series(i, run["label"], [(x, y) for x, y in points if y > 0], digits))
    return Figure(
        title=title,
        subtitle=subtitle,
        name="; ".join(_range_words(run["label"], trace["y"], digits) for run, trace in zip(runs, traces, strict=True)),
        data=traces,
        layout={"xaxis": POSITION_AXIS, "yaxis": {"title": {"text": axis}, "type": "log", "dtick": 1}},
        legend=[
            Legend(i % MAX_MARKS, f"{run['label']} ({_dash_words(i)})" if is_dashed else run["label"])
            for i, run in enumerate(runs)
        ],
        columns=[
            Column("Position", False),
            Column("Phase"),
            Column("Seat on turn"),
            *(Column(r["label"]) for r in runs),
        ],
        rows=[_position_cells(position, value, digits) for position in table],
        height_rem=24,
    )


def _dash_words(index: int) -> str:
    return DASH_WORDS[DASHES[index // MAX_MARKS % len(DASHES)]]


def _series(index: int, label: str, points: Sequence[tuple[int, float]], digits: int) -> Trace:
    return line_with_marks(
        [x for x, _ in points],
        [y for _, y in points],
        f"seat-{index % MAX_MARKS}",
        f"position %{{x}}: %{{y:,.{digits}f}}<extra>{plain(label)}</extra>",
        size=6,
        width=1.6,
        symbol=SYMBOLS[index % MAX_MARKS],
        dash=DASHES[index // MAX_MARKS % len(DASHES)],
    )


def _range_words(label: str, values: Sequence[float], digits: int) -> str:
    return f"{label} {number(min(values), digits)} to {number(max(values), digits)}" if values else f"{label} nothing"


def _position_cells(position: Mapping[str, Any], value: Any, digits: int) -> list[str]:
    found = [number(value(row), digits) if row else "" for row in position["runs"]]
    return [count(position["number"]), position["phase"], position["standing"], *found]
