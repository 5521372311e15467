"""Blocks of a report: read from a form, moved by its buttons, within their bounds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.looping import looped
from webapp.lab.projects import report
from webapp.lab.projects.report import Block, ReportError

A, B, R = Block("aa", text="first"), Block("bb", text="second"), Block("cc", word="study", number=4, name="Luck")


def keys(blocks: list[Block]) -> str:
    return " ".join(block.key for block in blocks)


@looped(
    "button, order, place",
    [
        ("up:bb", "bb aa cc", "bb"),
        ("up:aa", "aa bb cc", "aa"),
        ("down:aa", "bb aa cc", "aa"),
        ("down:cc", "aa bb cc", "cc"),
        ("remove:bb", "aa cc", "cc"),
        ("remove:cc", "aa bb", "bb"),
        ("up:zz", "aa bb cc", ""),
        ("update", "aa bb cc", ""),
    ],
)
def test_buttons_move_and_remove(button: str, order: str, place: str) -> None:
    blocks, where = report.press([A, B, R], button)
    assert (keys(blocks), where) == (order, place)


def test_what_is_new_comes_below_the_named_one_or_at_the_end() -> None:
    below, key = report.press([A, B], "text:aa")
    assert (below[0], below[1].key, below[1].text, below[2]) == (A, key, "", B)
    at_end, key = report.press([A, B], "result:", R)
    assert (at_end, key) == ([A, B, R], "cc")
    assert report.press([A], "result:", None) == ([A], "")
    assert report.press([A], "remove:aa") == ([], "")


def test_a_form_gives_back_what_it_showed_in_its_order() -> None:
    posted = {"text-bb": " second\r\nline ", "text-aa": "first", "job-cc": "study-4", "job-dd": "experiment-7"}
    found = report.read(posted, ["cc", "bb", "dd", "aa", "bb", "ee"], [R])
    assert found == [R, Block("bb", text="second\nline"), Block("dd", word="experiment", number=7), A]
    assert report.load(report.dump([A, R])) == [A, R]


@looped("text", ["", "study", "study-", "study-0", "study-x", "stud-1", "study-99999999999999999999999"])
def test_no_job_is_read_from_other_words(text: str) -> None:
    assert report.parse_job(text) is None


@looped(
    "title, blocks, words",
    [
        (" \0 ", [A], "Give the project a title"),
        ("a" * 201, [A], "at most 200 letters"),
        ("A", [A] * 101, "at most 100 texts"),
        ("A", [Block("aa", text="a" * 20_001)], "A text has at most"),
        ("A", [Block("aa", text="a" * 20_000)] * 11, "All texts have at most"),
    ],
)
def test_a_report_has_bounds(title: str, blocks: list[Any], words: str) -> None:
    with pytest.raises(ReportError, match=words):
        report.check(title, blocks)
