"""Every block of a shell, of Python and of SQL in the docs that no other test runs is run here, against one server."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from tests.cast import assemble_cast
from tests.docs.command_server import command_server
from tests.docs.fences import Fence, fences_of, list_pages
from tests.docs.plan import FIRST, NOT_YET, PEOPLE, REFUSALS, SETUP, is_installation, is_listed, is_run_by_another
from tests.docs.shell import ADDRESS, lay_out_project, run_blocks
from tests.llm.server import model_server
from tests.llm.vector_server import VectorEndpoint
from tests.serving import serving_environment
from tests.web_process import web_process
from workspaces.access.callers import Right
from workspaces.access.selectors import access_workspace
from workspaces.access.tasks import beat
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.keys.services import create_key
from workspaces.models import User

NAME = "Harbour Bakery"


def _blocks(page: str, language: str) -> list[Fence]:
    """The blocks of a page that are run here."""
    return [
        fence
        for fence in fences_of(page)
        if fence.language == language
        and not is_run_by_another(fence)
        and not is_listed(fence)
        and not is_installation(fence)
    ]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_every_page_can_be_followed(tmp_path: Path) -> None:
    assemble_cast()
    beat()
    for address in PEOPLE:
        User.objects.create_user(address, None, name="You")
    found = {}
    with model_server() as models, command_server() as commands, web_process(MODEL_HOSTS="127.0.0.1") as port:
        VectorEndpoint(models, {"embed-1": 768})
        own = {"MODEL_URL": models.url, "PORT": str(port), "COMMAND_PORT": str(commands)}
        served = {**serving_environment(), **own}
        for page in sorted(list_pages(), key=lambda page: page != FIRST):
            if problems := list(_follow(page, served, tmp_path)):
                found[page] = "\n".join(problems)
    assert found == {}, "\n\n".join(f"{page}\n{text}" for page, text in found.items())


@pytest.mark.django_db
def test_every_statement_of_sql_can_be_asked() -> None:
    statements = [block for page in list_pages() for block in _blocks(page, "sql")]
    assert statements
    with connection.cursor() as cursor:
        for block in statements:
            cursor.execute(block.code)


def _follow(page: str, served: Mapping[str, str], above: Path) -> Iterator[str]:
    """Run the blocks of a page in a workspace of its own; yield what went otherwise than the page says."""
    shell, python = _blocks(page, "sh"), _blocks(page, "python")
    if not shell and not python:
        return
    folder = above / page.replace("/", "-")
    folder.mkdir()
    environment = _prepare(folder, served)
    run = run_blocks(page, shell, setup=SETUP.get(page, ""), folder=folder, environment=environment)
    refusals = [status for status in run.statuses if not 200 <= status < 300]
    if run.code or len(run.printed) != len(shell):
        at = shell[min(len(run.printed), len(shell) - 1)].place
        yield f"{at} ended with {run.code}: {run.errors[-1500:]}"
    if Counter(refusals) != Counter(REFUSALS.get(page, [])):
        yield f"Refused with {refusals}: " + "\n".join(run.printed)[-1500:]
    for block, printed in zip(shell, run.printed, strict=False):
        if missing := {name for name in block.fields - NOT_YET.get(page, set()) if f'"{name}"' not in printed}:
            yield f"{block.place} shows {sorted(missing)}, which are not in: {printed[-1500:]}"
    for block in python:
        code = block.code.replace(ADDRESS, environment["WSM_URL"]).replace("oxa_live_…", environment["WSM_KEY"])
        done = subprocess.run(
            [folder / ".venv/bin/python", "-c", code],
            cwd=folder,
            env=environment,
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
        if done.returncode:
            yield f"{block.place} ended with {done.returncode}: {done.stderr[-1500:]}"


def _prepare(folder: Path, served: Mapping[str, str]) -> dict[str, str]:
    """Lay out the project with what `make run` and `make workspace` leave; return the environment of a reader."""
    var = lay_out_project(folder)
    demo = {"url": f"http://127.0.0.1:{served['PORT']}", **_found_demo("mara"), "other": _found_demo("otto")}
    (var / "demo.json").write_text(json.dumps(demo))
    own = {"WSM_URL": demo["url"], "WSM_KEY": demo["api_key"], "WSM_WORKSPACE": demo["workspace_id"]}
    (var / "keys").mkdir()  # what `make workspace` leaves
    (var / "keys" / "my-agent.env").write_text("".join(f"export {name}={value}\n" for name, value in own.items()))
    (var / "services.env").write_text(f"DATABASE_URL={served['DATABASE_URL']}\n")
    for name in ("run/postgres.port", "postgres_password", "secret_key"):
        if (path := Path(settings.HOME) / name).exists():
            (var / name).write_text(path.read_text())
    return {
        **served,
        "WSM_URL": str(demo["url"]),
        "WSM_KEY": str(demo["api_key"]),
        "OTHER_KEY": str(demo["other"]["api_key"]),
    }


def _found_demo(person: str) -> dict[str, Any]:
    """Found a workspace like that of the demo, with a key that may do everything."""
    owner, _ = User.objects.get_or_create(email=f"{person}@harbour.example", defaults={"name": person.title()})
    workspace = found_workspace(owner=owner, name=NAME)
    caller = access_workspace(user=owner, workspace_id=workspace.id)
    made = create_key(caller=caller, name="Demo agent", scopes=list(Right), owner=owner.id)
    return {"workspace_id": str(workspace.id), "api_key": made.secret, "email": owner.email}
