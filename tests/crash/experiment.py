"""The experiment and the study that the crash tests disturb."""

from __future__ import annotations

import time
from typing import Any

from tests import counting
from tests.crash.engines import Held
from tests.crash.lab import Lab

Rows = list[tuple[Any, ...]]
Records = dict[str, Rows]

THINKS = {"engine": "flat_mc", "options": {}, "budget": {"playouts_per_action": 2}}
RANDOM = {"engine": "random", "options": {}, "budget": {}}
WAITS = {"engine": "waits", "options": {}, "budget": {}}
SPEC = {
    "version": 1,
    "game": "carcassonne",
    "seats": 2,
    "arms": [{"name": "thinks", "seats": [THINKS, WAITS]}, {"name": "random", "seats": [WAITS, RANDOM]}],
    "deals": 6,
    "seed": 11,
}
PIECES = [(0, 0, 5), (1, 0, 12), (0, 5, 4), (0, 9, 3)]
NUM_MATCHES = 24
STEP = 2
"""So many matches are recorded before something is killed, and between one kill and the next."""
PATIENCE_S = 2.0
"""Matches on their way take less: no new one is let go before."""

STUDY = counting.spec(pieces=4) | {"study": Held.id}
_STUDY_ROWS = """
select index, status, row::text, failure, versions::text from records_studypiece where study_id = %s order by index
"""


def go_on(lab: Lab, experiment: int) -> None:
    """Let the experiment be played to the middle of further matches: some are recorded, chunks are being played.

    A match that could not be written, as the database was away, is played again and takes another ticket.
    """
    to_be = lab.num_matches(experiment) + STEP
    lab.give(STEP)
    given_at = time.monotonic()

    def is_further() -> bool:
        nonlocal given_at
        if lab.num_matches(experiment) < to_be:
            if time.monotonic() - given_at > PATIENCE_S:
                lab.give(1)
                given_at = time.monotonic()
            return False
        return bool(lab.playing())

    lab.wait(is_further, f"experiment {experiment} to be in the middle")
    assert lab.num_matches(experiment) < NUM_MATCHES


def begun(lab: Lab) -> int:
    """An experiment in the middle, held there."""
    lab.hold()
    experiment = lab.create(SPEC, PIECES)
    go_on(lab, experiment)
    return experiment


def study_rows(lab: Lab, study: int) -> Rows:
    """The pieces of a study."""
    return lab.rows(_STUDY_ROWS, study)


def finish_study(lab: Lab, study: int) -> Rows:
    """The pieces of a study, once it is finished."""
    query = "select status from records_study where id = %s"
    lab.wait(lambda: lab.rows(query, study) == [("finished",)], f"study {study} to finish")
    return study_rows(lab, study)
