"""What `@agent` is told: names for specs, the scope of a run, and the inputs of a call by their names. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, isasyncgenfunction, isclass, isgeneratorfunction, signature
from typing import Any
from uuid import uuid4

from workspace_memory.errors import InvalidValueError, WorkspaceMemoryError
from workspace_memory.memory_spec import MemorySpec, SpecError

Declared = Mapping[str, MemorySpec] | Sequence[MemorySpec | str]
RUN = "run_id"
# Under which name a spec without one is found.
NAMES = {"working": "scratchpad", "session": "session", "episodic": "conversation", "semantic": "knowledge"}


class UnknownToolError(WorkspaceMemoryError, LookupError):
    """A call of a tool that the agent does not have; the message names those that it has."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool in a run: in which turn of the model, and whether the tool returned."""

    tool: str
    turn: int
    succeeded: bool


def name_specs(declared: Declared, known: Mapping[str, MemorySpec] | None = None) -> dict[str, MemorySpec]:
    """The specs by their names: as they are given, by the names of `known` ones, or each under the name of its tier.

    Raises SpecError for a name that is not known, and for two specs under one name.
    """
    if isinstance(declared, Mapping):
        if wrong := [str(name) for name, spec in declared.items() if not isinstance(spec, MemorySpec)]:
            raise SpecError(f"{', '.join(wrong)}: a MemorySpec is expected, such as scratchpad().")
        return dict(declared)
    if isinstance(declared, str) or not isinstance(declared, Sequence):
        raise SpecError("memory is a list of specs or of names, or specs by their names.")
    named: dict[str, MemorySpec] = {}
    for one in declared:
        name, spec = _named(one, known or {})
        if name in named:
            raise SpecError(f"Two specs are called {name!r}. Give them names: memory={{'first': …, 'second': …}}.")
        named[name] = spec
    return named


def capturing(specs: Mapping[str, MemorySpec]) -> str | None:
    """The name of the scratchpad that calls of tools go through: the first that captures, else the first."""
    working = [name for name, spec in specs.items() if spec.tier == "working"]
    return next((name for name in working if specs[name].auto_capture), working[0] if working else None)


def is_cleared(spec: MemorySpec) -> bool:
    """Whether a scratchpad goes with its run: not if it says otherwise, nor if other runs have a part in it."""
    return RUN in spec.dimensions and not spec.keep_after_run


def run_scope(
    *, agent: str, run: str | None, session: str | None, user: str | None, more: Mapping[str, str]
) -> dict[str, str]:
    """The values of a run's scope; a run without an id is given one. The tenant is added by the backend."""
    given = {RUN: run or uuid4().hex, "session_id": session, "user_id": user, "agent": agent, **more}
    return {name: str(value) for name, value in given.items() if value is not None}


def check_function(function: Callable[..., Any]) -> None:
    """Raise SpecError for what cannot be an agent."""
    if isclass(function) or isgeneratorfunction(function) or isasyncgenfunction(function):
        raise SpecError(
            "An agent is a function that takes a context and returns its answer; this yields, or is a class."
        )


def tool_name(function: Callable[..., Any], name: str | None) -> str:
    """The name that a tool is called by. Raises SpecError for an object without one."""
    found = name or getattr(function, "__name__", None)
    if not found:
        raise SpecError("Name the tool: ctx.tool(function, name=…).")
    return str(found)


def inputs_of(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of an agent by name, defaults among them and without its context. Raises TypeError."""
    bound = signature(function).bind(None, *args, **kwargs)
    bound.apply_defaults()
    context = next(iter(bound.signature.parameters))
    return {
        name: value for name, value in _by_name(bound.signature.parameters, bound.arguments).items() if name != context
    }


def named_arguments(function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call of a tool by name. Raises InvalidValueError for those that have none."""
    if not args:
        return dict(kwargs)
    try:
        bound = signature(function).bind_partial(*args, **kwargs)
    except (TypeError, ValueError) as error:
        raise InvalidValueError(f"Call the tool with arguments by their names: {error}.") from error
    nameless = (Parameter.POSITIONAL_ONLY, Parameter.VAR_POSITIONAL)
    if any(bound.signature.parameters[name].kind in nameless for name in bound.arguments):
        raise InvalidValueError("Call the tool with arguments by their names: it takes some that have none.")
    return _by_name(bound.signature.parameters, bound.arguments)


def _by_name(parameters: Mapping[str, Parameter], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments with those that the function collects in `**` next to the others."""
    found: dict[str, Any] = {}
    for name, value in arguments.items():
        found.update(value if parameters[name].kind is Parameter.VAR_KEYWORD else {name: value})
    return found


def _named(one: MemorySpec | str, known: Mapping[str, MemorySpec]) -> tuple[str, MemorySpec]:
    if isinstance(one, MemorySpec):
        return NAMES[one.tier], one
    if not isinstance(one, str) or one not in known:
        raise SpecError(f"There is no spec {one!r} among: {', '.join(known) or 'none'}. Give them as `specs`.")
    return one, known[one]
