"""The table of what staff have done. It names people and things by words, so that it outlives them."""

from __future__ import annotations

from django.db import models


class StaffAction(models.Model):
    """One deed of a member of staff. who_id, object_id: their numbers, of rows that may be gone."""

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    who = models.CharField(max_length=150)
    who_id = models.BigIntegerField(null=True)
    deed = models.CharField(max_length=40)
    kind = models.CharField(max_length=60)
    object_id = models.CharField(max_length=64, blank=True)
    name = models.CharField(max_length=200, blank=True)
    details = models.TextField(blank=True)

    class Meta:
        ordering = ("-at", "-pk")

    def __str__(self) -> str:
        return f"{self.who}: {self.deed} {self.kind} {self.name}"
