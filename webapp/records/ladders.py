"""Rounds of ladders in SQL: when the last chunk of a round is done, the next one is put up, in the same transaction.

What is played next is a function of the rows alone (`worker.ladders.rounds`), and the experiment's lock lets one worker
at a time ask for it, so it does not matter who does. `Experiment.plan` holds the last round for pages.
"""

from __future__ import annotations

import json

from webapp.records.jobs import Connection
from worker.ladders import rounds, standing
from worker.ladders.standing import Row
from worker.spec import ExperimentSpec, from_json
from worker.spec.model import UNCERTAINTY

_ROWS = """
select m.arm_index, m.deal, m.rotation, m.versions::text, m.status = 'finished',
       array_agg(s.rank order by s.lineup_index), array_agg(s.margin order by s.lineup_index)
from records_match m join records_seat s on s.match_id = m.id
where m.experiment_id = %s
group by m.id, m.arm_index, m.deal, m.rotation, m.versions, m.status
order by m.arm_index, m.deal, m.rotation
"""
_IS_OPEN = "select exists (select 1 from records_chunk where experiment_id = %s and status <> 'done')"
_PLANNED = "select arm_index, max(first + size) from records_chunk where experiment_id = %s group by arm_index"
_PUT_UP = """
insert into records_chunk (experiment_id, arm_index, first, size, written, status, deaths, worker)
values (%s, %s, %s, %s, 0, 'waiting', 0, '')
"""
_DROP = """
delete from records_chunk where id in (
    select id from records_chunk where experiment_id = %s and arm_index = any(%s) and status = 'waiting'
    for update skip locked
)
"""
_KEEP = """
update records_experiment set plan = %s, num_matches = greatest(
    %s, (select coalesce(sum(size), 0) from records_chunk where experiment_id = %s)
) where id = %s
"""


def rows(connection: Connection, experiment_id: int) -> list[Row]:
    """The matches of a ladder that have ended."""
    found = connection.execute(_ROWS, (experiment_id,)).fetchall()
    return [
        Row(
            arm,
            deal,
            rotation,
            *((tuple(ranks), tuple(map(float, margins))) if ended else ((), ())),
            json.loads(versions),
        )
        for arm, deal, rotation, versions, ended, ranks, margins in found
    ]


def planned(connection: Connection, experiment_id: int, spec: ExperimentSpec) -> list[int]:
    """Deals of each table that are played or being played."""
    ends = dict(connection.execute(_PLANNED, (experiment_id,)).fetchall())
    return [-(-ends.get(arm, 0) // spec.num_seatings(arm)) for arm in range(len(spec.arms))]


def put_up(connection: Connection, experiment_id: int, *, has_changed: bool = False) -> bool:
    """Put up the next round of a ladder where none is being played; say whether there is one.

    The caller holds the job's lock. has_changed: whether its spec is new; then tables that can no longer play are taken
    back, and where all meet all the others need not wait for the end of a round.
    """
    spec = _spec(connection, experiment_id)
    if spec is None or spec.ladder is None:
        return False
    if has_changed:
        gone = [arm for arm, table in enumerate(spec.ladder.tables) if not spec.ladder.can_play(table)]
        connection.execute(_DROP, (experiment_id, gone))
    waits = not has_changed or spec.ladder.pairing == UNCERTAINTY
    if waits and connection.execute(_IS_OPEN, (experiment_id,)).fetchall() == [(True,)]:
        return False
    found = standing.of_rows(spec, rows(connection, experiment_id))
    following = rounds.next_round(spec, planned(connection, experiment_id, spec), found)
    with connection.cursor() as cursor:
        chunks = rounds.chunks(spec, following.steps) if following.steps else ()
        cursor.executemany(_PUT_UP, [(experiment_id, *chunk) for chunk in chunks])
    at_most = spec.num_matches if following.steps and spec.ladder.pairing == UNCERTAINTY else 0
    connection.execute(_KEEP, (json.dumps(following.to_json()), at_most, experiment_id, experiment_id))
    return bool(following.steps)


def _spec(connection: Connection, experiment_id: int) -> ExperimentSpec | None:
    """The spec as it is now: an engine may have entered since a worker read it. None where it is of no ladder."""
    query = "select spec::text from records_experiment where id = %s and kind = 'ladder'"
    found = connection.execute(query, (experiment_id,)).fetchone()
    return None if found is None else from_json(json.loads(found[0]))
