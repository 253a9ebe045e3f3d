"""`manage.py create_demo`: a workspace that tells a story, an empty one of another person, a staff auditor who is a
member of neither, and a file that says how to get in.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.management.demo_story import tell_story
from core.clock import utc_now
from core.errors import UnauthenticatedError
from embedded.home import write_private
from workspaces.access.callers import Caller, Right
from workspaces.access.selectors import access_workspace, is_owner, member_workspaces
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.keys.services import caller_of_key, create_key
from workspaces.models import User, Workspace

AUDITOR = "ada@staff.example"


@dataclass(frozen=True, slots=True)
class WayIn:
    """What a person and an agent need to enter one demo workspace."""

    workspace_id: str
    api_key: str
    email: str
    password: str


class Command(BaseCommand):
    help = "Create the demo workspaces once, and write how to enter them into var/demo.json (mode 600)."

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(settings.HOME) / "demo.json"
        known = self._load_state(path)
        main = self._demo_access(known, "Harbour Bakery", "mara@harbour.example", fill=tell_story)
        other = self._demo_access(known.get("other", {}), "Night Market", "otto@market.example")
        auditor, password = _person(AUDITOR, str(known.get("staff", {}).get("password", "")), is_staff=True)
        staff = {"email": auditor.email, "password": password}
        described = {"url": settings.PUBLIC_URL, **asdict(main), "other": asdict(other), "staff": staff}
        write_private(path, json.dumps(described, indent=2) + "\n")
        self.stdout.write(
            f"Open       {settings.PUBLIC_URL}\n"
            f"Sign in    {main.email}\n"
            f"Workspace  {main.workspace_id}\n"
            f"Staff      {auditor.email}  at {settings.PUBLIC_URL}/admin/\n"
            "Own agents make workspace NAME=…\n"
            f"Passwords and API key are in {path}."  # and nowhere else: what a command prints may end up in a log
        )

    def _load_state(self, path: Path) -> dict[str, Any]:
        """Return what an earlier run has written; a damaged file is set aside, and its passwords and keys are made
        again."""
        if not path.exists():
            return {}
        try:
            known = json.loads(path.read_bytes())
            if isinstance(known, dict) and isinstance(known.get("other", {}), dict):
                return known
        except ValueError:  # neither JSON nor UTF-8
            pass
        aside = path.with_name(f"{path.name}.damaged-{utc_now():%Y%m%dT%H%M%SZ}")
        path.replace(aside)
        self.stdout.write(f"{path.name} could not be read: it is now {aside.name}, with new passwords and keys.")
        return {}

    def _demo_access(
        self, known: dict[str, Any], name: str, email: str, fill: Callable[[Caller], None] | None = None
    ) -> WayIn:
        user, password = _person(email, str(known.get("password", "")))
        workspace = _find_workspace(user, identity=str(known.get("workspace_id", "")), name=name)
        if workspace is None:
            workspace = found_workspace(owner=user, name=name)
            if fill is not None:
                fill(access_workspace(user=user, workspace_id=workspace.id))
        key = str(known.get("api_key", ""))
        if not _opens(key, workspace):
            caller = access_workspace(user=user, workspace_id=workspace.id)
            key = create_key(caller=caller, name="Demo agent", scopes=list(Right), owner=user.id).secret
        return WayIn(str(workspace.id), key, email, password)


def _find_workspace(user: User, *, identity: str, name: str) -> Workspace | None:
    """Return the person's workspace of an earlier run: the one with that id, else one with that name that they own.

    They may have joined and founded other workspaces since, or lost their role in this one: only one in which they may
    make a key will do.
    """
    mine = []
    for workspace in member_workspaces(user):
        caller = access_workspace(user=user, workspace_id=workspace.id)
        is_found = str(workspace.id) == identity or (workspace.name == name and is_owner(caller))
        if is_found and caller.may(Right.ADMIN):
            mine.append(workspace)
    return min(mine, key=lambda each: str(each.id) != identity, default=None)


def _person(email: str, password: str, *, is_staff: bool = False) -> tuple[User, str]:
    """Return the person with that address, and a password that lets them in.

    No account of the demo is a superuser; those that an older version made are no longer.
    """
    user = User.objects.filter(email=email).first()
    if user is None:
        user = User.objects.create_user(email, None, name=email.split("@", maxsplit=1)[0].title())
    user.is_staff, user.is_superuser = is_staff, False
    if not (password and user.check_password(password)):
        password = secrets.token_urlsafe(12)
        user.set_password(password)
    user.save(update_fields=["password", "is_staff", "is_superuser"])
    return user, password


def _opens(secret: str, workspace: Workspace) -> bool:
    try:
        return caller_of_key(secret=secret).workspace_id == workspace.id
    except UnauthenticatedError:
        return False
