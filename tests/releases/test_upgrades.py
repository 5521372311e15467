"""A lab of every release is restored, migrated, played again, looked at and played on."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.ops.labs import Commands, temporary
from tests.releases.__main__ import RELEASES
from webapp.ops.backup_file import MANIFEST, Backup

STORED = sorted(RELEASES.glob("*.zip"))
MOST_BYTES = 300_000


def test_stored_labs_are_small_and_whole() -> None:
    assert [path.stem for path in STORED] == ["first", "second"]
    for path in STORED:
        assert path.stat().st_size < MOST_BYTES
        with Backup(path) as found:
            found.check()
            assert found.manifest.counts["matches"] >= 20


@pytest.mark.slow
@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_lab_of_a_release_goes_on(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        counts = json.loads(archive.read(MANIFEST))["counts"]
    with temporary() as place:
        lab = Commands(place / "lab")
        assert "Restored" in lab.manage("restore", str(path))
        seen = json.loads(lab.run("-m", "tests.releases.looking"))
        assert seen["may_sign_in"]
        assert {page: status for page, status in seen["pages"].items() if status != 200} == {}
        assert len(seen["pages"]) >= 35
        assert set(seen["ended"]) == {"finished"}
        assert seen["matches"] == counts["matches"] + len(seen["ended"])
        report = json.loads(lab.run("-m", "tests.releases.verifying"))
        assert report["mismatches"] == []
        others = [row["reason"] for row in report["not_comparable"]]
        assert others == []
        assert report["matches"] + len(report["older"]) == seen["matches"]
        assert report["resimulated"] > 0
