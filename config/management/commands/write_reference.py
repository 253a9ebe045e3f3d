"""`manage.py write_reference`: renew the lists in docs/reference/ that are read from the code."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.docs_reference import regenerate_lists


class Command(BaseCommand):
    help = "Renew the lists of docs/reference that are read from the code."

    def handle(self, *args: Any, **options: Any) -> None:
        for page in sorted((settings.ROOT / "docs" / "reference").glob("*.md")):
            before = page.read_text()
            after = regenerate_lists(before)
            if after != before:
                page.write_text(after)
                self.stdout.write(f"{page.name} renewed")
