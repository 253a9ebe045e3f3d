"""Merging and dropping observations by rules, and holding a model to what it may drop. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from conversations.observations.drawn_observations import DrawnObservation, tidy_text
from conversations.observations.kinds import ObservationKind
from conversations.observations.prompts import ModelReflection
from core.text import normalise

MAX_CHARACTERS_OF_A_MERGE = 400
MAX_SOURCES = 200
_MERGED = "Finished: "


def reduce_by_rules(observations: Sequence[DrawnObservation], *, max_tokens: int) -> list[DrawnObservation]:
    """Return the observations with at most this many tokens, in their order; critical ones are always kept.

    What was said again stands once. Then the oldest `info` goes, completions of one day are merged, and the oldest of
    these and of `important` go.
    """
    kept = _drop_repeated(observations)
    kept = _drop_oldest(kept, ObservationKind.INFO, max_tokens)
    if _total(kept) > max_tokens:
        kept = _drop_oldest(_merge_completions(kept), ObservationKind.COMPLETION, max_tokens)
    return _drop_oldest(kept, ObservationKind.IMPORTANT, max_tokens)


def read_reflections(
    given: Iterable[ModelReflection], observations: Sequence[DrawnObservation]
) -> list[DrawnObservation]:
    """Return what a model has made of observations, which it knows by their numbers from 1 on, oldest first.

    What stands for none of them was invented and is left out; critical ones that it dropped stay as they were.
    """
    merged: list[tuple[int, DrawnObservation]] = []
    kept_critical: set[int] = set()
    for each in given:
        places = sorted({number - 1 for number in each.numbers if 1 <= number <= len(observations)})
        text = tidy_text(each.text)
        if not places or not text:
            continue
        if each.kind == ObservationKind.CRITICAL:
            kept_critical.update(places)
        sources = [observations[place] for place in places]
        merged.append((places[-1], _merge(sources, kind=each.kind, text=text)))
    lost = [
        (place, each)
        for place, each in enumerate(observations)
        if each.kind == ObservationKind.CRITICAL and place not in kept_critical
    ]
    return [each for _, each in sorted([*merged, *lost], key=lambda pair: pair[0])]


def _total(observations: Iterable[DrawnObservation]) -> int:
    return sum(each.tokens for each in observations)


def _drop_repeated(observations: Sequence[DrawnObservation]) -> list[DrawnObservation]:
    """Return each text of a kind once, where it was said last."""
    last = {(each.kind, normalise(each.text)): place for place, each in enumerate(observations)}
    return [each for place, each in enumerate(observations) if last[each.kind, normalise(each.text)] == place]


def _drop_oldest(
    observations: Sequence[DrawnObservation], kind: ObservationKind, max_tokens: int
) -> list[DrawnObservation]:
    excess = _total(observations) - max_tokens
    kept = []
    for each in observations:
        if excess > 0 and each.kind == kind:
            excess -= each.tokens
        else:
            kept.append(each)
    return kept


def _merge_completions(observations: Sequence[DrawnObservation]) -> list[DrawnObservation]:
    """Return completions of one day that follow each other as one, each in a few words."""
    merged: list[DrawnObservation] = []
    for (kind, _), group in groupby(observations, key=lambda each: (each.kind, each.observed_at.date())):
        run = list(group)
        if kind != ObservationKind.COMPLETION or len(run) == 1:
            merged += run
            continue
        parts = "; ".join(each.text.removeprefix(_MERGED).rstrip(".") for each in run)
        text = parts if len(parts) <= MAX_CHARACTERS_OF_A_MERGE else f"{parts[: MAX_CHARACTERS_OF_A_MERGE - 1]}…"
        merged.append(_merge(run, kind=kind, text=f"{_MERGED}{text}"))
    return merged


def _merge(sources: Sequence[DrawnObservation], *, kind: ObservationKind, text: str) -> DrawnObservation:
    ids = dict.fromkeys(identity for each in sources for identity in each.source_message_ids)
    newest = max(sources, key=lambda each: each.observed_at)
    return replace(newest, kind=kind, text=text, source_message_ids=tuple(ids)[:MAX_SOURCES])
