"""What agents called, in the product's words instead of those of HTTP. Pure."""

from __future__ import annotations

import re

_CALL = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE) ([^\s,]+(?: [^\s,]*\})*[^\s,]*)")
# The first that fits counts. In a path, braces stand for ids and keys.
_WORDS: tuple[tuple[str, str], ...] = (
    (r"POST memories/search|POST conversations/.*/memories/search", "searched memories"),
    (r"POST memories|POST conversations/.*/memories", "remembered"),
    (r"POST memories/.*/(pin|unpin|promote|demote|suppress|unsuppress|restore|close|reopen|weight)", r"\1 a memory"),
    (r"POST memories/.*/propose", "proposed a memory"),
    (r"DELETE memories/.*", "forgot a memory"),
    (r"PATCH memories/.*", "edited a memory"),
    (r"GET memories.*", "read memories"),
    (r"POST context", "asked for a context"),
    (r"POST runs/.*/finish", "finished a run"),
    (r"POST runs", "started a run"),
    (r"GET runs.*", "read a run"),
    (r"POST messages/search|POST conversations/.*/recall", "searched messages"),
    (r"POST conversations/.*/messages", "appended messages"),
    (r"POST add", "added messages"),
    (r"GET conversations.*", "read conversations"),
    (r"POST conversations/.*/end", "ended a conversation"),
    (r"DELETE conversations/.*", "deleted a conversation"),
    (r"(PUT|PATCH) conversations/.*/plan", "planned"),
    (r"POST conversations/.*/iterations.*", "noted an attempt"),
    (r"POST ontology/(search|prompt)", "searched things"),
    (r"POST ontology/ask|POST chat.*", "asked a question"),
    (r"POST ontology/(nodes|edges).*", "added things"),
    (r"PATCH ontology/.*", "edited a thing"),
    (r"DELETE ontology/.*", "deleted a thing"),
    (r"GET ontology/.*", "read things"),
    (r"POST actions", "reported actions"),
    (r"POST patterns/inject", "asked for warnings"),
    (r"(GET|POST) slots/.*", "read its scratchpad"),
    (r"(PUT|PATCH|DELETE) slots/.*", "wrote its scratchpad"),
    (r"GET settings", "read settings"),
    (r"PUT settings", "changed settings"),
    (r"GET export", "exported the workspace"),
    (r"POST import.*", "imported"),
)
_VERBS = {
    "pin": "pinned",
    "unpin": "unpinned",
    "promote": "promoted",
    "demote": "demoted",
    "suppress": "suppressed",
    "unsuppress": "unsuppressed",
    "restore": "restored",
    "close": "closed",
    "reopen": "reopened",
    "weight": "weighed",
}


# Tools of this server's MCP door.
TOOL_WORDS = {
    "context.assemble": "asked for a context",
    "conversation.append": "appended messages",
    "conversation.end": "ended a conversation",
    "conversation.last": "read a conversation",
    "conversation.search": "searched messages",
    "iteration.briefing": "read what was tried before",
    "iteration.list": "read its attempts",
    "iteration.log": "noted an attempt",
    "memory.add": "added messages",
    "memory.annotate": "annotated a pattern",
    "memory.benchmark_get": "read a benchmark",
    "memory.close": "closed a memory",
    "memory.context": "read what is known of a user",
    "memory.context_inject": "asked for warnings",
    "memory.demote": "demoted a memory",
    "memory.edit": "edited a memory",
    "memory.forget": "forgot a memory",
    "memory.get": "read a memory",
    "memory.list": "listed memories",
    "memory.metric_create": "added a metric",
    "memory.metric_delete": "deleted a metric",
    "memory.metric_list": "listed metrics",
    "memory.pin": "pinned a memory",
    "memory.promote": "promoted a memory",
    "memory.propose": "proposed a memory",
    "memory.recall": "searched memories",
    "memory.remember": "remembered",
    "memory.reopen": "reopened a memory",
    "memory.restore": "restored a memory",
    "memory.search": "searched memories",
    "memory.suppress": "suppressed a memory",
    "memory.unpin": "unpinned a memory",
    "memory.unsuppress": "unsuppressed a memory",
    "memory.withdraw": "withdrew a proposal",
    "ontology.ask": "asked a question",
    "ontology.learn": "learned from a text",
    "ontology.neighbours": "looked at what is around a thing",
    "ontology.search": "searched things",
    "plan.get": "read its plan",
    "plan.update": "planned",
    "run.finish": "finished a run",
    "run.start": "started a run",
    "user_memory.get": "read the notes about a user",
    "user_memory.update": "wrote the notes about a user",
    "workspace.disable_memory": "switched memory off",
    "workspace.enable_memory": "switched memory on",
    "workspace.memory_status": "asked whether memory is on",
}
_WHILE = {
    "graph_query": "looking for",
    "ontology_mutation": "changing",
    "connection_ingest": "importing from",
    "config_change": "changing settings of",
    "tool_call": "working on",
}
_WITHOUT_TYPE = {
    "graph_query": "searching",
    "ontology_mutation": "changing things",
    "connection_ingest": "importing",
    "config_change": "changing settings",
    "tool_call": "calling a tool",
}
_THINGS = {"memory": "memories", "node": "things", "edge": "edges", "type": "types", "connection": "connections"}


def kind_in_words(action_type: str, node_type: str = "") -> str:
    """Return what an action was about, as the end of a sentence: "changing memories"; other types keep their names."""
    if not node_type:
        return _WITHOUT_TYPE.get(action_type, action_type.replace("_", " "))
    things = _THINGS.get(node_type, node_type)
    return f"{_WHILE[action_type]} {things}" if action_type in _WHILE else f"{action_type.replace('_', ' ')}: {things}"


def call_in_words(tool: str) -> str:
    """Return what a call did, as the end of a sentence about its agent; a tool of another server keeps its name."""
    return _own_call_in_words(tool) or tool or "acted"


def call_as_title(tool: str) -> str:
    """Return what a call did, as a title; a tool of another server keeps its name."""
    return _capitalise(_own_call_in_words(tool)) or tool


def is_own_call(tool: str) -> bool:
    """Return whether a call is one of this server, which has words."""
    return bool(_own_call_in_words(tool))


def _own_call_in_words(tool: str) -> str:
    """Return what a call of this server did; '' for any other."""
    if tool in TOOL_WORDS:
        return TOOL_WORDS[tool]
    for pattern, words in _WORDS:
        if found := re.fullmatch(pattern, tool):
            said = found.expand(words)
            verb, _, rest = said.partition(" ")
            return f"{_VERBS.get(verb, verb)} {rest}".strip()
    return ""


def summary_in_words(summary: str) -> str:
    """Return the summary of a sequence without its methods and paths, each thing once."""
    said: list[str] = []
    for part in summary.split(", "):
        found = _CALL.search(part)
        words = call_in_words(f"{found[1]} {found[2]}") if found else part
        if words not in said:
            said.append(words)
    return _capitalise(", ".join(said))


def _capitalise(words: str) -> str:
    return words[:1].upper() + words[1:]
