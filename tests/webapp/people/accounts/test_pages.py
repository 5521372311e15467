import dataclasses
import re

import pytest
from django.core.cache import cache

from tests.webapp.lab.results import factory
from tests.webapp.table.live import tables
from webapp.people.accounts import login_throttle, views
from webapp.people.accounts.models import User

pytestmark = pytest.mark.django_db
SIGN_UP = {"username": "carol", "password1": "green-meeple-9", "password2": "green-meeple-9"}


@pytest.fixture(autouse=True)
def _forget_tries():
    cache.clear()


def test_sign_up_makes_an_account_and_signs_in(client):
    response = client.post("/accounts/new/", SIGN_UP)
    assert response["Location"] == "/play/", "nothing is theirs yet"
    assert client.get("/accounts/").status_code == 200
    assert User.objects.get(username="carol").check_password("green-meeple-9")


def test_signing_in_leads_back_or_to_what_one_has(client, alice):
    assert 'href="/accounts/login/?next=%2Fgames%2F%3Fa%3D1"' in client.get("/games/?a=1").content.decode()
    tables.open_match(alice, [tables.person(alice), tables.engine()])
    client.force_login(alice)
    assert client.get("/accounts/login/")["Location"] == "/play/"
    account = client.get("/accounts/")
    assert account.context["num_experiments"] == 0
    assert re.search(r'<a href="/play/mine/">\s*1\s*</a>', account.content.decode())
    factory.played(alice, deals=1)
    assert client.get("/accounts/login/")["Location"] == "/experiments/"
    assert client.get("/accounts/").context["num_experiments"] == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"username": "ALICE"}, "username"),
        ({"username": "master"}, "username"),
        ({"password2": "other"}, "password2"),
        ({"username": "a b"}, "username"),
    ],
)
def test_sign_up_errors_stand_at_their_field(client, alice, change, field):
    response = client.post("/accounts/new/", {**SIGN_UP, **change})
    assert list(response.context["form"].errors) == [field]
    assert f'id="id_{field}_error"' in response.content.decode()
    assert User.objects.count() == 1


def test_a_weak_password_is_refused_where_it_was_chosen(client):
    response = client.post("/accounts/new/", {**SIGN_UP, "password1": "12345678", "password2": "12345678"})
    assert list(response.context["form"].errors) == ["password1"]
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [({}, "username"), ({"username": "a b"}, "username"), ({"password1": "1", "password2": "1"}, "password1")],
)
def test_sign_up_opens_at_the_first_field_that_needs_a_change(client, change, field):
    response = client.post("/accounts/new/", {**SIGN_UP, **change}) if change else client.get("/accounts/new/")
    inputs = re.findall(r"<input[^>]*>", response.content.decode())
    assert [re.search(r'name="(\w+)"', tag)[1] for tag in inputs if "autofocus" in tag] == [field]


def test_password_managers_know_what_is_asked_for(client):
    text = client.get("/accounts/new/").content.decode()
    assert re.findall(r'autocomplete="([\w-]+)"', text) == ["username", "new-password", "new-password"]


def test_help_and_error_name_the_same_characters(client):
    fields = client.post("/accounts/new/", {**SIGN_UP, "username": "a b"}).context["form"]
    assert "@ . + - _" in fields["username"].help_text
    assert "@ . + - _" in fields.errors["username"][0]
    client.post("/accounts/new/", {**SIGN_UP, "username": "a@b.c+d-e_f"})
    assert User.objects.get().username == "a@b.c+d-e_f"


def test_a_name_is_short_enough_to_stand_beside_a_board(client):
    for letters in (41, 200):
        fields = client.post("/accounts/new/", {**SIGN_UP, "username": "a" * letters}).context["form"]
        assert fields.errors["username"] == [f"A user name has at most 40 letters; this one has {letters}."]
    client.post("/accounts/new/", {**SIGN_UP, "username": "a" * 40})
    assert User.objects.get().username == "a" * 40


def test_a_weak_new_password_is_refused_where_it_was_chosen(client, alice):
    client.force_login(alice)
    new = {"old_password": "password", "new_password1": "12345678", "new_password2": "12345678"}
    assert list(client.post("/accounts/password/", new).context["form"].errors) == ["new_password1"]


@pytest.mark.parametrize("address", ["/accounts/login/", "/accounts/new/"])
@pytest.mark.parametrize(
    ("target", "ends_at_target"),
    [
        ("/engines/", True),
        ("https://evil.example/", False),
        ("//evil.example/", False),
        ("javascript:alert(1)", False),
        ("-1", False),
    ],
)
def test_next_leads_only_to_this_site(client, alice, address, target, ends_at_target):
    data = SIGN_UP if address.endswith("new/") else {"username": "alice", "password": "password"}
    response = client.post(address, {**data, "next": target})
    assert response.status_code == 302
    assert (response["Location"] == target) is ends_at_target
    assert response["Location"].startswith("/")
    assert not response["Location"].startswith("//")


def test_login_wrong_then_right(client, alice):
    wrong = client.post("/accounts/login/", {"username": "alice", "password": "wrong"})
    assert "do not match" in wrong.content.decode()
    right = client.post("/accounts/login/", {"username": "alice", "password": "password"})
    assert right.status_code == 302


