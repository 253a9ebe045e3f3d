"""What the code offers is in the documentation, and what the documentation says can be followed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from config.docs_reference import LISTS, regenerate_lists
from tests.rules.packages import PACKAGES
from tests.rules.source import nodes
from workspaces.settings.review_policy import ReviewPolicy
from workspaces.settings.workspace_settings import (
    CONSOLIDATION_LIMITS,
    LIMITS,
    ConsolidationSettings,
    MemorySettings,
)

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
PAGES = sorted([*(ROOT / f"{name}.md" for name in ("README", "CHANGELOG", "CONTRIBUTING")), *DOCS.rglob("*.md")])

LINK = re.compile(r"\]\(([^)\s]+)\)")
ADDRESS = re.compile(r"\b(?:https?|bolt|neo4j|rediss?|postgresql)://(?:[^\s/@]*@)?([\w.-]+)")
HOME_OF_SOMEBODY = re.compile(r"(?<![\w.])/(?:home|root|Users|work|tmp|opt)/")


def test_the_generated_lists_are_those_of_the_code() -> None:
    outdated = [page.name for page in REFERENCE.glob("*.md") if page.read_text() != regenerate_lists(page.read_text())]
    assert outdated == [], "Run manage.py write_reference, and commit what it changed."


@pytest.mark.parametrize("name", LISTS)
def test_a_generated_list_is_not_empty(name: str) -> None:
    assert len(LISTS[name]().splitlines()) > 3


def test_a_code_always_has_the_same_status() -> None:
    codes = re.findall(r"^\| `(\w+)` \| \d{3} \|", (REFERENCE / "errors.md").read_text(), re.MULTILINE)
    assert len(codes) > 10
    assert sorted(codes) == sorted(set(codes))


def test_every_setting_is_told_with_its_default_and_range() -> None:
    rows = {
        row.split("`")[1]: row for row in (REFERENCE / "settings.md").read_text().splitlines() if row.startswith("| `")
    }
    missing = {name: numbers for name, numbers in _settings() if not numbers <= _numbers(rows.get(name, ""))}
    assert missing == {}, "docs/reference/settings.md lacks these variables, or their default, least or most."
    variables = {name for name in rows if "." not in name}
    assert variables <= {name for name, _ in _settings()}, "These variables are read nowhere."


def test_every_setting_of_a_workspace_is_told_with_its_default_and_range() -> None:
    rows = {
        row.split("`")[1]: row for row in (REFERENCE / "settings.md").read_text().splitlines() if row.startswith("| `")
    }
    chosen = {
        f"memory.{name}": value
        for name, value in asdict(MemorySettings()).items()
        if name not in {"consolidation", "review"}
    }
    chosen |= {f"memory.consolidation.{name}": value for name, value in asdict(ConsolidationSettings()).items()}
    chosen |= {f"memory.review.{name}": value for name, value in asdict(ReviewPolicy()).items()}
    limits = {f"memory.{name}": limit for name, limit in LIMITS.items()}
    limits |= {f"memory.consolidation.{name}": limit for name, limit in CONSOLIDATION_LIMITS.items()}
    others = {"models.monthly_budget", "retention.messages", "retention.receipts"}
    assert chosen["memory.user_template"] in (REFERENCE / "rest.md").read_text()
    chosen["memory.user_template"] = "four sections"  # whose row says where they stand

    assert {name for name in rows if "." in name} == chosen.keys() | others
    for name, default in chosen.items():
        written = f"{default:,}" if type(default) is int else str(default).lower()
        numbers = {f"{number:,}" for number in limits.get(name, ())}
        assert written in rows[name], name
        assert numbers <= _numbers(rows[name]), name


def test_every_audit_event_is_told() -> None:
    assert _untold(_audit_actions(), page="events.md") == set()


def test_every_name_of_a_log_line_is_told() -> None:
    assert _untold(_log_names(), page="events.md") == set()


def test_every_code_of_a_field_is_told() -> None:
    assert _untold(_field_codes(), page="errors.md") == set()


def test_every_make_target_is_told() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    told = (REFERENCE / "commands.md").read_text()
    assert [target for target in targets if f"`make {target}`" not in told] == []


def test_every_file_and_target_that_contributing_names_exists() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    paths = set(re.findall(r"`([a-z_]+(?:/[\w.]+)*/(?:[\w.]+)?)`", text)) - {
        "migrations/",
        "sync/",
        "tools/",
        "var/test",
    }
    targets = set(re.findall(r"`make ([a-z-]+)", text))

    assert len(paths) > 30
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []
    assert targets <= set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize(
    "requirements",
    ["requirements.in", "requirements-dev.in", "requirements-integrations.in", "requirements-crewai.in"],
)
def test_every_dependency_has_its_reason(requirements: str) -> None:
    packages = re.findall(r"^([\w-]+)", (ROOT / requirements).read_text(), re.MULTILINE)
    assert packages
    told = (DOCS / "why" / "dependencies.md").read_text()
    assert [package for package in packages if f"| `{package}` |" not in told] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = [link for link in LINK.findall(page.read_text()) if not link.startswith("http")]
    broken = [link for link in links if not _leads_somewhere(page, link)]
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_other_host_and_nobodys_folder_is_named(page: Path) -> None:
    text = page.read_text()
    assert set(ADDRESS.findall(text)) <= {"127.0.0.1", "host"}
    assert HOME_OF_SOMEBODY.findall(text) == []


def _untold(names: set[str], *, page: str) -> set[str]:
    assert names, "The search for names finds none: teach it the new way."
    told = (REFERENCE / page).read_text()
    return {name for name in names if f"`{name}`" not in told}


def _settings() -> Iterator[tuple[str, set[str]]]:
    """Each variable that the settings and the embedded servers read, with the numbers of its default and range."""
    for path in [*(ROOT / "config").rglob("*.py"), *(ROOT / "embedded").rglob("*.py")]:
        for call in _calls(path):
            if isinstance(call.func, ast.Attribute) and call.func.attr in {"text", "flag", "integer", "names", "get"}:
                name = next(_texts(call.args[:1]), "")
                if re.fullmatch(r"[A-Z][A-Z_]+", name):
                    given = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
                    yield name, {f"{n.value:,}" for n in given if isinstance(n, ast.Constant) and type(n.value) is int}


def _audit_actions() -> set[str]:
    """Texts like `key.created` in the modules that record events."""
    recording = [path for path in _sources() if "record_event(" in path.read_text()]
    return {text for path in recording for text in _texts(nodes(path)) if re.fullmatch(r"[a-z_]+\.[a-z]+", text)}


def _log_names() -> set[str]:
    """First words of log lines that are written like names."""
    levels = {"debug", "info", "warning", "error", "exception"}
    lines = [
        next(_texts(call.args[:1]), "")
        for path in _sources()
        for call in _calls(path)
        if isinstance(call.func, ast.Attribute) and call.func.attr in levels
    ]
    return {line.split()[0] for line in lines if re.match(r"[a-z]+_[a-z_]+ ", line)}


def _field_codes() -> set[str]:
    """Codes of `FieldProblem` and of the messages of our own fields."""
    found: set[str] = set()
    for path in _sources():
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "FieldProblem":
                found.update(_texts(node.args[1:2]))
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
                names = {target.id for target in node.targets if isinstance(target, ast.Name)}
                if "default_error_messages" in names:
                    found.update(_texts(key for key in node.value.keys if key))
    return found


def _sources() -> list[Path]:
    return [path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "migrations" not in path.parts]


def _calls(path: Path) -> Iterator[ast.Call]:
    return (node for node in nodes(path) if isinstance(node, ast.Call))


def _texts(expressions: Iterable[ast.AST]) -> Iterator[str]:
    return (node.value for node in expressions if isinstance(node, ast.Constant) and isinstance(node.value, str))


def _numbers(row: str) -> set[str]:
    return set(re.findall(r"\d[\d,]*", row))


def _leads_somewhere(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path) if path else page
    return target.exists() and (not anchor or anchor in _anchors(target))


def _anchors(page: Path) -> set[str]:
    """Headings as the web shows them in addresses: lower case, hyphens for spaces, no other marks."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}
