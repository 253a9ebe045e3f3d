"""Sending a plain text by SMTP, where a server is configured; everything that sends one works without."""

from __future__ import annotations

import logging
from smtplib import SMTPException
from urllib.parse import parse_qsl, unquote, urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

SECONDS = 10
log = logging.getLogger(__name__)


def is_mail_configured() -> bool:
    """Return whether `EMAIL_URL` names a server."""
    return bool(settings.EMAIL_URL)


def send_text(*, to: str, subject: str, text: str) -> bool:
    """Send a mail; return whether the server took it. Call it outside of a transaction: the server may be slow."""
    try:
        connection = _backend(settings.EMAIL_URL)
        return (
            EmailMessage(" ".join(subject.split()), text, settings.EMAIL_FROM, [to], connection=connection).send() == 1
        )
    except (OSError, SMTPException, ValueError) as error:
        log.warning("mail_failed A mail was not sent: %s.", type(error).__name__)
        return False


def _backend(url: str) -> EmailBackend:
    """Return the backend of `smtp://user:password@host:587`, which asks for TLS, or of `smtps://`, which begins with
    it; `?tls=no` is for a server on the same machine."""
    parts = urlsplit(url)
    is_implicit = parts.scheme == "smtps"
    asks_for_tls = dict(parse_qsl(parts.query)).get("tls", "yes") != "no"
    return EmailBackend(
        host=parts.hostname or "localhost",
        port=parts.port or (465 if is_implicit else 587),
        username=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        use_ssl=is_implicit,
        use_tls=asks_for_tls and not is_implicit,
        timeout=SECONDS,
    )
