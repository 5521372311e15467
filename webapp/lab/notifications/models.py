"""What people were told of jobs that are over, how each wishes to be told, and of which jobs alone."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from webapp.records.job import OfOneJob
from webapp.records.models import Experiment, Study

ONE_JOB = models.Q(experiment__isnull=False, study__isnull=True) | models.Q(
    experiment__isnull=True, study__isnull=False
)


class Notification(OfOneJob):
    """The end of a job, as its owner is told of it: one row for each end, however often it is looked for."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications", db_index=False)
    experiment = models.ForeignKey(Experiment, models.CASCADE, null=True, related_name="+")
    study = models.ForeignKey(Study, models.CASCADE, null=True, related_name="+")
    ended_at = models.DateTimeField()  # of the job: resumed and over again, it is another end
    words = models.CharField(max_length=80)  # how it ended
    is_wanted = models.BooleanField(default=True)  # else it is noted, and nobody is told
    created_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True)
    mail_due_at = models.DateTimeField(null=True)  # null: no mail is wanted, or it has gone
    mail_attempts = models.PositiveSmallIntegerField(default=0)
    mailed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=ONE_JOB, name="notification_of_one"),
            models.UniqueConstraint(
                fields=["experiment", "study", "ended_at"], nulls_distinct=False, name="notification_once"
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "-ended_at"], name="notification_by_owner"),
            models.Index(
                fields=["owner"], name="notification_unseen", condition=models.Q(seen_at=None, is_wanted=True)
            ),
            models.Index(
                fields=["mail_due_at"], name="notification_mail", condition=models.Q(mail_due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{' '.join(map(str, self.job_key))}: {self.words}"


class Wishes(models.Model):
    """How somebody wishes to be told; the defaults stand for who never said."""

    class Least(models.IntegerChoices):
        ALL = 0, "All of them"
        MINUTE = 60, "Those that took more than a minute"
        TEN = 600, "Those that took more than ten minutes"
        NONE = -1, "None but those that I name"

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notification_wishes")
    least_s = models.IntegerField(choices=Least, default=Least.MINUTE)
    by_mail = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "wishes"

    def __str__(self) -> str:
        return f"wishes of account {self.owner_id}"


class JobWish(OfOneJob):
    """Whether its owner wishes to be told of one job, whatever holds for all."""

    experiment = models.OneToOneField(Experiment, models.CASCADE, null=True, related_name="+")
    study = models.OneToOneField(Study, models.CASCADE, null=True, related_name="+")
    is_wanted = models.BooleanField()

    class Meta:
        verbose_name_plural = "job wishes"
        constraints = [models.CheckConstraint(condition=ONE_JOB, name="job_wish_of_one")]

    def __str__(self) -> str:
        return f"{' '.join(map(str, self.job_key))}: {'told of' if self.is_wanted else 'not told of'}"
