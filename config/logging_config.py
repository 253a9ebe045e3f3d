"""What the log has, and where it goes: one sentence a line, to standard error."""

from __future__ import annotations

from typing import Any


def logging_config(*, level: str) -> dict[str, Any]:
    """Return Django's `LOGGING` for a level of the root logger."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": "config.log_redaction.LineFormatter",
                "format": "%(asctime)s %(levelname)s %(name)s %(message)s",
            }
        },
        "filters": {"known_words": {"()": "config.log_redaction.KnownWords"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.request": {"level": "ERROR"},
            "django.security": {"level": "ERROR"},
            "neo4j": {"level": "ERROR"},
            "django_redis": {"level": "ERROR"},
            "django-q": {"level": "WARNING"},
            "uvicorn": {"handlers": ["stderr"], "propagate": False},
            "uvicorn.access": {"handlers": ["stderr"], "filters": ["known_words"], "propagate": False},
        },
    }
