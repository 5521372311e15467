"""The guide for operators names what there is: each setting, each metric, each file."""

from __future__ import annotations

import re

from tests.ops import settings_page
from webapp.lab.watch import finding
from webapp.ops.data_folder import CHECKOUT

GUIDE = (CHECKOUT / "docs" / "operating.md").read_text()


def _section(title: str) -> str:
    return GUIDE.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_the_table_has_each_setting_once_and_no_other() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", _section("Settings"), re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert set(listed) == settings_page.names()


def test_the_table_has_each_metric_and_no_other() -> None:
    watch = CHECKOUT / "webapp" / "lab" / "watch"
    text = (watch / "metrics.py").read_text() + (watch / "request_times.py").read_text()
    made = set(re.findall(r'"(lab_[a-z_]+)"', text)) | {
        f"lab_{name}_written" for name in ("matches", "plies", "live_plies")
    }
    listed = {name.removesuffix("_total") for name in re.findall(r"`(lab_[a-z_]+)`", _section("Metrics and logs"))}
    assert listed == made


def test_there_is_something_to_do_for_each_state() -> None:
    told = _section("What to do when")
    for state in (finding.DOWN, finding.NOT_RECORDING, finding.FULL, finding.LATE):
        assert f"| *{state}*" in told


def test_the_compose_files_that_it_names_are_there() -> None:
    named = set(re.findall(r"`(docker-compose[\w.]*\.yml)`", GUIDE))
    assert named == {path.name for path in CHECKOUT.glob("docker-compose*.yml")}
