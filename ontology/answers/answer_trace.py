"""How long each step of an answer took and what it found. Pure but for the clock."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class Step:
    """One step: its milliseconds, how many things it found or dropped, and why it had to be left out, if it was."""

    name: str
    milliseconds: float = 0.0
    found: int = 0
    dropped: int = 0
    left_out: str = ""


@dataclass(slots=True)
class Trace:
    """The steps in their order."""

    steps: list[Step] = field(default_factory=list)
    began: float = field(default_factory=time.perf_counter)

    @contextmanager
    def step(self, name: str) -> Iterator[Step]:
        """Time what happens inside; the step is there even when that fails."""
        step = Step(name)
        self.steps.append(step)
        started = time.perf_counter()
        try:
            yield step
        finally:
            step.milliseconds = round((time.perf_counter() - started) * 1000, 2)

    @property
    def milliseconds(self) -> float:
        """Since the beginning."""
        return round((time.perf_counter() - self.began) * 1000, 2)

    @property
    def left_out(self) -> list[str]:
        return [step.name for step in self.steps if step.left_out]
