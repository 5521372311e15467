"""Errors that people read."""


class RefusedError(Exception):
    """What was asked for cannot be done now; the message says why, for the person."""
