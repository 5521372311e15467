"""A lab for examples: that of the client's tests."""

from tests.meeple_client.conftest import lab, site, token, worker  # noqa: F401
