"""`wsm add`: the turns of a conversation, from standard input."""

from __future__ import annotations

import json
from typing import Any, get_args

import click

from workspace_memory.cli.command_base import as_json, connected, printed_json, spaces
from workspace_memory.models import Role

ROLES: tuple[str, ...] = get_args(Role)


@click.command()
@click.argument("file", type=click.File(encoding="utf-8"), default="-")
@click.option("--conversation", help="Its key or id; without it, one for each day and space.")
@spaces
@as_json
def add(file: Any, conversation: str | None, as_json: bool) -> None:
    """Add messages from FILE or standard input; facts and preferences are looked for in them after a pause.

    JSON: a list of messages, or an object with `messages`. Otherwise each line is a message: `assistant: Hello.`, or
    without a role that of the user.
    """
    messages = read_messages(file.read())
    with connected() as client:
        added = client.add(messages, conversation=conversation)
    if as_json:
        printed_json(added.model_dump(mode="json"))
    else:
        click.echo(f"Added {len(added.message_ids)} to {added.conversation}. {added.detail}")


def read_messages(text: str) -> list[dict[str, Any]]:
    """Return the messages of JSON or of lines. Raises ClickException where there is none."""
    if text.lstrip().startswith(("[", "{")):
        found = _read_json(text)
    else:
        found = [_read_line(line.strip()) for line in text.splitlines() if line.strip()]
    if not found:
        raise click.ClickException("There is no message: give JSON, or a line for each message.")
    return found


def _read_json(text: str) -> list[dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise click.ClickException(f"That is not JSON: {error}.") from error
    messages = value.get("messages") if isinstance(value, dict) else value
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        raise click.ClickException("Give a list of messages, or an object with `messages`.")
    return messages


def _read_line(line: str) -> dict[str, Any]:
    role, colon, content = line.partition(":")
    if colon and content.strip() and role.strip().lower() in ROLES:
        return {"role": role.strip().lower(), "content": content.strip()}
    return {"role": "user", "content": line}
