"""All verdicts of a paper on one page, and runs that are pooled."""

from __future__ import annotations

import html
import re

import pytest

from tests.webapp.lab.presets.runs import run
from tests.webapp.lab.results import factory
from webapp.lab.presets import lineage, numbers, paper_verdicts, selectors
from webapp.lab.presets.models import PresetRun
from webapp.records.models import Experiment, ShareLink
from worker.presets import contents, pooling, registry
from worker.presets.numbers import WINS

pytestmark = pytest.mark.django_db
PAGE, TABLE = "/presets/papers/heyden-2009/", "/presets/heyden-table-6.1/"


def words(response) -> str:
    """The text of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def reseed(made: PresetRun, seed: int) -> PresetRun:
    """Give a run another seed than the one it was made with."""
    made.experiment.spec = {**made.experiment.spec, "seed": seed}
    made.experiment.save()
    return made


def test_all_figures_of_a_paper_stand_on_one_page(client, alice, shipped):
    client.force_login(alice)
    made = run(alice, deals=6)
    page = words(client.get(PAGE))
    published = [cell for p in registry.presets().values() if p.paper.id == "heyden-2009" and p.is_published
                 for cell in p.cells if cell.published is not None]  # fmt: skip
    counted = sum(cell.is_counted for cell in published)  # the others are figures of a table once more
    shown = paper_verdicts.verdicts("heyden-2009", alice)
    assert shown.figures == counted
    assert sum(len(group.lines) for part in shown.sections for group in part.table.groups) == len(published)
    assert f"1 of {shown.presets} tables run, {counted} figures" in page
    assert "If all were the same, 0.08 of 8 comparisons would differ by luck alone" in page
    assert "not run: Quick" in page
    folded = [[number for number, _, _ in part.counts] for part in shown.sections]  # what each table says of itself
    assert [sum(column) for column in zip(*folded, strict=True)] == [number for number, _, _ in shown.counts]
    assert f'href="/experiments/{made.experiment.pk}/"' in client.get(PAGE).content.decode()
    parts = [part for line in shown.summary.lines for part in line.parts]
    assert {part.preset.id for part in parts} == {one.preset.id for one in shown.sections}
    assert len(parts) == shown.presets  # each once
    assert sum(part.figures for part in parts) == len(published)
    assert html.escape(shown.summary.open[0].reason.words) in page
    counts = {one.key: one.number for one in shown.filters}
    assert counts["not judged"] + counts["not run"] == counted - 8
    for one in shown.filters[:1] + shown.filters[-1:]:
        lines = paper_verdicts.verdicts("heyden-2009", alice, one.key).sections
        assert sum(len(group.lines) for part in lines for group in part.table.groups) == one.number
    assert "No figure has this verdict." in words(client.get(f"{PAGE}?word=not+judged+yet"))
    assert client.get(f"{PAGE}?word=nonsense").status_code == 200
    assert client.get("/presets/papers/nobody-1999/").status_code == 404


def test_a_guest_sees_what_is_shared_and_a_run_at_its_end_goes_first(client, alice, shipped):
    run(alice, deals=3, played=False)
    assert re.search(r"0 of \d+ tables run", words(client.get(PAGE)))
    done = run(alice, deals=3)
    assert paper_verdicts._best_runs(["heyden-table-6.1"], alice) == {"heyden-table-6.1": done}
    ShareLink.objects.create(slug="all-verdicts-016", experiment=done.experiment)
    page = client.get(PAGE).content.decode()
    assert "/r/all-verdicts-016/" in page
    assert f"/experiments/{done.experiment.pk}/" not in page


def test_of_two_runs_the_one_that_tells_more_is_shown(alice):
    """Table I of Gedda plays alike at all scales, so deals decide; Table 6.1 of Heyden has other budgets in each."""
    for preset, best in (("gedda-table-1", "quick"), ("heyden-table-6.1", "published")):
        runs = {scale: run(alice, deals=deals, preset=preset) for scale, deals in (("quick", 4), ("published", 2))}
        for scale, made in runs.items():
            PresetRun.objects.filter(pk=made.pk).update(scale=scale)
        assert paper_verdicts._best_runs([preset], alice) == {preset: runs[best]}


def test_a_sweep_says_below_its_table_whether_its_values_differ(client, alice):
    client.force_login(alice)
    experiment = factory.played(alice, [[factory.FLAT, factory.RANDOM], [factory.RANDOM, factory.FLAT]], deals=6)
    PresetRun.objects.create(preset="heyden-table-6.2", scale="quick", experiment=experiment)
    page = words(client.get("/presets/heyden-table-6.2/"))
    # 28, 28, 30, 37, 35, 30 and 33 of 50: printed, no C is better than another.
    assert re.search(r"Wins of MCTS 7 no difference shown \(χ² 7\.\d on 6 df, p 0\.30\)", page)
    assert re.search(r"(they differ|no difference shown) \(F\(1, 5\) \d+\.\d\d, p", page)


def test_the_same_comparison_in_two_presets_of_a_paper_counts_once(alice, shipped):
    """Figure 5 of Gedda draws a part of Table III: the same matches beside the same printed numbers."""
    shown = paper_verdicts.verdicts("gedda-2018", alice)
    sections = {part.preset.id: part.table for part in shown.sections}
    assert sections["gedda-table-3-mce"].judged == 0
    assert sections["gedda-table-3-mce"].repeats == sections["gedda-figure-5"].judged == 41


def test_runs_with_other_seeds_are_pooled(client, alice, bob, shipped):
    client.force_login(alice)
    first, again, twice, later = (reseed(run(alice, deals=4), seed) for seed in (1, 2, 2, 3))
    run(bob, deals=4)
    assert lineage.poolable(later, alice) == [first, again]
    assert lineage.poolable(twice, alice) == [first, later]
    response = client.get(TABLE)
    page = words(response)
    assert "repeats an earlier run, counts once" in page
    assert "3 runs pooled each alone: seed 3 , 1 , 2" in page
    assert f'href="{TABLE}?run={first.pk}"' in response.content.decode()
    assert "Do the runs differ from each other? Q " in page
    assert "its 99.75 % interval" in page
    found = selectors.compare_run(later, lineage.poolable(later, alice))
    cell = next(line for group in found.table.groups for line in group.lines if line.label == "MC: wins")
    assert cell.size == "12", "four deals of three runs in one seat"
    of_paper = paper_verdicts.verdicts("heyden-2009", alice)
    section = next(part for part in of_paper.sections if part.preset.id == "heyden-table-6.1")
    assert [row.run for row in section.runs] == [later, first, again]
    assert section.table.counts == found.table.counts == of_paper.counts
    assert section.table.sure == "99.75"
    assert "12" in [line.size for group in section.table.groups for line in group.lines]
    alone = words(client.get(f"{TABLE}?run={first.pk}"))
    assert "All 3 runs pooled" in alone
    assert "its 99 % interval" in alone
    assert client.get(f"{TABLE}?run=9999999").status_code == 404


def test_verdicts_stay_while_a_further_run_plays(client, alice):
    client.force_login(alice)
    done = run(alice, deals=3)
    before = selectors.compare_run(done).table.counts
    playing = run(alice, deals=3, played=False)
    response = client.get(TABLE)
    shown = response.context["comparison"]
    assert shown.run == done
    assert shown.playing.run == playing
    assert shown.table.counts == before
    assert "is not over yet. Until then the verdicts of before stay." in words(response)
    address = f"/presets/runs/{playing.pk}/?until=over"
    assert address in response.content.decode()
    assert client.get(address).status_code == 204
    Experiment.objects.filter(pk=playing.experiment_id).update(status="stopped")
    over = client.get(address)
    assert over.context["comparison"].run == done
    assert over.context["comparison"].playing is None


@pytest.mark.parametrize("change", ["running", "versions", "arms", "scale"])
def test_runs_of_other_conditions_are_not_pooled(alice, change):
    first, later = (reseed(run(alice, deals=2), seed) for seed in (1, 2))
    assert lineage.poolable(later, alice) == [first]
    if change == "running":
        Experiment.objects.filter(pk=first.experiment_id).update(status="stopped")
    elif change == "versions":
        first.experiment.matches.update(versions={"carcassonne": "0"})
        first.experiment.chunks.update(written=0)
    elif change == "scale":
        PresetRun.objects.filter(pk=first.pk).update(scale="standard")
    else:
        first.experiment.spec = {**first.experiment.spec, "options": {"river": True}}
        first.experiment.save()
    assert lineage.poolable(PresetRun.objects.get(pk=later.pk), alice) == []


def test_the_database_pools_what_the_records_hold(alice):
    preset = registry.get("heyden-table-6.1")
    made = run(alice, deals=5)
    found, as_run = numbers.together(made.experiment, preset.id)
    assert as_run == {}, "of the arm that plays whole means this run has none"
    records = [factory.record(made.experiment, 0, ordinal) for ordinal in range(10)]
    won = {seat: [r.results[seat] == "win" for r in records if r.lineup[seat] == 0] for seat in (0, 1)}
    assert found[WINS].means.values == pytest.approx([sum(won[0]) / 5, sum(won[1]) / 5])
    assert found[WINS].means.deals == 5
    assert found[WINS].cells == next(pool.cells for pool in pooling.pools_of(preset) if pool.quantity == WINS)


def test_a_stopped_run_is_not_judged(client, alice):
    client.force_login(alice)
    made = run(alice, deals=3)
    Experiment.objects.filter(pk=made.experiment_id).update(status="stopped")
    page = words(client.get(TABLE))
    assert "Not judged: it ended before its planned end." in page
    assert "Wins: mean of" not in page


def test_what_a_paper_holds_is_said_on_one_page(client):
    """By kind, each with its state, why it differs, and a link to what rebuilds it; from the list and the verdicts."""
    for paper in registry.PAPERS:
        page = client.get(f"/presets/papers/{paper}/contents/")
        shown, found = words(page), contents.of_paper(paper)
        for item in found:
            assert html.escape(item.what) in shown
        for state, number in contents.counts(found).items():
            assert f"{number} {contents.STATES[state]}" in shown
        for preset in {preset for item in found for preset in item.presets}:
            assert f'href="/presets/{preset}/"' in page.content.decode()
    for place in ("/presets/", PAGE):
        assert "/presets/papers/heyden-2009/contents/" in client.get(place).content.decode()
    assert client.get("/presets/papers/nobody-1999/contents/").status_code == 404
