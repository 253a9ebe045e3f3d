"""What a tool is here: a plain function of a caller, with the hints that clients show to people before it runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ParamSpec, TypeVar

from pydantic import TypeAdapter

from mcp_server.arguments import ToolArguments
from mcp_server.results import without_details
from workspaces.access.callers import Caller

P = ParamSpec("P")
R = TypeVar("R")


def listed_name(name: str) -> str:
    """Return the name with letters, digits and `_` only: model APIs refuse a whole request for one name with a dot."""
    return name.replace(".", "_")


@dataclass(frozen=True)
class Tool:
    """A tool of the MCP door. Its function takes the caller first; name, arguments and result are the contract."""

    name: str  # dotted; what telemetry stores, by whichever name the tool was called
    title: str
    run: Callable[..., Any]
    is_read_only: bool
    is_destructive: bool
    is_idempotent: bool
    is_captured: bool  # as an action; reading telemetry is not what an agent set out to do

    @property
    def listed_name(self) -> str:
        """The name in `tools/list`."""
        return listed_name(self.name)

    @cached_property
    def arguments(self) -> ToolArguments:
        """What a client gives."""
        return ToolArguments(self.run)

    @cached_property
    def result(self) -> Any:
        """The type of its result, which has fewer fields than REST answers."""
        return without_details(inspect.signature(self.run, eval_str=True).return_annotation)

    @cached_property
    def shape(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.result)

    @property
    def description(self) -> str:
        return " ".join((self.run.__doc__ or "").split())


TOOLS: dict[str, Tool] = {}

# Who made the call that this task or thread is answering; the door sets it, tools are given it.
CALLER: ContextVar[Caller] = ContextVar("caller")


def reads(name: str, title: str, *, is_captured: bool = True) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A tool that changes nothing."""
    return _register(name, title, is_read_only=True, is_destructive=False, is_idempotent=True, is_captured=is_captured)


def writes(
    name: str, title: str, *, is_idempotent: bool = False, is_captured: bool = True
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A tool that adds or changes; `is_idempotent` where a second call with the same arguments changes nothing."""
    return _register(
        name, title, is_read_only=False, is_destructive=False, is_idempotent=is_idempotent, is_captured=is_captured
    )


def removes(name: str, title: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A tool that takes something away from what agents recall; idempotent."""
    return _register(name, title, is_read_only=False, is_destructive=True, is_idempotent=True, is_captured=True)


def _register(name: str, title: str, **hints: bool) -> Callable[[Callable[P, R]], Callable[P, R]]:
    def register(function: Callable[P, R]) -> Callable[P, R]:
        TOOLS[name] = Tool(name, title, function, **hints)
        return function

    return register
