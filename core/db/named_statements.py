"""Named statements kept in `queries.sql` and `graph.cypher` files; `-- name: recent_nodes` starts one."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path


@cache
def named_statements(path: Path, marker: str = "--") -> dict[str, str]:
    """Return the statements of one file by name; `marker` is its comment sign (`--` for SQL, `//` for Cypher)."""
    parts = re.split(rf"^{re.escape(marker)} name: (\w+)\s*$", path.read_text(), flags=re.MULTILINE)
    return {name: text.strip().rstrip(";") for name, text in zip(parts[1::2], parts[2::2], strict=True)}
