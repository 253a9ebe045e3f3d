"""Run as a program: search every compiled pattern of the product against hostile texts, and print those that take long.

Time is the processor's own, so that a busy machine changes nothing. A pattern is reported when one search does not end
in time, or when four times the text costs much more than four times as long.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import json
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

import django

PACKAGES = (
    "chat",
    "config",
    "conversations",
    "core",
    "llm",
    "mcp_server",
    "memory",
    "ontology",
    "telemetry",
    "transfer",
    "workspaces",
)
CHARACTERS = 2_000
LIMIT_SECONDS = 1.5
# Less says nothing about growth: some clocks of processors tick a hundred times a second.
WORTH_A_SECOND_LOOK, TOO_LONG = 0.025, 0.15
# Linear is 4, quadratic 16.
MAX_GROWTH = 9

SEEDS = (
    *("a", "A", "1", " ", "-", ".", "'", '"', "_", ":", "/", "[", "(", "@", ",", "é", "\t", "\n", "*"),
    *("a ", "A ", "A-", "a_", "A.", "A'", "a-", "1 ", "1.", "1,", "1-", "1/", "1:", "12 ", "1234 ", "4111-", "GB12 "),
    *("no ", "and ", "usually ", "really ", "I ", "my ", "Ab ", "Ab Cd ", "de la ", "Mr. ", ". ", '."', "? ", "a.b."),
    *("A and ", "A, ", "x=", "<a ", "://", "://a:", "[a:", "- ", "and and ", "a, and ", "the ", "in A ", "key ", "eyJ"),
)
PREFIXES = ("", "I ", "my ")
SUFFIXES = ("", "!x1")


class OutOfTimeError(Exception):
    """A search that did not end in time."""


def modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        root = importlib.import_module(package)
        yield root
        for found in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not {"migrations", "commands", "asgi", "gunicorn"} & set(found.name.split(".")):
                yield importlib.import_module(found.name)


def compiled(module: ModuleType) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns that a module holds by a name, also inside of tuples, mappings and dataclasses."""
    for value in list(vars(module).values()):
        yield from _inside(value)


def _inside(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth > 3 or isinstance(value, type):
        return
    elif isinstance(value, Mapping):
        for each in list(value.values()):
            yield from _inside(each, depth + 1)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _inside(each, depth + 1)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _inside(getattr(value, field.name, None), depth + 1)


def written(module: ModuleType) -> Iterator[re.Pattern[Any]]:
    """Yield the patterns that functions of a module give to `re` as a text."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError):  # a package without code of its own
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
            text = ast.Expression(node.args[0])
            try:
                value = eval(compile(text, module.__name__, "eval"), dict(vars(module)))  # noqa: S307 - our own code
            except (NameError, AttributeError):  # built of arguments
                continue
            if isinstance(value, str) and ast.unparse(node.func) != "re.escape":
                yield re.compile(value)


def all_patterns() -> dict[tuple[Any, int], tuple[str, re.Pattern[Any]]]:
    found: dict[tuple[Any, int], tuple[str, re.Pattern[Any]]] = {}
    for module in modules():
        for pattern in (*compiled(module), *written(module)):
            found.setdefault((pattern.pattern, pattern.flags), (module.__name__, pattern))
    return found


def texts(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str, str]]:
    """Yield what stands before, what is repeated and what follows: the words of the pattern itself, and the usual."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    words = dict.fromkeys(re.findall(r"(?<!\\)[A-Za-z]{2,}|(?<=[|(])[A-Za-z](?=[|)])", source))
    for seed in SEEDS:
        for before in PREFIXES:
            for after in SUFFIXES:
                yield before, seed, after
    for word in words:
        for before in PREFIXES[:2]:
            yield before, f"{word} ", SUFFIXES[-1]


def seconds(pattern: re.Pattern[Any], text: str) -> float:
    """Return how long the processor looks for all occurrences; LIMIT_SECONDS where it does not end."""
    subject: Any = text if isinstance(pattern.pattern, str) else text.encode()
    began = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_SECONDS)
    try:
        for _ in pattern.finditer(subject):
            pass
    except OutOfTimeError:
        return LIMIT_SECONDS
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - began


def slow_text(pattern: re.Pattern[Any]) -> tuple[str, float] | None:
    """Return the first text on which a pattern does not behave, and the seconds that it took."""
    for before, seed, after in texts(pattern):
        short = seconds(pattern, before + seed * (CHARACTERS // len(seed)) + after)
        if short < WORTH_A_SECOND_LOOK:
            continue
        long = seconds(pattern, before + seed * (4 * CHARACTERS // len(seed)) + after)
        # The quickest of a few tries: caches and the collector only ever add.
        short = min(short, *(seconds(pattern, before + seed * (CHARACTERS // len(seed)) + after) for _ in range(2)))
        if long >= TOO_LONG and (short >= LIMIT_SECONDS or long > MAX_GROWTH * short):
            return before + seed + "…" + after, long
    return None


def main() -> None:
    signal.signal(signal.SIGVTALRM, _stop)
    names = sys.argv[1:]
    slow = {}
    found = all_patterns()
    began = time.monotonic()
    for name, pattern in found.values():
        if (not names or name.startswith(tuple(names))) and (why := slow_text(pattern)):
            slow[f"{name}: {str(pattern.pattern)[:80]}"] = why
        if (now := time.monotonic()) > began + 5:
            sys.stderr.write(f"{name}: {str(pattern.pattern)[:80]} took {now - began:.0f} s\n")
        began = now
    sys.stdout.write(json.dumps({"patterns": len(found), "slow": slow}))


def _stop(signum: int, frame: object) -> None:
    raise OutOfTimeError


if __name__ == "__main__":
    django.setup()
    main()
