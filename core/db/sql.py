"""Named statements kept in `queries.sql` and `graph.cypher` files; `-- name: recent_nodes` starts one."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_NAME = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


@cache
def named_statements(path: Path, marker: str = "--") -> dict[str, str]:
    """Statements of one file by name; `marker` is the file's comment sign (`--` for SQL, `//` for Cypher)."""
    pattern = _NAME if marker == "--" else re.compile(rf"^{re.escape(marker)} name: (\w+)\s*$", re.MULTILINE)
    parts = pattern.split(path.read_text())
    return {name: text.strip().rstrip(";") for name, text in zip(parts[1::2], parts[2::2], strict=True)}
