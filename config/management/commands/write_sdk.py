"""`manage.py write_sdk`: renew the types of the Python SDK that are read from the schemas."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from config.sdk_types import modules


class Command(BaseCommand):
    help = "Renew the types of the Python SDK that are read from the schemas; needs ruff."

    def handle(self, *args: Any, **options: Any) -> None:
        for path, text in modules().items():
            if path.read_text() != text:
                path.write_text(text)
                self.stdout.write(f"{path.name} renewed")
