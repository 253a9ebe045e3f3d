"""What accounts have in addition to their row: second factors."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from core.clock import utc_now


class SecondFactor(models.Model):
    """What signing in takes of a person in addition to the password. Belongs to the installation, as accounts do.

    `secret` is encrypted; `last_step` is the last code that was used, in steps of 30 seconds; of recovery codes only
    hashes are kept.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="+")
    secret = models.TextField()
    last_step = models.BigIntegerField(default=0)
    recovery_hashes = ArrayField(models.CharField(max_length=64), default=list)
    created_at = models.DateTimeField(default=utc_now, editable=False)

    objects: ClassVar[models.Manager[SecondFactor]] = models.Manager()

    class Meta:
        db_table = "second_factors"

    def __str__(self) -> str:
        return f"second factor of {self.user_id}"
