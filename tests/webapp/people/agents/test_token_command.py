"""`manage.py token`: a token without a browser."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests.webapp.specs import spec
from webapp.people.accounts.models import User
from webapp.people.agents import tokens

pytestmark = pytest.mark.django_db


def token(*words: str) -> tuple[str, str]:
    """What the command prints, and what it says beside that."""
    out, err = StringIO(), StringIO()
    call_command("token", *words, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_a_token_is_printed_alone_and_does_research(alice: Any, client: Any) -> None:
    printed, said = token("ALICE", "--label", "notebook")
    secret = printed.strip()
    row = tokens.find(secret)
    assert (row.owner, row.label, row.scopes, said) == (alice, "notebook", [tokens.READ, tokens.EXPERIMENT], "")
    headers = {"Authorization": f"Bearer {secret}"}
    answer = client.post("/api/v1/experiments", {"spec": spec()}, content_type="application/json", headers=headers)
    assert answer.status_code == 201
    assert tokens.find(token("alice", "--read-only")[0].strip()).scopes == [tokens.READ]


def test_an_account_is_made_where_that_is_asked_for_and_nobody_signs_in_to_it(client: Any) -> None:
    with pytest.raises(CommandError, match="There is no account 'robot'; --create makes it"):
        token("robot")
    printed, said = token("robot", "--create")
    robot = User.objects.get(username="robot")
    assert tokens.find(printed.strip()).owner == robot
    assert not robot.has_usable_password()
    assert "changepassword robot" in said
    assert token("robot", "--create")[1] == ""
    assert User.objects.filter(username="robot").count() == 1


def test_what_is_refused_says_why(alice: Any) -> None:
    for words, why in (
        (("guest-1", "--create"), "are for guests"),
        (("a b", "--create"), "Only letters, digits"),
        (("easy", "--create"), "A level of the engines has this name"),
        (("alice", "--label", " "), "A label has 1 to"),
    ):
        with pytest.raises(CommandError, match=why):
            token(*words)
    alice.is_active = False
    alice.save()
    with pytest.raises(CommandError, match="is closed"):
        token("alice")
    assert User.objects.filter(username__in=["guest-1", "a b", "easy"]).count() == 0
