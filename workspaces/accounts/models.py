"""What accounts have in addition to their row: second factors, and identities at other services."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from core.clock import utc_now
from core.ids import new_id


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


class ExternalIdentity(models.Model):
    """Who a person is at an OpenID Connect provider. Belongs to the installation, as accounts do.

    The pair of issuer and subject alone says so: addresses of e-mail change hands.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    issuer = models.CharField(max_length=500)
    subject = models.CharField(max_length=255)
    created_at = models.DateTimeField(default=utc_now, editable=False)
    last_used_at = models.DateTimeField(default=utc_now)

    objects: ClassVar[models.Manager[ExternalIdentity]] = models.Manager()

    class Meta:
        db_table = "external_identities"
        constraints = [models.UniqueConstraint(fields=["issuer", "subject"], name="one_account_per_identity")]

    def __str__(self) -> str:
        return f"{self.issuer} of {self.user_id}"
