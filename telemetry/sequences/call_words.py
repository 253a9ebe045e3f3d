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


def call_in_words(tool: str) -> str:
    """Return what a call did, as the end of a sentence about its agent; a tool of another server keeps its name."""
    for pattern, words in _WORDS:
        if found := re.fullmatch(pattern, tool):
            said = found.expand(words)
            verb, _, rest = said.partition(" ")
            return f"{_VERBS.get(verb, verb)} {rest}".strip()
    return tool.replace("_", " ") or "acted"


def summary_in_words(summary: str) -> str:
    """Return the summary of a sequence without its methods and paths, each thing once."""
    said: list[str] = []
    for part in summary.split(", "):
        found = _CALL.search(part)
        words = call_in_words(f"{found[1]} {found[2]}") if found else part
        if words not in said:
            said.append(words)
    text = ", ".join(said)
    return text[:1].upper() + text[1:]
