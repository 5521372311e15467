"""What others of the lab may want to know of matches in play."""

from django.dispatch import Signal

over = Signal()
"""A match is over; sent with `match`, in the transaction that ended it, after its record was written."""
