"""The official SDK's server with this product's tools, resources and prompt. Imported at the first call of the door."""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.mcpserver.tools import Tool as ShownTool
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import ValidationError

import mcp_server.tools  # noqa: F401  # fills the registry
from core.errors import FieldProblem, InvalidError, NotFoundError, ProductError, UnavailableError, UnknownFieldError
from mcp_server.registry import CALLER, TOOLS, Tool
from mcp_server.resources import RESOURCES, primer
from telemetry.calls import action_type_of_tool
from telemetry.sequencing import Outcome
from telemetry.services.capturing import capture, session_of
from telemetry.services.recording import NewAction
from workspaces.callers import Caller

NAME = "workspace-memory"
INSTRUCTIONS = (
    "The memory of one workspace. Recall before you answer, remember what will matter again, and cite what you use as"
    " [mem:<id>]. Facts are authoritative, memories are suggestions. Tool names also work with _ instead of dots."
)


# The arguments that name the node that a call is about.
NAMING = ("memory_id", "node_id")
NAMED = {name: tool for tool in TOOLS.values() for name in (tool.name, tool.alias)}


class UnknownToolError(NotFoundError):
    """There is no tool of that name."""

    code = "unknown_tool"
    title = "There is no tool of that name. List the tools to see which there are."


class Server(MCPServer[Any]):
    """The SDK's server, with refusals that begin with a code and name the argument at fault."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        tool = NAMED.get(name)
        if tool is None:
            return _refusal(UnknownToolError())
        if unknown := arguments.keys() - tool.arguments.keys():
            problems = (FieldProblem(each, "unknown_field", "This tool knows no such argument.") for each in unknown)
            return _refusal(UnknownFieldError(problems=tuple(problems)))
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                return _refusal(InvalidError(problems=tuple(_problems(error.__cause__))))
            raise


def build_server() -> Server:
    """A server with every tool under its name and its alias."""
    server = Server(
        NAME,
        title="Workspace Memory",
        version=settings.VERSION,
        instructions=INSTRUCTIONS,
        log_level="WARNING",
        tools=[_shown(tool, name) for name, tool in NAMED.items()],
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


def _shown(tool: Tool, name: str) -> ShownTool:
    """The tool as the SDK lists it, under one of its names. It takes no argument that it does not know."""
    shown = ShownTool.from_function(
        _callable(tool), name=name, title=tool.title, description=tool.description, annotations=_hints(tool)
    )
    shown.parameters["additionalProperties"] = False
    return shown


def _callable(tool: Tool) -> Callable[..., Any]:
    """The tool without its caller, as the SDK reads it: arguments and result by their annotations."""
    signature = inspect.signature(tool.run, eval_str=True).replace(parameters=list(tool.arguments.values()))

    def call(**arguments: Any) -> Any:
        return _run(tool, arguments)

    call.__name__ = tool.alias
    call.__signature__ = signature  # type: ignore[attr-defined]  # what inspect reads
    call.__annotations__ = {}
    return call


def _run(tool: Tool, arguments: dict[str, Any]) -> Any:
    """Run in one of the SDK's threads, tell telemetry how it went, and give the connection back."""
    caller, started = CALLER.get(), time.perf_counter()
    error: ProductError | None = None
    result: Any = None
    try:
        result = tool.run(caller, **arguments)
        # What is not in the shape is not in the text either, which is all that many models are shown.
        return tool.shape.dump_python(tool.shape.validate_python(result), mode="json")
    except ProductError as refusal:
        error = refusal
        return _refusal(refusal)
    except (OperationalError, InterfaceError):
        error = UnavailableError()
        return _refusal(error)
    finally:
        took = (time.perf_counter() - started) * 1000
        if tool.is_captured:
            action = _action(caller, tool, arguments=arguments, result=result, error=error, took=took)
            capture(caller=caller, action=action)
        connection.close()  # a thread that is no request's would keep it for good


def _refusal(error: ProductError) -> CallToolResult:
    # As a result: what is raised the SDK puts behind a sentence of its own.
    return CallToolResult(content=[TextContent(type="text", text=_told(error))], is_error=True)


def _told(error: ProductError) -> str:
    named = {f"{each.field}: {each.detail}": each.detail for each in error.problems}
    if error.detail in named.values():  # a field's own sentence, which does not say of which
        return " ".join([f"{error.code}:", *named])
    return " ".join([f"{error.code}: {error.detail}", *(each for each in named if named[each] not in error.detail)])


def _problems(error: ValidationError) -> Iterator[FieldProblem]:
    """What is wrong with which argument, without repeating what was sent."""
    for each in error.errors(include_url=False, include_context=False, include_input=False):
        yield FieldProblem(".".join(map(str, each["loc"])), each["type"], f"{each['msg']}.")


def _action(
    caller: Caller, tool: Tool, *, arguments: dict[str, Any], result: Any, error: ProductError | None, took: float
) -> NewAction:
    found_nothing = isinstance(result, dict) and result.get("results") == []
    ending = Outcome.FAILURE if error or result is None else Outcome.DEAD_END if found_nothing else Outcome.SUCCESS
    return NewAction(
        session=session_of(caller),
        agent=caller.label[:120],
        action_type=action_type_of_tool(tool.name, is_read_only=tool.is_read_only),
        tool=tool.name,
        node_type="memory" if tool.name.startswith("memory.") else "",
        # As of a REST call: only an id that opened something is kept.
        node_ids=() if ending == Outcome.FAILURE else [arguments[name] for name in NAMING if name in arguments],
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
