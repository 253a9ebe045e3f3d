"""What a tool is here: a plain function of a caller, with the hints that clients show to people before it runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from django.utils.functional import cached_property
from pydantic import TypeAdapter

from core.action_types import TOOL_CALL, ActionTypes
from mcp_server.arguments import ToolArguments
from mcp_server.results.result_text import Renderer, render_json
from mcp_server.results.result_types import without_details
from mcp_server.schemas import SpaceArguments
from workspaces.access.callers import Caller

F = TypeVar("F", bound=Callable[..., Any])


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
    action: ActionTypes | None  # None is not captured: reading telemetry is not what an agent set out to do
    names_spaces: bool = True  # False where it is about the workspace itself, and not about anybody's memory
    text: Renderer = render_json  # what a model reads of the result

    @property
    def listed_name(self) -> str:
        """The name in `tools/list`."""
        return listed_name(self.name)

    @property
    def action_type(self) -> str:
        """What a call is in telemetry; empty where it is not captured."""
        if self.action is None:
            return ""
        return self.action.reading if self.is_read_only else self.action.writing

    @cached_property
    def arguments(self) -> ToolArguments:
        """What a client gives."""
        return ToolArguments(self.run, spaces=SpaceArguments if self.names_spaces else None)

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


def reads(
    name: str,
    title: str,
    *,
    action: ActionTypes | None = TOOL_CALL,
    names_spaces: bool = True,
    text: Renderer = render_json,
) -> Callable[[F], F]:
    """Return a tool that changes nothing."""
    hints = {"is_read_only": True, "is_destructive": False, "is_idempotent": True, "names_spaces": names_spaces}
    return _register(name, title, action=action, text=text, **hints)


def writes(
    name: str,
    title: str,
    *,
    is_idempotent: bool = False,
    action: ActionTypes | None = TOOL_CALL,
    names_spaces: bool = True,
    text: Renderer = render_json,
) -> Callable[[F], F]:
    """Return a tool that adds or changes; `is_idempotent` where calling it again changes nothing."""
    hints = {"is_read_only": False, "is_destructive": False, "is_idempotent": is_idempotent}
    return _register(name, title, action=action, text=text, names_spaces=names_spaces, **hints)


def removes(
    name: str,
    title: str,
    *,
    action: ActionTypes | None = TOOL_CALL,
    names_spaces: bool = True,
    text: Renderer = render_json,
) -> Callable[[F], F]:
    """Return a tool that takes something away from what agents recall; idempotent."""
    hints = {"is_read_only": False, "is_destructive": True, "is_idempotent": True, "names_spaces": names_spaces}
    return _register(name, title, action=action, text=text, **hints)


def _register(name: str, title: str, *, action: ActionTypes | None, text: Renderer, **hints: bool) -> Callable[[F], F]:
    def register(function: F) -> F:
        TOOLS[name] = Tool(name, title, function, action=action, text=text, **hints)
        return function

    return register
