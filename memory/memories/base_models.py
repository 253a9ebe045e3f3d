"""The columns that a memory and its proposal share: what is said of it, and who said it."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from memory.memories.choices import Source
from workspaces.access.tenancy import SpacedModel


class StatedModel(SpacedModel):
    """A row that says what a memory says in addition to its text.

    A column that is added here is proposed and accepted with the rest.
    A `CharField` is one line in an import, unless `transfer/imports/lengths.py` says otherwise.
    """

    tags = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    source = models.CharField(max_length=12, choices=Source.choices)
    author = models.CharField(max_length=200)
    author_id = models.CharField(max_length=64, blank=True)
    author_kind = models.CharField(max_length=10, blank=True)
    confidence = models.FloatField(default=1.0)

    class Meta(SpacedModel.Meta):
        abstract = True
