"""What the palette offers next to what is stored: the pages of the console and its verbs, by right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.text import normalise
from workspaces.access.callers import Right


@dataclass(frozen=True, slots=True)
class Command:
    """A page that is opened, or with `fields` a form that is sent to it.

    `page` is the name of an address, `query` follows it; `words` are other names of it. It is offered to callers
    with the `right`, and to owners alone where it `is_for_owners`; `while_memory` says in which state of the switch.
    """

    label: str
    page: str
    words: str = ""
    query: str = ""
    icon: str = "next"
    right: Right = Right.READ
    is_for_owners: bool = False
    fields: Mapping[str, str] = field(default_factory=dict)
    while_memory: bool | None = None
    is_of_workspace: bool = True


VERBS = (
    Command("Ask a question", "ask", "chat explain answer new conversation", "?new", icon="chat"),
    Command("Remember …", "memory-remember", "add new memory fact note", icon="add", right=Right.WRITE),
    Command("Decide what waits", "review", "review queue suggestions", icon="review", right=Right.WRITE),
    Command(
        "Turn memory off",
        "settings-memory-switch",
        "pause stop learning switch disable",
        icon="switch",
        right=Right.WRITE,
        fields={"on": "false"},
        while_memory=True,
    ),
    Command(
        "Turn memory on",
        "settings-memory-switch",
        "start learning switch enable",
        icon="switch",
        right=Right.WRITE,
        fields={"on": "true"},
        while_memory=False,
    ),
    Command("Connect an agent", "connect", "mcp client claude cursor sdk set up", icon="link"),
    Command("New key", "settings-api-key-new", "api key secret token make", icon="key", right=Right.ADMIN),
    Command("Add a thing", "ontology-node-new", "node ontology new", icon="add", right=Right.WRITE),
    Command("Invite somebody", "settings-members", "member invitation people add", icon="person", right=Right.ADMIN),
    Command("Export or import", "settings-data", "data backup download json lines", icon="download", right=Right.ADMIN),
    Command("Choose a model", "settings-models", "llm provider spend", icon="settings", right=Right.ADMIN),
    Command("Change password", "account", "second factor account", icon="lock", is_of_workspace=False),
    Command("Switch workspace", "my-workspaces", "other workspaces invitations", icon="switch", is_of_workspace=False),
    Command(
        "Sign out", "sign-out", "log out leave", icon="sign-out", fields={"from": "palette"}, is_of_workspace=False
    ),
)
PAGES = (
    Command("Home", "overview", "overview start", icon="home"),
    Command("Review", "review", "queue pending proposals contradictions", icon="review"),
    Command("Memory", "memory", "memories beliefs", icon="memory"),
    Command("Pinned memories", "memory", "", "?view=pinned", icon="pin"),
    Command("Facts", "memory", "memory", "?view=facts", icon="memory"),
    Command("Suggestions", "memory", "memory", "?view=suggestions", icon="memory"),
    Command("Bin", "memory", "memory forgotten suppressed expired", "?view=review", icon="forget"),
    Command("Stale memories", "memory", "never cited", "?view=stale", icon="clock"),
    Command("Contexts", "explain", "explain receipts why", icon="search"),
    Command("Runs", "explain-runs", "explain outcomes failed", icon="search"),
    Command("Search lab", "explain-search", "explain layers raw json", icon="search"),
    Command("Ask", "ask", "explain chat question", icon="chat"),
    Command("Live", "live", "events reads writes", icon="live"),
    Command("Agents", "agents", "timeline sequences actions", icon="agents"),
    Command("Patterns", "agent-patterns", "agents failures warnings advice", icon="warning"),
    Command("Benchmarks", "agent-benchmarks", "agents metrics", icon="agents"),
    Command("Things", "ontology", "nodes ontology entities", icon="ontology"),
    Command("Graph of things", "ontology", "nodes edges ontology", "?view=graph", icon="ontology"),
    Command("Types of things", "ontology-types", "ontology catalogue", icon="ontology"),
    Command("Merge queue", "ontology-merge-queue", "things duplicates same", icon="ontology"),
    Command("Connections", "ontology-connections", "things sync imports", icon="link"),
    Command("Users and agents", "spaces", "people spaces", icon="person"),
    Command("Conversations", "conversations", "messages episodes", icon="conversations"),
    Command("About you", "about-you", "profile user memory", icon="person"),
    Command("Connect", "connect", "mcp sdk client set up", icon="link"),
    Command("Settings: Memory", "settings-memory", "switch budget retention policy", icon="settings"),
    Command("Settings: Models", "settings-models", "llm provider spend embedder", icon="settings"),
    Command("Settings: Members", "settings-members", "people roles invitations", icon="settings"),
    Command("Settings: Spaces", "settings-spaces", "grants access opened", icon="settings"),
    Command("Settings: Connected apps", "settings-apps", "oauth programs", icon="settings"),
    Command("Settings: API keys", "settings-api-keys", "tokens secrets", icon="key", right=Right.ADMIN),
    Command("Settings: Data", "settings-data", "export import", icon="settings", right=Right.ADMIN),
    Command("Settings: Activity", "settings-activity", "audit record", icon="settings", is_for_owners=True),
    Command("Settings: Delete", "settings-delete", "erase workspace", icon="settings", is_for_owners=True),
)
# Offered before anything is typed.
FIRST = ("Ask a question", "Remember …", "Decide what waits", "Turn memory on", "Turn memory off", "New key")


def match_commands(commands: Sequence[Command], query: str) -> list[Command]:
    """Return the commands whose words begin with each word of the query, those whose own name does first."""
    asked = _words(query)
    if not asked:
        return []
    found = [each for each in commands if _has_all(asked, f"{each.label} {each.words}")]
    return sorted(found, key=lambda each: not _has_all(asked, each.label))


def share_out(numbers: Sequence[int], *, most: int) -> list[int]:
    """Return how many each of several groups may show, `most` in all: one each in turn, the first ones first."""
    shown = [0] * len(numbers)
    while sum(shown) < min(most, sum(numbers)):
        for at, number in enumerate(numbers):
            if shown[at] < number and sum(shown) < most:
                shown[at] += 1
    return shown


def _has_all(asked: Sequence[str], text: str) -> bool:
    return all(any(word.startswith(each) for word in _words(text)) for each in asked)


def _words(text: str) -> list[str]:
    return normalise(text).replace(":", " ").replace("…", " ").split()
