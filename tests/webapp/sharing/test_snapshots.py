"""Frozen snapshots: of one moment, the same for ever, verified without a lab; tombstones once they are withdrawn."""

from __future__ import annotations

import csv
import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest
from django.test import Client
from django.utils import timezone

from tests import counting
from tests.webapp.api.callers import Researcher
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import RANDOM, seat
from tests.webapp.lab.studies.conftest import fill
from webapp.common.errors import RefusedError
from webapp.lab.jobs import share_links
from webapp.lab.quotas import snapshots as sizes
from webapp.lab.snapshots import selectors, services
from webapp.lab.studies import services as studies
from webapp.people.accounts.models import User
from webapp.records import snapshot_files
from webapp.records.models import Experiment, Match, ShareLink
from webapp.records.snapshot_models import Snapshot
from webapp.sharing.snapshots import maker
from worker import schedule
from worker.__main__ import main
from worker.runner import play_match
from worker.snapshots import layout
from worker.spec import from_json
from worker.studies import registry
from worker.studies import spec as specs

pytestmark = pytest.mark.django_db(transaction=True)


SCRIPTED = seat("scripted")


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.SNAPSHOT_FOLDER = tmp_path / "snapshots"
    return tmp_path / "snapshots"


@pytest.fixture
def made(alice: Any) -> Experiment:
    """Two deals that its engines have really played."""
    experiment = factory.experiment(alice, [[SCRIPTED, RANDOM]], deals=2, title="Luck, and nothing else?")
    play(experiment, 0, 4)
    Experiment.objects.filter(pk=experiment.pk).update(status="finished", finished_at=timezone.now())
    experiment.refresh_from_db()
    return experiment


@pytest.fixture
def link(made: Experiment) -> ShareLink:
    return share_links.share(made)


def play(experiment: Experiment, first: int, count: int) -> None:
    matches = schedule.match_specs(from_json(experiment.spec), 0, first, count)
    factory.write(experiment, [play_match(match) for match in matches])


def frozen(link: ShareLink, **chosen: bool) -> Snapshot:
    snapshot, is_new = services.freeze(link, **chosen)
    assert is_new
    assert maker.make_next()
    snapshot.refresh_from_db()
    assert snapshot.state == "made", snapshot.failure
    return snapshot


