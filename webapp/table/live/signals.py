"""Signals of matches in play to other parts of the lab."""

from django.dispatch import Signal

over = Signal()
"""A match is over; sent with `match`, in the transaction that ended it, after its record was written."""
