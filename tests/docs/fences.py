"""Fenced blocks of code on every page that people read, and where each of them is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.rules.source import ROOT

FENCE = re.compile(
    r"^(?P<indent> *)(?P<fence>```+)(?P<language>[\w-]*)[^\n]*\n(?P<code>.*?)^(?P=indent)(?P=fence) *$",
    re.MULTILINE | re.DOTALL,
)
# A block that is indented instead of fenced has no language: what is printed may stand there, a command may not.
INDENTED = re.compile(r"(?:^|\n)\n((?: {4}[^\n]*\n)(?: {4}[^\n]*\n|\n(?= {4}))*)")
SAMPLE = re.compile(r"\n\n((?: {4}[^\n]*\n|\n(?= {4}))+)")
FIELD = re.compile(r'"(\w+)":')


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: its page, the line of its fence, its language, its code, and the sample of what it prints."""

    page: str
    line: int
    language: str
    code: str
    sample: str

    @property
    def fields(self) -> set[str]:
        """The names of fields in the sample of an answer that stands below the block."""
        return set(FIELD.findall(self.sample)) if self.sample.strip().startswith(("{", "[")) else set()

    @property
    def first_line(self) -> str:
        """The first line of code, which names the block in lists."""
        return self.code.strip().partition("\n")[0].strip()

    @property
    def place(self) -> str:
        """Page and line, as editors open them."""
        return f"{self.page}:{self.line}"


def list_pages() -> list[str]:
    """Return the names of all pages: those at the top, the docs, and the READMEs of what is packaged."""
    top = (ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING", "SECURITY"))
    packaged = (path for folder in ("client", "clients/js", "plugin") for path in (ROOT / folder).glob("*.md"))
    return [str(path.relative_to(ROOT)) for path in (*top, *sorted(packaged), *sorted((ROOT / "docs").rglob("*.md")))]


def fences_of(page: str) -> list[Fence]:
    """Return the fenced blocks of a page, in order."""
    text = (ROOT / page).read_text()
    return [
        Fence(
            page,
            text.count("\n", 0, match.start()) + 1,
            match["language"],
            _without_indent(match),
            sample[1] if (sample := SAMPLE.match(text, match.end())) else "",
        )
        for match in FENCE.finditer(text)
    ]


def indented_blocks_of(page: str) -> list[str]:
    """Return the blocks that are indented by four spaces, without those inside of fences."""
    text = FENCE.sub("", (ROOT / page).read_text())
    return [match[1] for match in INDENTED.finditer(text)]


def _without_indent(match: re.Match[str]) -> str:
    return "".join(line.removeprefix(match["indent"]) for line in match["code"].splitlines(keepends=True))
