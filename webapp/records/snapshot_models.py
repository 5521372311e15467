"""Table of frozen snapshots of shared results; their files are in the data folder (`webapp.sharing.snapshots`)."""

from __future__ import annotations

from django.db import models


class Snapshot(models.Model):
    """What a share link showed at one moment, as a file that never changes; the row outlives the file."""

    class State(models.TextChoices):
        WAITING = "waiting"  # for its file, which is being made or will be
        MADE = "made"
        FAILED = "failed"
        WITHDRAWN = "withdrawn"  # its file is gone, or goes; checksum and dates stay

    link = models.ForeignKey("records.ShareLink", models.CASCADE, related_name="snapshots")
    state = models.CharField(max_length=12, choices=State, default=State.WAITING)
    with_plies = models.BooleanField(default=False)
    shown = models.CharField(max_length=64)  # hash of what the link showed, so that the same is not frozen twice
    asked_at = models.DateTimeField(auto_now_add=True)
    made_at = models.DateTimeField(null=True)  # as of when it is
    withdrawn_at = models.DateTimeField(null=True)
    failure = models.TextField(blank=True)  # why there is no file, as a sentence
    done = models.PositiveIntegerField(default=0)  # files of it that are written
    total = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)  # bytes of the archive, so far
    sha256 = models.CharField(max_length=64, blank=True)  # of the archive
    contents = models.JSONField(default=list)  # [{"path", "bytes", "sha256"}]
    citation = models.TextField(blank=True)
    bibtex = models.TextField(blank=True)
    matches = models.PositiveIntegerField(default=0)  # or rows, of a study

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["link", "sha256"], name="snapshot_once", condition=~models.Q(sha256="")),
        ]
        indexes = [
            models.Index(fields=["asked_at"], name="snapshot_waiting", condition=models.Q(state="waiting")),
        ]

    def __str__(self) -> str:
        return self.digest or f"snapshot {self.pk}"

    @property
    def digest(self) -> str:
        """The beginning of its checksum, by which its address names it."""
        return self.sha256[:DIGEST_LETTERS]


DIGEST_LETTERS = 16
"""64 bits: two snapshots of one link never share them."""
