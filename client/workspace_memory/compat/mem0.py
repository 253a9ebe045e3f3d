"""The classes of the package `mem0ai` by their own names, on this server.

`from workspace_memory.compat.mem0 import Memory` stands for `from mem0 import Memory`. The server is that of WSM_URL
and WSM_KEY, or of `url` and `key`.
"""

from workspace_memory.aio.mem0_memory import AsyncMem0Client as AsyncMemoryClient
from workspace_memory.aio.mem0_memory import AsyncMem0Memory as AsyncMemory
from workspace_memory.compat.mem0_shapes import MemoryMissingError, MemoryOffError, NoCounterpartError
from workspace_memory.sync.mem0_memory import Mem0Client as MemoryClient
from workspace_memory.sync.mem0_memory import Mem0Memory as Memory

__all__ = [
    "AsyncMemory",
    "AsyncMemoryClient",
    "Memory",
    "MemoryClient",
    "MemoryMissingError",
    "MemoryOffError",
    "NoCounterpartError",
]
