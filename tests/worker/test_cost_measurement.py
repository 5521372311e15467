"""What a ply takes beside thinking: measured by the runner, and kept where asked to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games import costs, data_files, registry
from worker import __main__ as command


def test_plies_are_measured_and_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(data_files, "path", lambda folder, name: tmp_path / f"{name}.json")
    game = registry.get("dominoes")
    assert command.main(["costs", "dominoes", "--seconds", "0.1"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert costs.load(game.folder) is None
    # Measured ratios are 12 and more of 28 (docs/findings/speed.md); a machine under load may halve them.
    assert 0 < shown["whole_ply_s"] < shown["ply_s"] / 4
    assert shown["whole_ply_s"] < shown["between_ply_s"]
    assert command.main(["costs", "dominoes", "--seconds", "0.1", "--write"]) == 0
    written, kept = json.loads(capsys.readouterr().out), costs.load(game.folder)
    assert kept is not None
    assert {name: getattr(kept, name) for name in written} == written
    assert kept.hands == game.costs.hands


def test_no_time_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["costs", "dominoes", "--seconds", "0"])
    assert "0 is not above 0" in capsys.readouterr().err
