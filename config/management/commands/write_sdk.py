"""`manage.py write_sdk`: renew the types of both SDKs that are read from the schemas."""

from __future__ import annotations

from subprocess import CalledProcessError
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config import js_types
from config.sdk_types import modules


class Command(BaseCommand):
    help = "Renew the types of the Python and the TypeScript SDK that are read from the schemas; needs ruff and npm."

    def handle(self, *args: Any, **options: Any) -> None:
        for path, text in modules().items():
            if path.read_text() != text:
                path.write_text(text)
                self.stdout.write(f"{path.name} renewed")
        if js_types.read_digest() != js_types.digest():
            js_types.TYPES.write_text(self._typescript())
            self.stdout.write(f"{js_types.TYPES.name} renewed")

    def _typescript(self) -> str:
        try:
            return js_types.render_types(js_types.install_generator())
        except FileNotFoundError as error:
            raise CommandError("The types of the TypeScript SDK need npm: install it and run this again.") from error
        except CalledProcessError as error:
            raise CommandError(f"{error.cmd[0]} failed: {error.stderr.decode()}") from error
