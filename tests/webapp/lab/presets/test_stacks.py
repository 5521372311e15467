from typing import Any

from webapp.lab.presets.stacks import stacks
from worker.presets.comparison import Comparison, Row, ShownFigure
from worker.presets.model import Curve

CURVE = Curve("Coins", "Cards bought", families=(4, 4, 1))


def row(group: str, x: float | None, ours: float | None, **changes: Any) -> Row:
    values = {"label": f"{x} coins", "unit": "cards", "digits": 2, "verdict": "not judged", **changes}
    return Row(
        group=group,
        x=x,
        published=ShownFigure(),
        ours=ShownFigure(ours, n=6) if ours is not None else ShownFigure(),
        **values,
    )


def test_layers_are_stacked_from_below_in_shades_of_their_family() -> None:
    rows = [row(name, x, 1.0 + x) for name in ("Copper", "Gold", "Wood <cutter>") for x in (2.0, 10.0)]
    (chart,) = stacks(CURVE, Comparison((*rows, row("What the text says", None, 3.0))))
    layers = chart.figure["data"]
    assert [layer["name"] for layer in layers] == ["Copper", "Gold", "Wood &lt;cutter&gt;"]
    assert [layer["marker"]["color"] for layer in layers] == ["@seat-4/0.30", "@seat-4/1.00", "@seat-1/1.00"]
    assert (layers[0]["x"], layers[0]["y"]) == (["2", "10"], [3.0, 11.0])
    assert chart.figure["layout"]["barmode"] == "stack"
    assert [entry.label for entry in chart.legend] == ["Wood <cutter>", "Gold", "Copper"]
    assert chart.legend[-1].colour == "color-mix(in srgb, var(--seat-4) 30%, transparent)"
    assert chart.name.startswith("2: Copper 3.0, Gold 3.0")


def test_a_bar_that_is_not_played_yet_is_left_out() -> None:
    rows = [row("Copper", 2.0, 1.0), row("Gold", 2.0, 0.0), row("Wood", 2.0, 2.0), row("Copper", 10.0, None)]
    (chart,) = stacks(CURVE, Comparison(tuple(rows)))
    assert {tuple(layer["x"]) for layer in chart.figure["data"]} == {("2",)}
    assert stacks(CURVE, Comparison((row("Copper", 2.0, None),))) == []