def test_guessing_is_slowed_down_for_that_name_only(client, alice, bob):
    for _ in range(login_throttle.MAX_TRIES):
        client.post("/accounts/login/", {"username": "alice", "password": "wrong"})
    refused = client.post("/accounts/login/", {"username": "alice", "password": "password"})
    assert "Too many tries" in refused.content.decode()
    assert client.post("/accounts/login/", {"username": "bob", "password": "password"}).status_code == 302


def _sign_in(client, name, password="wrong", address="192.0.2.1", at="/accounts/login/"):
    return client.post(at, {"username": name, "password": password}, REMOTE_ADDR=address)


def _is_paused(answer):
    return answer.status_code == 200 and "Too many tries" in answer.content.decode()


def test_one_password_on_many_names_pauses_the_address_but_not_who_has_signed_in_there(client, alice, bob):
    assert _sign_in(client, "bob", "password").status_code == 302
    client.logout()
    tried = [_is_paused(_sign_in(client, f"name-{number}")) for number in range(12)]
    assert tried == [False] * login_throttle.MAX_OF_ADDRESS + [True] * (12 - login_throttle.MAX_OF_ADDRESS)
    assert _is_paused(_sign_in(client, "alice", "password"))
    assert _sign_in(client, "bob", "password").status_code == 302
    client.logout()
    assert _sign_in(client, "alice", "password", "192.0.2.2").status_code == 302


def test_one_name_from_many_addresses_is_paused_but_not_for_its_owner(client, alice, monkeypatch):
    monkeypatch.setattr(login_throttle, "MAX_OF_NAME", 3)
    assert _sign_in(client, "alice", "password").status_code == 302
    client.logout()
    tried = [_is_paused(_sign_in(client, "Alice", address=f"2001:db8:0:{number}::1")) for number in range(5)]
    assert tried == [False, False, False, True, True]
    assert _is_paused(_sign_in(client, "alice", "password", "192.0.2.2"))
    assert _sign_in(client, "alice", "password").status_code == 302


def test_the_administration_has_the_same_door_for_staff_alone(client, alice):
    def enter(password):
        return _sign_in(client, "alice", password, at="/admin/login/?next=/admin/")

    assert "do not match" in enter("password").content.decode()
    alice.is_staff = True
    alice.save()
    assert enter("password")["Location"] == "/admin/"
    client.logout()
    for _ in range(login_throttle.MAX_TRIES):
        assert "do not match" in enter("wrong").content.decode()
    assert _is_paused(enter("password"))
    assert _is_paused(_sign_in(client, "alice", "password"))


def test_an_address_makes_so_many_accounts_a_minute(client, monkeypatch):
    monkeypatch.setattr("time.time", lambda: 1_000_000_000.0)
    monkeypatch.setattr(views, "NEW", dataclasses.replace(views.NEW, per_minute=2))

    def sign_up(name, address="2001:db8::1"):
        client.logout()
        return client.post("/accounts/new/", {**SIGN_UP, "username": name}, REMOTE_ADDR=address)

    assert [sign_up(name).status_code for name in ("dora", "d o r a", "emil", "fritz")] == [302, 200, 302, 429]
    refused = sign_up("fritz", "2001:db8::2")
    assert (refused.status_code, refused["Retry-After"]) == (429, "20"), "the same household"
    assert "made from your network" in refused.content.decode()
    assert not User.objects.filter(username="fritz").exists()
    assert sign_up("fritz", "2001:db8:0:1::1").status_code == 302


def test_a_right_try_clears_the_count(client, alice):
    for _ in range(login_throttle.MAX_TRIES - 1):
        client.post("/accounts/login/", {"username": "alice", "password": "wrong"})
    client.post("/accounts/login/", {"username": "alice", "password": "password"})
    client.logout()
    client.post("/accounts/login/", {"username": "alice", "password": "wrong"})
    assert client.post("/accounts/login/", {"username": "alice", "password": "password"}).status_code == 302


def test_logout_needs_a_post(client, alice):
    client.force_login(alice)
    assert client.get("/accounts/logout/").status_code == 405
    assert client.get("/accounts/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get("/accounts/")["Location"] == "/accounts/login/?next=/accounts/"


def test_change_password(client, alice):
    client.force_login(alice)
    new = {"old_password": "password", "new_password1": "blue-meeple-9", "new_password2": "blue-meeple-9"}
    assert client.post("/accounts/password/", new)["Location"] == "/accounts/"
    alice.refresh_from_db()
    assert alice.check_password("blue-meeple-9")
    assert "Password changed" in client.get("/accounts/").content.decode()


def test_change_password_needs_the_old_one(client, alice):
    client.force_login(alice)
    new = {"old_password": "wrong", "new_password1": "blue-meeple-9", "new_password2": "blue-meeple-9"}
    assert "old_password" in client.post("/accounts/password/", new).context["form"].errors


def test_a_session_that_names_djangos_backend_goes_on(client, alice):
    client.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/accounts/").status_code == 200
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert client.get("/accounts/").status_code == 302
