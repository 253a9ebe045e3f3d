"""Tables for people. What agents wrote is shown as it is, never read as markup."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from workspace_memory.models import Conversation, Episode, Found, Hit, Message, StoredMemory

MAX_CHARACTERS = 240
# Some of these begin a command for the terminal; the server refuses only those below the space.
_CONTROLS = re.compile("[\x7f-\x9f]")
WIDTH_OF_A_PIPE = 100_000


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, whole: Sequence[str] = ()) -> None:
    """Print rows under their heads; the columns in `whole` are never broken."""
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        drawn.add_column(head, no_wrap=head in whole, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(visible(cell)) for cell in row))
    if sys.stdout.isatty():
        Console(highlight=False).print(drawn)
    else:
        _print_lines(drawn)


def _print_lines(drawn: Table) -> None:
    """A pipe has no width: one line for each row, so that grep and awk can read them, without blanks at its end."""
    console = Console(highlight=False, width=WIDTH_OF_A_PIPE)
    with console.capture() as captured:
        console.print(drawn)
    click.echo("\n".join(line.rstrip(" ") for line in captured.get().split("\n")), nl=False)


def show_memories(memories: Sequence[StoredMemory]) -> None:
    rows = [(one.id, marks(one), one.content) for one in memories]
    table(["id", "kind", "content"], rows, whole=["id", "kind"])


def show_found(found: Found[Hit]) -> None:
    """Hits with their scores, then the method and the milliseconds."""
    rows = [(f"{hit.score:.3f}", hit.memory.id, marks(hit.memory), hit.memory.content) for hit in found]
    if rows:
        table(["score", "id", "kind", "content"], rows, whole=["score", "id", "kind"])
    count = f"{len(found)} {'memory' if len(found) == 1 else 'memories'}"
    click.echo(f"{count} found, method {found.method}, {found.latency_ms:.1f} ms")


def show_conversations(conversations: Sequence[Conversation]) -> None:
    rows = [(one.key, one.status, one.title, _minute(one.last_message_at)) for one in conversations]
    table(["session", "status", "title", "last message"], rows, whole=["status", "last message"])


def show_conversation(messages: Sequence[Message], episodes: Sequence[Episode]) -> None:
    for episode in reversed(episodes):
        click.echo(f"({episode.turn_count} turns) {visible(episode.summary)}")
    table(["role", "message"], [(one.role, one.content) for one in messages], whole=["role"])


def visible(text: str) -> str:
    """Return what others have stored without commands for the terminal."""
    return _CONTROLS.sub("", text)


def show_one(memory: StoredMemory, did: str) -> None:
    click.echo(f"{did} {memory.kind} {memory.id}: {shortened(memory.content)}")


def marks(memory: StoredMemory) -> str:
    """Its kind, and what else matters about it."""
    said = {"pinned": memory.pinned, "suppressed": memory.suppressed, "forgotten": memory.is_deleted}
    return " ".join([memory.kind, *(name for name, holds in said.items() if holds)])


def _minute(at: datetime | None) -> str:
    return f"{at.astimezone():%Y-%m-%d %H:%M}" if at else ""


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def shortened(text: str) -> str:
    line = visible(" ".join(text.split()))
    return line if len(line) <= MAX_CHARACTERS else f"{line[: MAX_CHARACTERS - 1]}…"
