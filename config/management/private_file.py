"""Files with secrets, which their owner alone may read."""

from __future__ import annotations

import os
from pathlib import Path


def write_private(path: Path, text: str, *, is_new: bool = False) -> None:
    """Write a file of mode 600, and the folder that it is in. Raises FileExistsError where it has to be a new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    how = os.O_EXCL if is_new else os.O_TRUNC
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | how, 0o600)
    with os.fdopen(descriptor, "w") as file:
        os.fchmod(file.fileno(), 0o600)
        file.write(text)
