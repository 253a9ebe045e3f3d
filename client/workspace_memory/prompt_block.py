"""The scratchpad's block for a prompt: a line for each result, older ones folded, never over its bound. Pure.

Tokens are counted without a tokenizer, and high: see `count_tokens_high`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from workspace_memory.scratchpad_references import Entry, shown_size

HEAD = "Available scratchpad refs:"
MAX_TOKENS = 2_000
INPUT = "input_"
# Of the bound, the parts that inputs and calls without a kept result may take as whole lines.
FRACTION_OF_INPUTS, FRACTION_OF_UNKEPT = 0.4, 0.15
# Of what older results may take, the part for the lines of their tools; the rest is for names without words.
FRACTION_OF_GROUPS = 0.6
# A line that counts what no other line names.
TOKENS_OF_A_COUNT = 100
# Runs of numbers that the line of a group names, the newest of them.
MAX_RUNS = 8
MAX_NAMED = 20
# Letters of one case, with the capital before them; then whatever else, one by one.
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|[^\x00-\x7f]+|[^A-Za-z]", re.ASCII)
_VOWELS = re.compile("[aeiouyAEIOUY]")


def count_tokens_high(text: str) -> int:
    """The number of tokens of a text, counted high: a text has fewer with the tokenizers of today's models.

    Two letters of a word are one token, three in four letters of what has hardly a vowel, every other ASCII character,
    and every byte of UTF-8 elsewhere. English has about four letters to a token, so that real blocks stay well below.
    """
    return sum(_cost(piece) for piece in _PIECES.findall(text))


def render_block(
    entries: Sequence[Entry], *, prefix: str, unkept: Sequence[str] = (), max_tokens: int = MAX_TOKENS
) -> str:
    """The block: whole lines while they fit; else inputs and the newest as whole lines, and older ones a line a group.

    `unkept` are lines of calls whose results are not kept. Empty without anything.
    """
    if not entries and not unkept:
        return ""
    lines = _Lines(prefix)
    whole = [HEAD, *map(lines.whole, entries), *unkept]
    if _cost_of(whole) <= max_tokens:
        return "\n".join(whole)
    inputs, results = _split_inputs(entries)
    room = max_tokens - _cost_of(map(lines.whole, results)) - _cost_of(unkept) - TOKENS_OF_A_COUNT
    shown_inputs, taken = _fitting(list(map(lines.whole, inputs)), max(room, max_tokens * FRACTION_OF_INPUTS))
    folded_inputs = inputs[len(shown_inputs) :]
    newest_unkept, spent = _fitting([*reversed(unkept)], max_tokens * FRACTION_OF_UNKEPT)
    said = [*reversed(newest_unkept)]
    if len(said) < len(unkept):
        said.insert(0, f"- {_counted(len(unkept) - len(said), 'earlier call')} ran, with no result kept")
    left = max_tokens - taken - spent - _cost_of([HEAD, *said[: len(said) - len(newest_unkept)]])

    def middle(newest: int) -> list[str]:
        older = [*folded_inputs, *results[: len(results) - newest]]
        return [*lines.groups(older, left // 2), *map(lines.whole, results[len(results) - newest :])]

    kept = middle(_most(len(results), lambda newest: _cost_of(middle(newest)) <= left))
    return "\n".join([HEAD, *shown_inputs, *kept, *said])


def list_names(entries: Sequence[Entry], *, like: str = "") -> str:
    """The names for an error: all of them while they are few, else those of the same tool and the newest."""
    names = [one.name for one in entries]
    if len(names) <= MAX_NAMED:
        return ", ".join(names) or "nothing"
    tool = like.rpartition(".")[0]
    akin = [name for name in names if tool and name.rpartition(".")[0] == tool]
    named = list(dict.fromkeys([*akin[-MAX_NAMED // 2 :], *names[-MAX_NAMED // 2 :]]))
    return f"{', '.join(named)} and {len(names) - len(named):,} more"


@dataclass(frozen=True, slots=True)
class _Lines:
    """Lines of a block whose references begin with `prefix`."""

    prefix: str

    def whole(self, entry: Entry) -> str:
        return f"- {self.prefix}{entry.name} — {entry.what} ({shown_size(entry.size)})"

    def groups(self, entries: Sequence[Entry], budget: float) -> list[str]:
        """A line for each tool, the one that was used last at the end; those without a line share the first."""
        groups: dict[str, list[Entry]] = {}
        for entry in entries:
            tool = entry.name.rpartition(".")[0]
            members = groups.pop(tool, [])
            members.append(entry)
            groups[tool] = members
        lines = [self._group(tool, members) for tool, members in groups.items()]
        shown, taken = _fitting([*reversed(lines)], budget * FRACTION_OF_GROUPS)
        hidden = [*groups.values()][: len(groups) - len(shown)]
        return [*([self._others(hidden, budget - taken)] if hidden else []), *reversed(shown)]

    def _group(self, tool: str, members: Sequence[Entry]) -> str:
        if len(members) == 1:
            return self.whole(members[0])
        runs = _runs(sorted(int(one.name.rpartition(".")[2]) for one in members))
        span = f"{self.prefix}{tool}.{runs[0][0]} … {self.prefix}{tool}.{runs[-1][1]}"
        line = f"- {span} — {len(members):,} results ({_size_of(members)})"
        if len(runs) == 1:
            return line
        listed = [f"{first}" if first == last else f"{first} to {last}" for first, last in runs[-MAX_RUNS:]]
        return f"{line}, numbered {'…, ' if len(runs) > MAX_RUNS else ''}{', '.join(listed)}"

    def _others(self, groups: Sequence[Sequence[Entry]], budget: float) -> str:
        """The line that counts what has no other, with the newest name of each tool as far as there is room."""
        members = [one for group in groups for one in group]
        said = (
            f"{_counted(len(members), 'older result')} of {_counted(len(groups), 'other tool')} ({_size_of(members)})"
        )
        line = f"- {said}, as {self.prefix}<tool>.<number>"
        named, _ = _fitting([f", {group[-1].name}" for group in reversed(groups)], budget - TOKENS_OF_A_COUNT)
        if not named:
            return line
        more = ", …" if len(named) < len(groups) else ""
        return f"{line}: {''.join([more, *reversed(named)]).removeprefix(', ')}"


def _split_inputs(entries: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    inputs = [one for one in entries if one.name.startswith(INPUT)]
    return inputs, [one for one in entries if not one.name.startswith(INPUT)]


def _fitting(lines: Sequence[str], budget: float) -> tuple[list[str], int]:
    """The first of the lines that fit together, and what they cost."""
    fitting, spent = [], 0
    for line in lines:
        if spent + (cost := _cost_of([line])) > budget:
            break
        fitting.append(line)
        spent += cost
    return fitting, spent


def _most(upper: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to `upper` that fits, where more fits less; 0 where none does."""
    low, high = 0, upper
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Rising numbers as runs without a gap, each by its first and last."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _size_of(members: Iterable[Entry]) -> str:
    return shown_size(sum(one.size for one in members))


def _cost_of(lines: Iterable[str]) -> int:
    return sum(1 + count_tokens_high(line) for line in lines)  # one for the end of the line


def _cost(piece: str) -> int:
    if not piece.isascii():
        return len(piece.encode("utf-8", "surrogatepass"))
    # Letters without vowels are not words: tokenizers cut them into shorter pieces.
    is_word = 4 * len(_VOWELS.findall(piece)) >= len(piece)
    return -(-len(piece) // 2) if is_word else -(-3 * len(piece) // 4)
