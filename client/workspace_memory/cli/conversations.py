"""`wsm memory`: sessions."""

from __future__ import annotations

from typing import Any

import click

from workspace_memory.cli.command_base import (
    SPACES,
    Failure,
    as_json,
    connected,
    named_space,
    printed_json,
    spaces,
    yes,
)
from workspace_memory.cli.emptying import Emptied, contents_of, empty
from workspace_memory.cli.output import (
    show_conversation,
    show_conversations,
    show_memories,
)
from workspace_memory.cli.plans import briefing, iterations, plan
from workspace_memory.cli.progress import progress_bar


@click.group()
def memory() -> None:
    """Memories and facts, and sessions (conversations)."""


@memory.command()
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
@spaces
@as_json
def ls(limit: int, as_json: bool) -> None:
    """List sessions, newest first; with --space, --user or --agent what is in that space alone: memories as well."""
    is_named = SPACES in click.get_current_context().meta
    with connected(alone=is_named) as client:
        sessions = list(client.conversations.list(limit=limit))
        memories = list(client.memories.list(limit=limit)) if is_named else []
    if as_json:
        listed = [one.model_dump(mode="json") for one in sessions]
        own = [one.model_dump(mode="json") for one in memories]
        printed_json({"sessions": listed, "memories": own} if is_named else listed)
        return
    if sessions or not memories:
        show_conversations(sessions)
    if memories:
        click.echo("\n" * bool(sessions), nl=False)
        show_memories(memories)


@memory.command()
@click.argument("session")
@click.option("--last", type=click.IntRange(1, 200), default=20, show_default=True, help="The number of messages.")
@spaces
@as_json
def show(session: str, last: int, as_json: bool) -> None:
    """Show a SESSION: its episodes, its last messages, and the memories written for it or extracted from it."""
    with connected() as client:
        messages = client.session(session).history.last(last)
        episodes = list(client.session(session).episodes())
        written = list(client.session(session).memories())
        extracted = list(client.memories.list(extracted_from=session))
    memories = sorted({one.id: one for one in [*written, *extracted]}.values(), key=lambda one: one.id, reverse=True)
    if as_json:
        parts: dict[str, Any] = {"messages": messages, "episodes": episodes, "memories": memories}
        printed_json({name: [one.model_dump(mode="json") for one in part] for name, part in parts.items()})
        return
    show_conversation(messages, episodes)
    if memories:
        click.echo()
        show_memories(memories)


@memory.command()
@click.argument("session")
@click.option("--extract", is_flag=True, help="Also look at what was passed over while memory was off.")
@yes
@spaces
@as_json
def end(session: str, extract: bool, yes: bool, as_json: bool) -> None:
    """End a SESSION: facts and preferences are looked for in it; its history stays readable."""
    with connected() as client:
        here = client.conversations.get(session)
        if not yes:
            click.confirm(f"End the session “{here.key}”?", abort=True, err=True)
        ended = client.session(session).end(extract=extract)
    if ended is None:
        raise click.ClickException(f"The session “{here.key}” was deleted meanwhile.")
    if as_json:
        printed_json(ended.model_dump(mode="json"))
    else:
        click.echo(f"Ended {ended.key}. {ended.detail}")


@memory.command()
@click.argument("session", required=False)
@click.option("--all", "everything", is_flag=True, help="All sessions and memories of the space that is named.")
@click.option("--force", is_flag=True, help="With --all: pinned memories too; needs the scope `admin`.")
@yes
@spaces
@as_json
def rm(session: str | None, everything: bool, force: bool, yes: bool, as_json: bool) -> None:
    """Delete a SESSION with its messages, episodes, plan, iteration logs and working set, for good; what was extracted
    from it stays.

    With --all delete every session of --space, --user or --agent, and forget what is remembered there; `wsm restore`
    brings a memory back. What is shared is named with `--space shared`. `wsm spaces rm` erases a space for good.
    """
    if everything == (session is not None) or (force and not everything):
        raise click.UsageError("Name a SESSION, or say --all with --space, --user or --agent.")
    if session is None:
        _remove_all(force=force, is_sure=yes, as_json=as_json)
        return
    with connected() as client:
        here = client.conversations.get(session)
        if not yes:
            click.confirm(f"Delete the session “{here.key}” for good?", abort=True, err=True)
        client.session(session).delete()
    if as_json:
        printed_json({"deleted": here.key})
    else:
        click.echo(f"Deleted {here.key}.")


def _remove_all(*, force: bool, is_sure: bool, as_json: bool) -> None:
    """Empty the space that the options name; exit with 1 where something of it was kept."""
    space = named_space()
    if space is None:
        raise click.UsageError("Say whose with --space, --user or --agent; what is shared is `--space shared`.")
    with connected(alone=True) as client:
        contents = contents_of(client)
        if not (is_sure or contents.is_empty):
            question = f"{space} has {contents}. Delete the sessions for good and forget the rest?"
            click.confirm(question, abort=True, err=True)
        with progress_bar("Removing", "things") as tell:
            emptied = empty(client, contents, force=force, tell=tell)
    if as_json:
        printed_json({"space": space, **emptied.as_json()})
    else:
        _say_emptied(space, emptied)
    if emptied.stopped_by:
        raise Failure(emptied.stopped_by)
    if emptied.kept:
        click.get_current_context().exit(1)


def _say_emptied(space: str, emptied: Emptied) -> None:
    click.echo(f"Removed from {space}: {emptied.removed}.")
    for reason, kept in emptied.reasons():
        click.echo(f"Kept {kept}: {reason}", err=True)


memory.add_command(plan)
memory.add_command(iterations)
memory.add_command(briefing)
