"""The replay of a played match, and what is opened with it."""

from __future__ import annotations

import hashlib
import re

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client
from django.utils import timezone

from tests.webapp.matches.positions import answering
from tests.webapp.pages import names_person
from tests.webapp.table.live import tables
from webapp.common import public_answers
from webapp.lab.jobs import share_links as services
from webapp.lab.results.sides import lineups
from webapp.matches.selectors import page as page_of
from webapp.people.accounts import guests
from webapp.records.models import Experiment, Match, ShareLink
from webapp.sharing import card, public
from webapp.table.live import departures, match_end, player_requests, ply_writer
from webapp.table.live.models import LiveMatch
from webapp.table.live.plans import Terms

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(alice, bob) -> LiveMatch:
    return tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]))


@pytest.mark.long
def test_players_step_through_it(client, played, bob):
    client.force_login(bob)
    response = client.get(f"/play/{played.code}/replay/?ply=3")
    text = response.content.decode()
    assert response.context["page"].num_plies == 71
    assert "Replays exactly" in text
    assert "alice" in response.context["page"].title
    assert not re.search(r">Share\s*</a>", text), "it is alice's to share"


@pytest.mark.long
@pytest.mark.parametrize("sat_there", [True, False])
def test_an_analysis_leads_back_to_a_table_where_one_sat(client, played, bob, sat_there):
    owner = bob if sat_there else get_user_model().objects.create_user("carol", "carol@example.org", "password")
    study = answering.start(owner, played.match, ply=3)
    client.force_login(owner)
    text = client.get(f"/studies/{study.pk}/").content.decode()
    found = re.findall(rf'href="(/play/{played.code}/[^"]*)"', text)
    assert len(found) == (2 if sat_there else 0), "to the board and to the match"
    for address in found:
        assert client.get(address.replace("&amp;", "&")).status_code == 200


@pytest.mark.long
def test_all_who_sat_at_the_table_analyse_positions(client, played, alice, bob):
    replay = f"/play/{played.code}/replay/"
    LiveMatch.objects.filter(pk=played.pk).update(visibility="public")
    for person in (alice, bob):
        client.force_login(person)
        address = re.search(r'href="([^"]*position/\?ply=\d+)"', client.get(f"{replay}?ply=3").content.decode())[1]
        page = client.get(address.replace("&amp;", "&"))
        assert (page.status_code, page.context["here"].ply) == (200, 3)
    client.logout()
    assert "position/" not in client.get(replay).content.decode(), "a guest's request would be refused"
    assert client.get(f"{replay}position/").status_code == 404


@pytest.mark.long
def test_its_files_are_there(client, played, alice, subtests):
    for part in ["board.svg?ply=3", "trace.json", "export/plies.csv", "export/matches.jsonl"]:
        with subtests.test(part=part):
            client.force_login(alice)
            assert client.get(f"/play/{played.code}/replay/{part}").status_code == 200


@pytest.mark.long
def test_links_of_the_page_lead_somewhere(client, played, alice):
    client.force_login(alice)
    text = client.get(f"/play/{played.code}/replay/").content.decode()
    for address in set(re.findall(rf'href="(/(?:play/{played.code}|matches)/[^"#]*)"', text)):
        assert client.get(address.replace("&amp;", "&")).status_code in (200, 302), address


@pytest.mark.long
def test_who_opened_it_shares_it(client, played, alice):
    client.force_login(alice)
    text = client.get(f"/play/{played.code}/replay/").content.decode()
    assert client.post(f"/experiments/{played.match.experiment_id}/share/").status_code == 404, "as a match alone"
    action = re.search(r'href="(/matches/\d+/share/)"', text)[1]
    asked = client.get(action).content.decode()
    assert "other people are called Player 2" in asked
    assert not ShareLink.objects.exists(), "looking shares nothing"
    address = client.post(action)["Location"]
    assert "other people are called Player 2" in client.get(address).content.decode()
    client.logout()
    shared = client.get(address).content.decode()
    assert "alice" in shared
    assert "Player 2" in shared
    assert ShareLink.objects.get().match == played.match


