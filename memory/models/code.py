"""Code as it was approved: files and trees by their digest, baselines, a person's versions."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from memory.models.memory_user import MemoryUser


class Blob(models.Model):
    """A file's text; never updated or deleted (triggers refuse it)."""

    digest = models.CharField(max_length=64, primary_key=True, help_text="SHA-256 of the UTF-8.")
    text = models.TextField()

    def __str__(self) -> str:
        return self.digest[:12]


class Tree(models.Model):
    """A project's files; never updated or deleted. `files` has the blob's digest of each path."""

    digest = models.CharField(
        max_length=64, primary_key=True, help_text="`Project.digest` of the files."
    )
    files = models.JSONField()

    def __str__(self) -> str:
        return self.digest[:12]


class Baseline(models.Model):
    """A project that everyone shares, from the day it was adopted; the newest is in force.

    `adopted_by` is empty for the one that was there when the first fact came.
    """

    number = models.PositiveIntegerField(primary_key=True)
    tree = models.ForeignKey(Tree, on_delete=models.PROTECT, related_name="+")
    adopted_at = models.DateTimeField()
    adopted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )

    def __str__(self) -> str:
        return f"baseline {self.number}"


class CodeVersion(models.Model):
    """A project of one person as somebody approved it; never updated or deleted.

    `overlay` lists the paths in which `tree` differs from `baseline`, `parent` is the digest of the
    tree that was active before.
    """

    pk = models.CompositePrimaryKey("user_id", "number")
    user = models.ForeignKey(MemoryUser, on_delete=models.PROTECT, related_name="+", db_index=False)
    number = models.PositiveIntegerField(help_text="Counts from 1 for each person.")
    tree = models.ForeignKey(Tree, on_delete=models.PROTECT, related_name="+")
    baseline = models.ForeignKey(Tree, on_delete=models.PROTECT, related_name="+")
    parent = models.CharField(max_length=64)
    overlay = models.JSONField()
    summary = models.TextField()
    approved_at = models.DateTimeField()
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )

    def __str__(self) -> str:
        return f"version {self.number}"
