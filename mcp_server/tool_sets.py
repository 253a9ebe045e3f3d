"""Sets of tools: which of them `tools/list` shows, as the address (`/mcp?tools=memory,telemetry`) or the key asks for.

A list costs tokens in every session of an agent. What is not listed still answers when it is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from urllib.parse import parse_qs

from core.errors import FieldProblem, InvalidError
from mcp_server.registry import TOOLS, Tool
from workspaces.keys.tool_sets import TOOL_SETS, ToolSet

DEFAULT: tuple[ToolSet, ...] = ("core",)
PARAMETER = "tools"
MAX_SHOWN = 40  # characters of a name that is refused
# What an agent needs for a whole session, the most likely first: a refusal that names another tool prefers these.
CORE = (
    "memory.recall",
    "context.assemble",
    "memory.remember",
    "memory.edit",
    "memory.forget",
    "memory.add",
    "run.start",
    "run.finish",
)
# The sets that the address of the call names which this task or thread is answering; the door sets them.
LISTED_SETS: ContextVar[tuple[ToolSet, ...]] = ContextVar("listed_sets", default=())


class UnknownToolSetError(InvalidError):
    """The address asks for a set of tools that there is not."""

    code = "unknown_tool_set"
    status = 400
    title = f"There is no such set of tools. Sets: {', '.join(TOOL_SETS)}."


def parse_tool_sets(query: str) -> tuple[ToolSet, ...]:
    """Return the sets that a query string names, separated by commas; none where it has no `tools`.

    Raises UnknownToolSetError.
    """
    given = parse_qs(query, keep_blank_values=True).get(PARAMETER)
    if given is None:
        return ()
    named = [name.strip().lower() for value in given for name in value.split(",")]
    if unknown := [name for name in named if name not in TOOL_SETS]:
        sentence = (
            f"There is no set of tools named {unknown[0][:MAX_SHOWN]!r}. Connect to /mcp?tools= with one or more of "
            f"{', '.join(TOOL_SETS)}, separated by commas."
        )
        raise UnknownToolSetError(sentence, problems=(FieldProblem(PARAMETER, "unknown_tool_set", sentence),))
    return tuple(name for name in TOOL_SETS if name in named)


def select_tools(sets: Sequence[ToolSet]) -> list[Tool]:
    """Return the tools of these sets, each once, in the order in which they were registered."""
    return [tool for tool in TOOLS.values() if not {"all", *find_sets(tool)}.isdisjoint(sets)]


def find_sets(tool: Tool) -> tuple[ToolSet, ...]:
    """Return the sets of a tool, but for `all`: that of its module, behind `core` where it is there."""
    module = tool.run.__module__.rpartition(".")[2]
    area: ToolSet = "telemetry" if module == "telemetry" else "ontology" if module == "ontology" else "memory"
    return ("core", area) if tool.name in CORE else (area,)
