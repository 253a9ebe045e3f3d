"""`@agent`: a function becomes an agent with memory, to be awaited or not, as the function is."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from inspect import iscoroutinefunction
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

from workspace_memory.agent_declaration import Declared, check_function, name_specs
from workspace_memory.aio.agent_runtime import AsyncAgent, AsyncAgentContext
from workspace_memory.memory_spec import MemorySpec
from workspace_memory.sync.agent_runtime import Agent, AgentContext

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class AgentDecorator:
    """What `agent(…)` returns, to be put onto a function."""

    specs: Mapping[str, MemorySpec]
    name: str | None
    tools: Sequence[Callable[..., Any]]
    backend: Any

    @overload
    def __call__(
        self, function: Callable[Concatenate[AsyncAgentContext, P], Coroutine[Any, Any, R]]
    ) -> AsyncAgent[P, R]: ...

    @overload
    def __call__(self, function: Callable[Concatenate[AgentContext, P], R]) -> Agent[P, R]: ...

    def __call__(self, function: Callable[..., Any]) -> AsyncAgent[Any, Any] | Agent[Any, Any]:
        check_function(function)
        made: Any = AsyncAgent if iscoroutinefunction(function) else Agent
        name = self.name or function.__name__
        agent: AsyncAgent[Any, Any] | Agent[Any, Any] = made(
            function, name=name, specs=self.specs, tools=self.tools, backend=self.backend
        )
        return agent


def agent(
    *,
    memory: Declared = (),
    specs: Mapping[str, MemorySpec] | None = None,
    name: str | None = None,
    tools: Sequence[Callable[..., Any]] = (),
    backend: Any = None,
) -> AgentDecorator:
    """Give a function memory: its first argument is a context, `AsyncAgentContext` where it is to be awaited.

    `memory` are specs by their names, such as those of `load_specs`; or a list of them, each under the name of its
    tier (`scratchpad`, `session`, `conversation`, `knowledge`); or of names among `specs`. `name` is the dimension
    `agent` of scopes, and that of the function unless it is given. `tools` can be called with `ctx.call` from the
    beginning. `backend` is a client or a backend of slots; `within` of the agent may name another. Raises SpecError.
    """
    return AgentDecorator(name_specs(memory, specs), name, tuple(tools), backend)
