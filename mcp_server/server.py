"""The official SDK's server with this product's tools, resources and prompt. Imported at the first call of the door."""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Callable
from typing import Any

from django.db import InterfaceError, OperationalError, connection
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import ToolAnnotations

import mcp_server.tools  # noqa: F401  # fills the registry
from core.errors import ProductError, UnavailableError
from mcp_server.registry import CALLER, TOOLS, Tool
from mcp_server.resources import RESOURCES, primer
from telemetry.sequencing import Outcome
from telemetry.services.capturing import capture, session_of
from telemetry.services.recording import NewAction
from workspaces.callers import Caller

NAME = "workspace-memory"
INSTRUCTIONS = (
    "The memory of one workspace. Recall before you answer, remember what will matter again, and cite what you use as"
    " [mem:<id>]. Facts are authoritative, memories are suggestions. Tool names also work with _ instead of dots."
)


def build_server() -> MCPServer[Any]:
    """A server with every tool under its name and its alias."""
    server: MCPServer[Any] = MCPServer(NAME, title="Workspace Memory", instructions=INSTRUCTIONS, log_level="WARNING")
    for tool in TOOLS.values():
        for name in dict.fromkeys((tool.name, tool.alias)):
            server.add_tool(
                _callable(tool), name=name, title=tool.title, description=tool.description, annotations=_hints(tool)
            )
    for resource in RESOURCES:
        read = _in_thread_of_its_own(resource.read)
        server.resource(
            resource.address, title=resource.title, description=resource.read.__doc__, mime_type="application/json"
        )(read)
    server.prompt("prime", title="Prime an agent", description=primer.__doc__)(primer)
    return server


def _hints(tool: Tool) -> ToolAnnotations:
    return ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.is_read_only,
        destructive_hint=tool.is_destructive,
        idempotent_hint=tool.is_idempotent,
        open_world_hint=False,
    )


def _callable(tool: Tool) -> Callable[..., Any]:
    """The tool without its caller, as the SDK reads it: arguments and result by their annotations."""
    signature = inspect.signature(tool.run, eval_str=True)
    visible = [parameter for name, parameter in signature.parameters.items() if name != "caller"]

    def call(**arguments: Any) -> Any:
        return _run(tool, arguments)

    call.__name__ = tool.alias
    call.__signature__ = signature.replace(parameters=visible)  # type: ignore[attr-defined]  # what inspect reads
    call.__annotations__ = {}
    return call


def _run(tool: Tool, arguments: dict[str, Any]) -> Any:
    """Run in one of the SDK's threads, tell telemetry how it went, and give the connection back."""
    caller, started = CALLER.get(), time.perf_counter()
    error: ProductError | None = None
    result: Any = None
    try:
        result = tool.run(caller, **arguments)
        return result
    except ProductError as refusal:
        error = refusal
        raise ToolError(_told(refusal)) from refusal
    except (OperationalError, InterfaceError) as trouble:
        error = UnavailableError()
        raise ToolError(_told(error)) from trouble
    finally:
        took = (time.perf_counter() - started) * 1000
        if tool.is_captured:
            capture(caller=caller, action=_action(caller, tool, result, error, took))
        connection.close()  # a thread that is no request's would keep it for good


def _told(error: ProductError) -> str:
    fields = "".join(f" {problem.field}: {problem.detail}" for problem in error.problems)
    return f"{error.code}: {error.detail}{fields}"


def _action(caller: Caller, tool: Tool, result: Any, error: ProductError | None, took: float) -> NewAction:
    found_nothing = isinstance(result, dict) and result.get("results") == []
    ending = Outcome.FAILURE if error or result is None else Outcome.DEAD_END if found_nothing else Outcome.SUCCESS
    return NewAction(
        session=session_of(caller),
        agent=caller.label[:120],
        action_type="graph_query" if tool.is_read_only else "ontology_mutation",
        tool=tool.name,
        node_type="memory" if tool.name.startswith("memory.") else "",
        outcome=ending,
        error_code=error.code if error else "",
        latency_ms=round(took, 2),
    )


def _in_thread_of_its_own(read: Callable[[Caller], Any]) -> Callable[[], str]:
    def answer() -> str:
        try:
            return json.dumps(read(CALLER.get()), ensure_ascii=False)
        except ProductError as error:
            raise ResourceError(_told(error)) from error
        finally:
            connection.close()

    answer.__name__ = read.__name__
    return answer
