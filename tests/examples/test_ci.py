"""The recipe for CI of an engine, step by step as a runner takes it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from engines.own import sources
from tests.engines.own.playing import write
from tests.test_scripting import parse
from webapp.ops.data_folder import CHECKOUT

RECIPE: dict[str, Any] = yaml.safe_load((CHECKOUT / "examples" / "ci" / "stronger.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step["run"] for step in RECIPE["jobs"]["stronger"]["steps"] if "run" in step}
TEST, SAY = "Not weaker than before", "Say how it came out"
FIRST = "return position.legal()[0]"


def test_the_commands_of_the_recipe_are_understood() -> None:
    lines = [line for text in STEPS.values() for line in text.replace("\\\n", " ").splitlines()]
    given = [line.partition(" > ")[0] for line in lines if line.startswith("meeple ")]
    assert len(given) == 2
    for line in given:
        parse(re.sub(r"\$\w+", lambda name: RECIPE["env"].get(name[0][1:], "main"), line))


def step(name: str, checkout: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a step as a runner does: by bash, which ends at the first error."""
    given = {**os.environ, **RECIPE["env"], "GITHUB_BASE_REF": "main", **environment}
    command = ["bash", "-e", "-o", "pipefail", "-c", STEPS[name]]
    return subprocess.run(command, cwd=checkout, env=given, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "now", "status", "verdict"),
    [
        ('return position.policy_action("gprd_plain")', FIRST, 1, "is weaker than"),
        (FIRST, f"{FIRST}  # in other words", 0, "is not weaker than"),
    ],
)
def test_a_change_that_made_it_weaker_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, now: str, status: int, verdict: str
) -> None:
    monkeypatch.delenv(sources.VARIABLE, raising=False)
    programs, checkout = tmp_path / "bin", tmp_path / "checkout"
    programs.mkdir()
    (programs / "meeple").write_text(f'#!/bin/sh\nPYTHONPATH={CHECKOUT} exec {sys.executable} -m meeple "$@"\n')
    (programs / "python").symlink_to(sys.executable)
    (programs / "meeple").chmod(0o755)
    (checkout / "engine").mkdir(parents=True)
    write(checkout / "engine", "mine", before)
    who = ("-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false")
    for words in (
        ("init", "-q"),
        ("add", "."),
        (*who, "commit", "-q", "-m", "before"),
        ("update-ref", "refs/remotes/origin/main", "HEAD"),
    ):
        subprocess.run(["git", *words], cwd=checkout, check=True, timeout=60)
    write(checkout / "engine", "mine", now)
    path, summary = f"{programs}:{os.environ['PATH']}", tmp_path / "summary.md"
    done = step(TEST, checkout, PATH=path)
    assert done.returncode == status, done.stderr
    assert step(SAY, checkout, PATH=path, GITHUB_STEP_SUMMARY=str(summary)).returncode == 0
    assert verdict in summary.read_text()
    assert (checkout / "matches.jsonl").stat().st_size > 0
