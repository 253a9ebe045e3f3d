"""What answers of the server have in common, and what they can do beyond their fields: the bases of `models.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar, overload

from pydantic import BaseModel, ConfigDict

T = TypeVar("T")


class Answer(BaseModel):
    """The base of all answers. Fields that a newer server adds are kept and can be read as attributes."""

    model_config = ConfigDict(extra="allow", frozen=True)


class Report(BaseModel):
    """The base of what is reported to the server field by field; a field that is not known is refused here."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Citable(Answer):
    """What an agent can cite."""

    id: str

    @property
    def citation(self) -> str:
        """The mark with which an agent cites this memory in its output."""
        return f"[mem:{self.id}]"


@dataclass(frozen=True, slots=True)
class Found(Sequence[T], Generic[T]):
    """Hits, best first; `method` says which arms ran, `latency_ms` how long the server took."""

    results: tuple[T, ...]
    method: str
    latency_ms: float

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...
    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        return self.results[place]

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[T]:
        return iter(self.results)


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list, and the query that asks for the next one."""

    results: tuple[T, ...]
    next: dict[str, str] | None


class Readiness(Answer):
    """One thing that the server leans on; `detail` names the cure where it fails."""

    state: Literal["ok", "failing"]
    ms: float
    detail: str = ""


class Ready(Answer):
    """What the server leans on, by name."""

    checks: dict[str, Readiness]
