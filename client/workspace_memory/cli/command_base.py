"""What every command has in common: errors as one line and an exit code, `--json`, `--yes`, and the client."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, TypeVar

import click

from workspace_memory.cli.credentials import NotSignedInError, stored_login
from workspace_memory.errors import (
    ApiError,
    ForbiddenError,
    NoAnswerError,
    NotFoundError,
    ServerError,
    UnauthenticatedError,
    UnexpectedAnswerError,
    WorkspaceMemoryError,
)
from workspace_memory.sync.client import Memory

EXIT_CODES: tuple[tuple[tuple[type[WorkspaceMemoryError], ...], int], ...] = (
    ((UnauthenticatedError, ForbiddenError, NotSignedInError), 3),
    ((NotFoundError,), 4),
    ((NoAnswerError, UnexpectedAnswerError, ServerError), 5),
)
F = TypeVar("F", bound=Callable[..., Any])

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
yes = click.option("--yes", "-y", is_flag=True, help="Do not ask.")
SPACES = "workspace_memory.spaces"


def spaces(command: F) -> F:
    """Add the options that say whose memory a command is about; `connected` reads them."""
    for name, told in (
        ("space", "In this space, such as project:apollo."),
        ("agent", "In the memory of this agent."),
        ("user", "In the memory of this end user."),
    ):
        command = click.option(f"--{name}", callback=_keep_space, expose_value=False, help=told)(command)
    return command


def named_space() -> str | None:
    """The space that the options of a command name; None for what is shared. Raises UsageError where they name two."""
    named = click.get_current_context().meta.get(SPACES, {})
    if len(named) > 1:
        raise click.UsageError("Name one of --space, --user and --agent.")
    return next((name if kind == "space" else f"{kind}:{name}" for kind, name in named.items()), None)


def _keep_space(context: click.Context, option: click.Parameter, value: str | None) -> None:
    if value is not None:
        context.meta.setdefault(SPACES, {})[option.name] = value


class NotSignedIn(click.ClickException):
    """There is no sign-in from here."""

    exit_code = 3


class Failure(click.ClickException):
    """A refusal of the server, or no answer of it, as one line on stderr."""

    def __init__(self, error: WorkspaceMemoryError) -> None:
        super().__init__(str(error))
        self.error = error
        # On the instance: click reads it there, and declares it for the class.
        vars(self)["exit_code"] = next((code for kinds, code in EXIT_CODES if isinstance(error, kinds)), 1)

    def show(self, file: IO[Any] | None = None) -> None:
        super().show(file)
        problems = self.error.problems if isinstance(self.error, ApiError) else ()
        for problem in (one for one in problems if f"{one.field}: {one.detail}" not in self.message):
            click.echo(f"  {problem.field}: {problem.detail}", file=file, err=True)


class Guarded(click.Group):
    """A group whose commands may raise what the SDK raises, and stumble over files."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        for group, nested in self.commands.items():
            if name not in self.commands and isinstance(nested, click.Group) and name in nested.commands:
                ctx.fail(f"No such command '{name}'. Did you mean `wsm {group} {name}`?")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except WorkspaceMemoryError as error:
            raise Failure(error) from error
        except OSError as error:
            if error.filename is None:
                raise
            raise click.FileError(str(error.filename), error.strerror) from error


@contextmanager
def connected(*, stamped_for: str | None = None, alone: bool = False) -> Iterator[Memory]:
    """The client for whom the environment names, else for the user who signed in; for the spaces that options name.

    Where these are to be read `alone`, without what is shared. With `stamped_for` the key is a stamped one, and calls
    are for this user of it.
    """
    login = stored_login()
    try:
        is_stamped = stamped_for is not None
        memory = Memory(login.get("url"), login.get("key"), login.get("workspace"), stamped=is_stamped)
    except WorkspaceMemoryError as error:
        missing = str(error) if login else "Sign in first: wsm login (or set WSM_URL and WSM_KEY)."
        raise NotSignedIn(missing) from error
    named = click.get_current_context().meta.get(SPACES, {})
    with memory:
        here = memory if stamped_for is None else memory.for_user(stamped_for)
        shared = not alone or named == {"space": "shared"}
        if "user" in named:
            here = here.for_user(named["user"], shared=shared)
        if "agent" in named:
            here = here.for_agent(named["agent"], shared=shared)
        if "space" in named:
            here = here.in_space(named["space"], shared=shared)
        yield here


def printed_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2))  # in ASCII, so that no terminal's encoding can spoil it
