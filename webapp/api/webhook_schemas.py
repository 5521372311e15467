"""Types of what is asked and answered about a person's webhook."""

from __future__ import annotations

from datetime import datetime

from ninja import Field, Schema

from webapp.api.schemas import Strict


class HookIn(Strict):
    """Where notices go."""

    url: str = Field(max_length=500)


class HookSet(Schema):
    """A webhook that was set."""

    url: str
    secret: str | None = Field(description="Signs every notice; null where the address is the one of before")


class DeliveryOut(Schema):
    """A notice, and what came of it."""

    delivery: str
    event: str
    status: str = Field(description="waiting, sent, given_up or outdated")
    attempts: int
    answer: int | None = Field(description="HTTP status of the last attempt")
    problem: str
    created_at: datetime


class HookOut(Schema):
    """A webhook and its last deliveries, newest first."""

    url: str
    created_at: datetime
    deliveries: list[DeliveryOut]
