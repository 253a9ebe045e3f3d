"""System checks: a setting that cannot work stops the start with a sentence that names the cure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from core.http.egress import allowed_hosts


@register()
def servers_are_named(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Refuse addresses that cannot be used. Commands that only look at code may run without servers."""
    found: list[CheckMessage] = []
    if settings.REDIS_URL and not settings.REDIS_URL.startswith(("redis://", "rediss://", "unix://")):
        found.append(Error("REDIS_URL must look like redis://:password@host:6379/0.", id="wsm.E001"))
    if settings.GRAPH_URL and not settings.GRAPH_URL.startswith(("bolt", "neo4j")):
        found.append(Error("GRAPH_URL must look like bolt://user:password@host:7687/database.", id="wsm.E002"))
    try:
        allowed_hosts(settings.MODEL_HOSTS)
    except ValueError as error:
        found.append(Error(f"MODEL_HOSTS: {error}", id="wsm.E004"))
    if settings.MODEL_PROXY and not settings.MODEL_PROXY.startswith(("http://", "https://")):
        found.append(Error("MODEL_PROXY must look like http://user:password@host:3128.", id="wsm.E005"))
    return found


@register()
def sign_in_provider_can_work(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Refuse what keeps everybody out, or lets in who should not be."""
    return [Error(sentence, id="wsm.E006") for sentence in settings.OIDC.problems()]


@register()
def old_secret_keys_are_keys(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Refuse short ones, which would let others sign sessions and tasks; a key with a comma in it arrives in pieces."""
    if all(len(key) >= 40 and key != settings.SECRET_KEY for key in settings.SECRET_KEY_FALLBACKS):
        return []
    sentence = (
        "SECRET_KEY_FALLBACKS must list earlier values of SECRET_KEY: 40 characters or more, separated by commas."
    )
    return [Error(sentence, id="wsm.E004")]


@register(deploy=True)
def secret_key_is_set(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    if len(settings.SECRET_KEY) >= 40 and not settings.SECRET_KEY.startswith("only-for-checks"):
        return []
    return [Error("SECRET_KEY must be a secret of at least 40 characters.", id="wsm.E003")]
