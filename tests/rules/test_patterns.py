"""No text that somebody sends makes a compiled pattern of the product slow: `re` lets nothing else of a process run."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.rules.source import ROOT

pytestmark = [pytest.mark.heavy, pytest.mark.slow]

MAX_SECONDS = 600


def test_every_pattern_takes_time_in_proportion_to_the_text() -> None:
    command = [sys.executable, "-m", "tests.rules.patterns"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, timeout=MAX_SECONDS)
    found = json.loads(done.stdout)

    assert found["patterns"] > 100
    assert found["slow"] == {}
