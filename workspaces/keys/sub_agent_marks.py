"""The mark of a sub-agent: a header by which an agent says that a part of it calls, which gets no memory of users.

    X-Sub-Agent: true

Anything but `true` and `false` is refused: a mistake in it would show what is to be kept back. A key that was made with
`sub_agent` is marked whatever the header says.
"""

from __future__ import annotations

from core.errors import FieldProblem, InvalidError

SUB_AGENT_HEADER = "X-Sub-Agent"


def read_sub_agent_mark(header: str) -> bool:
    """Return whether a header marks a sub-agent; an absent one, which is empty, does not. Raises InvalidError."""
    value = header.strip().lower()
    if value not in {"", "true", "false"}:
        problem = FieldProblem(SUB_AGENT_HEADER, "invalid", "Send `true` for a sub-agent, or leave the header out.")
        raise InvalidError(problems=(problem,))
    return value == "true"
