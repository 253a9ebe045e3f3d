"""`make fuzz-api`: thousands of requests made out of the OpenAPI document, and every answer held to it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

HOME = Path(os.environ.get("WSM_HOME", "var"))
# What a schema cannot say (two times in the wrong order, a text that looks like a secret) is refused with 422; what is
# larger than the server's limits with 413.
ACCEPTED = ["2xx", "3xx", "401", "403", "404", "409", "413", "422", "429", "5xx"]
REFUSED = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "429", "5xx"]
COUNT = re.compile(r"^\s+(\d[\d,]*) generated", re.MULTILINE)


def fuzz(
    *, url: str, workspace: str, key: str, phases: str, examples: int, seconds: float, seed: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run schemathesis with every check against a server: a number of examples of each operation, the same for a
    seed."""
    with TemporaryDirectory() as folder:
        config = Path(folder) / "schemathesis.toml"
        config.write_text(
            f'[parameters]\n"path.ws" = {json.dumps(workspace)}\n\n'
            f"[checks.positive_data_acceptance]\nexpected-statuses = {json.dumps(ACCEPTED)}\n"
            f"[checks.negative_data_rejection]\nexpected-statuses = {json.dumps(REFUSED)}\n"
        )
        command: list[str | Path] = [
            *(Path(sys.executable).with_name("schemathesis"), f"--config-file={config}", "run"),
            *(f"{url}/v1/openapi.json", f"--url={url}", f"--header=Authorization: Bearer {key}"),
            *("--checks=all", f"--phases={phases}", f"--max-examples={examples}", "--continue-on-failure"),
            *(f"--seed={seed}", "--no-color", "--request-timeout=30", "--warnings=off"),
        ]
        environment = {**os.environ, "SCHEMATHESIS_HOOKS": "bench.fuzz_hooks", "PYTHONPATH": os.getcwd()}
        return subprocess.run(
            command, env=environment, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False
        )


def cases_in(output: str) -> int:
    """How many cases a run generated."""
    found = COUNT.search(output)
    return int(found[1].replace(",", "")) if found else 0


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    demo = json.loads((HOME / "demo.json").read_text())
    # Each of 125 operations is tried with its examples, and with valid and invalid values: at least 150 cases for each
    # one that is asked of schemathesis.
    done = fuzz(
        url=demo["url"],
        workspace=demo["workspace_id"],
        key=demo["api_key"],
        phases="examples,coverage,fuzzing,stateful",
        examples=-(-asked.cases // 150),
        seconds=3_600,
        seed=asked.seed,
    )
    print(done.stdout[done.stdout.find("= FAILURES") :] if done.returncode else done.stdout[-1_200:])
    print(f"{cases_in(done.stdout):,} cases, {'no fault' if done.returncode == 0 else 'faults as above'}")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
