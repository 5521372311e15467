"""A lost password: by mail where there is mail, said plainly where there is none."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.webapp.pages import markup
from webapp.common.limits import Limit
from webapp.people.accounts import lost_passwords

pytestmark = pytest.mark.django_db


@pytest.fixture
def mail(settings):
    settings.LAB_MAIL = True


def test_a_link_by_mail_sets_a_new_password_once(client, alice, mail, mailoutbox):
    client.force_login(alice)
    client.post("/accounts/mail/", {"email": "alice@example.org"})
    visitor = Client()
    visitor.post("/accounts/lost/", {"email": "alice@example.org"})
    (sent,) = mailoutbox
    link = re.search(r"https?://[^/]+(/accounts/lost/\S+)", sent.body)[1]
    form = visitor.get(link, follow=True)
    new = {"new_password1": "blue meeple 17", "new_password2": "blue meeple 17"}
    assert visitor.post(form.redirect_chain[-1][0], new)["Location"] == "/accounts/login/"
    alice.refresh_from_db()
    assert alice.check_password("blue meeple 17")
    assert "has been used" in markup(Client().get(link, follow=True))


def test_the_answer_says_nothing_of_accounts_and_comes_a_few_times_a_minute(client, mail, mailoutbox, monkeypatch):
    monkeypatch.setattr(lost_passwords, "MAILS", Limit("address", 1, "mails"))
    answers = [
        client.post("/accounts/lost/", {"email": "nobody@example.org"}, REMOTE_ADDR="192.0.2.7") for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [302, 200]
    assert mailoutbox == []


def test_a_lab_without_mail_says_so(client, settings):
    settings.LAB_MAIL = False
    for address in ("/accounts/login/", "/accounts/new/", "/accounts/lost/"):
        assert "sends no mail" in markup(client.get(address))
    assert client.post("/accounts/lost/", {"email": "a@example.org"}).status_code == 404
