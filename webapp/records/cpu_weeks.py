"""CPU time of experiments and studies by person and day, and who has used up that of seven days.

It is that of the worker's process, without compiling, which serves everybody. Analyses, for which somebody waits at
a page, and what is played at tables are not counted, and are never held; a match of an experiment with agents is
counted, and held before it begins.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.conf import settings

from webapp.records.jobs import Connection

DAYS = 7
"""Days that count, with today; they begin at midnight in UTC."""

_TODAY = "(statement_timestamp() at time zone 'UTC')::date"

LEFT = f"""
select u.id as owner_id, 3600 * coalesce(q.cpu_hours, %(cpu_hours)s) - coalesce(d.used_s, 0) as left_s
from accounts_user u
left join accounts_quota q on q.owner_id = u.id
left join (
    select owner_id, sum(cpu_s) as used_s from records_usageday where day > {_TODAY} - {DAYS} group by owner_id
) d on d.owner_id = u.id
where coalesce(q.cpu_hours, %(cpu_hours)s) > 0 and not u.is_staff and u.username <> %(lab)s
"""
"""SQL: seconds that each account with a limit has left. Parameters: those of `values`."""

_CHARGE = f"""
insert into records_usageday (owner_id, day, cpu_s)
select id, {_TODAY}, %(cpu_s)s from accounts_user where id = %(owner)s
on conflict (owner_id, day) do update set cpu_s = records_usageday.cpu_s + excluded.cpu_s
"""
_SPENT = f"select owner_id, left_s from ({LEFT}) as l where left_s <= 0"
_BY_DAY = f"""
select day, cpu_s from records_usageday where owner_id = %(owner)s and day > {_TODAY} - {DAYS} order by day
"""


def values() -> dict[str, Any]:
    """Parameters of `LEFT`."""
    return {"cpu_hours": settings.LAB_QUOTAS["cpu_hours"], "lab": settings.LAB_ACCOUNT}


def charge(connection: Connection, owner_id: int, cpu_s: float) -> None:
    """Note CPU time of somebody's work, today."""
    connection.execute(_CHARGE, {"owner": owner_id, "cpu_s": max(0.0, cpu_s)})


def used_s(connection: Connection, owner_id: int) -> float:
    """CPU seconds that count now."""
    return float(sum(cpu_s for _, cpu_s in _by_day(connection, owner_id)))


def spent(connection: Connection) -> dict[int, date]:
    """Accounts that have used up theirs, and the day on which each has some again."""
    found = {}
    for owner_id, left_s in connection.execute(_SPENT, values()).fetchall():
        for day, cpu_s in _by_day(connection, owner_id):
            left_s += cpu_s
            if left_s > 0:
                found[owner_id] = day + timedelta(days=DAYS)
                break
    return found


def _by_day(connection: Connection, owner_id: int) -> list[tuple[date, float]]:
    return connection.execute(_BY_DAY, {"owner": owner_id}).fetchall()