@pytest.mark.long
@pytest.mark.parametrize("part", ["", "trace.json", "position/?ply=3"])
@pytest.mark.parametrize("has_left", [False, True])
def test_what_is_shared_names_no_other_person(client, alice, bob, part, has_left):
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]), 6)
    if has_left:
        with transaction.atomic():
            departures.take_over(ply_writer.lock_match(match.pk), 1, "absent", "bob was away for more than 10 s.")
    match = tables.play_on(match)
    link = services.share(match.match.experiment, match.match)
    response = client.get(f"/r/{link.slug}/{part}")
    assert response.status_code == 200
    assert part or b"Player 2" in response.content
    assert not names_person(response.content, "bob")


@pytest.mark.long
@pytest.mark.parametrize("end", ["played", "left", "returned", "resigned"])
def test_nothing_that_is_shared_names_another_person(client, alice, bob, end, monkeypatch):
    """Pages, files, the preview picture, and what their code reads anew."""
    pictures = []
    monkeypatch.setattr(public, "png", lambda drawn: pictures.append(card.svg(drawn)) or b"")
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]), 6)
    with transaction.atomic():
        if end in ("left", "returned"):
            departures.take_over(ply_writer.lock_match(match.pk), 1, "absent", "bob was away for more than 10 s.")
        if end == "resigned":
            match_end.end(ply_writer.lock_match(match.pk), "resigned", 1, "bob resigned.")
    if end == "returned":
        player_requests.grant("take-seat", match.pk, (1,))
    match = tables.play_on(match)
    record = match.match
    assert "bob" in str([page_of(record).title, lineups(record.experiment)]), "those who played are named to each other"
    link = services.share(record.experiment, record)
    for part in ("", "?ply=3", "position/?ply=3", "trace.json", "board.svg", "card.png"):
        response = client.get(f"/r/{link.slug}/{part}")
        assert response.status_code == 200
        assert not names_person(response.content, "bob"), part
    embed = client.get("/oembed", {"url": f"{settings.PUBLIC_URL}/r/{link.slug}/"})
    assert (embed.status_code, names_person(embed.content, "bob")) == (200, False)
    assert len(pictures) == 1
    assert "alice" in pictures[0]
    assert not names_person(pictures[0], "bob")
    with public_answers.public_answer():
        anew = Match.objects.get(pk=record.pk)
        assert "bob" not in str([page_of(anew).title, lineups(Experiment.objects.get(pk=record.experiment_id))])
    services.withdraw(link)
    assert not names_person(client.get(f"/r/{link.slug}/").content, "bob")


@pytest.mark.django_db(transaction=True)  # files are read over a connection of their own
@pytest.mark.parametrize("format_id", ["csv", "jsonl"])
def test_a_shared_file_names_no_person(client, alice, bob, format_id):
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob), tables.engine()]), 6)
    with transaction.atomic():
        match_end.end(ply_writer.lock_match(match.pk), "resigned", 1, "bob resigned.")
    match.refresh_from_db()
    link, file = services.share(match.match.experiment, match.match), f"export/matches.{format_id}"
    assert "Player 2 resigned" in client.get(f"/r/{link.slug}/").content.decode()
    shared = b"".join(client.get(f"/r/{link.slug}/{file}"))
    client.force_login(alice)
    own = b"".join(client.get(f"/play/{match.code}/replay/{file}"))
    assert b"bob resigned." in own
    assert own.count(b"person") == shared.count(b"person") == 2
    assert not names_person(shared, "bob")


