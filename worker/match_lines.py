"""What is kept of a match that a stored result rests on: a line by which a test that plays it again knows it."""

from __future__ import annotations

from worker.records import MatchRecord

DIGEST_BITS = 32
"""Bits of a match's last digest that its line keeps."""


def line(record: MatchRecord) -> str:
    """A match in a line: scores, ranks, and the end of its digest, which follows from every position."""
    assert record.failure is None, record.failure
    scores, ranks = (",".join(map(str, values)) for values in (record.scores, record.ranks))
    return f"{scores} {ranks} {record.digest % (1 << DIGEST_BITS):08x}"
