"""The match page: every ply without a script, the trace, the board, and who may see them."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

import pytest
from django.test import Client

from games import registry as game_registry
from tests.webapp.lab.results import factory
from tests.webapp.lab.results.factory import FLAT, RANDOM, seat
from tests.webapp.pages import markup
from webapp.common.formats import count
from webapp.common.reply_actions import is_reply
from webapp.matches import replay, selectors, trace
from webapp.records.models import Match, Ply
from webapp.table.live import action_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(alice: Any) -> Match:
    return factory.played(alice, deals=1).matches.select_related("experiment").order_by("pk").first()


def _shown(page: str) -> str:
    found = re.search(r"move <span data-now>(\d+)</span>", markup(page))
    assert found
    return found[1]


class TestReplay:
    """Walking a match again."""

    @pytest.mark.long
    def test_every_position_is_the_recorded_one(self, match: Match) -> None:
        walked = replay.walk(match)
        assert walked.is_exact
        assert len(walked.standings) == match.num_plies + 1
        assert [s.scores for s in walked.standings[1:]] == [tuple(p.scores) for p in match.plies.order_by("ply")]

    def test_points_by_kind_add_up_to_the_scores_at_every_ply(self, match: Match) -> None:
        for standing in replay.walk(match).standings:
            for seat_index, score in enumerate(standing.scores):
                assert sum(points[seat_index] for points in standing.by_kind.values()) == score

    def test_what_is_open_adds_up_to_the_projected_scores(self, match: Match) -> None:
        for standing in replay.walk(match).standings:
            for seat_index, score in enumerate(standing.projected):
                still = sum(points[seat_index] for points in standing.open_by_kind.values())
                assert standing.scores[seat_index] + still == score

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_a_game_whose_points_lie_on_the_table_has_no_points_by_kind(self, alice: Any, seats: int) -> None:
        made = factory.played(alice, [[FLAT, *[RANDOM] * (seats - 1)]], deals=1, game="kingdomino")
        walked = replay.walk(made.matches.select_related("experiment").first())
        assert walked.is_exact
        assert walked.kinds == {}
        assert any(walked.standings[-1].scores)

    def test_plies_that_answer_to_something_are_told_apart(self, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        walked = replay.walk(match)
        action = match.plies.get(ply=0).action
        assert not is_reply(walked.game, walked.states[0], action)
        steps = tuple(
            dataclasses.replace(step, is_reply=step.name == walked.game.steps[0].name) for step in walked.game.steps
        )
        monkeypatch.setattr(type(walked.game), "steps", steps)
        assert is_reply(walked.game, walked.states[0], action)

    def test_a_changed_record_is_found_at_its_ply(self, match: Match) -> None:
        Ply.objects.filter(match=match, ply=30).update(digest=1)
        walked = replay.walk(match)
        assert walked.first_difference == 31
        assert not walked.is_exact

    def test_an_action_against_the_rules_ends_the_walk(self, match: Match) -> None:
        Ply.objects.filter(match=match, ply=30).update(action=2**30)
        walked = replay.walk(match)
        assert walked.error
        assert len(walked.standings) == 31
        assert len(selectors.page(match).moves) == 30


class TestWords:
    """Titles and tables."""

    def test_the_title_tells_the_result(self, match: Match) -> None:
        title = selectors.page(match).title
        first, second = sorted((row.score for row in match.seats.all()), reverse=True)
        assert title.endswith(f"{first} : {second}")
        assert "beats" in title or "draw" in title

    @pytest.mark.long
    def test_more_seats_name_the_winner_and_what_the_others_had(self, alice: Any) -> None:
        made = factory.experiment(alice, [[FLAT, RANDOM, seat("scripted")]], deals=1)
        factory.write(made, [factory.record(made, 0, 0)])
        match = made.matches.select_related("experiment").get()
        for scores, title in (
            ((50, 83, 9), "Random wins with 83 points against 50 and 9"),
            ((83, 83, 9), "Flat Monte Carlo and Random draw, 83 each, against 9"),
            ((7, 7, 7), "Flat Monte Carlo, Random and Scripted policy: greedy draw, 7 each"),
        ):
            leaders = [score == max(scores) for score in scores]
            for row, score, leads in zip(match.seats.order_by("lineup_index"), scores, leaders, strict=True):
                row.result = ("win" if sum(leaders) == 1 else "draw") if leads else "loss"
                row.score = score
                row.save()
            assert selectors.page(match).title == title

    def test_a_winner_has_the_name_of_its_seat_on_the_page(self, alice: Any) -> None:
        made = factory.experiment(alice, [[RANDOM, FLAT, RANDOM]], deals=1)
        factory.write(made, [factory.record(made, 0, 0)])
        match = made.matches.select_related("experiment").get()
        for row, score in zip(match.seats.order_by("seat"), (5, 9, 30), strict=True):
            row.result, row.score = "win" if score == 30 else "loss", score
            row.save()
        page = selectors.page(match)
        (winner,) = (card.name for card in page.seats if card.result == "win")
        assert page.title.startswith(f"{winner} wins with 30 points")

    def test_partners_win_and_lose_together(self, alice: Any) -> None:
        policies = (FLAT, RANDOM, seat("scripted"), RANDOM)
        made = factory.experiment(alice, [policies], deals=1)
        factory.write(made, [factory.record(made, 0, 0)])
        match = made.matches.select_related("experiment").get()
        match.plies.all().delete()
        match.experiment.game = "dominoes"
        pair = "2 \N{MULTIPLICATION SIGN} Random"
        others = "Flat Monte Carlo and greedy"
        won = f"{pair} beat {others}"
        for results, scores, title in (
            (("loss", "win"), (-105, -92), f"{won} 92 : 105 in points against them"),
            (("draw", "draw"), (-30, -30), f"{others} draw with {pair} 30 : 30 in points against them"),
        ):
            for row in match.seats.all():
                row.result, row.score = results[row.seat % 2], scores[row.seat % 2]
                row.save()
            assert selectors.page(match).title == title

    def test_the_end_shows_the_final_score_instead_of_what_is_open(self, match: Match) -> None:
        *_, before, last = selectors.page(match).frames
        assert (before["ended"], last["ended"]) == (False, True)
        assert last["open"] == [str(row.score) for row in match.seats.order_by("seat")]
        assert not any(last["open_kinds"].values())

    def test_alternatives_mark_the_move_played(self, match: Match) -> None:
        frames = selectors.page(match).frames
        assert frames[0]["weighed"] is None
        rows = frames[12]["weighed"]["rows"]
        assert [row["played"] for row in rows].count(True) == 1
        assert frames[12]["weighed"]["title"].startswith("What ")
        assert f"actions by {count(match.plies.get(ply=11).playouts)} playouts, 95" in frames[12]["weighed"]["subtitle"]
        assert rows[-1]["half"] == "±1.0"  # t with 39 degrees of freedom times 0.5
        assert len(frames) == match.num_plies + 1

    def test_moves_and_alternatives_stand_in_words(self, match: Match) -> None:
        page = selectors.page(match)
        for ply, move, frame in zip(page.plies, page.moves, page.frames[1:], strict=True):
            state = page.walked.states[ply.ply]
            assert move["held"] == page.walked.game.panel(state, None).held_label
            piece, short = page.walked.game.short_words(page.walked.game, state, ply.action)
            assert (move["held"], move["words"]) == (piece, action_words.capitalise(short))
            assert "piece-" in move["picture"]
            spelt = action_words.choice_line(page.walked.game, state, ply.action, page.names)
            assert f"{move['held']}: {move['words'].lower()}" in frame["said"]
            assert [row["words"] for row in frame["weighed"]["rows"] if row["played"]] in ([], [spelt])

    @pytest.mark.long
    def test_where_it_is_another_position_today_the_record_stands_in_notation(self, match: Match) -> None:
        match.plies.filter(ply=12).update(digest=1)
        page = selectors.page(match)
        in_notation = [move["words"] == move["notation"] for move in page.moves]
        assert in_notation == [ply > 12 for ply in range(match.num_plies)]
        rows = [row for frame in page.frames[14:] for row in frame["weighed"]["rows"]]
        assert rows
        assert all(row["words"] == row["notation"] for row in rows)

    def test_gains_name_what_others_got_in_brackets(self, match: Match) -> None:
        moves = selectors.page(match).moves
        total = 0
        for move in moves:
            total += sum(int(n.replace("\u2212", "-")) for n in re.findall(r"[+\u2212]\d+", move["points"]))
        assert total == sum(row.score for row in match.seats.all())

    def test_a_ply_without_stored_values_says_so(self, match: Match) -> None:
        Ply.objects.filter(match=match, ply=0).update(info={})
        page = selectors.page(match)
        assert page.frames[1]["weighed"]["title"] == "Nothing stored at move 1"
        assert page.has_weighed
        Ply.objects.filter(match=match).update(info={})
        assert not selectors.page(match).has_weighed


class TestTrace:
    """The download that the command line replays."""

    def test_the_trace_replays_without_a_difference(self, match: Match) -> None:
        data = json.loads(json.dumps(trace.build_trace(match)))
        plies, difference = game_registry.get("carcassonne").replay_trace(data)
        assert (plies, difference) == (match.num_plies, None)
        assert data["final"]["scores"] == [row.score for row in match.seats.order_by("seat")]

    def test_the_file_is_one_line_for_games_replay(self, match: Match, alice: Any, client: Client) -> None:
        client.force_login(alice)
        answer = client.get(f"/matches/{match.pk}/trace.json")
        assert b"\n" not in answer.content
        assert answer["Content-Disposition"].endswith(f'filename="meeple-lab-match-{match.pk}-trace.json"')

    def test_no_plies_no_trace(self, alice: Any, client: Client) -> None:
        made = factory.played(alice, deals=1, record="matches")
        client.force_login(alice)
        assert client.get(f"/matches/{made.matches.first().pk}/trace.json").status_code == 404


class TestPage:
    """What a browser without scripts gets."""

    def test_a_link_to_a_ply_shows_that_ply(self, match: Match, alice: Any, client: Client) -> None:
        client.force_login(alice)
        page = client.get(f"/matches/{match.pk}/?ply=47").content.decode()
        assert _shown(page) == "47"
        assert re.search(r'data-move="47"[^>]*aria-current="true"', page)
        assert 'href="?ply=46"' in page
        assert 'href="?ply=48"' in page
        frame = selectors.page(match).frames[47]
        assert all(f">{score}</strong>" in page for score in frame["scores"])
        assert "Replays exactly" in page

    @pytest.mark.long
    def test_nonsense_shows_the_end(self, match: Match, alice: Any, client: Client, subtests: pytest.Subtests) -> None:
        for asked, shown in [("", "71"), ("?ply=0", "0"), ("?ply=900", "71"), ("?ply=x", "71"), ("?ply=-3", "71")]:
            with subtests.test(asked=asked, shown=shown):
                client.force_login(alice)
                assert _shown(client.get(f"/matches/{match.pk}/{asked}").content.decode()) == shown

    def test_it_leads_back_to_its_experiment_and_to_sharing(self, match: Match, alice: Any, client: Client) -> None:
        client.force_login(alice)
        page = markup(client.get(f"/matches/{match.pk}/"))
        assert '<a href="/experiments/">Experiments</a> / ' in page
        assert f'<a href="/experiments/{match.experiment_id}/">' in page
        assert not re.search(r">\s*Arm 0\s*<", page), "the only arm needs no name"
        share = re.search(r'href="([^"]+/share/)"', page[page.index("theatre-tools") :])
        assert share
        assert client.get(share[1]).status_code == 200, "asks first"
        assert client.post(share[1], follow=True).redirect_chain[-1][0].startswith("/r/")

    def test_strangers_and_guests_get_404_everywhere(self, match: Match, bob: Any, client: Client) -> None:
        for tail in ("", "board.svg", "trace.json", "export/plies.csv"):
            assert client.get(f"/matches/{match.pk}/{tail}").status_code == 404
        client.force_login(bob)
        for tail in ("", "board.svg", "trace.json", "export/plies.csv"):
            assert client.get(f"/matches/{match.pk}/{tail}").status_code == 404

    def test_the_board_of_a_ply_is_a_file_of_its_own(self, match: Match, alice: Any, client: Client) -> None:
        client.force_login(alice)
        answer = client.get(f"/matches/{match.pk}/board.svg?ply=3")
        assert answer["Content-Type"] == "image/svg+xml"
        assert answer.content.startswith(b"<svg")
        assert "ply-3.svg" in answer["Content-Disposition"]

    def test_a_failed_match_says_why_and_shows_what_was_played(self, alice: Any, client: Client) -> None:
        made = factory.experiment(alice, deals=1)
        factory.write(made, [factory.record(made, 0, 0, fail_at=20)])
        client.force_login(alice)
        page = client.get(f"/matches/{made.matches.get().pk}/").content.decode()
        assert "failed at move 21" in page
        assert "no move came to mind" in page
        assert _shown(page) == "20"

    def test_a_match_that_failed_at_once_has_no_board(self, alice: Any, client: Client) -> None:
        made = factory.experiment(alice, deals=1)
        factory.write(made, [factory.record(made, 0, 0, fail_at=0)])
        client.force_login(alice)
        page = client.get(f"/matches/{made.matches.get().pk}/").content.decode()
        assert "Only the reason why it failed was kept." in page

    def test_results_without_plies_say_so(self, alice: Any, client: Client) -> None:
        made = factory.played(alice, deals=1, record="matches")
        client.force_login(alice)
        page = client.get(f"/matches/{made.matches.first().pk}/").content.decode()
        assert "This experiment keeps results only." in page
        assert client.get(f"/matches/{made.matches.first().pk}/board.svg").status_code == 404

    def test_what_does_not_replay_is_said_with_versions(self, match: Match, alice: Any, client: Client) -> None:
        Ply.objects.filter(match=match, ply=30).update(digest=1)
        client.force_login(alice)
        page = client.get(f"/matches/{match.pk}/").content.decode()
        assert "From move 31 on, the position is not the recorded one." in page
        assert "Replays exactly" not in page
