"""Projects and their public addresses."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Project(models.Model):
    """A report of one person: texts and results in their order (webapp.lab.projects.report), under a title.

    blocks name jobs by kind and number and lead to them by no foreign key: a job that is deleted leaves its name.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="projects", db_index=False)
    title = models.CharField(max_length=200)
    blocks = models.JSONField(default=list)
    edition = models.PositiveIntegerField(default=1)  # one more with each change: of two tabs neither overwrites
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["owner", "-changed_at"], name="project_by_owner")]

    def __str__(self) -> str:
        return self.title


class ProjectLink(models.Model):
    """A public address of a project; one that was withdrawn stays, and says so when the project is gone, too."""

    project = models.ForeignKey(Project, models.SET_NULL, null=True, related_name="links")
    slug = models.CharField(max_length=32, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project"], condition=models.Q(withdrawn_at=None), name="project_shared_once"
            )
        ]

    def __str__(self) -> str:
        return self.slug
