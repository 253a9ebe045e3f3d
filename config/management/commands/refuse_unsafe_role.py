"""`manage.py refuse_unsafe_role`: stop the start when row security would not bind the serving role."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from config.database_roles import isolation_problem


class Command(BaseCommand):
    help = "Fail when the serving role could get around row security, or a policy is not what the migrations make."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            problem = isolation_problem()
        except DatabaseError as error:
            raise CommandError("PostgreSQL does not answer. Check DATABASE_URL and that the server runs.") from error
        finally:
            connection.close()
        if problem:
            raise CommandError(problem)
