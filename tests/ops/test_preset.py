import re
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from tests.webapp.lab.presets.runs import run
from tests.webapp.lab.results import factory
from webapp.lab.presets import paper_summary, paper_verdicts
from webapp.lab.presets.models import PresetRun
from webapp.ops import job_follower, preset_runs
from webapp.records.models import Experiment, ShareLink
from worker.presets import contents, registry

pytestmark = pytest.mark.django_db(transaction=True)


def printed(*arguments: str) -> str:
    """What the command prints."""
    out = StringIO()
    call_command("preset", *arguments, stdout=out)
    return out.getvalue()


def test_the_list_names_presets_scales_and_times():
    text = printed("list")
    assert all(preset in text for preset in registry.presets())
    assert re.search(r"Standard: 400 matches either way, 250 playouts a ply, about \d+ (?:min|s)", text)


def test_a_run_belongs_to_the_system_account_and_is_shared(valkey_service):
    address, words = printed("run", "heyden-table-6.1").splitlines()
    assert words == "Anyone with this address can see it, without an account."
    run = PresetRun.objects.get()
    assert (run.scale, run.experiment.owner.username) == ("quick", "lab")
    assert address == f"{settings.PUBLIC_URL}/r/{ShareLink.objects.get().slug}/"


def test_a_run_for_an_account_is_shared_with_nobody(alice, valkey_service):
    address, words = printed("run", "heyden-table-6.1", "--user", "alice").splitlines()
    run = PresetRun.objects.get()
    assert run.experiment.owner == alice
    assert (address, words) == (f"{settings.PUBLIC_URL}/experiments/{run.experiment.pk}/", "Only alice sees it.")
    assert not ShareLink.objects.exists()
    assert "already running" in printed("run", "heyden-table-6.1", "--user", "alice")
    assert PresetRun.objects.count() == 1
    with pytest.raises(CommandError, match="no account 'nobody'"):
        printed("run", "heyden-table-6.1", "--user", "nobody")


def test_studies_are_run_and_shared_too(valkey_service):
    printed("run", "heyden-table-3.1", "--scale", "published")
    run = PresetRun.objects.get()
    assert (run.scale, run.study.kind, run.study.was_shared) == ("published", "complexity", True)


def test_an_unknown_preset_is_refused():
    with pytest.raises(CommandError, match=r"no preset 'heyden-table-9.9'; `manage.py preset list` names them"):
        printed("run", "heyden-table-9.9")


def test_waiting_prints_progress_and_verdicts_and_says_whether_all_ran(monkeypatch, valkey_service):
    """The matches are played while the command waits."""
    preset = registry.get("heyden-table-6.3")
    spec = preset.scales["quick"].spec
    small = {**spec, "deals": 2, "arms": spec["arms"][:1]}
    monkeypatch.setitem(preset.scales, "quick", type(preset.scales["quick"])("4 matches", small))
    looks = iter(range(2))

    def play(seconds: float) -> None:
        experiment = Experiment.objects.get()
        rows = range(2) if next(looks) == 0 else range(2, 4)
        factory.write(experiment, [factory.record(experiment, 0, ordinal) for ordinal in rows])
        if experiment.matches.count() == 4:
            Experiment.objects.update(status="finished")

    monkeypatch.setattr(job_follower.time, "sleep", play)
    monkeypatch.setattr(job_follower, "REPORT_S", 0.0)
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("preset", "run", preset.id, "--wait", stdout=out)
    assert ended.value.code == 0
    text = out.getvalue()
    assert "0 of 4 matches\n2 of 4 matches\n" in text
    assert re.search(r"^figure .* verdict +as their program ran +95 % +verdict$", text, re.MULTILINE)
    assert re.search(r"^  MCTS: mean score +77\.8 +\d+\.\d.* No number yet$", text, re.MULTILINE), "its arm is left out"
    assert re.search(r"^\d equivalent, \d compatible, \d differs, \d cannot tell$", text, re.MULTILINE)


def test_a_stopped_run_is_not_complete(valkey_service):
    run, *_ = preset_runs.start(registry.get("heyden-table-6.1"), "quick")
    Experiment.objects.update(status="stopped")
    assert list(preset_runs.follow(run)) == []
    assert not preset_runs.is_complete(run)


def test_where_nothing_is_published_figures_stand_alone(valkey_service):
    run, *_ = preset_runs.start(registry.get("dominai-luck"), "quick")
    head, first, *rest = preset_runs.verdicts(run)
    assert re.fullmatch(r"figure +ours +95 %", head)
    assert first == "The deal"
    assert not [line for line in rest if "judged" in line or "equivalent" in line]


def test_the_list_names_every_table_and_figure_of_the_papers():
    text = printed("list")
    for item in contents.items():
        if item.kind in contents.NUMBERED:
            assert item.presets or f"{item.paper.short}, {item.place}, {item.what}" in text


def test_a_paper_is_summed_up_by_printed_described_and_run(alice):
    assert printed("summary", "heyden-2009").startswith("Heyden 2009: 0 of ")
    made = run(alice, deals=6)
    shown = paper_summary.summary("heyden-2009", paper_verdicts.compared("heyden-2009", alice))
    (part,) = (part for line in shown.lines for part in line.parts if part.preset.id == made.preset)
    assert sum(number for number, _, _ in part.described) == 8
    assert part.pooled
    text = printed("summary", "heyden-2009", "--user", "alice", "--figures")
    words = ", ".join(f"{number} {word.lower()}" for number, _, word in part.described)
    assert f"printed: {part.figures} figures; as described: {words}; as their program ran: " in text
    assert f"{part.pooled[0].name}: {part.pooled[0].difference}".replace("\u202f", " ") in text
    assert "MC starts" in text
    assert "Section 6.5, Star2.5 and MCTS against people: 0 matches here" in text
    assert text.count("  Open: ") == len(shown.open) > 0


def test_the_command_says_what_of_a_paper_is_here():
    lines = printed("contents", "dominai").splitlines()
    assert lines[0].startswith("DominAI (there ")
    assert len(lines) == 1 + len(contents.of_paper("dominai"))
    assert any("There, but different" in line and "Figure 3, PIMC against people" in line for line in lines)
    assert any("[dominai-footnote-10]" in line for line in lines)
    assert len(printed("contents").splitlines()) == len(registry.PAPERS) + len(contents.items())
    assert "not there: Jansen, Tollisen 2014, Section 2.5.9, PAST: Not built" in printed("list")
