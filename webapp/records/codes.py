"""Which code may play: the lab's own, and what becomes of a worker that has another.

The sweeper says which code the lab's is as it begins (`register`): it is one of the lab's own programs, started with
its pages. A worker asks before each claim, so that an upgrade refuses those that were left behind at once.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q

from webapp.records.jobs import Connection
from webapp.records.worker_models import CodeVersion
from webapp.records.worker_processes import Standing
from worker import code_version
from worker.recorder import ANALYSIS, BATCH

REFUSE, OWN = "refuse", "own"
"""Values of LAB_OTHER_CODE: such a worker gets nothing, or only what its own version made."""

_REGISTER = """
insert into records_codeversion (hash, "commit", seen_at, is_labs) values (%s, %s, clock_timestamp(), false)
on conflict (hash) do update set "commit" = coalesce(nullif(records_codeversion."commit", ''), excluded."commit")
returning id
"""


def register(raw: Connection) -> int:
    """Have a row for the code of this process, and return its number."""
    row = raw.execute(_REGISTER, (code_version.content_hash(), code_version.commit())).fetchone()
    assert row is not None
    return int(row[0])


@transaction.atomic
def make_labs() -> None:
    """Let the code of this process be the lab's."""
    connection.ensure_connection()
    own = register(connection.connection)
    CodeVersion.objects.filter(Q(is_labs=True) | Q(pk=own)).update(is_labs=Q(pk=own))


def refusal(standing: Standing) -> str:
    """Why a process with this code gets no work; empty where it does."""
    own = code_version.content_hash()
    if not standing.lab_code or standing.lab_code == own:
        return ""
    mine = code_version.in_words(own, code_version.commit())
    labs = code_version.in_words(standing.lab_code, standing.lab_commit)
    if settings.LAB_OTHER_CODE == OWN:
        return ""
    return (
        f"Its code ({mine}) is not the lab's ({labs}), so it gets no work: bring it to the lab's commit, "
        f"or set LAB_OTHER_CODE=own to let it finish what its own version began."
    )


@dataclass(frozen=True)
class Foreign(Container[object]):
    """What a worker with another code than the lab's leaves out: all but jobs that its own code made."""

    own: frozenset[tuple[str, int]]

    def __contains__(self, turn: object) -> bool:
        return turn not in self.own


_OWN = """
select 'experiment', id from records_experiment where status = 'running' and code = %(code)s
union all select 'study', id from records_study where status = 'running' and code = %(code)s
"""


def left_out(raw: Connection, standing: Standing, queue: str) -> Foreign | None:
    """What this process leaves out of a queue because of its code; None where it has the lab's.

    Engines at tables are the lab's own: a table's course has one code.
    """
    own = code_version.content_hash()
    if not standing.lab_code or standing.lab_code == own:
        return None
    if queue not in (BATCH, ANALYSIS):
        return Foreign(frozenset())
    rows = raw.execute(_OWN, {"code": own}).fetchall()
    return Foreign(frozenset((str(source), int(job)) for source, job in rows))
