"""Reading: the last deliveries of a webhook, in words."""

from __future__ import annotations

from dataclasses import dataclass

from webapp.table.hooks import announce, queue
from webapp.table.hooks.models import Delivery, Hook

SHOWN = 20
LABELS = dict(Hook.Event.choices) | {announce.TEST: "Test", announce.FINISHED: "It is over"}
CHIPS = {
    Delivery.Status.WAITING: ("wait", "Waiting"),
    Delivery.Status.SENT: ("ok", "Arrived"),
    Delivery.Status.GIVEN_UP: ("danger", "Given up"),
    Delivery.Status.OUTDATED: ("", "Outdated"),
}


@dataclass(frozen=True)
class DeliveryRow:
    """One delivery as its owner sees it. chip: class and word of its status."""

    delivery: Delivery
    event: str
    chip: tuple[str, str]
    attempts: str
    ms: int | None


def last_deliveries(hook: Hook) -> list[DeliveryRow]:
    """The last ones, newest first."""
    return [_row(delivery) for delivery in hook.deliveries.order_by("-created_at")[:SHOWN]]


def are_waited_for(rows: list[DeliveryRow]) -> bool:
    """Whether another look may soon show something new."""
    return any(row.delivery.status == Delivery.Status.WAITING for row in rows)


def _row(delivery: Delivery) -> DeliveryRow:
    chip = CHIPS[Delivery.Status(delivery.status)]
    if delivery.status == Delivery.Status.WAITING and delivery.problem:
        chip = ("warn", "Trying again")
    return DeliveryRow(
        delivery=delivery,
        event=LABELS.get(delivery.event, delivery.event),
        chip=chip,
        attempts=f"{delivery.attempts} of {len(queue.BACK_OFF_S) + 1}",
        ms=None if delivery.took_s is None else round(1000 * delivery.took_s),
    )
