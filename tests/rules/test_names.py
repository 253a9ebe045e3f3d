"""Names follow the field: no preposition at the end of a function, one class for each name, MAX and MIN."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.rules.source import PRODUCT, ROOT, is_migration, nodes, python_files, tree

PREPOSITIONS = frozenset(
    {"about", "after", "as", "at", "before", "beside", "by", "for", "from", "in", "into", "of", "on", "onto", "over"}
    | {"to", "under", "with", "without"}
)
# Names that are given: by the API, by Django, or as the one word for making a thing of another.
GIVEN = frozenset(
    {"of", "created_at", "expires_at", "observed_at", "is_over", "way_in", "count_sign_in", "note_sign_in"}
)
# Two tables of changes, each in the schema of its app; a third would be one too many.
TWICE = frozenset({"Change", "Command", "Meta"})
# Past forms that do not end in -ed or -en.
PAST = """
    told said found kept made held left lost met sent shown known grown drawn done gone heard led meant sought taught
    thought understood won bought brought built caught begun bound sold spent stood stuck torn worn
"""
# What only looks like a past form; a workspace is founded.
NO_PAST = frozenset({"embed", "seed", "open", "reopen", "listen", "flatten", "found_workspace", "when"})
# Adjectives of the noun that a selector returns: `queued_paths` are paths.
ADJECTIVES = """
    allowed applied bundled changed cited configured connected deleted declared embedded enabled expected failed filled
    given hidden known linked listed named queued ranked recalled received shared unfinished wanted warned
"""
# Of a query set (`.pinned()`), the API (`set_memory_enabled`, `left_out`), HTTP (403) and of fields that were set.
LONE = frozenset({"pinned", "promoted", "unsuppressed", "forbidden", "given", "hidden", "narrowed"})
# The same in every feature.
COMMON = frozenset(
    {"__init__", "__main__", "admin", "api", "apps", "endpoints", "errors", "forms", "middleware", "models", "pages"}
    | {"prompts", "schemas", "selectors", "services", "tasks", "view_models"}
)


def product_files() -> Iterator[Path]:
    return (path for path in python_files(*PRODUCT) if not is_migration(path))


def test_no_function_ends_in_a_preposition() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in product_files()
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.rpartition("_")[2] in PREPOSITIONS
        and node.name not in GIVEN
    ]
    assert found == []


def test_no_function_is_named_by_a_participle() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in product_files()
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not _is_property(node) and _is_past(node.name)
    ]
    assert found == []


def _is_past(name: str) -> bool:
    """Whether a name begins with a past form that is neither an imperative nor the adjective of a noun."""
    head, _, noun = name.lstrip("_").partition("_")
    if name in LONE | NO_PAST or head in NO_PAST or (noun and head in ADJECTIVES.split()):
        return False
    return head in PAST.split() or head.endswith(("ed", "en"))


def _is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any(ast.unparse(decorator).endswith("property") for decorator in function.decorator_list)


def test_no_class_name_occurs_twice() -> None:
    places = defaultdict(list)
    for path in product_files():
        for node in nodes(path):
            if isinstance(node, ast.ClassDef) and node.name not in TWICE:
                places[node.name].append(str(path.relative_to(ROOT)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_limits_are_called_max_and_min() -> None:
    found = [
        f"{path.relative_to(ROOT)} {match}"
        for path in product_files()
        for match in re.findall(r"\b(?:MOST|LEAST)_[A-Z_]+\b", path.read_text())
    ]
    assert found == []


def test_no_two_modules_of_an_app_share_a_name() -> None:
    stems = defaultdict(list)
    for path in product_files():
        relative = path.relative_to(ROOT)
        if path.stem not in COMMON and "urls" not in relative.parts and "management" not in relative.parts:
            stems[relative.parts[0], path.stem].append(str(relative))
    assert {" ".join(stem): where for stem, where in stems.items() if len(where) > 1} == {}


def test_no_module_is_named_by_a_gerund() -> None:
    # What the field calls so.
    nouns = {"grounding", "hybrid_ranking", "indexing", "logging", "matching", "mining", "pricing"}
    nouns |= {"query_embedding", "question_answering", "ranking", "stemming", "tracing"}
    found = {str(path.relative_to(ROOT)) for path in product_files() if path.stem.endswith("ing")}
    assert {name for name in found if Path(name).stem not in nouns} == set()


def test_no_two_modules_say_that_they_are_the_same() -> None:
    places = defaultdict(list)
    for path in product_files():
        if docstring := ast.get_docstring(tree(path)):
            places[docstring.partition("\n")[0]].append(str(path.relative_to(ROOT)))
    assert {text: where for text, where in places.items() if len(where) > 1} == {}
