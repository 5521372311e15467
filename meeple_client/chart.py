"""A chart of a page: a figure of Plotly, and its numbers as a table."""

from __future__ import annotations

from typing import Any

from meeple_client.values import Json

MEDIA_TYPE = "application/vnd.plotly.v1+json"
PALETTE = {
    "ink": "#1f2328",
    "muted": "#5a616b",
    "line": "#ddd6cb",
    "surface": "#ffffff",
    "accent": "#1f5fa8",
    "seat-0": "#0072b2",
    "seat-1": "#c75300",
    "seat-2": "#00875f",
    "seat-3": "#b85c90",
    "seat-4": "#a87200",
}
"""Colours of the light pages, by the names that figures give them ("@seat-0", "@seat-0/.18" with an opacity)."""


class Chart:
    """As the last thing of a notebook's cell it draws itself."""

    def __init__(self, data: Json) -> None:
        self.data = data

    def __repr__(self) -> str:
        return f"<Chart {self.title!r}>"

    @property
    def title(self) -> str:
        """What it shows."""
        return str(self.data.get("title", ""))

    @property
    def figure(self) -> Json:
        """Data and layout, in colours."""
        layout = {"title": {"text": self.title}, "template": "plotly_white"} | (self.data.get("layout") or {})
        return {"data": coloured(self.data["data"]), "layout": coloured(layout)}

    @property
    def rows(self) -> list[dict[str, str]]:
        """The table behind it: label -> what the page writes there."""
        labels = [column["label"] for column in self.data.get("columns", ())]
        return [dict(zip(labels, row, strict=True)) for row in self.data.get("rows", ())]

    def to_plotly(self) -> Any:
        """As `plotly.graph_objects.Figure`, to change or to write to a file. Needs plotly."""
        from plotly.graph_objects import Figure

        return Figure(**self.figure)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Json:
        figure = self.figure
        layout = {name: value for name, value in figure["layout"].items() if name != "template"}
        return {MEDIA_TYPE: {"data": figure["data"], "layout": layout}, "text/plain": repr(self)}


def coloured(value: Any) -> Any:
    """A part of a figure with colours in place of their names."""
    if isinstance(value, str) and value.startswith("@"):
        return _colour(value[1:])
    if isinstance(value, dict):
        return {name: coloured(one) for name, one in value.items()}
    return [coloured(one) for one in value] if isinstance(value, list) else value


def _colour(name: str) -> str:
    token, _, opacity = name.partition("/")
    found = PALETTE.get(token, PALETTE["muted"])
    if not opacity:
        return found
    red, green, blue = (int(found[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"
