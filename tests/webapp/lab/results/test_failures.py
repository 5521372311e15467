"""Failures in words: each kind its own, and nobody blamed who is not at fault."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.template import Context, Template

from webapp.lab.results import failures
from worker import records


def _failure(kind: str, seat: int | None = 0) -> dict[str, Any]:
    return {"seat": seat, "kind": kind, "message": "no words"}


def test_every_kind_that_a_worker_reports_has_words() -> None:
    said = re.search(r"kind is (.*)\.$", records.Failure.__doc__ or "", re.MULTILINE)
    assert said
    assert set(re.findall(r'"(\w+)"', said[1])) == set(failures.KINDS) - set(failures.PLAYERS)
    assert len({failures.label(_failure(kind)) for kind in failures.KINDS}) == len(failures.KINDS)


@pytest.mark.parametrize("kind", ["exception", "died", "of another version"])
def test_where_no_engine_failed_none_is_blamed(kind: str) -> None:
    failure = _failure(kind, None)
    assert "ngine" not in failures.label(failure)
    assert "Random" not in failures.sentence(failure, "Random", 7)
    assert "move 7" in failures.sentence(failure, "Random", 7)


def test_an_engine_at_fault_is_named() -> None:
    assert failures.sentence(_failure("over_time"), "Random", 3) == "Random ran out of time at move 3."


def test_who_gives_up_has_not_failed() -> None:
    assert failures.headline(_failure("resigned"), "alice", 3) == "alice resigned after move 2"
    assert failures.headline(_failure("over_time"), "Random", 3) == "Random failed at move 3"
    assert failures.headline(_failure("over_time"), "alice", 3, is_played=True) == "alice ran out of time at move 3"


def test_templates_have_the_label() -> None:
    shown = Template("{% load failures %}{{ failure|failure_label }}").render(
        Context({"failure": _failure("over_time")})
    )
    assert shown == "Out of time"
