"""Somebody who is signed in."""

from tests.webapp.lab.experiments.conftest import signed_in

__all__ = ["signed_in"]
