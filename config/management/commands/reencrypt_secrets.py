"""`manage.py reencrypt_secrets`: what was encrypted under SECRET_KEY_FALLBACKS is encrypted under SECRET_KEY."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from llm.configuration.services import reencrypt_keys
from workspaces.access.callers import Caller, system_caller
from workspaces.access.reencryption import Reencryption
from workspaces.access.selectors import workspace_ids_with_deleted
from workspaces.accounts.services.second_factor import reencrypt_second_factors
from workspaces.http.idempotency import reencrypt_answers


class _Reencrypt(Protocol):
    def __call__(self, *, caller: Caller, is_rehearsal: bool) -> Reencryption: ...


# Everything that core.crypto protects. Answers are kept for a day; losing one loses no data.
KINDS: dict[str, _Reencrypt] = {"model provider keys": reencrypt_keys, "kept answers": reencrypt_answers}
REQUIRED = "model provider keys"


class Command(BaseCommand):
    help = "Encrypt every stored secret under SECRET_KEY, so that SECRET_KEY_FALLBACKS can be emptied; repeatable."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; fail when a provider key is unreadable"
        )

    def handle(self, *args: Any, check: bool = False, **options: Any) -> None:
        totals = {name: Reencryption() for name in KINDS}
        for identity in workspace_ids_with_deleted():
            for name, reencrypt in KINDS.items():
                found = reencrypt(caller=system_caller(identity, "reencryption"), is_rehearsal=check)
                totals[name].add(found)
                if found.renewed or found.unreadable:
                    self.stdout.write(f"{identity}  {name}: {_line(found, check=check)}")
        for name, total in totals.items():
            self.stdout.write(f"All workspaces: {name}: {_line(total, check=check)}")
        factors = reencrypt_second_factors(is_rehearsal=check)
        self.stdout.write(f"All accounts: second factors: {_line(factors, check=check)}")
        if lost := totals[REQUIRED].unreadable:
            raise CommandError(
                f"{lost:,} model provider keys cannot be read: put the earlier key back (SECRET_KEY or "
                f"{Path(settings.HOME) / 'secret_key'}) or name it in SECRET_KEY_FALLBACKS; if it is lost for good, "
                "enter these keys again under Settings, Models."
            )


def _line(found: Reencryption, *, check: bool) -> str:
    verb = "to encrypt again" if check else "encrypted again"
    return f"{found.renewed:,} {verb}, {found.current:,} current, {found.unreadable:,} unreadable"
