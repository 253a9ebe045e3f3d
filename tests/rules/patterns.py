"""Run as a program: search every compiled pattern of the product against hostile texts, and print those that take long.

Time is the processor's own, so that a busy machine changes nothing. A pattern is reported when one search does not end
in time, or when six times the text costs much more than six times as much.
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

from tests.rules.packages import PACKAGES

CHARACTERS = 5_000
LIMIT_SECONDS = 1.5
# Less says nothing about growth: some clocks of processors tick a hundred times a second.
WORTH_A_SECOND_LOOK, TOO_LONG = 0.025, 0.15
# What a text six times as long may cost: linear is 6, quadratic 36.
LONGER, MAX_GROWTH = 6, 14
# The first look is at a text so many times shorter, for which even what is cubic takes long enough to be seen.
SHORTER = 2

SEEDS = (
    *("a", "A", "1", " ", "-", ".", "'", '"', "_", ":", "/", "[", "(", "@", ",", "é", "\t", "\n", "*", "→", "=", ">"),
    *(
        "a ",
        "A ",
        "A-",
        "a_",
        "A.",
        "A'",
        "a-",
        "1 ",
        "1.",
        "1,",
        "1-",
        "1/",
        "1:",
        "12 ",
        "1234 ",
        "4111-",
        "GB12 ",
        "->",
        "=> ",
    ),
    *("no ", "and ", "usually ", "really ", "I ", "my ", "Ab ", "Ab Cd ", "de la ", "Mr. ", ". ", '."', "? ", "a.b."),
    *("A and ", "A, ", "x=", "<a ", "://", "://a:", "[a:", "- ", "and and ", "a, and ", "the ", "in A ", "key ", "eyJ"),
)
# What its patterns look at has at most 320 characters; tests/memory/test_replacement_time.py measures that.
BOUNDED = "memory.memories.replacement"
PREFIXES = ("", "I ", "my ")
SUFFIXES = ("", "!x1")
# What a line may begin with, before blanks that are neither its end nor one gap.
BEFORE_BLANKS = ("a", "# a", "- a", "- **a**:", "> a", "a:", "a =")


class OutOfTimeError(Exception):
    """A search that did not end in time."""


def modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        root = importlib.import_module(package)
        yield root
        for found in pkgutil.walk_packages(root.__path__, f"{package}."):
            if not found.name.startswith(BOUNDED) and not {"migrations", "commands", "asgi", "gunicorn"} & set(
                found.name.split(".")
            ):
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
    for before in BEFORE_BLANKS:
        yield before, " ", "b"
    for word in words:
        for before in PREFIXES[:2]:
            yield before, f"{word} ", SUFFIXES[-1]


def search(pattern: re.Pattern[Any], text: str) -> bool:
    """Look for all occurrences; return False where that did not end in time."""
    _State.searches += 1
    _State.is_searching = True
    subject: Any = text if isinstance(pattern.pattern, str) else text.encode()
    try:
        for _ in pattern.finditer(subject):
            pass
        pattern.fullmatch(subject)  # which a pattern that is content with less may have to go back for
    except OutOfTimeError:
        return False
    finally:
        _State.is_searching = False
    return True


def seconds(pattern: re.Pattern[Any], text: str) -> float:
    """Return how long the processor looks for all occurrences; LIMIT_SECONDS where it does not end."""
    began = time.process_time()
    return time.process_time() - began if search(pattern, text) else LIMIT_SECONDS


def slow_text(pattern: re.Pattern[Any]) -> tuple[str, float] | None:
    """Return the first text on which a pattern does not behave, and the seconds that it took."""
    worth = WORTH_A_SECOND_LOOK
    for before, seed, after in texts(pattern):
        began = time.perf_counter()
        ended = search(pattern, before + seed * (CHARACTERS // SHORTER // len(seed)) + after)
        if ended and time.perf_counter() - began < worth / SHORTER**3:
            continue
        usual = before + seed * (CHARACTERS // len(seed)) + after
        # The quicker of two tries: caches and the collector only ever add.
        if (short := seconds(pattern, usual)) < worth or (short := min(short, seconds(pattern, usual))) < worth:
            continue
        long = seconds(pattern, before + seed * (LONGER * CHARACTERS // len(seed)) + after)
        if long >= TOO_LONG and (short >= LIMIT_SECONDS or long > MAX_GROWTH * short):
            return before + seed + "…" + after, long
        worth = 2 * short  # of a pattern that is costly and linear, only what costs more
    return None


class _State:
    """The searches that were begun, and how many there were when the timer last looked."""

    searches = seen = 0
    is_searching = False


def main() -> None:
    signal.signal(signal.SIGVTALRM, _stop)
    # One timer for all searches: it ends the one that was under way a whole interval before.
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_SECONDS / 2, LIMIT_SECONDS / 2)
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
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    sys.stdout.write(json.dumps({"patterns": len(found), "slow": slow}))


def _stop(signum: int, frame: object) -> None:
    before, _State.seen = _State.seen, _State.searches
    if before == _State.searches and _State.is_searching:
        raise OutOfTimeError


if __name__ == "__main__":
    django.setup()
    main()
