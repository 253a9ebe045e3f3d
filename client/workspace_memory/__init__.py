"""The Python SDK of Workspace Memory: `Memory` blocks, `AsyncMemory` is to be awaited."""

from workspace_memory.agent_declaration import ToolCall, UnknownToolError
from workspace_memory.agents import agent
from workspace_memory.aio.agent_runtime import AsyncAgent, AsyncAgentContext
from workspace_memory.aio.client import AsyncMemory
from workspace_memory.aio.scratchpad import AsyncScratchpad
from workspace_memory.aio.slots import AsyncBackend, AsyncInMemory, AsyncSlot
from workspace_memory.errors import (
    ApiError,
    ConflictError,
    FieldProblem,
    ForbiddenError,
    InvalidError,
    InvalidValueError,
    NoAnswerError,
    NotFoundError,
    RateLimitedError,
    ServerError,
    TooLargeError,
    UnauthenticatedError,
    UnexpectedAnswerError,
    WorkspaceMemoryError,
    WorkspaceNotNamedError,
)
from workspace_memory.memory_spec import (
    MemorySpec,
    SpecError,
    conversation_memory,
    load_specs,
    scratchpad,
    semantic_memory,
)
from workspace_memory.models import Action
from workspace_memory.scratchpad_references import GoneReferenceError, UnknownReferenceError
from workspace_memory.slot_values import SchemaMismatchError, SlotItems, UnfitItem
from workspace_memory.sync.agent_runtime import Agent, AgentContext
from workspace_memory.sync.client import Memory
from workspace_memory.sync.scratchpad import Scratchpad
from workspace_memory.sync.slots import Backend, InMemory, Slot
from workspace_memory.wire import VERSION, Retries

__version__ = VERSION

__all__ = [
    "Action",
    "Agent",
    "AgentContext",
    "ApiError",
    "AsyncAgent",
    "AsyncAgentContext",
    "AsyncBackend",
    "AsyncInMemory",
    "AsyncMemory",
    "AsyncScratchpad",
    "AsyncSlot",
    "Backend",
    "ConflictError",
    "FieldProblem",
    "ForbiddenError",
    "GoneReferenceError",
    "InMemory",
    "InvalidError",
    "InvalidValueError",
    "Memory",
    "MemorySpec",
    "NoAnswerError",
    "NotFoundError",
    "RateLimitedError",
    "Retries",
    "SchemaMismatchError",
    "Scratchpad",
    "ServerError",
    "Slot",
    "SlotItems",
    "SpecError",
    "TooLargeError",
    "ToolCall",
    "UnauthenticatedError",
    "UnexpectedAnswerError",
    "UnfitItem",
    "UnknownReferenceError",
    "UnknownToolError",
    "WorkspaceMemoryError",
    "WorkspaceNotNamedError",
    "agent",
    "conversation_memory",
    "load_specs",
    "scratchpad",
    "semantic_memory",
]
