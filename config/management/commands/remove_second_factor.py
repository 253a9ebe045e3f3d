"""`manage.py remove_second_factor`: for a person who lost the phone and the recovery codes."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workspaces.accounts.services.second_factor import forget_second_factor
from workspaces.models import User


class Command(BaseCommand):
    help = "Take the second factor of an account away; make sure first that it is its person who asks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        user = User.objects.filter(email=email.strip().lower()).first()
        if user is None or not forget_second_factor(user=user):
            raise CommandError(f"{email} has no second factor here.")
        self.stdout.write(f"{email} signs in with the password alone.")
