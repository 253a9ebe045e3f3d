"""Progress on standard error, for what takes long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

# Seconds between two looks at work that the server goes on with.
PAUSE = 1.0


@contextmanager
def progress_bar(what: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar while something is under way; nothing where standard error is not a terminal.

    Yields a function of what is done and of how much there is, 0 where that is not known.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[told]}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(what, total=None, told="")

        def tell(done: int, of: int) -> None:
            told = f"{done:,} of {of:,} {unit}" if of else f"{done:,} {unit}"
            progress.update(task, completed=done, total=of or None, told=told)

        yield tell
