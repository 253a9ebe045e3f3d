"""What tests of adapters share: an environment with the frameworks, a server, a model provider, and programs."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from embedded.launcher.venv_setup import INSTALLER, Command
from tests.cast import Cast, assemble_cast
from tests.client.installing import empty_environment
from tests.client.integrations.model_replies import echo
from tests.llm.server import ModelServer, model_server
from tests.made_once import make_once
from tests.mcp_server.serving import house_served
from tests.rules.source import ROOT

REQUIREMENTS = ROOT / "requirements-integrations.txt"
# CrewAI holds back packages that the others need newer.
CREWAI_REQUIREMENTS = ROOT / "requirements-crewai.txt"
CHECKS = Path(__file__).parent / "checks"
PROGRAMS = Path(__file__).parent / "programs"
# Nothing is reported to the makers of a framework.
QUIET = {
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "LANGSMITH_TRACING": "false",
    "DO_NOT_TRACK": "1",
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_TRACING_ENABLED": "false",
    "OTEL_SDK_DISABLED": "true",
}
Run = Callable[..., str]


def _fails(command: Command) -> str:
    """Return what a command that failed has reported; nothing where it worked."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return (done.stderr or f"It ended with {done.returncode}.") if done.returncode else ""


@pytest.fixture(scope="session")
def frameworks(request: pytest.FixtureRequest) -> Callable[[Path], Path]:
    """Return the bin/ of an environment with what a file requires, made once into pytest's cache; where the index does
    not answer the tests fail, and say so."""

    def environment(requirements: Path) -> Path:
        pins = hashlib.sha256(requirements.read_bytes()).hexdigest()[:12]
        return make_once(request.config.cache.mkdir(f"integrations-{pins}"), partial(_install, requirements)) / "bin"

    return environment


def _install(requirements: Path, home: Path) -> None:
    python = empty_environment(home) / "python"
    pip: Command = [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet", "install"]
    uv: Command = [python, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    # uv takes seconds. pip takes a minute, but knows an index that only pip was configured for.
    if _fails([*pip, INSTALLER]) or _fails([*uv, "--requirement", requirements]):
        error = _fails([*pip, "--requirement", requirements])
        if error:
            pytest.fail(f"The frameworks could not be installed; is the package index there?\n{error}", False)


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """The cast for a server in another thread, which sees only what is committed."""
    return assemble_cast()


@pytest.fixture
def house(cast: Cast) -> Iterator[str]:
    with house_served() as house:
        yield house


@pytest.fixture
def model() -> Iterator[ModelServer]:
    with model_server() as server:
        server.chooses = echo
        yield server


@pytest.fixture
def run(frameworks: Callable[[Path], Path], house: str, cast: Cast, model: ModelServer, tmp_path: Path) -> Run:
    """Run Python where the frameworks are that a file requires, with this server and this model provider, and return
    what it prints."""
    shutil.copytree(CHECKS, tmp_path / "checks")
    environment = {
        **QUIET,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "client"), str(tmp_path)]),
        "HOME": str(tmp_path),
        "WSM_URL": house,
        "WSM_KEY": cast.acme.secret,
        "OTHER_KEY": cast.umbrella.secret,
        "OPENAI_BASE_URL": model.url,
        "OPENAI_API_KEY": "sk-test",
        "ANTHROPIC_BASE_URL": model.root,
        "ANTHROPIC_API_KEY": "sk-test",
    }

    def run(*arguments: str | Path, requirements: Path = REQUIREMENTS) -> str:
        programs = frameworks(requirements)
        done = subprocess.run(
            [programs / "python", *arguments],
            cwd=tmp_path,
            env={**environment, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
