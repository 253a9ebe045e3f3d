"""Tools for user working memory: the page about a user, which agents fill in from conversation to conversation."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.errors import FieldProblem, InvalidError
from core.http.field_types import TextRules
from core.text.markdown_sections import MAX_HEADING_CHARACTERS
from mcp_server.registry import reads, writes
from memory.working_memory.schemas import UserMemoryResponse, Version
from memory.working_memory.services import profiles
from workspaces.access.callers import Caller

UserKey = Annotated[
    str,
    TextRules(max_length=200, is_line=True, is_identifier=True, is_trimmed=False),
    Field(description="Your key of the user; a key bound to one user need not name them."),
]
Content = Annotated[
    str,
    TextRules(max_length=profiles.MAX_CHARACTERS, allow_blank=True),
    Field(description="The section's text, empty to remove it; without `section` the whole page in Markdown."),
]
Section = Annotated[
    str, TextRules(max_length=MAX_HEADING_CHARACTERS, is_line=True), Field(description="The heading to replace or add.")
]


@reads("user_memory.get", "Read what is kept about a user")
def get(caller: Caller, *, user: UserKey = "") -> UserMemoryResponse:
    """The page about a user: who they are, preferences, goals, what to know of their work. It lasts across
    conversations, and context_assemble holds it for the same `user`. Of a new user, the template to fill in."""
    return UserMemoryResponse.of(profiles.read_user_memory(caller=caller, user=_require_user(caller, user)))


@writes("user_memory.update", "Update what is kept about a user", is_idempotent=True)
def update(
    caller: Caller, *, content: Content, section: Section = "", user: UserKey = "", version: Version = None
) -> UserMemoryResponse:
    """Keep what you learned about a user: one section, or the whole page. Read it first, and say what else the section
    held again. Give the `version` that you read, and nothing that was written meanwhile is lost."""
    name = _require_user(caller, user)
    if section:
        changed = profiles.update_user_memory(caller=caller, user=name, sections={section: content}, version=version)
        return UserMemoryResponse.of(changed)
    if not content:
        sentence = "Name the `section` to remove; a whole page is not blank."
        raise InvalidError(problems=(FieldProblem("content", "blank", sentence),))
    return UserMemoryResponse.of(profiles.write_user_memory(caller=caller, user=name, content=content, version=version))


def _require_user(caller: Caller, named: str) -> str:
    """Return the user whom a call is about. Raises InvalidError where it names none and is not in a user's space."""
    if user := profiles.user_of_call(caller, named):
        return user
    raise InvalidError(problems=(FieldProblem("user", "required", "Name the user by your own key of them."),))
