"""What the bar says after a step, as a table."""

from __future__ import annotations

from collections import Counter
from uuid import uuid4

import pytest

from memory.memories.bulk.services import BulkOutcome
from memory.memories.bulk.view_models import tags_sentence, verb_sentence
from memory.memories.transitions import Verb


@pytest.mark.parametrize(
    ("verb", "outcome", "said"),
    [
        (Verb.PIN, BulkOutcome(changed=[uuid4()]), "Pinned 1 memory."),
        (Verb.FORGET, BulkOutcome(changed=[uuid4(), uuid4()]), "Forgot 2 memories."),
        (Verb.PROMOTE, BulkOutcome(asked=2), "Nothing was changed. 2 wait for a second person."),
        (
            Verb.SUPPRESS,
            BulkOutcome(changed=[uuid4()], unchanged=1, refused=Counter(missing_scope=1, not_found=2)),
            "Suppressed 1 memory. 1 was so already. 1 is for those who may change facts. 2 have gone meanwhile.",
        ),
        (Verb.RESTORE, BulkOutcome(refused=Counter(duplicate=3)), "Nothing was changed. 3 say the same as others."),
        (Verb.PIN, BulkOutcome(refused=Counter(unheard_of=1)), "Nothing was changed. 1 could not be changed."),
    ],
)
def test_a_verb_says_what_it_did_and_what_stays(verb: Verb, outcome: BulkOutcome, said: str) -> None:
    assert verb_sentence(verb, outcome) == said


def test_tags_say_what_was_tagged() -> None:
    outcome = BulkOutcome(changed=[uuid4()], refused=Counter(too_many_tags=2))

    assert tags_sentence(outcome, is_more=True) == "Tagged 1 memory. 2 have too many tags."
    assert tags_sentence(outcome, is_more=False) == "Untagged 1 memory. 2 have too many tags."
