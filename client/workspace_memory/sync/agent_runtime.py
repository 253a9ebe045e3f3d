"""Runs of an agent: a context with the memory that it declared, whose scratchpads live as long as the run."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import update_wrapper, wraps
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from typing_extensions import Self

from workspace_memory.agent_declaration import (
    RUN,
    ToolCall,
    UnknownToolError,
    capturing,
    inputs_of,
    is_cleared,
    named_arguments,
    run_scope,
    tool_name,
)
from workspace_memory.memory_spec import MemorySpec, SpecError
from workspace_memory.sync.client import Memory
from workspace_memory.sync.scratchpad import Scratchpad
from workspace_memory.sync.slots import Backend, Slot

P = ParamSpec("P")
R = TypeVar("R")
Tool = Callable[..., Any]

logger = logging.getLogger("workspace_memory.agent")


class AgentContext:
    """What an agent has in one run: its scope, its slots, its scratchpad, and its tools, whose results are captured.

    `calls` counts every call of a tool, the failed ones too.
    """

    def __init__(self, *, agent: str, scope: Mapping[str, str], specs: Mapping[str, MemorySpec]) -> None:
        self.agent = agent
        self.scope = dict(scope)
        self.specs = dict(specs)
        self.inputs: dict[str, Any] = {}
        self.turn = 0
        self.calls: list[ToolCall] = []
        self.scratchpads: dict[str, Scratchpad] = {}
        self._slots: dict[str, Slot] = {}
        self._tools: dict[str, Tool] = {}

    @property
    def run_id(self) -> str:
        return self.scope[RUN]

    @property
    def scratchpad(self) -> Scratchpad:
        """The scratchpad that results of tools go into. Raises SpecError for an agent that declares none."""
        name = capturing(self.specs)
        if name is None:
            raise SpecError("This agent has no scratchpad. Declare one: @agent(memory=[scratchpad()]).")
        return self.scratchpads[name]

    def memory(self, name: str) -> Slot:
        """The slot of a declared spec, for the scope of this run. Raises SpecError for a name without one."""
        if name not in self._slots:
            raise SpecError(f"This agent has no slot {name!r}; it has {', '.join(self._slots) or 'none'}.")
        return self._slots[name]

    def tool(self, function: Tool, *, name: str | None = None) -> Callable[..., Any]:
        """The tool as it is called in this run: references become values, and what it returns is captured.

        From now on `call` knows it, under `name` or the name of the function.
        """
        known = tool_name(function, name)
        self._tools[known] = function

        @wraps(function)
        def called(*args: Any, **inputs: Any) -> Any:
            return self.call(known, **named_arguments(function, args, inputs))

        return called

    def call(self, tool: str, /, **inputs: Any) -> Any:
        """Call a tool of this run as the model asks for it, and return what it returns.

        Raises what the tool raises; before it is called UnknownToolError, UnknownReferenceError, and what
        `Scratchpad.call` raises.
        """
        if tool not in self._tools:
            raise UnknownToolError(f"There is no tool {tool!r}; this agent has {', '.join(self._tools) or 'none'}.")
        pad = self.scratchpad if capturing(self.specs) else None
        call = _Counted(self._tools[tool])
        try:
            if pad is None:
                return call(**inputs)
            return pad.call(tool, call, inputs)
        finally:
            if call.is_made:
                self.calls.append(ToolCall(tool, max(self.turn, 1), call.has_returned))

    def prompt_block(self) -> str:
        """The block for the prompt of the model's next turn, with which that turn begins; empty without results.

        At most 2,000 tokens for each scratchpad. While memory does not answer, what this process knows.
        """
        self.turn += 1
        for pad in self.scratchpads.values():
            pad.turn = max(self.turn, 1)
            _attempt("agent.scratchpad_not_read", pad.refresh)
        return "\n".join(filter(None, (pad.lines for pad in self.scratchpads.values())))

    def _open(self, backend: Backend, inputs: Mapping[str, Any]) -> None:
        self.inputs = dict(inputs)
        for name, spec in self.specs.items():
            if spec.tier == "working":
                self.scratchpads[name] = Scratchpad.open(backend, spec, name=name, **self.scope)
            else:
                self._slots[name] = backend.slot(name, spec, **self.scope)
        if capturing(self.specs) and self.scratchpad.spec.auto_capture:
            self.scratchpad.seed(**self.inputs)

    def _close(self) -> None:
        """Clear what belongs to this run alone. What remains of it when memory does not answer goes by its ttl."""
        for pad in self.scratchpads.values():
            if is_cleared(pad.spec):
                _attempt("agent.scratchpad_not_cleared", pad.clear)


class Agent(Generic[P, R]):
    """A function with memory. Calling it is a run: `analyst.within(memory, user="42")(question="…")`."""

    def __init__(
        self,
        function: Callable[Concatenate[AgentContext, P], R],
        *,
        name: str,
        specs: Mapping[str, MemorySpec],
        tools: Sequence[Tool] = (),
        backend: Backend | Memory | None = None,
    ) -> None:
        update_wrapper(self, function)
        self.name = name
        self.specs = dict(specs)
        self._function = function
        self._tools = tools
        self._backend = backend
        self._run: dict[str, Any] = {"run": None, "session": None, "user": None, "more": {}}

    def within(
        self,
        backend: Backend | Memory | None = None,
        *,
        run: str | None = None,
        session: str | None = None,
        user: str | None = None,
        **scope: str,
    ) -> Self:
        """The agent with where its memory lives (a client, or a backend of slots) and for whom it runs.

        They are the dimensions `run_id`, `session_id` and `user_id` of a scope; others are given by their names. A run
        without an id is given one with every call.
        """
        other = copy(self)
        other._backend = backend or self._backend
        given = {"run": run, "session": session, "user": user}
        known = {name: value for name, value in given.items() if value is not None}
        other._run = {**self._run, **known, "more": {**self._run["more"], **scope}}
        return other

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run it once; its scratchpad is cleared at the end, however it ends.

        Raises what the function raises; before it begins SpecError for a scope without a value, and what the backend
        raises.
        """
        context = AgentContext(agent=self.name, scope=run_scope(agent=self.name, **self._run), specs=self.specs)
        for tool in self._tools:
            context.tool(tool)
        inputs = inputs_of(self._function, args, kwargs)
        try:
            if self.specs:
                context._open(self._slots(), inputs)
            return self._function(context, *args, **kwargs)
        finally:
            context._close()

    def _slots(self) -> Backend:
        if self._backend is None:
            raise SpecError(f"Say where the memory of {self.name} lives: {self.name}.within(memory, user=…)(…).")
        return self._backend.slots if isinstance(self._backend, Memory) else self._backend


class _Counted:
    """A tool that notes whether it was called, and whether it returned."""

    def __init__(self, function: Tool) -> None:
        self._function = function
        self.is_made = self.has_returned = False

    def __call__(self, **inputs: Any) -> Any:
        self.is_made = True
        result = self._function(**inputs)
        self.has_returned = True
        return result


def _attempt(event: str, step: Callable[[], None]) -> None:
    """Do what a run does not depend on. What goes wrong is a warning, and never stands in place of an answer."""
    try:
        step()
    except Exception as error:  # noqa: BLE001  # whatever a backend raises, the run has its answer
        logger.warning("%s: %s", event, type(error).__name__)
