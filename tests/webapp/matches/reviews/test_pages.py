"""The analysis of a match: who asks for it, who sees it, what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games import registry as game_registry
from tests.webapp.matches.positions.answering import answer
from tests.webapp.pages import markup, names_person
from tests.webapp.table.live import tables
from webapp.common import naming
from webapp.common.errors import RefusedError
from webapp.lab.jobs import services as jobs
from webapp.lab.jobs import share_links as sharing
from webapp.lab.studies import results
from webapp.lab.studies import selectors as studies
from webapp.matches.reviews import services, summary
from webapp.people.accounts import guests
from webapp.people.accounts.models import User
from webapp.records.models import Match, Study
from webapp.table.live import guest_matches, player_requests
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import SeatPlan

pytestmark = pytest.mark.django_db


def record(played: LiveMatch) -> Match:
    return Match.objects.select_related("experiment").get(pk=played.match_id)


@pytest.mark.long
def test_a_player_asks_and_everybody_who_may_see_the_match_reads_it(
    client: Client, played: LiveMatch, alice: Any, bob: Any
) -> None:
    base = f"/play/{played.code}/replay/review/"
    client.force_login(bob)
    assert "Analyse the match" in client.get(base).content.decode()
    assert client.post(base, {"playouts": "200"}).status_code == 302
    study = Study.objects.get()
    assert (study.owner, study.asked_by) == (alice, bob), "the match is alice's, who set it up"
    assert (study.match_id, study.queue) == (played.match_id, "analysis")
    for path in ("", "pause/", "delete/", "spec.json"):
        assert client.get(f"/studies/{study.pk}/{path}").status_code in (404, 405)
    assert client.post(f"/studies/{study.pk}/pause/").status_code == 404
    assert client.post(f"/studies/{study.pk}/share/").status_code == 404
    client.force_login(alice)
    client.post(base, {"playouts": "200"})
    assert Study.objects.count() == 1, "the same analysis is not made twice"
    answer(study, pieces=2)
    some = client.get(base).content.decode()
    assert f"2 of {study.num_pieces} decisions" in some
    assert "Luck and play" not in some
    answer(study)
    whole = client.get(base).content.decode()
    for words in ("Luck and play", "Expected margin", "Luck of the draws", "alice", "bob"):
        assert words in whole
    ply = re.search(r"\?board=(\d+)", whole)[1]  # type: ignore[index]
    boards = markup(client.get(f"{base}?board={ply}"))
    assert re.findall(r'<figcaption class="small"><strong>(\w+)', boards) == ["Played", "Better"]
    assert boards.count('class="board-still"') == len(re.findall(r'class="board-still"[^>]*><svg', boards)) == 2
    assert client.get(f"{base}?board=999").status_code == 404
    link = sharing.share(record(played).experiment, record(played))
    client.logout()
    shared = client.get(f"/r/{link.slug}/review/").content.decode()
    assert "Luck and play" in shared
    assert not names_person(shared, "bob"), "others are called by their seats"
    assert client.get(base).status_code == 404


def test_what_is_known_already_is_not_sent_again(client: Client, played: LiveMatch, alice: Any) -> None:
    client.force_login(alice)
    study = services.start(alice, record(played), 200)
    told = client.get(f"/matches/{played.match_id}/review/", headers={"hx-request": "true"}).context["told"]
    address = f"/matches/{played.match_id}/review/?version={told.version}"
    assert client.get(address).status_code == 204
    answer(study, pieces=1)
    assert client.get(address).status_code == 200


@pytest.mark.long
def test_decisions_stand_in_the_words_of_the_table(client: Client, played: LiveMatch, alice: Any) -> None:
    client.force_login(alice)
    answer(services.start(alice, record(played), 200))
    told = client.get(f"/play/{played.code}/replay/review/").context["told"]
    rows = [*told.mistakes, *told.doubtful]
    names = ["you", *played.seats.order_by("seat").values_list("name", flat=True)[1:]]
    at_table = {
        ply + 1: (naming.with_names(words, names), notation)
        for ply, words, notation in played.plies.values_list("ply", "words", "notation")
    }
    assert rows
    assert all(words != notation for words, notation in at_table.values())
    assert [f"{row.held}: {row.played.lower()}" for row in rows] == [at_table[row.ply][0] for row in rows]
    assert all(row.best[0].isupper() and row.best != row.played for row in rows)


@pytest.mark.long
def test_both_boards_are_drawn_from_the_seat_that_moved(
    client: Client, played: LiveMatch, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[Any, ...]] = []

    def replay_svg(game: Any, states: Any, *, seat: int, ply: int, prefix: str) -> str:
        drawn.append((seat, ply, len(states)))
        return "<svg/>"

    monkeypatch.setattr(type(game_registry.get(played.game)), "replay_svg", replay_svg)
    study = answer(services.start(alice, record(played), 200))
    row = next(row for row in results.current(study).result["decisions"] if row["loss"] > 0 and row["seat"] == 1)
    client.force_login(alice)
    client.get(f"/play/{played.code}/replay/review/?board={row['ply'] + 1}")
    assert drawn == [(1, row["ply"] + 1, row["ply"] + 2)] * 2


@pytest.mark.long
def test_the_study_tells_it_in_tables(played: LiveMatch, alice: Any) -> None:
    study = answer(services.start(alice, record(played), 200))
    parts, end = results.current(study).result["parts"], results.current(study).result["end"]
    for side in (0, 1):
        assert sum(parts[side][name][0] for name in summary.LABELS) == pytest.approx(end[side][0])
        bars = summary._margin(results.current(study).result, summary.Side(side, "")).parts
        assert min(bar.start for bar in bars) >= 0
        assert max(bar.start + bar.width for bar in bars) <= 100.01
    shown = studies.presentation_of(study)
    assert (shown.problem, shown.parts[0].section.title) == ("", "Luck and play")


@pytest.mark.long
def test_a_match_that_somebody_left_is_analysed_as_far_as_it_came(client: Client, alice: Any, bob: Any) -> None:
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)], game="toy"), 2)
    player_requests.grant("resign", match.pk, (0,))
    match.refresh_from_db()
    study = services.start(alice, record(match), 200)
    client.force_login(bob)
    page = f"/play/{match.code}/replay/review/"
    assert page in client.get(f"/play/{match.code}/replay/").content.decode()
    answer(study)
    told = client.get(page).context["told"]
    assert told.cut.startswith("The match ended early, after move 2.")
    assert [margin.total.label for margin in told.margins] == ["Expected margin"] * 2
    assert all(margin.total.half for margin in told.margins)
    assert [ply for ply, _ in told.curve.lines[0].points] == [0, 1, 2]
    shown = client.get(page).content.decode()
    assert told.cut in shown
    assert "where the match was cut short" in shown
    assert studies.presentation_of(study).parts[0].section.tables[0].title.endswith("cut short")


def test_a_match_without_a_ply_is_refused(played: LiveMatch, alice: Any) -> None:
    found = record(played)
    found.plies.all().delete()
    with pytest.raises(RefusedError, match="No moves"):
        services.start(alice, found, 200)


def test_who_has_too_many_at_work_waits(played: LiveMatch, alice: Any) -> None:
    services.start(alice, record(played), 200)
    services.start(alice, record(played), 500)
    with pytest.raises(RefusedError, match="still at work"):
        services.start(alice, record(played), 2000)
    with pytest.raises(RefusedError, match="playouts"):
        services.start(alice, record(played), 7)


def test_a_guests_analysis_stays_with_the_account(alice: Any) -> None:
    guest = User.objects.create(username=f"{guests.NAME}12ab", is_guest=True)
    seats = [SeatPlan(name="Guest", person=guest), tables.engine()]
    match = tables.play_on(tables.open_match(guest, seats, game="toy"))
    study = services.start(guest, record(match), 200)
    guest_matches.adopt(guest.pk, alice)
    study.refresh_from_db()
    assert (study.owner, study.asked_by) == (alice, alice)


@pytest.mark.long
def test_who_has_the_link_asks_without_rights_and_loses_sight_with_it(
    client: Client, played: LiveMatch, alice: Any
) -> None:
    link = sharing.share(record(played).experiment, record(played))
    carol = User.objects.create_user("carol", password="password")
    client.force_login(carol)
    assert client.post(f"/r/{link.slug}/review/", {"playouts": "200"}).status_code == 302
    study = answer(Study.objects.get())
    assert "Luck and play" in client.get(f"/r/{link.slug}/review/").content.decode()
    sharing.withdraw(link)
    assert client.get(f"/r/{link.slug}/review/").status_code == 410
    assert client.get(f"/studies/{study.pk}/").status_code == 404
    carol.delete()
    study.refresh_from_db()
    assert (study.owner, study.asked_by) == (alice, None)


def test_it_goes_with_the_match(played: LiveMatch, alice: Any) -> None:
    answer(services.start(alice, record(played), 200), pieces=1)
    Study.objects.update(status=Study.Status.STOPPED)
    jobs.delete(record(played).experiment)
    assert not Study.objects.exists()
