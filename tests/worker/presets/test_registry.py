import re
from pathlib import Path

import pytest

from worker import estimate
from worker import spec as specs
from worker.presets import papers, registry
from worker.presets.comparison import NO_NUMBER, NOT_JUDGED, compare
from worker.presets.model import SCALES
from worker.presets.numbers import Numbers
from worker.studies import registry as study_registry
from worker.studies import spec as study_specs
from worker.studies import wong_kang

PRESETS = registry.presets()
LIMITS_S = {"quick": 180, "standard": 720}
RUNS = [(preset, scale) for preset in PRESETS for scale in SCALES]


def test_the_thesis_is_rebuilt_table_by_table():
    expected = {f"heyden-table-{number}" for number in ("3.1", *(f"6.{n}" for n in range(1, 9)))}
    figures = {"3.1-3.2", "6.1-6.2", "6.3-6.4", "6.5-6.6", "6.7-6.8"}
    ours = {name for name, preset in PRESETS.items() if preset.paper.id == "heyden-2009"}
    expected.add("heyden-table-6.3-causes")
    further = {f"heyden-section-7.3-{name}" for name in ("pruning", "seats-3", "seats-4", "seats-5")}
    assert ours == expected | {f"heyden-figures-{number}" for number in figures} | {"heyden-figure-3.3"} | further
    assert registry.get("heyden-table-6.1").paper == papers.paper("heyden-2009")


def test_tables_and_figures_of_the_kingdomino_paper_are_rebuilt():
    ours = {name for name, preset in PRESETS.items() if preset.paper.id == "gedda-2018"}
    families = {f"gedda-table-3-{name}" for name in ("mce", "uct", "uctb", "uctw")}
    figures = {f"gedda-figure-{number}" for number in range(2, 9)}
    assert ours == {"gedda-table-1", "gedda-table-2", "gedda-table-3-program"} | families | figures


def test_every_number_of_wong_and_kang_is_rebuilt():
    ours = [PRESETS[name] for name in PRESETS if PRESETS[name].paper.id == "wong-kang"]
    exact = [int(cell.published) for preset in ours for cell in preset.cells if isinstance(cell.published, int)]
    # by Kingdomino's rule the same two numbers are counted by the program's search and by the rule
    assert sorted(set(exact)) == sorted({int(row["printed"]) for row in wong_kang.printed_numbers()})
    assert {preset.game for preset in ours} == {"kingdomino"}


def test_tables_and_figures_of_the_dominion_thesis_are_rebuilt():
    ours = {name for name, preset in PRESETS.items() if preset.paper.id == "jansen-2014"}
    single = {f"jansen-table-{n}" for n in (3, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 25, 27, 29, 31, 43)}
    several = {f"jansen-tables-{first}" for first in ("33-34", "36-42", "44-50", "53-56")}
    assert ours == single | several | {"jansen-figure-25", "jansen-figure-26", "jansen-variants"}


@pytest.mark.long
def test_every_scale_can_be_started(subtests):
    for preset, scale in RUNS:
        with subtests.test(preset=preset, scale=scale):
            chosen = PRESETS[preset].scales[scale]
            assert chosen.words
            assert len(PRESETS[preset].full_title) <= 180
            if chosen.is_study:
                assert study_specs.from_json(chosen.spec).game == PRESETS[preset].game
            else:
                assert specs.from_json(chosen.spec).game == PRESETS[preset].game


@pytest.mark.long
def test_quick_and_standard_keep_their_time_on_two_cores(subtests):
    for preset, scale in [run for run in RUNS if run[1] in LIMITS_S]:
        with subtests.test(preset=preset, scale=scale):
            chosen = PRESETS[preset].scales[scale]
            if chosen.is_study:
                spec = study_specs.from_json(chosen.spec)
                seconds = study_registry.get(spec.study).seconds(spec) / 2
            else:
                seconds = estimate.estimate(specs.from_json(chosen.spec), 2).seconds
            assert seconds <= LIMITS_S[scale]


@pytest.mark.long
def test_experiments_play_at_least_twenty_matches_for_a_cell(subtests):
    for preset in [name for name, found in PRESETS.items() if not found.scales["quick"].is_study]:
        with subtests.test(preset=preset):
            for scale in SCALES:
                spec = specs.from_json(PRESETS[preset].scales[scale].spec)
                assert spec.arm_matches(0) >= 20
                # in Kingdomino the order of the first choice is drawn, so that no seat is better than another
                assert spec.rotation == ("none" if spec.game == "kingdomino" else "all")


def test_every_figure_has_a_name_of_its_own_and_waits_without_results(subtests):
    for preset in PRESETS:
        with subtests.test(preset=preset):
            found = compare(PRESETS[preset], Numbers())
            names = [(row.group, row.label) for row in found.rows]
            assert len(set(names)) == len(names) > 0
            assert {row.verdict for row in found.rows} <= {NO_NUMBER, NOT_JUDGED}
            assert all(row.ours.value is None for row in found.rows)


REPOSITORY = Path(__file__).resolve().parents[3]
COLUMN = "The column beside it", "the column beside it"
PLACE = re.compile(r"\b(?:docs|worker)/[\w/.-]+\w")
TABLE = re.compile(
    r"\b(Tables?|Section|The preset|the preset|The row|This table|As published|stored with the project)\b"
)


def test_no_reason_is_without_evidence_or_called_open():
    """A reason with evidence says where it can be seen, in a place that there is; one without is shown as open."""
    reasons = {(preset, reason) for preset in PRESETS for reason in PRESETS[preset].reasons}
    assert len(reasons) > 20
    for preset, reason in reasons:
        assert reason.is_open == (not reason.evidence.strip()), preset
        assert reason.words.endswith("."), preset
        assert not (reason.tried and not all(what and figure for what, figure in reason.tried)), preset
        places = PLACE.findall(reason.evidence)
        assert all((REPOSITORY / place).exists() for place in places), reason.evidence
        has_column = any(word in reason.evidence for word in COLUMN)
        assert reason.is_open or has_column or places or TABLE.search(reason.evidence), reason.evidence
        if has_column:
            assert any(cell.as_run for cell in PRESETS[preset].cells if cell.reason == reason), preset
    for preset in ("jansen-table-25", "jansen-tables-36-42"):
        (reason,) = registry.get(preset).open
        assert len(reason.tried) >= 4
        assert all(any(letter.isdigit() for letter in figure) for _, figure in reason.tried)


def test_what_a_program_did_is_shown_by_its_source_or_called_open():
    """And one that was chosen since it comes near the print says so: its figures are then no evidence for it."""
    programs = {preset: found.program for preset, found in PRESETS.items() if found.program}
    assert {preset for preset, program in programs.items() if program.is_fitted} == {
        f"heyden-table-6.{number}" for number in (1, 2, 3)
    }
    for preset, program in programs.items():
        assert any(cell.as_run for cell in PRESETS[preset].cells), preset
        assert program.is_certain == (not program.doubt), preset
        assert program.is_certain or "is open" in program.known, preset
        assert program.is_fitted == ("chosen to fit" in program.known), preset
