"""The life of a memory as a table: every verb can be undone, and what decides for others needs the right `facts`."""

from __future__ import annotations

import pytest

from memory.memories.transitions import TRANSITIONS, Verb, needs_facts_right

# verb: (of a memory, of a fact)
NEEDS_FACTS = {
    Verb.PROMOTE: (True, True),
    Verb.DEMOTE: (True, True),
    Verb.PIN: (True, True),
    Verb.UNPIN: (True, True),
    Verb.SUPPRESS: (False, True),
    Verb.UNSUPPRESS: (True, True),
    Verb.FORGET: (False, True),
    Verb.RESTORE: (False, True),
    Verb.CLOSE: (False, True),
    Verb.REOPEN: (False, True),
}


def test_every_verb_is_in_the_table() -> None:
    assert set(TRANSITIONS) == set(Verb) == set(NEEDS_FACTS)


@pytest.mark.parametrize("verb", Verb)
def test_undoing_leads_back(verb: Verb) -> None:
    undo = TRANSITIONS[verb].undo

    assert undo != verb
    assert TRANSITIONS[undo].undo == verb


@pytest.mark.parametrize(("verb", "needed"), NEEDS_FACTS.items())
def test_what_decides_for_others_needs_the_right(verb: Verb, needed: tuple[bool, bool]) -> None:
    assert (needs_facts_right(verb, kind="memory"), needs_facts_right(verb, kind="fact")) == needed


@pytest.mark.parametrize("verb", [Verb.SUPPRESS, Verb.CLOSE, Verb.UNPIN])
def test_what_was_pinned_is_not_hidden_without_the_right(verb: Verb) -> None:
    assert needs_facts_right(verb, kind="memory", is_pinned=True)


def test_forgetting_what_was_pinned_is_not_a_question_of_that_right() -> None:
    assert not needs_facts_right(Verb.FORGET, kind="memory", is_pinned=True)
