"""The position page without a script: who may see and start what, and what it says."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client

from engines import registry as engine_registry
from games import registry
from tests.webapp.lab.results import factory
from tests.webapp.matches.positions.answering import FLAT, PLY, RANDOM, address, answer, posted, star, start, text
from tests.webapp.pages import markup
from tests.worker.studies.thinkers import ENGINES
from webapp.lab.jobs import share_links as sharing
from webapp.matches.positions import forms, presets, services
from webapp.matches.positions.analysis import analysis, board
from webapp.matches.positions.situation import situation
from webapp.records.models import Match, Ply, Study
from webapp.table.live import action_words
from worker.spec import SpecError

pytestmark = pytest.mark.django_db


@pytest.fixture
def _thinkers(monkeypatch: pytest.MonkeyPatch) -> None:
    for engine in ENGINES:
        monkeypatch.setitem(engine_registry.ENGINES, engine.id, f"tests.worker.studies.thinkers:{engine.__name__}")


class TestPosition:
    """What is said about the position itself."""

    @pytest.mark.long
    def test_it_shows_the_match_after_that_many_plies(self, match: Match, owner: Client) -> None:
        here = situation(match, PLY)
        page = text(owner.get(address(match)))
        assert here.on_turn
        assert f"{here.on_turn.name} is on turn. Drawn since the move before: {here.drawn}." in page
        played = match.plies.get(ply=PLY)
        words = action_words.choice_line(here.game, here.state, played.action, here.names)
        assert f"{played.legal_count} legal actions. Played in the match: {words}." in page
        assert here.played == played.action
        assert [seat.score for seat in here.seats] == [str(n) for n in match.plies.get(ply=PLY - 1).scores]

    @pytest.mark.long
    def test_the_drawn_tile_is_that_of_the_ply_played(self, match: Match) -> None:
        for ply in range(match.num_plies):
            here = situation(match, ply)
            assert here.drawn == here.game.panel(here.state, None).held_label

    @pytest.mark.long
    def test_a_bad_ply_shows_the_end_where_nobody_is_on_turn(
        self, match: Match, owner: Client, subtests: pytest.Subtests
    ) -> None:
        for ply in ["", "x", "-1", "900", "1e3", "99999999999"]:
            with subtests.test(ply=ply):
                page = text(owner.get(address(match, ply)))
                assert "The end of the match" in page
                assert "Step back to an earlier move" in page
                assert "Ask engines" not in page
                assert (f"This match has no move “{ply[:19]}" in page) == bool(ply)

    def test_a_failed_match_is_analysed_up_to_where_it_failed(self, alice: Any, owner: Client) -> None:
        made = factory.experiment(alice, deals=1)
        factory.write(made, [factory.record(made, 0, 0, fail_at=20)])
        failed = made.matches.get()
        assert "is on turn" in text(owner.get(address(failed)))
        found = owner.post(address(failed), posted(failed))
        assert found.status_code == 302
        assert failed.studies.get().ply == 12

    @pytest.mark.long
    def test_what_does_not_replay_is_not_comparable(self, match: Match, owner: Client) -> None:
        data = posted(match)
        Ply.objects.filter(match=match, ply=30).update(digest=1)
        page = text(owner.get(address(match)))
        assert "Not comparable: this match does not replay exactly" in page
        assert "Ask engines" not in page
        assert "Not comparable" in text(owner.post(address(match), data))
        assert not Study.objects.exists()

    def test_the_poll_of_a_match_that_no_longer_replays_is_empty(self, match: Match, owner: Client, alice: Any) -> None:
        study = answer(start(alice, match))
        Ply.objects.filter(match=match, ply=30).update(digest=1)
        assert owner.get(f"/matches/{match.pk}/position/live/?analysis={study.pk}&version=x").status_code == 204

    def test_without_plies_there_is_no_position(self, alice: Any, owner: Client) -> None:
        made = factory.played(alice, deals=1, record="matches")
        assert "No moves of this match were kept" in text(owner.get(address(made.matches.first())))

    def test_the_match_page_leads_here(self, match: Match, owner: Client) -> None:
        assert (
            f'href="/matches/{match.pk}/position/?ply=12"' in owner.get(f"/matches/{match.pk}/?ply=12").content.decode()
        )


class TestStart:
    """From the form to a study."""

    def test_it_starts_on_the_queue_of_analyses_and_shows_it(self, match: Match, owner: Client, alice: Any) -> None:
        response = owner.post(address(match), posted(match, FLAT, star("star1")))
        study = Study.objects.get()
        assert response["Location"] == address(match, analysis=study.pk)
        assert (study.owner, study.match, study.ply) == (alice, match, PLY)
        assert (study.queue, study.kind, study.num_pieces) == ("analysis", "position", 2)
        assert study.title == f"Move 12 of match {match.pk}: Flat Monte Carlo, Star1"
        actions = list(match.plies.order_by("ply").values_list("action", flat=True)[:PLY])
        assert study.spec["parameters"]["actions"] == actions
        page = text(owner.get(response["Location"]))
        assert "0 of 2 done" in page
        assert "waiting for a worker" in page

    @pytest.mark.long
    def test_the_same_form_twice_is_one_study(self, match: Match, owner: Client) -> None:
        data = posted(match)
        first, second = owner.post(address(match), data), owner.post(address(match), data)
        assert first["Location"] == second["Location"]
        assert Study.objects.count() == 1
        owner.post(address(match), posted(match))
        assert Study.objects.count() == 2

    @pytest.mark.long
    def test_few_may_be_at_work_at_once(self, match: Match, owner: Client, alice: Any, bob: Any) -> None:
        start(bob, match)
        studies = [start(alice, match, ply=ply) for ply in range(services.MAX_AT_WORK - 1)]
        data = posted(match)
        assert owner.post(address(match), data).status_code == 302
        page = text(owner.post(address(match), posted(match)))
        assert "3 of your analyses are still at work" in page
        assert owner.post(address(match), data).status_code == 302, "the same form again is no new one"
        assert Study.objects.filter(owner=alice).count() == services.MAX_AT_WORK
        answer(studies[0])
        assert owner.post(address(match), posted(match)).status_code == 302

    def test_a_number_that_is_none_is_told_at_its_field(self, match: Match, owner: Client) -> None:
        page = owner.post(address(match), posted(match, FLAT, FLAT) | {"run-1-budget-amount": "many"})
        assert "Nothing has started." in text(page)
        assert '<a href="#id_run-1-budget-amount">Engine 2, Amount</a>' in page.content.decode()
        assert not Study.objects.exists()

    def test_an_option_out_of_bounds_is_told(self, match: Match, owner: Client) -> None:
        page = owner.post(address(match), posted(match, star("star2.5")) | {"run-0-option-probing": "0"})
        assert re.search(r"Engine 1, Probing factor ?: Enter a whole number, 1 to 1.000\.", text(page))
        assert not Study.objects.exists()

    def test_what_would_take_too_long_is_refused_with_a_figure(self, match: Match, owner: Client) -> None:
        page = text(owner.post(address(match), posted(match, star("expectimax", depth=4))))
        assert "Would take about" in page
        assert "one engine may take 60 s here" in page
        assert not Study.objects.exists()

    def test_what_no_machine_finishes_takes_far_too_long(self, match: Match, owner: Client) -> None:
        page = text(owner.post(address(match), posted(match, star("expectimax", depth=20))))
        assert "Would take far too long in this position" in page
        assert not Study.objects.exists()

    def test_seconds_are_taken_at_their_word(self, match: Match, alice: Any) -> None:
        here = situation(match, PLY)
        services.start(alice, here, [{"engine": "flat_mc", "budget": {"seconds_per_ply": 60}}], 1)
        with pytest.raises(SpecError, match=r"parameters\.runs\[0\]\.budget: would take"):
            services.start(alice, here, [{"engine": "flat_mc", "budget": {"seconds_per_ply": 61}}], 1)

    @pytest.mark.long
    def test_an_engine_that_refuses_is_told_at_its_field(self, alice: Any, owner: Client) -> None:
        made = factory.played(alice, [[FLAT, RANDOM, RANDOM]], deals=1)
        match = made.matches.select_related("experiment").first()
        run = star("star1")
        page = owner.post(address(match), posted(match, run) | {"run-0-option-opponents": "maxn"})
        assert not Study.objects.exists()
        assert "Nothing has started." in text(page)

    def test_a_changed_engine_is_shown_before_it_starts(self, match: Match, owner: Client) -> None:
        page = text(owner.post(address(match), posted(match) | {"run-0-engine": "uct"}))
        assert "Look once more." in page
        assert not Study.objects.exists()

    @pytest.mark.long
    def test_buttons_change_the_form(self, match: Match, owner: Client, subtests: pytest.Subtests) -> None:
        for action, engines in [
            ("add", ["flat_mc", "random", "flat_mc"]),
            ("remove:0", ["random"]),
            ("remove:7", ["flat_mc", "random"]),
            ("preset:star", ["expectimax"] * 4),
            ("preset:uct", ["uct"] * 2),
            ("preset:none", ["flat_mc", "random"]),
            ("nonsense", ["flat_mc", "random"]),
        ]:
            with subtests.test(action=action, engines=engines):
                page = owner.post(address(match), posted(match, FLAT, RANDOM) | {"do": action}).content.decode()
                assert re.findall(r'name="run-\d-for" value="(\w+)"', page) == engines
                assert not Study.objects.exists()

    @pytest.mark.long
    def test_the_presets_can_be_started_as_they_are(self, match: Match, owner: Client) -> None:
        game = situation(match, PLY).game
        offered = forms.AnalysisForm({}, game).presets
        assert [preset.id for preset in offered] == ["star", "uct", "flat"]
        for preset in offered:
            data = forms.apply_button(forms.complete({}, game), f"preset:{preset.id}", game)
            assert owner.post(address(match), forms.complete(data, game)).status_code == 302
        assert list(Study.objects.order_by("pk").values_list("num_pieces", flat=True)) == [4, 2, 1]

    def test_every_preset_of_a_game_is_one_that_it_takes(self, subtests: pytest.Subtests) -> None:
        for game_id in registry.ids():
            with subtests.test(game_id=game_id):
                game = registry.get(game_id)
                for run in [run for preset in presets.fitting_presets(game) for run in preset.runs]:
                    assert engine_registry.make(run["engine"], run["options"]).refuses(game) is None

    @pytest.mark.long
    def test_six_engines_are_the_most(self, match: Match, owner: Client) -> None:
        page = owner.post(address(match), posted(match, *[FLAT] * 6) | {"do": "add", "runs": "60"}).content.decode()
        assert len(re.findall(r'name="run-\d-for"', page)) == 6
        assert "Add an engine" not in page


class TestFindings:
    """What the answers look like."""

    @pytest.mark.long
    def test_each_answer_stands_in_the_table_and_on_the_board(self, match: Match, owner: Client, alice: Any) -> None:
        study = answer(start(alice, match, FLAT, RANDOM))
        found = analysis(situation(match, PLY), study)
        flat, chance = found.runs
        page = markup(owner.get(address(match)))
        for run in (flat, chance):
            assert run.row["notation"] in html.unescape(page)
            assert f'data-show="{run.choice}"' in page
        assert "Random keeps no values of the actions it did not choose." in html.unescape(page)
        assert len(flat.moves) == match.plies.get(ply=PLY).legal_count
        assert [move.is_chosen for move in flat.moves].count(True) == 1
        assert [move.is_played for move in flat.moves].count(True) == 1
        assert all(re.fullmatch(r"±[\d.\u202f]+", move.half) for move in flat.moves)
        svg = board(situation(match, PLY), found)
        drawn = {int(n) for numbers in re.findall(r'data-variation="([\d ]+)"', svg) for n in numbers.split()}
        assert drawn == set(range(len(found.states)))

    def test_ten_moves_and_the_chosen_one_are_open(self, match: Match, alice: Any) -> None:
        (flat,) = analysis(situation(match, PLY), answer(start(alice, match, FLAT))).runs
        open_moves = [move for move in flat.moves if not move.is_further]
        assert flat.num_further == len(flat.moves) - len(open_moves) > 0
        assert [move.is_further for move in flat.moves if move.is_played] == [False]
        assert 10 <= len(open_moves) <= 11
        assert any(move.is_chosen for move in open_moves)

    @pytest.mark.long
    def test_the_star_family_agrees_and_shows_its_share(self, match: Match, owner: Client, alice: Any) -> None:
        study = answer(
            start(alice, match, star("expectimax", 2), star("star1", 2), star("star2", 2), star("star2.5", 2))
        )
        runs = analysis(situation(match, PLY), study).runs
        assert [run.name for run in runs] == ["Expectimax", "Star1", "Star2", "Star2.5"]
        assert [run.beside.is_equal if run.beside else None for run in runs] == [None, True, True, True]
        page = text(owner.get(address(match)))
        assert page.count("of Expectimax") == 3
        assert "differs" not in page
        assert "at most" in page

    @pytest.mark.usefixtures("_thinkers")
    def test_a_line_is_told_step_by_step(self, match: Match, alice: Any) -> None:
        study = answer(start(alice, match, {"engine": "liner", "options": {"length": 5}}))
        found = analysis(situation(match, PLY), study)
        (run,) = found.runs
        assert [step.is_chance for step in run.line] == [False, True, False, True, False]
        assert [step.step for step in run.line] == [1, 1, 2, 2, 3]
        assert [step.seat for step in run.line if not step.is_chance] == [0, 1, 0]
        assert run.num_steps == len(found.states[run.line_variation]) == 3
        assert [move.is_bound for move in run.moves[:3]] == [False, True, False]
        assert [bool(move.half) for move in run.moves[:2]] == [True, False]

    @pytest.mark.usefixtures("_thinkers")
    def test_an_engine_that_fails_leaves_the_others(self, match: Match, owner: Client, alice: Any) -> None:
        answer(start(alice, match, {"engine": "failing"}, FLAT))
        page = text(owner.get(address(match)))
        assert "RuntimeError: no move came to mind" in page
        assert "Flat Monte Carlo" in page

    def test_a_stored_line_of_other_rules_is_shown_as_far_as_it_goes(self, match: Match, alice: Any) -> None:
        study = answer(start(alice, match, star("star1", 2)))
        piece = study.pieces.get()
        piece.row["line"][-1][1] = 2**30
        piece.save()
        found = analysis(situation(match, PLY), study)
        assert len(found.states[found.runs[0].line_variation]) == found.runs[0].num_steps - 1

    @pytest.mark.long
    def test_what_is_stored_is_shown_again_and_earlier_ones_are_listed(
        self, match: Match, owner: Client, alice: Any
    ) -> None:
        first, second = answer(start(alice, match, FLAT)), answer(start(alice, match, RANDOM))
        elsewhere = start(alice, match, FLAT, ply=20)
        latest = markup(owner.get(address(match)))
        assert f'analysis={second.pk}" aria-current="true"' in latest
        page = markup(owner.get(address(match, analysis=first.pk)))
        for study in (first, second):
            assert f'href="?ply=12&amp;analysis={study.pk}"' in page
        assert f'analysis={first.pk}" aria-current="true"' in page
        assert '<a href="?ply=20">20</a>' in page
        assert owner.get(address(match, analysis=elsewhere.pk)).status_code == 404
        assert owner.get(address(match, analysis=10**8)).status_code == 404

    def test_the_form_starts_with_what_was_asked(self, match: Match, owner: Client, alice: Any) -> None:
        start(alice, match, star("star2", 2), RANDOM)
        page = owner.get(address(match)).content.decode()
        assert re.findall(r'name="run-\d-for" value="(\w+)"', page) == ["expectimax", "random"]
        assert '<option value="star2" selected>' in page

    @pytest.mark.long
    def test_a_budget_is_said_once_and_nodes_are_explained(self, match: Match, owner: Client, alice: Any) -> None:
        many = FLAT | {"budget": {"playouts": 1000}}
        study = answer(start(alice, match, FLAT, many))
        first, second = analysis(situation(match, PLY), study).runs
        assert second.name.endswith("1\u202f000 playouts a ply")
        assert "playouts" not in second.description
        assert first.name != second.name
        assert "A node is one move made" in text(owner.get(address(match)))
        answer(start(alice, match, RANDOM))
        assert "A node is one move made" not in text(owner.get(address(match)))

    @pytest.mark.long
    def test_polling_says_nothing_until_there_is_news(self, match: Match, owner: Client, alice: Any) -> None:
        study = start(alice, match, FLAT, RANDOM)
        page = markup(owner.get(address(match))).partition("<main")[2]
        live = html.unescape(re.search(r'hx-get="([^"]+)" hx-trigger="poll"', page)[1])
        assert owner.get(live).status_code == 204
        answer(study, 1)
        news = markup(owner.get(live))
        assert "1 of 2 done" in news
        assert 'hx-swap-oob="true"' in news
        live = html.unescape(re.search(r'hx-get="([^"]+)" hx-trigger="poll"', news)[1])
        assert ", at work" in news
        answer(study)
        ended = owner.get(live).content.decode()
        assert "data-poll" not in ended
        assert 'id="listed"' in ended
        assert ", at work" not in ended, "the list of analyses ends with the analysis"


class TestStudyPage:
    """The same analysis among the studies."""

    @pytest.mark.long
    def test_it_shows_a_row_for_each_engine_and_leads_to_the_board(
        self, match: Match, owner: Client, alice: Any
    ) -> None:
        study = answer(start(alice, match, star("star1", 2), RANDOM))
        response = owner.get(f"/studies/{study.pk}/")
        page = text(response)
        assert "After 12 plies" in page
        for piece in study.pieces.all():
            assert piece.row["notation"] in page
        assert f"/matches/{match.pk}/position/?ply=12&amp;analysis={study.pk}" in response.content.decode()
        assert f'href="/studies/{study.pk}/"' in owner.get(address(match)).content.decode()

    def test_before_the_first_answer_it_says_so(self, match: Match, owner: Client, alice: Any) -> None:
        assert "No result yet" in text(owner.get(f"/studies/{start(alice, match).pk}/"))

    def test_the_study_of_a_visitor_leads_to_no_page_that_he_may_not_see(
        self, match: Match, visitor: Client, bob: Any
    ) -> None:
        study = answer(start(bob, match, RANDOM))
        assert f"/matches/{match.pk}/" not in visitor.get(f"/studies/{study.pk}/").content.decode()

    def test_it_says_who_sees_it(self, match: Match, owner: Client, alice: Any) -> None:
        study = start(alice, match, RANDOM)
        assert "only you see it" in text(owner.get(f"/studies/{study.pk}/"))
        link = sharing.share(match.experiment)
        page = owner.get(f"/studies/{study.pk}/")
        assert "visible to anybody with the link of its match" in text(page)
        assert f"/r/{link.slug}/" in page.content.decode()
        Study.objects.update(archived_at=study.created_at)
        assert "only you see it" in text(owner.get(f"/studies/{study.pk}/"))
        Study.objects.update(archived_at=None)
        sharing.withdraw(link)
        assert "only you see it" in text(owner.get(f"/studies/{study.pk}/"))

    def test_deleting_the_match_keeps_the_study(self, match: Match, owner: Client, alice: Any) -> None:
        study = answer(start(alice, match, RANDOM))
        owner.post(f"/experiments/{match.experiment_id}/delete/")
        study.refresh_from_db()
        assert study.match is None
        assert "Chosen most" in text(owner.get(f"/studies/{study.pk}/"))
