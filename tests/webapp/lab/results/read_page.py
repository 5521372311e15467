"""Numbers of a page as somebody reads them: line by line, out of its HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser

LINES = {"caption", "dd", "dt", "h2", "h3", "li", "p", "summary", "tr"}
VOID = {"br", "hr", "img", "input", "link", "meta"}
NUMBER = re.compile("[+\u2212±]?\\d+(?:\u202f\\d{3})*(?:\\.\\d+)?")
SPAN = re.compile(r"--(lo|mid|hi|at|zero): ([\d.]+)")


class _Lines(HTMLParser):
    """Texts of the lines of one element, without what is hidden from everybody who listens; and its drawings."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.open: list[tuple[str, bool]] = []
        self.start: int | None = None
        self.lines: list[str] = []
        self.drawn: list[dict[str, float]] = []
        self.ticks: list[tuple[float, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag in VOID:
            return
        if self.start is None and (named.get("id") == self.name or tag == self.name):
            self.start = len(self.open)
        is_hidden = named.get("aria-hidden") == "true" or bool(self.open and self.open[-1][1])
        self.open.append((tag, is_hidden))
        if self.start is None:
            return
        if tag in LINES and not is_hidden:
            self.lines.append("")
        marks = {key: float(value) for key, value in SPAN.findall(named.get("style") or "")}
        if "at" in marks:
            self.ticks.append((marks["at"], ""))
        elif "mid" in marks:
            self.drawn.append(marks)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        while self.open and self.open[-1][0] != tag:
            self.open.pop()
        if self.open:
            self.open.pop()
        if self.start is not None and len(self.open) <= self.start:
            self.start = None
            self.name = ""

    def handle_data(self, data: str) -> None:
        if self.start is None or not data.strip():
            return
        if not self.open[-1][1]:
            self.lines[-1:] = [f"{self.lines[-1] if self.lines else ''} {data.strip()}"]
        elif self.ticks and not self.ticks[-1][1]:
            self.ticks[-1] = self.ticks[-1][0], data.strip()


def read(html: str, name: str) -> _Lines:
    """The element with this id, or the first of this tag."""
    reader = _Lines(name)
    reader.feed(html)
    return reader


def numbers(text: str) -> list[str]:
    """The numbers of a text, with their signs, as they are written."""
    return NUMBER.findall(text)


def value(text: str) -> float:
    """A number that a page writes."""
    return float(text.replace("\u2212", "-").replace("\u202f", "").lstrip("+±"))


def lines(html: str, name: str) -> list[list[str]]:
    """Numbers of every line of an element that has any."""
    return [found for line in read(html, name).lines if (found := numbers(line))]


def whiskers(html: str, name: str) -> list[dict[str, float]]:
    """Where the marks of a forest stand, in what its axis shows."""
    reader = read(html, name)
    (at, first), (end, last) = reader.ticks[0], reader.ticks[-1]
    step = (value(last) - value(first)) / (end - at)
    return [{key: value(first) + step * (place - at) for key, place in marks.items()} for marks in reader.drawn]
