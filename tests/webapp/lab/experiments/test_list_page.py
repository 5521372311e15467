"""The list of own experiments."""

import pytest

from tests.webapp.lab.experiments.pages import NEW

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/experiments/", NEW, "/matches/new/"])
def test_guests_are_asked_to_sign_in(client, address):
    assert client.get(address)["Location"] == f"/accounts/login/?next={address}"