def test_a_guest_shares_a_match_and_withdraws_it(client):
    guest = get_user_model().objects.create(username="guest-1", is_guest=True)
    match = tables.play_on(tables.open_match(guest, [tables.person(guest), tables.engine()]))
    asking = f"/matches/{match.match_id}/share/"
    assert "/accounts/login/" in client.post(asking)["Location"], "nobody known"
    client.get("/play/")
    session = client.session
    session[guests.SESSION_KEY] = guest.pk
    session.save()
    assert asking in client.get(f"/play/{match.code}/replay/").content.decode()
    assert "you as Guest" in client.get(asking).content.decode()
    assert client.post(f"/experiments/{match.match.experiment_id}/share/").status_code == 302, "to sign in"
    address = client.post(asking)["Location"]
    assert "Withdraw link" in client.get(address).content.decode()
    assert "Withdraw link" not in Client().get(address).content.decode()
    assert client.post(f"{address}withdraw/")["Location"] == f"/play/{match.code}/replay/"
    assert ShareLink.objects.get().withdrawn_at is not None


@pytest.mark.long
@pytest.mark.parametrize(("status", "answer"), [("stopped", 302), ("finished", 200)])
def test_a_stopped_experiment_can_go_on_so_it_opens_nothing(client, played, alice, status, answer):
    experiment = played.match.experiment
    experiment.secret_seed, experiment.status, experiment.finished_at = 7, status, timezone.now()
    experiment.save()
    LiveMatch.objects.update(experiment=experiment)
    client.force_login(alice)
    response = client.get(f"/play/{played.code}/replay/")
    assert response.status_code == answer
    assert (str(played.deal_seed) in response.content.decode()) is (answer == 200)


@pytest.mark.long
@pytest.mark.parametrize(("visibility", "status"), [("private", 404), ("unlisted", 200), ("public", 200)])
def test_others_see_what_is_not_private(client, played, visibility, status):
    LiveMatch.objects.update(visibility=visibility)
    for part in ("", "board.svg", "trace.json", "export/plies.csv"):
        assert client.get(f"/play/{played.code}/replay/{part}").status_code == status


def test_a_running_match_has_none(client, alice):
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.engine()], Terms("public")), 4)
    client.force_login(alice)
    assert client.get(f"/play/{match.code}/replay/")["Location"] == f"/play/{match.code}/"
    for part in ("board.svg", "trace.json", "export/plies.csv"):
        assert client.get(f"/play/{match.code}/replay/{part}").status_code == 404


@pytest.mark.long
def test_the_commitment_is_opened_and_holds(client, played, alice):
    client.force_login(alice)
    text = client.get(f"/play/{played.code}/replay/").content.decode()
    opened = re.search(r"printf &#x27;%s&#x27;|printf '%s' '(\w+:\d+)' \| sha256sum", text)[1]
    assert hashlib.sha256(opened.encode()).hexdigest() == played.commitment
    assert played.commitment in text


def test_an_early_end_is_told_without_blaming_an_engine(client, alice, bob):
    match = tables.play_on(tables.open_match(alice, [tables.person(alice), tables.person(bob)]), 6)
    with transaction.atomic():
        match_end.end(ply_writer.lock_match(match.pk), "resigned", 1, "")
    client.force_login(alice)
    response = client.get(f"/play/{match.code}/replay/")
    assert response.context["page"].title == "You win: bob resigned after move 6"
    text = response.content.decode()
    assert "bob resigned after move 6." in text
    assert "the batch went on" not in text
    assert "Failed" not in text


@pytest.mark.long
def test_levels_are_called_as_at_the_table(client, alice):
    seats = [tables.person(alice), tables.engine(name="Beginner", level="beginner")]
    match = tables.play_on(tables.open_match(alice, seats))
    client.force_login(alice)
    page = client.get(f"/play/{match.code}/replay/").context["page"]
    assert [card.side.name for card in page.seats] == ["alice", "Beginner"]
    assert page.seats[1].side.description == "Random"


def test_a_played_match_is_no_experiment_of_ones_list(client, played, alice):
    client.force_login(alice)
    assert played.match.experiment.title not in client.get("/experiments/").content.decode()
    detail = client.get(f"/experiments/{played.match.experiment_id}/")
    assert detail["Location"] == f"/matches/{played.match_id}/"
