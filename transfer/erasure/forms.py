"""What people type to erase a space."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.http.field_types import TextRules
from core.http.schemas import QuerySchema
from workspaces.access.spaces import MAX_NAME_CHARACTERS


class ErasedSpaceForm(QuerySchema):
    """The address of the page: which space it is about."""

    name: Annotated[str, TextRules(max_length=MAX_NAME_CHARACTERS), Field(description="Its name, such as `user:42`.")]
