"""Docstrings, comments, sentences for people and the docs say things in the field's terms."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.rules.source import PRODUCT, ROOT, is_migration, name_of, nodes, python_files

# What a sentence must not say → what it says instead.
IDIOMS = {
    r"(?<![Tt]here )\b(?:is|are|was|were) no (?!longer|more|better|worse|other|such|one\b)\w+": "is not a",
    r"\b(?:so many|so-many\w*)\b": "at most N, the number of",
    r"\bat the (?:most|least)\b": "at most N",
    r"\b[Bb]esides?\b": "next to, in addition to",
    r"\b[Ww]hoever\b": "the caller, client, user or actor",
    r"\b[Aa]nswers? (?:how many|whether|which)\b": "return the number of, return whether",
    r"\banew\b": "again",
    r"\bby lot\b": "at random",
    r"\boutlived\b": "expired",
    r"\btwice is (?:as )?once\b": "idempotent",
    r"\bof nobody\b": "of no workspace",
    r"\b[Tt]he share (?:of|that)\b": "the fraction, the ratio",
}
# Places where the words are meant, each with its reason.
ALLOWED = {
    "docs/reference/recall.md": {"is no better"},
    # A prompt speaks to a model about people, not about callers.
    "memory/extraction/prompts.py": {"whoever"},
}
# A caller, a client, a user, a member, a process or a transaction: code says which. What was told was reported, warned
# of or described. Prompts speak of people, and a few files list the words in which people speak.
VAGUE = re.compile(r"\b(?:[Ss]omebody|[Nn]obody|told)\b")
SPOKEN = frozenset(
    {
        "prompts.py",
        "query_parser.py",
        "gazetteer.py",
        "lead_ins.py",
        "claims.py",
        "clauses.py",
        "event_lexicon.py",
        "irregular_forms.py",
        "word_families.py",
        "objections.py",
        "text_pair.py",
    }
)


@pytest.mark.parametrize("idiom", IDIOMS)
def test_prose_has_no_private_idiom(idiom: str) -> None:
    found = [
        f"{place}: {match[0]!r}; say {IDIOMS[idiom]!r}"
        for place, text in _prose()
        for match in re.finditer(idiom, text)
        if match[0].lower() not in ALLOWED.get(place.partition(":")[0], ())
    ]

    assert found == []


def test_code_says_who_and_how() -> None:
    found = [
        place
        for path in python_files(*PRODUCT)
        if not is_migration(path) and path.name not in SPOKEN
        for place, text in _prose_of_code(path)
        if VAGUE.search(text)
    ]

    assert found == []


def _prose() -> Iterator[tuple[str, str]]:
    for path in python_files(*PRODUCT):
        if not is_migration(path):
            yield from _prose_of_code(path)
    for path in [*(ROOT / "docs").rglob("*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md"))]:
        yield name_of(path), path.read_text()


@cache  # each idiom reads all of it
def _prose_of_code(path: Path) -> tuple[tuple[str, str], ...]:
    """The comments of a file, and its strings of at least three words: docstrings, errors, labels."""
    return tuple(_read_prose(path))


def _read_prose(path: Path) -> Iterator[tuple[str, str]]:
    for node in nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count(" ") > 1:
            yield f"{name_of(path)}:{node.lineno}", node.value
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type == tokenize.COMMENT:
            yield f"{name_of(path)}:{token.start[0]}", token.string


# The docstring of a tool, a resource or a prompt is its description for models.
DESCRIPTIONS = ("mcp_server/tools/", "mcp_server/resources.py", "mcp_server/prompts.py")
NOUN_PHRASE = re.compile(r"(?:The|What|How|Whether|Why|An?)\b")


def test_docstrings_of_functions_begin_with_an_imperative() -> None:
    found = [
        f"{name_of(path)}:{node.lineno} {node.name}"
        for path in python_files(*PRODUCT)
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not name_of(path).startswith(DESCRIPTIONS)
        if not is_migration(path) and not any(ast.unparse(each).endswith("property") for each in node.decorator_list)
        if NOUN_PHRASE.match(ast.get_docstring(node) or "")
    ]

    assert found == []
