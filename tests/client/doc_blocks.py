"""Blocks of code on pages, which tests run, and what the page says that they print."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
END = "-- end of a block --"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page that is run, and what the page says that it prints."""

    language: str
    code: str
    printed: str | None


def blocks_of(page: Path, language: str) -> list[Block]:
    """Return the blocks of a page in one language, in order."""
    found = BLOCK.findall(page.read_text())
    return [
        Block(name, code, after[1] if after and after[0] == "text" else None)
        for (name, code), after in zip(found, [*found[1:], None], strict=True)
        if name == language
    ]


def compare_printed(blocks: list[Block], printed: str, *, errors: str) -> None:
    """Compare what a program printed, with END after each block, with what the page says."""
    texts = printed.split(f"{END}\n")[:-1]
    assert len(texts) == len(blocks), printed + errors
    for block, text in zip(blocks, texts, strict=True):
        if block.printed is not None:
            said = _lines(text)
            assert re.fullmatch(_pattern(block.printed), said, re.DOTALL), f"{block.code}\n{said}\n{errors}"


def _pattern(printed: str) -> str:
    """What is printed may be wider, and anything stands for `…`."""
    pieces = (re.escape(piece) for piece in _lines(printed).split("…"))
    return re.sub(r"(?:\\ ){2,}", r" +", r"[^\n]*?".join(pieces))


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
