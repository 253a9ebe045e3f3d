"""`manage.py operator_keys`: the keys with which workspaces are made, or what was done with them."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand

from workspaces.accounts.operators.selectors import operator_events, operator_keys


class Command(BaseCommand):
    help = "List operators' keys, without secrets; with --events, what was done to them and with them, oldest first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--events", action="store_true", help="list the record instead of the keys")

    def handle(self, *args: Any, events: bool, **options: Any) -> None:
        for event in operator_events() if events else ():
            said = (_time(event.created_at), event.action, str(event.key_id), event.object_id, event.address)
            self.stdout.write("  ".join(one or "-" for one in said))
        for key in () if events else operator_keys():
            state = f"revoked {_time(key.revoked_at)}" if key.revoked_at else "active"
            used = _time(key.last_used_at) if key.last_used_at else "never"
            self.stdout.write(f"{key.id}  {key.hint}…  {state}, last used {used}  {key.name}")


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"
