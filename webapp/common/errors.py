"""Errors that people read."""


class RefusedError(Exception):
    """Refusal of something that cannot be done now; the message says why, for the person."""
