"""Pages of play and of matches speak to players: no word of the code or of the papers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
ROOMS = ("play", "matches", "reviews", "positions", "errors")
CODE = ("webapp/play", "webapp/matches", "webapp/table/live/phrases.py", "webapp/table/live/guest_rules.py")
SCRIPTS = ("static/js/play", "static/js/replay", "static/js/position.js")
PAPERS = re.compile(r"(?<![-\w=])(ply|plies|segments?|seats? 0|out of scope|branching)(?![-\w=])", re.IGNORECASE)

_SAID = re.compile(r'\b(?:aria-label|title|placeholder|alt)="([^"]*)"')
_TAGS = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<(script|style|svg)\b.*?</\1>|<[^>]*>", re.DOTALL)
_PLURALS = re.compile(r'\|(?:plural|default|yesno):"([^"]*)"')
_QUOTED = re.compile(r"`[^`]*`|\"[^\"\n]*\"")
_NOT_SAID = re.compile(r"\$\{[^}]*\}|\[[^\]]*\]|#\w+")


def _of_templates() -> Iterator[tuple[str, str]]:
    for room in ROOMS:
        for path in sorted((ROOT / "templates" / room).rglob("*.html")):
            text = path.read_text()
            said = [*_SAID.findall(re.sub(r"\{%.*?%\}|\{\{.*?\}\}", " ", text)), *_PLURALS.findall(text)]
            yield str(path.relative_to(ROOT)), " \n".join([_TAGS.sub(" ", text), *said])


def _files(places: tuple[str, ...], ending: str) -> Iterator[Path]:
    for place in places:
        path = ROOT / place
        yield from sorted(path.rglob(f"*.{ending}")) if path.is_dir() else [path]


def _of_code() -> Iterator[tuple[str, str]]:
    for path in _files(CODE, "py"):
        tree = ast.parse(path.read_text())
        unsaid = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in unsaid
            if is_text and " " in node.value.strip() and "JSON" not in node.value:  # keys of messages are no words
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node.value


def _of_scripts() -> Iterator[tuple[str, str]]:
    for path in _files(SCRIPTS, "js"):
        for found in _QUOTED.finditer(path.read_text()):
            words = _NOT_SAID.sub(" ", found[0])
            if " " in words.strip('`" '):
                yield str(path.relative_to(ROOT)), words


def test_players_read_no_word_of_the_papers() -> None:
    texts = [*_of_templates(), *_of_code(), *_of_scripts()]
    assert {place.split("/")[0] for place, _ in texts} == {"templates", "webapp", "static"}
    assert [(place, found[0]) for place, text in texts if (found := PAPERS.search(text))] == []
