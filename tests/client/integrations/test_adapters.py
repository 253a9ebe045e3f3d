"""Each adapter with the package of its framework: its checks, and the program of its page, in two processes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.client.doc_blocks import blocks_of
from tests.client.integrations.conftest import CHECKS, CREWAI_REQUIREMENTS, REQUIREMENTS, Run
from tests.rules.source import ROOT

EXAMPLES = ROOT / "client" / "examples"
PAGES = ROOT / "docs" / "how-to" / "integrations"
ADAPTERS = ROOT / "client" / "workspace_memory" / "integrations"
# The extra and page of each adapter → its checks and its program.
PROGRAMS = {
    "anthropic": "anthropic_memory",
    "crewai": "crewai_crew",
    "langchain": "langchain_chat",
    "langgraph": "langgraph_agent",
    "llama-index": "llama_index_chat",
    "openai-agents": "openai_agents_session",
    "pydantic-ai": "pydantic_ai_agent",
}
MAX_LINES_OF_AN_ADAPTER = 200


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", [path.stem for path in sorted(CHECKS.glob("*_*.py")) if path.stem != "__init__"])
def test_an_adapter_does_what_its_framework_expects(run: Run, name: str) -> None:
    options = ("-q", "-p", "no:cacheprovider", "-o", "python_functions=check_*")
    said = run("-m", "pytest", *options, "--rootdir=checks", f"checks/{name}.py", requirements=_requirements_of(name))

    assert re.search(r"^[1-9]\d* passed", said, re.MULTILINE), said


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", PROGRAMS)
def test_an_agent_remembers_in_a_second_process(run: Run, page: str) -> None:
    requirements = _requirements_of(page)
    run(EXAMPLES / f"{PROGRAMS[page]}.py", "Remember: Mara is allergic to walnuts.", requirements=requirements)

    # The first block is the same program; what else the page shows runs behind it.
    everything = "\n".join(block.code for block in blocks_of(PAGES / f"{page}.md", "python"))
    assert "Mara is allergic to walnuts." in run(
        "-c", everything, "What is Mara allergic to?", requirements=requirements
    )


@pytest.mark.parametrize("page", PROGRAMS)
def test_the_page_of_an_adapter_shows_its_program(page: str) -> None:
    first, *_ = blocks_of(PAGES / f"{page}.md", "python")
    program = (EXAMPLES / f"{PROGRAMS[page]}.py").read_text()

    assert first.code == program.partition('"""\n\n')[2]
    assert f'pip install "./client[{page}]' in (PAGES / f"{page}.md").read_text()


def test_every_adapter_is_an_extra_that_is_tried_with_pinned_packages() -> None:
    extras = tomllib.loads((ROOT / "client" / "pyproject.toml").read_text())["project"]["optional-dependencies"]

    assert set(extras) - {"mcp"} == set(PROGRAMS)
    for extra in PROGRAMS:
        pinned = dict(re.findall(r"^([\w-]+)==([\w.]+)", _requirements_of(extra).read_text(), re.MULTILINE))
        for wanted in extras[extra]:
            assert re.split(r"\W*[<>=]", wanted)[0].partition("[")[0] in pinned, wanted


@pytest.mark.parametrize("path", sorted(ADAPTERS.glob("*.py")), ids=lambda path: str(path.stem))
def test_adapters_stay_thin(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MAX_LINES_OF_AN_ADAPTER


def _requirements_of(name: str) -> Path:
    return CREWAI_REQUIREMENTS if name.startswith("crewai") else REQUIREMENTS
