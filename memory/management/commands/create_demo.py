"""`manage.py create_demo`: two workspaces with people, keys and sample memories, and a file that says how to get in."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from core.errors import UnauthenticatedError
from memory.lifecycle import Verb
from memory.management.demo_data import BAKERY, DemoMemory
from memory.models import Kind, Source
from memory.services.citing import finish_run, start_run
from memory.services.standing import change_standing
from memory.services.writing import NewMemory, remember
from workspaces.callers import Caller, Right
from workspaces.models import User, Workspace
from workspaces.selectors import access_workspace, workspaces_of
from workspaces.services.founding import found_workspace
from workspaces.services.keys import caller_of_key, create_key


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
        known = json.loads(path.read_text()) if path.exists() else {}
        main = self._way_in(known, "Harbour Bakery", "mara@harbour.example", sample=BAKERY)
        other = self._way_in(known.get("other", {}), "Night Market", "otto@market.example")
        described = {"url": settings.PUBLIC_URL, **asdict(main), "other": asdict(other)}
        _write_private(path, json.dumps(described, indent=2) + "\n")
        self.stdout.write(
            f"Open       {settings.PUBLIC_URL}\n"
            f"Sign in    {main.email}  {main.password}\n"
            f"API key    {main.api_key}\n"
            f"Workspace  {main.workspace_id}\n"
            f"All of it is in {path}."
        )

    def _way_in(self, known: dict[str, Any], name: str, email: str, sample: tuple[DemoMemory, ...] = ()) -> WayIn:
        user, password = _person(email, str(known.get("password", "")))
        workspace = next(iter(workspaces_of(user)), None)
        if workspace is None:
            workspace = found_workspace(owner=user, name=name)
            _fill(access_workspace(user=user, workspace_id=workspace.id), sample)
        key = str(known.get("api_key", ""))
        if not _opens(key, workspace):
            caller = access_workspace(user=user, workspace_id=workspace.id)
            key = create_key(caller=caller, name="Demo agent", scopes=list(Right), owner=user.id).secret
        return WayIn(str(workspace.id), key, email, password)


def _person(email: str, password: str) -> tuple[User, str]:
    """The person with that address, and a password that lets them in."""
    user = User.objects.filter(email=email).first()
    if user is None:
        user = User.objects.create_superuser(email, None, name=email.split("@", maxsplit=1)[0].title())
    if not (password and user.check_password(password)):
        password = secrets.token_urlsafe(12)
        user.set_password(password)
        user.save(update_fields=["password"])
    return user, password


def _opens(secret: str, workspace: Workspace) -> bool:
    try:
        return caller_of_key(secret=secret).workspace_id == workspace.id
    except UnauthenticatedError:
        return False


def _fill(caller: Caller, sample: tuple[DemoMemory, ...]) -> None:
    for item in sample:
        kind = Kind.FACT if item.is_fact else Kind.MEMORY
        new = NewMemory(content=item.content, kind=kind, source=Source(item.source), tags=item.tags)
        memory = remember(caller=caller, new=new).memory
        for _ in range(item.cited):
            run = start_run(caller=caller, agent="planner")
            finish_run(caller=caller, run_id=run.id, status="succeeded", output=f"As noted in [mem:{memory.pk}].")
        if item.is_pinned:
            change_standing(caller=caller, memory_id=memory.pk, verb=Verb.PIN)
        if item.suppressed_because:
            reason = item.suppressed_because
            change_standing(caller=caller, memory_id=memory.pk, verb=Verb.SUPPRESS, reason=reason)


def _write_private(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(text)
