"""What the guides name is there, and each stays as short as it promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webapp.ops.data_folder import CHECKOUT

ROOMS = ("docs", "games", "engines", "worker", "webapp", "tests")
PAGES = sorted(
    page.relative_to(CHECKOUT).as_posix()
    for page in [*CHECKOUT.glob("*.md"), *(page for room in ROOMS for page in (CHECKOUT / room).rglob("*.md"))]
)
DECISIONS = sorted(page.name for page in (CHECKOUT / "docs" / "decisions").glob("[0-9]*.md"))
FINDINGS = sorted(page.name for page in (CHECKOUT / "docs" / "findings").glob("[a-z]*.md"))
PICTURES = sorted(picture.name for picture in (CHECKOUT / "docs").glob("*.png"))
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```|^    .*?$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"`([a-z_]+/[\w/]*\w(?:\.(?:py|md|json|toml|js|css))?)(?:/|\.\w+)?`")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
HISTORY = ("CHANGELOG.md", "docs/decisions/", "docs/findings/")
"""Pages that say what was: their names may be gone."""
EXAMPLES = "docs/adding.md"
"""Names what is still to be written; `tests/test_adding.py` looks after the rest of its names."""
DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b")
PICTURE_BYTES = 250_000
MOST_WORDS = {"ARCHITECTURE.md": 1500, "README.md": 900}
MOST_WORDS_OF_A_DECISION = 450
"""A printed page; the table of addresses is an appendix."""


def _text(page: str) -> str:
    return (CHECKOUT / page).read_text()


def _anchor(heading: str) -> str:
    """A heading's name in links, as repository pages make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _local_links(page: str) -> list[str]:
    links = LINK.findall(CODE.sub("", _text(page)))
    return [link for link in links if not re.match(r"[a-z]+:", link)]


def _leads_somewhere(page: str, link: str) -> bool:
    """Whether the file is there, and the heading in it."""
    path, _, anchor = link.partition("#")
    target = (CHECKOUT / page).parent / path if path else CHECKOUT / page
    return target.is_file() and (not anchor or anchor in map(_anchor, HEADING.findall(target.read_text())))


def _linked_files(page: str) -> set[Path]:
    return {((CHECKOUT / page).parent / link.partition("#")[0]).resolve() for link in _local_links(page)}


def _is_there(page: str, name: str) -> bool:
    """Whether a path in backticks is a file, a module or a folder: of the checkout, beside the page, or a wing's."""
    places = (CHECKOUT, (CHECKOUT / page).parent, CHECKOUT / "webapp")
    return any((place / f"{name}{end}").exists() for place in places for end in ("", ".py", ".html"))


@pytest.mark.parametrize("page", [page for page in PAGES if not page.startswith((*HISTORY, EXAMPLES))])
def test_files_that_a_guide_names_are_there(page: str) -> None:
    assert [name for name in NAME.findall(_text(page)) if not _is_there(page, name)] == []


def test_the_readme_links_to_its_pictures_and_pages() -> None:
    assert {"docs/result.png", "docs/match.png", "LICENSE", "CHANGELOG.md"} <= set(_local_links("README.md"))


@pytest.mark.parametrize("page", PAGES)
def test_local_links_lead_somewhere(page: str) -> None:
    assert [link for link in _local_links(page) if not _leads_somewhere(page, link)] == []


@pytest.mark.parametrize("page", MOST_WORDS)
def test_a_page_for_newcomers_is_short(page: str) -> None:
    assert len(_text(page).split()) <= MOST_WORDS[page]


def test_every_design_is_linked_from_the_architecture() -> None:
    designs = {(CHECKOUT / page).resolve() for page in PAGES if page.endswith("/DESIGN.md")}
    assert designs <= _linked_files("ARCHITECTURE.md")


@pytest.mark.parametrize("name", DECISIONS)
def test_a_decision_is_dated_listed_and_one_page(name: str) -> None:
    page = f"docs/decisions/{name}"
    assert (CHECKOUT / page).resolve() in _linked_files("docs/decisions/README.md")
    assert DATE.search(_text(page))
    if not name.endswith("-addresses.md"):
        assert len(_text(page).split()) <= MOST_WORDS_OF_A_DECISION


@pytest.mark.parametrize("name", FINDINGS)
def test_a_finding_is_dated_and_listed(name: str) -> None:
    page = f"docs/findings/{name}"
    assert (CHECKOUT / page).resolve() in _linked_files("docs/findings/README.md")
    assert DATE.search(_text(page))


@pytest.mark.parametrize("picture", PICTURES)
def test_pictures_are_small_and_each_is_shown(picture: str) -> None:
    path = (CHECKOUT / "docs" / picture).resolve()
    assert any(path in _linked_files(page) for page in PAGES)
    assert path.stat().st_size < PICTURE_BYTES
