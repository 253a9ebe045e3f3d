"""Sets of tools: which of them `tools/list` shows, as the address of the door asks for (`/mcp?tools=memory,telemetry`).

A list costs tokens in every session of an agent. What is not listed still answers when it is called.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Literal, get_args
from urllib.parse import parse_qs

from core.errors import FieldProblem, InvalidError
from mcp_server.registry import TOOLS, Tool

SetName = Literal["core", "memory", "telemetry", "ontology", "all"]
SET_NAMES: tuple[SetName, ...] = get_args(SetName)
DEFAULT: tuple[SetName, ...] = ("core",)
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
# The sets of the call that this task or thread is answering; the door sets them.
LISTED_SETS: ContextVar[tuple[SetName, ...]] = ContextVar("listed_sets", default=DEFAULT)


class UnknownToolSetError(InvalidError):
    """The address asks for a set of tools that there is not."""

    code = "unknown_tool_set"
    status = 400
    title = f"There is no such set of tools. Sets: {', '.join(SET_NAMES)}."


def parse_tool_sets(query: str) -> tuple[SetName, ...]:
    """Return the sets that a query string names, separated by commas; `core` where it names none.

    Raises UnknownToolSetError.
    """
    given = parse_qs(query, keep_blank_values=True).get(PARAMETER)
    if given is None:
        return DEFAULT
    named = [name.strip().lower() for value in given for name in value.split(",")]
    if unknown := [name for name in named if name not in SET_NAMES]:
        sentence = (
            f"There is no set of tools named {unknown[0][:MAX_SHOWN]!r}. Connect to /mcp?tools= with one or more of "
            f"{', '.join(SET_NAMES)}, separated by commas."
        )
        raise UnknownToolSetError(sentence, problems=(FieldProblem(PARAMETER, "unknown_tool_set", sentence),))
    return tuple(name for name in SET_NAMES if name in named)


def select_tools(sets: Sequence[SetName]) -> list[Tool]:
    """Return the tools of these sets, each once, in the order in which they were registered."""
    return [tool for tool in TOOLS.values() if not {"all", *find_sets(tool)}.isdisjoint(sets)]


def find_sets(tool: Tool) -> tuple[SetName, ...]:
    """Return the sets of a tool, but for `all`: that of its module, behind `core` where it is there."""
    module = tool.run.__module__.rpartition(".")[2]
    area: SetName = "telemetry" if module == "telemetry" else "ontology" if module == "ontology" else "memory"
    return ("core", area) if tool.name in CORE else (area,)
