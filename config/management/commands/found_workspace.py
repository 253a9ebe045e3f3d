"""`manage.py found_workspace`: a new, empty workspace for an existing account, and with `--key` a way in for agents."""

from __future__ import annotations

import shlex
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils.text import slugify

from embedded.home import write_private
from workspaces.access.callers import Right
from workspaces.access.selectors import access_workspace
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.keys.services import create_key
from workspaces.models import User, Workspace

MAX_CHARACTERS = 120  # that the columns take


class Command(BaseCommand):
    help = (
        "Create an empty workspace with an existing account as its first owner; with --key, leave address and key of "
        "it in var/keys/NAME.env (mode 600), for a shell to read."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--owner", required=True, metavar="EMAIL")
        parser.add_argument("--key", action="store_true", help="make a key with every scope, in a file that is new")

    def handle(self, *args: Any, name: str, owner: str, key: bool, **options: Any) -> None:
        name = name.strip()
        if not 0 < len(name) <= MAX_CHARACTERS:
            raise CommandError(f"A name has 1 to {MAX_CHARACTERS} characters.")
        user = User.objects.filter(email=owner.strip().lower(), is_active=True).first()
        if user is None:
            raise CommandError(f"There is no account with {owner}: add one under Users in /admin/.")
        path = Path(settings.HOME) / "keys" / f"{slugify(name, allow_unicode=True) or 'workspace'}.env"
        with ExitStack() as on_failure:
            if key:  # whatever hinders the file does so before anything is made
                _reserve(path)
                on_failure.callback(path.unlink)
            workspace = found_workspace(owner=user, name=name)
            if key:
                _write_access(path, user, workspace)
            on_failure.pop_all()
        self.stdout.write(f"Workspace  {workspace.id}")
        if key:
            self.stdout.write(
                f"Console    {settings.PUBLIC_URL}{reverse('workspace', args=[workspace.slug])}  as {user.email}\n"
                f"Key        in {path}, with the address; for this shell:  . {shlex.quote(str(path))}"
            )
        else:
            address = reverse("settings-api-keys", args=[workspace.slug])
            self.stdout.write(f"Make a key at {settings.PUBLIC_URL}{address}")


def _reserve(path: Path) -> None:
    """Make the file for address and key, empty. Raises CommandError where it is there or cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        raise CommandError(
            f"{path} has the key of a workspace already: choose another name, or move that file."
        ) from None
    except OSError as error:
        raise CommandError(f"{path} cannot be written ({error.strerror}), and nothing was made.") from error


def _write_access(path: Path, user: User, workspace: Workspace) -> None:
    """Make a key of the owner's with every scope, and write it with the address."""
    caller = access_workspace(user=user, workspace_id=workspace.id)
    secret = create_key(caller=caller, name=workspace.name, scopes=list(Right), owner=user.id).secret
    values = {"WSM_URL": settings.PUBLIC_URL, "WSM_KEY": secret, "WSM_WORKSPACE": str(workspace.id)}
    lines = [f"export {name}={shlex.quote(value)}\n" for name, value in values.items()]
    write_private(path, "".join(lines))
