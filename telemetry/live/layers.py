"""Layers of memory, and which of them an address or a tool is about. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, get_args

LayerName = Literal[
    "memories",
    "conversations",
    "episodes",
    "plans",
    "working_memory",
    "contexts",
    "runs",
    "ontology",
    "telemetry",
    "chat",
    "transfer",
    "workspace",
]
LAYERS: tuple[str, ...] = get_args(LayerName)
UNKNOWN = "workspace"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a call is about: its layer, and the type of the objects that it answers; '' for none that has ids."""

    layer: str
    type: str = ""


WORKSPACE = Subject("workspace")
# By a word of an address. The last word that is known decides, so that `conversations/{c}/memories` is about memories.
SUBJECTS: dict[str, Subject] = {
    "about-you": Subject("working_memory"),
    "actions": Subject("telemetry", "action"),
    "add": Subject("conversations", "conversation"),
    "agents": Subject("telemetry"),
    "api-keys": WORKSPACE,
    "apps": WORKSPACE,
    "benchmarks": Subject("telemetry"),
    "chat": Subject("chat"),
    "connect": WORKSPACE,
    "connections": Subject("ontology", "connection"),
    "context": Subject("contexts", "receipt"),
    "conversations": Subject("conversations", "conversation"),
    "edges": Subject("ontology", "edge"),
    "episodes": Subject("episodes", "episode"),
    "explain": Subject("contexts"),
    "export": Subject("transfer"),
    "home": Subject("memories"),
    "import": Subject("transfer"),
    "imports": Subject("transfer"),
    "iterations": Subject("plans"),
    "members": WORKSPACE,
    "memories": Subject("memories", "memory"),
    "memory": Subject("memories", "memory"),
    "merge": Subject("ontology", "node"),
    "merge-candidates": Subject("ontology"),
    "merge-queue": Subject("ontology"),
    "merges": Subject("ontology"),
    "messages": Subject("conversations", "message"),
    "metrics": Subject("telemetry"),
    "models": WORKSPACE,
    "nodes": Subject("ontology", "node"),
    "ontology": Subject("ontology", "node"),
    "patterns": Subject("telemetry", "pattern"),
    "plan": Subject("plans"),
    "prompt-runs": WORKSPACE,
    "proposals": Subject("memories", "proposal"),
    "receipts": Subject("contexts", "receipt"),
    "recall": Subject("conversations", "message"),
    "review": Subject("memories"),
    "runs": Subject("runs", "run"),
    "sequences": Subject("telemetry", "sequence"),
    "settings": WORKSPACE,
    "slots": Subject("working_memory"),
    "spaces": WORKSPACE,
    "statements": Subject("episodes", "statement"),
    "things": Subject("ontology", "node"),
    "types": Subject("ontology"),
    "undo": Subject("transfer"),
    "users": Subject("working_memory"),
    "window": Subject("conversations"),
}
# Addresses whose last known word says something else than it does elsewhere.
EXCEPTIONS: dict[str, Subject] = {
    "memory/enable": WORKSPACE,
    "memory/disable": WORKSPACE,
    "settings/memory": WORKSPACE,
    "settings/memory/switch": WORKSPACE,
    "settings/retention": WORKSPACE,
    "users/{}/memory": Subject("working_memory"),
    "ontology/nodes/{}/actions": Subject("telemetry", "action"),
    "spaces/erase": Subject("transfer"),
    "spaces/{}": Subject("transfer"),
}
# By the first part of a tool's name; those of telemetry share theirs with memories.
TOOL_SUBJECTS: dict[str, Subject] = {
    "context": SUBJECTS["context"],
    "conversation": SUBJECTS["messages"],
    "iteration": SUBJECTS["iterations"],
    "memory": SUBJECTS["memories"],
    "ontology": SUBJECTS["ontology"],
    "plan": SUBJECTS["plan"],
    "run": SUBJECTS["runs"],
    "user_memory": SUBJECTS["users"],
    "workspace": WORKSPACE,
}
TELEMETRY_TOOLS = frozenset(
    {"search", "context", "context_inject", "annotate", "metric_create", "metric_delete", "metric_list"}
    | {"benchmark_get"}
)
# Words behind an address that take something away though the method does not say so.
REMOVING = frozenset({"delete", "erase", "forget", "purge", "remove", "revoke", "suppress", "withdraw", "clear"})

# Words behind an address of the console that look at something again, and may change a memory in the same step.
LOOKING_AGAIN = frozenset({"reproduce", "rerun"})


@lru_cache(maxsize=1_024)
def find_subject(path: str) -> Subject | None:
    """Return what an address is about, with `{…}` for its parameters; None where none of its words is known."""
    words = ["{}" if word.startswith("{") else word for word in path.split("/")]
    for length in (len(words), 2):
        if exception := EXCEPTIONS.get("/".join(words[:length])):
            return exception
    # What was written for one session is in a space that no reader has: its ids stay out.
    if words[0] == "conversations" and "memories" in words:
        return replace(SUBJECTS["memories"], type="")
    return next((SUBJECTS[word] for word in reversed(words) if word in SUBJECTS), None)


@lru_cache(maxsize=256)
def find_tool_subject(name: str) -> Subject | None:
    """Return what a tool of the MCP door is about, by its dotted name; None where it is not known."""
    area, _, verb = name.partition(".")
    if area == "memory" and verb in TELEMETRY_TOOLS:
        return Subject("telemetry", "pattern" if verb in {"search", "annotate", "context_inject"} else "")
    return TOOL_SUBJECTS.get(area)
