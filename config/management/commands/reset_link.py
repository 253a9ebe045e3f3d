"""`manage.py reset_link`: for a person who forgot the password, where no mail is sent or none arrives."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workspaces.accounts.services.reset_links import MINUTES, hand_out_reset_link, may_have_password
from workspaces.models import User


class Command(BaseCommand):
    help = (
        "Print a link that sets another password of an account, once; make sure first that it is its person who asks."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        user = User.objects.filter(email=email.strip().lower(), is_active=True).first()
        if user is None:
            raise CommandError(f"{email} has no active account here.")
        if not may_have_password(user):
            raise CommandError(f"With OIDC_ONLY passwords are for staff, and {email} is not.")
        self.stdout.write(f"{hand_out_reset_link(user=user)}\nIt works once, for {MINUTES} minutes.")
