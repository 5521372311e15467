"""Fixtures for tests of verification."""

from tests.webapp.api.conftest import _fresh_limits as _fresh_limits
from tests.webapp.api.conftest import researcher as researcher
