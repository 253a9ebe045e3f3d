"""Which texts a conversation can have for a key: one visible line that is no address of something else."""

from __future__ import annotations

import pytest

from conversations.messages.conversation_keys import MAX_CHARACTERS, VERBS, UnfitKeyError, check_key


@pytest.mark.parametrize(
    "key",
    [
        "a",
        "support/42",
        "a b",
        "Ünïcode 漢字 😀",
        "a/b/c/d",
        "messages",
        "messages/of/ada",
        "plan",
        "a/Messages",
        "a/messages-2",
        "a.b:c#d?e",
        "%2F",
        "..",
        "x" * MAX_CHARACTERS,
        "漢" * MAX_CHARACTERS,
    ],
)
def test_takes_what_people_and_programs_call_conversations(key: str) -> None:
    check_key(key)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("", "1 to 200 characters"),
        ("x" * (MAX_CHARACTERS + 1), "1 to 200 characters"),
        (" a", "space at its start"),
        ("a ", "space at its start"),
        ("a\u00a0", "space at its start"),
        ("a\nb", "one line"),
        ("a\tb", "one line"),
        ("a\u2028b", "one line"),
        ("a\x00b", "control"),
        ("a\x7fb", "control"),
        ("a\u200bb", "invisible"),
        ("a\u202eb", "invisible"),
        ("a\ud800b", "one line"),
        ("AKIAIOSFODNN7EXAMPLE", "credential"),
        ("postgresql://ada:hunter22@db/x", "credential"),
    ],
)
def test_refuses_what_cannot_be_seen_or_should_not_be_kept(key: str, why: str) -> None:
    with pytest.raises(UnfitKeyError, match=why):
        check_key(key)


@pytest.mark.parametrize("verb", sorted(VERBS))
@pytest.mark.parametrize("form", ["a/{}", "a/{}/b", "a/b/{}"])
def test_refuses_what_would_be_the_address_of_something_in_another_conversation(verb: str, form: str) -> None:
    with pytest.raises(UnfitKeyError, match=f"no part '/{verb}'"):
        check_key(form.format(verb))
