"""What the pages for readers name is there."""

from __future__ import annotations

import re

import pytest

from webapp.ops.data_folder import CHECKOUT

PAGES = sorted(page.name for page in CHECKOUT.glob("*.md"))
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
PICTURE_BYTES = 250_000


def _local_links(page: str) -> list[str]:
    links = LINK.findall((CHECKOUT / page).read_text())
    return [link.partition("#")[0] for link in links if not re.match(r"[a-z]+:|#", link)]


def test_the_readme_links_to_its_pictures_and_pages() -> None:
    assert {"docs/result.png", "docs/match.png", "LICENSE", "CHANGELOG.md"} <= set(_local_links("README.md"))


@pytest.mark.parametrize("page", PAGES)
def test_local_links_lead_somewhere(page: str) -> None:
    assert [link for link in _local_links(page) if not (CHECKOUT / link).is_file()] == []


def test_pictures_are_small_and_each_is_shown() -> None:
    shown = {link for page in PAGES for link in _local_links(page)}
    for picture in (CHECKOUT / "docs").iterdir():
        assert f"docs/{picture.name}" in shown
        assert picture.stat().st_size < PICTURE_BYTES
