"""`manage.py unlink_sign_in`: for a person whom the provider of the organisation knows by another `sub` by now."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workspaces.accounts.services.external_identities import unlink_identities
from workspaces.models import User


class Command(BaseCommand):
    help = "Forget who an account is at the OpenID Connect provider; make sure first that it is its person who asks."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("email", metavar="EMAIL")

    def handle(self, *args: Any, email: str, **options: Any) -> None:
        user = User.objects.filter(email=email.strip().lower()).first()
        if user is None or not unlink_identities(user=user):
            raise CommandError(f"{email} is not linked with anybody at a provider.")
        self.stdout.write(f"All sessions of {email} are over. Who signs in next with this verified address is linked.")