def files_of(snapshot: Snapshot) -> dict[str, bytes]:
    with zipfile.ZipFile(selectors.path_of(snapshot)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def verified(path: Path, capsys: Any, *arguments: str) -> tuple[int, dict[str, Any]]:
    status = main(["snapshot", "verify", str(path), *arguments])
    return status, json.loads(capsys.readouterr().out or "{}")


def test_a_snapshot_holds_what_was_shown_and_verifies_without_the_lab(
    link: ShareLink, made: Experiment, capsys: Any, client: Client
) -> None:
    snapshot = frozen(link, with_plies=True)
    files = files_of(snapshot)
    assert {row["path"] for row in snapshot.contents} == set(files)
    rows = list(csv.DictReader(io.StringIO(files["data/matches.csv"].decode(), newline="")))
    assert len(rows) == 8
    assert parquet.read_table(io.BytesIO(files["data/matches.parquet"])).num_rows == 8
    assert parquet.read_table(io.BytesIO(files["data/plies.parquet"])).num_rows == sum(
        match.num_plies for match in made.matches.all()
    )
    shown = client.get(f"/r/{link.slug}/result.json").json()
    assert {**json.loads(files[layout.RESULT]), "as_of": 0} == {**shown, "as_of": 0}
    status, found = verified(selectors.path_of(snapshot), capsys, "--sha256", snapshot.digest, "--matches", "4")
    assert (status, found["faults"], found["played_again"], found["agree"]) == (0, [], 4, 4)
    package = json.loads(files[layout.DATA_PACKAGE])
    for resource in package["resources"]:
        assert resource["bytes"] == len(files[resource["path"]])
        names = [field["name"] for field in resource["schema"]["fields"]]
        if resource["format"] == "csv":
            assert names == next(csv.reader(io.StringIO(files[resource["path"]].decode(), newline="")))
        assert set(resource["schema"]["primaryKey"]) <= set(names)


def test_it_stays_as_it_is_while_the_result_goes_on(link: ShareLink, made: Experiment, client: Client) -> None:
    first = frozen(link)
    assert services.freeze(link) == (first, False), "the same is frozen once"
    before = selectors.path_of(first).read_bytes()
    Match.objects.filter(experiment=made).first().delete()
    Experiment.objects.filter(pk=made.pk).update(title="Another title")
    link = ShareLink.objects.get(pk=link.pk)
    second = frozen(link)
    assert second.digest != first.digest
    assert selectors.path_of(first).read_bytes() == before
    page = client.get(f"/r/{link.slug}/snapshots/{first.digest}/")
    assert first.sha256 in page.content.decode()
    assert f"SHA-256 {first.sha256}" in first.citation
    assert selectors.address(first) in first.bibtex
    whole = client.get(f"/r/{link.slug}/snapshots/{first.digest}/snapshot.zip")
    assert b"".join(whole.streaming_content) == before
    rest = client.get(whole.wsgi_request.path, headers={"Range": "bytes=100-", "If-Range": whole.headers["ETag"]})
    assert (rest.status_code, b"".join(rest.streaming_content)) == (206, before[100:])
    live = client.get(f"/r/{link.slug}/datapackage.json").json()
    assert [row["path"].startswith(f"{live['homepage']}export/") for row in live["resources"]] == [True] * 5
    assert client.get(f"/r/{link.slug}/croissant.json").json()["isLiveDataset"] is True
    croissant = client.get(f"/r/{link.slug}/snapshots/{first.digest}/croissant.json").json()
    assert croissant["distribution"][0]["sha256"] == first.sha256


@pytest.mark.parametrize("closes", ["snapshot", "link"])
def test_what_is_withdrawn_says_so_and_goes(link: ShareLink, alice: Any, closes: str) -> None:
    snapshot = frozen(link)
    owner, stranger = Client(), Client()
    owner.force_login(alice)
    here = f"/r/{link.slug}/snapshots/{snapshot.digest}/"
    assert sizes.size(alice) == snapshot.size
    where = f"{here}withdraw/" if closes == "snapshot" else f"/r/{link.slug}/withdraw/"
    assert owner.post(where).status_code == 302
    gone = stranger.get(here)
    assert gone.status_code == 410
    assert snapshot.sha256 in gone.content.decode(), "who has the file can still compare it"
    assert stranger.get(f"{here}snapshot.zip").status_code in (404, 410)
    assert snapshot_files.sweep() == 1
    assert not selectors.path_of(snapshot).exists()
    assert sizes.size(alice) == 0


def test_what_cannot_be_frozen_says_why(link: ShareLink, made: Experiment, settings: Any, alice: Any) -> None:
    services.freeze(link)
    other = share_links.share(factory.played(alice, [[SCRIPTED, RANDOM]], deals=1))
    with pytest.raises(RefusedError, match="being made"):
        services.freeze(other)
    settings.LAB_SNAPSHOT_MB = 0
    assert maker.make_next()
    failed = Snapshot.objects.get()
    assert failed.state == "failed"
    assert "the most that a snapshot may have" in failed.failure
    assert not list(Path(settings.SNAPSHOT_FOLDER).iterdir()), "nothing is left of it"
    empty = share_links.share(factory.experiment(alice))
    with pytest.raises(RefusedError, match="Nothing has come out"):
        services.freeze(empty)
    with pytest.raises(RefusedError, match="single match"):
        services.freeze(share_links.share(made, made.matches.first()))
    settings.LAB_QUOTAS = settings.LAB_QUOTAS | {"bytes": 1}
    User.objects.filter(pk=alice.pk).update(is_staff=False)
    with pytest.raises(RefusedError, match="delete experiments"):
        services.freeze(link)


def test_another_file_is_found_out(link: ShareLink, capsys: Any, tmp_path: Path) -> None:
    snapshot, path = frozen(link), tmp_path / "other.zip"
    files = files_of(snapshot)
    matches = files["data/matches.csv"]
    for harmed, fault in (
        (files | {"data/matches.csv": matches.replace(b"win", b"won", 1)}, "data/matches.csv is not what was frozen"),
        (files | {"more.txt": b""}, "more.txt has no checksum"),
        ({name: text for name, text in files.items() if name != layout.RESULT}, "result.json is missing"),
    ):
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in harmed.items():
                archive.writestr(name, text)
        status, found = verified(path, capsys)
        assert (status, found["faults"]) == (1, [fault])
    assert verified(selectors.path_of(snapshot), capsys, "--sha256", "00")[0] == 1
    path.write_bytes(b"no archive")
    assert verified(path, capsys)[0] == 2


def test_a_match_that_plays_otherwise_is_found_out(link: ShareLink, made: Experiment, capsys: Any) -> None:
    Match.objects.filter(experiment=made, deal=1, rotation=0).update(digest=1)
    status, found = verified(selectors.path_of(frozen(link)), capsys, "--matches", "9")
    assert (status, found["played_again"], found["agree"]) == (1, 4, 3)
    assert "digest" in found["differences"][0]


def test_a_study_is_frozen_and_done_again(alice: Any, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setitem(registry.STUDIES, "counting", "tests.counting:Counting")
    study = studies.create(alice, "Squares", specs.from_json(counting.spec()))
    fill(study, 3)
    study.pieces.filter(index=2).update(versions={"counting": "3"})
    snapshot = frozen(share_links.share(study))
    assert {"data/rows.csv", "data/rows.jsonl", "data/rows.parquet"} <= set(files_of(snapshot))
    status, found = verified(selectors.path_of(snapshot), capsys)
    assert (status, found["played_again"], found["agree"]) == (0, 2, 2)
    assert found["left_out"] == {"done with version 3 of counting, this is version 4": 1}


def test_by_script(alice: Any, made: Experiment, client: Client) -> None:
    researcher, one = Researcher(alice), f"/experiments/{made.pk}"
    refused = researcher.send("POST", f"{one}/snapshots", {})
    assert (refused.status_code, "not shared" in refused.json()["detail"]) == (409, True)
    researcher.tell("PUT", f"{one}/share")
    asked = researcher.send("POST", f"{one}/snapshots", {"plies": True})
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting")
    assert maker.make_next()
    found = researcher.ask(f"{one}/snapshots/{asked.json()['number']}")
    assert [row["sha256"] for row in researcher.ask(f"{one}/snapshots")["snapshots"]] == [found["sha256"]]
    assert client.get(found["file"]).status_code == client.get(found["url"]).status_code == 200
    assert researcher.send("POST", f"{one}/snapshots", {"ply": True}).status_code == 422
    again = researcher.send("POST", f"{one}/snapshots")
    assert (again.status_code, again.json()["number"]) == (200, found["number"])
    shutil.rmtree(selectors.path_of(Snapshot.objects.get()).parent)
    client.force_login(alice)
    assert "not on the disk" in client.get(found["url"]).content.decode()
    assert client.get(found["file"]).status_code == 404
