"""Secrets at rest: read by whoever has SECRET_KEY, for what they were kept, and by nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from core.crypto import UnreadableSecretError, decrypt, encrypt

SECRET = "sk-test-ünïcode-🫖"


def test_reads_back_what_was_kept() -> None:
    token = encrypt(SECRET, purpose="tea")

    assert decrypt(token, purpose="tea") == SECRET
    assert SECRET not in token


def test_each_time_looks_different() -> None:
    assert encrypt(SECRET, purpose="tea") != encrypt(SECRET, purpose="tea")


def test_another_purpose_reads_nothing() -> None:
    with pytest.raises(UnreadableSecretError):
        decrypt(encrypt(SECRET, purpose="tea"), purpose="coffee")


@pytest.mark.parametrize("token", ["", "x", "gAAAAA", "ü"])
def test_what_is_no_token_is_unreadable(token: str) -> None:
    with pytest.raises(UnreadableSecretError) as raised:
        decrypt(token, purpose="tea")

    assert raised.value.__suppress_context__  # the cause may hold what was kept


def test_a_changed_token_is_unreadable() -> None:
    token = encrypt(SECRET, purpose="tea")

    with pytest.raises(UnreadableSecretError):
        decrypt(token[:-4] + ("AAAA" if token[-4:] != "AAAA" else "BBBB"), purpose="tea")


def test_a_new_secret_key_reads_old_secrets_only_as_a_fallback(settings: Any) -> None:
    token, old = encrypt(SECRET, purpose="tea"), settings.SECRET_KEY
    settings.SECRET_KEY = "the new secret key of this server, long enough"

    with pytest.raises(UnreadableSecretError):
        decrypt(token, purpose="tea")
    settings.SECRET_KEY_FALLBACKS = [old]
    assert decrypt(token, purpose="tea") == SECRET
