"""What a PATCH means. Pure: what is there and what was asked for in, what changes out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def apply_merge_patch(there: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that change, with their new values.

    `properties` are patched one by one, as in RFC 7396: those that are named are replaced, a null removes one.
    """
    wanted = dict(asked)
    if "properties" in wanted:
        merged = {**there["properties"], **wanted["properties"]}
        wanted["properties"] = {name: value for name, value in merged.items() if value is not None}
    return {name: value for name, value in wanted.items() if value != there[name]}
