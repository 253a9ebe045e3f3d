"""How long it takes until an agent of each framework remembers: seconds and lines, from an environment that has the
framework alone to the answer of a second process; and the same with mem0.

Models are programs on loopback, so that no answer waits for one; everything else is what a developer would run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from embedded.launcher.venv_setup import INSTALLER, Command
from tests.client.integrations.model_replies import echo
from tests.llm.server import ModelServer, Reply, Seen, model_server
from tests.llm.vector_server import VectorEndpoint

ROOT = Path(__file__).resolve().parents[1]
HOME = Path(os.environ.get("WSM_HOME", "var"))
EXAMPLES, PEERS = ROOT / "client" / "examples", ROOT / "bench" / "peer_programs"
REQUIREMENTS, CREWAI_REQUIREMENTS = ROOT / "requirements-integrations.txt", ROOT / "requirements-crewai.txt"
STATEMENT, QUESTION = "Remember: Mara is allergic to walnuts.", "What is Mara allergic to?"
EXPECTED = "Mara is allergic to walnuts."


@dataclass(frozen=True, slots=True)
class Trial:
    """A program that remembers, what its framework is, and what is installed in addition to remember."""

    name: str
    program: Path
    framework: tuple[str, ...]
    memory: tuple[str, ...]
    own_environment: dict[str, str] = field(default_factory=dict)
    requirements: Path = REQUIREMENTS

    @property
    def lines(self) -> int:
        """The number of lines of code of the program, without its docstring and empty lines."""
        code = self.program.read_text().partition('"""\n\n')[2]
        return sum(bool(line.strip()) for line in code.splitlines())


@dataclass(frozen=True, slots=True)
class Outcome:
    """Seconds of the installation and of both processes; `problem` is what went wrong, if anything did."""

    trial: Trial
    installation: float
    first: float
    second: float
    problem: str = ""

    @property
    def total(self) -> float:
        return self.installation + self.first + self.second


# Of each adapter: its name, its program, its extra, and the framework that is installed before the time is taken.
ADAPTERS = (
    ("OpenAI Agents SDK", "openai_agents_session", "openai-agents", ("openai-agents",)),
    ("Anthropic SDK", "anthropic_memory", "anthropic", ("anthropic",)),
    ("pydantic-ai", "pydantic_ai_agent", "pydantic-ai", ("pydantic-ai-slim[openai]",)),
    ("LangChain", "langchain_chat", "langchain", ("langchain-core", "langchain-openai")),
    ("LangGraph", "langgraph_agent", "langgraph", ("langgraph", "langchain-openai")),
    ("LlamaIndex", "llama_index_chat", "llama-index", ("llama-index-core",)),
)


def trials() -> Iterator[Trial]:
    """Yield one trial for each adapter, and one for mem0."""
    for name, program, extra, framework in ADAPTERS:
        yield Trial(name, EXAMPLES / f"{program}.py", framework, (f"./client[{extra}]",))
    crew = EXAMPLES / "crewai_crew.py"
    quiet = {"CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_TRACING_ENABLED": "false", "OTEL_SDK_DISABLED": "true"}
    yield Trial("CrewAI", crew, ("crewai",), ("./client[crewai]",), quiet, CREWAI_REQUIREMENTS)
    yield Trial("mem0, OpenAI SDK", PEERS / "mem0_chat.py", ("openai",), ("mem0ai",), {"MEM0_TELEMETRY": "False"})


def main(argv: Sequence[str] | None = None) -> int:
    """Run each trial in an empty environment, and print a table; return 1 where an agent does not remember."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="trials whose name contains this")
    only = parser.parse_args(argv).only.lower()
    demo = json.loads((HOME / "demo.json").read_text())
    with model_server() as model:
        vectors = VectorEndpoint(model, dimensions={"text-embedding-3-small": 1_536})  # mem0's default model

        def reply(seen: Seen) -> Reply:
            return vectors.reply_to(seen) if seen.path.endswith("/embeddings") else echo(seen)

        model.chooses = reply
        chosen = [trial for trial in trials() if only in trial.name.lower()]
        outcomes = [measure(trial, demo, model) for trial in chosen]
    print("| | lines | install, s | first process, s | second process, s | until it remembers, s |")
    print("|---|---|---|---|---|---|")
    for one in outcomes:
        times = f"{one.installation:.1f} | {one.first:.1f} | {one.second:.1f} | {one.total:.1f}"
        print(f"| {one.trial.name} | {one.trial.lines} | {one.problem or times} |")
    print(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python {platform.python_version()}")
    return int(any(one.problem for one in outcomes))


def measure(trial: Trial, demo: dict[str, str], model: ModelServer) -> Outcome:
    """Install what remembering needs next to the framework, and ask in a second process what the first was given."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "environment", with_pip=True, symlinks=True)
        python = home / "environment" / "bin" / "python"
        pip: Command = [python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        subprocess.run([*pip, INSTALLER], check=True)
        uv: Command = [python, "-m", "uv", "pip", "install", "--python", python, "--quiet"]
        subprocess.run([*uv, "--constraint", trial.requirements, *trial.framework], cwd=ROOT, check=True)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "OPENAI_AGENTS_DISABLE_TRACING": "1",
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "sk-test",
            "ANTHROPIC_BASE_URL": model.root,
            "ANTHROPIC_API_KEY": "sk-test",
            "WSM_URL": demo["url"],
            "WSM_KEY": demo["api_key"],
            **trial.own_environment,
        }
        installation = _seconds(lambda: subprocess.run([*pip, *trial.memory], cwd=ROOT, check=True))
        said: list[subprocess.CompletedProcess[str]] = []

        def run(text: str) -> None:
            command: Command = [python, trial.program, text]
            said.append(subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False))

        first, second = _seconds(lambda: run(STATEMENT)), _seconds(lambda: run(QUESTION))
    errors = next((done.stderr.strip().splitlines()[-1] for done in said if done.returncode), "")
    problem = errors or ("" if EXPECTED in said[-1].stdout else "does not remember")
    return Outcome(trial, installation, first, second, problem)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    raise SystemExit(main())
