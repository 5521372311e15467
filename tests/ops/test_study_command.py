from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests import counting
from tests.webapp.lab.studies.conftest import fill
from webapp.lab.studies import services
from webapp.records.models import Study
from worker.studies import registry

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.STUDIES, "counting", "tests.counting:Counting")


@pytest.fixture
def spec(tmp_path: Path) -> str:
    path = tmp_path / "spec.json"
    path.write_text(json.dumps(counting.spec(raises_at=1)))
    return str(path)


def test_it_prints_the_address_of_a_page_that_everybody_can_read(
    spec: str, capsys: pytest.CaptureFixture[str], client: Any
) -> None:
    call_command("study", spec)
    study = Study.objects.get()
    assert (study.title, study.owner.username) == ("Counting, Carcassonne", "lab")
    address = capsys.readouterr().out.strip()
    assert "Counting, Carcassonne" in client.get(address[address.index("/r/") :]).content.decode()


def test_it_waits_and_says_whether_all_was_done(
    spec: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = services.create

    def done_at_once(*args: Any, **values: Any) -> Study:
        study = honest(*args, **values)
        fill(study, 3)
        return study

    monkeypatch.setattr(services, "create", done_at_once)
    with pytest.raises(SystemExit) as left:
        call_command("study", spec, "--wait", "--title", "My squares")
    assert left.value.code == 1
    assert "3 of 3 pieces, 1 failed" in capsys.readouterr().out
    assert Study.objects.get().title == "My squares"


@pytest.mark.parametrize(
    ("text", "message"), [("{", "is not JSON"), ('{"version": 1}', "study: is missing"), (None, "No such file")]
)
def test_a_bad_file_is_refused(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "bad.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(CommandError, match=message):
        call_command("study", str(path))
