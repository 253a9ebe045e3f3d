"""What somebody forgot or suppressed does not come back in other words, and what is merely near it is kept."""

from __future__ import annotations

from uuid import UUID

import pytest

from memory.extraction.dedup import is_rewording
from memory.extraction.services.keep import KeepOutcome
from memory.memories.services.lifecycle import apply_transition
from memory.memories.transitions import Verb
from tests.cast import Cast, RestClient
from tests.memory.test_extraction import end, extract, memories, say

WEDNESDAYS = "The user does not work Wednesdays any more, by the way, down to 32 hours."
RENT = "The user's landlord wants to put the rent up to 1,240 from January."
COFFEE = "The user stopped drinking coffee."
AGAIN = [
    (WEDNESDAYS, "I don't work on Wednesdays any more."),
    (RENT, "My landlord wants to raise the rent to 1,240 from January."),
    (COFFEE, "I've stopped drinking any coffee."),
    (COFFEE, "I quit coffee."),
    ("The user's wife Nora is pregnant with twins.", "My wife Nora is expecting twins."),
    ("The user is allergic to walnuts.", "I have a walnut allergy."),
]
NEAR = [
    (WEDNESDAYS, "I don't work on Fridays any more."),
    (RENT, "My landlord wants to raise the rent to 1,300 from January."),
    (COFFEE, "I've stopped drinking alcohol."),
    (COFFEE, "I started drinking coffee again."),
    ("The user's wife Nora is pregnant with twins.", "My sister Nora is pregnant with twins."),
    ("The user's sister Petra is getting divorced.", "My sister Petra is getting married."),
    ("The user has an appointment at the dentist on 4 May.", "I have an appointment at the dentist on 9 May."),
]


def suppress(cast: Cast, memory_id: str) -> None:
    """Suppress a memory as a person does."""
    apply_transition(caller=cast.acme.caller, memory_id=UUID(memory_id), verb=Verb.SUPPRESS)


@pytest.mark.usefixtures("memory_on")
@pytest.mark.parametrize(("forgotten", "said"), AGAIN)
def test_the_forgotten_stays_forgotten(cast: Cast, acme: RestClient, forgotten: str, said: str) -> None:
    acme.delete(f"memories/{acme.remembered(forgotten)['id']}")
    say(acme, said)
    end(acme)

    assert extract(cast.acme) == {KeepOutcome.LEFT_OUT: 1}
    assert memories(acme) == {}


@pytest.mark.usefixtures("memory_on")
@pytest.mark.parametrize(("suppressed", "said"), AGAIN)
def test_the_suppressed_stays_suppressed(cast: Cast, acme: RestClient, suppressed: str, said: str) -> None:
    suppress(cast, acme.remembered(suppressed)["id"])
    say(acme, said)
    end(acme)

    assert extract(cast.acme) == {KeepOutcome.KNOWN: 1}
    assert [each for each in memories(acme).values() if not each["suppressed_at"]] == []


@pytest.mark.usefixtures("memory_on")
@pytest.mark.parametrize("verb", ["suppress", "forget"])
@pytest.mark.parametrize(("unwanted", "said"), NEAR)
def test_what_is_merely_near_is_kept(cast: Cast, acme: RestClient, unwanted: str, said: str, verb: str) -> None:
    memory = acme.remembered(unwanted)
    if verb == "forget":
        acme.delete(f"memories/{memory['id']}")
    else:
        suppress(cast, memory["id"])
    say(acme, said)
    end(acme)

    assert extract(cast.acme) == {KeepOutcome.ADDED: 1}


@pytest.mark.parametrize(
    ("unwanted", "said"),
    [
        ("The user prefers tea to coffee.", "The user prefers coffee to tea."),
        ("The user moved from Oslo to Bergen.", "The user moved from Bergen to Oslo."),
        ("The user has two cats.", "The user has two cats and a dog."),
        ("The user is allergic to peanuts.", "The user is allergic to peanuts and shellfish."),
        ("The user prefers red wine.", "The user prefers white wine."),
        ("The user hurt the left knee.", "The user hurt the right knee."),
        ("The user lives in Oslo.", "The user works in Oslo."),
        ("The user has a dog.", "The user wants a dog."),
        ("The user has cancer.", "The user had cancer."),
        ("The user is married.", "The user's marriage is over."),
        ("Der Nutzer hat eine Katze.", "Der Nutzer hat keine Katze."),
    ],
)
def test_what_differs_in_a_word_is_no_rewording_however_near(unwanted: str, said: str) -> None:
    assert not is_rewording(unwanted, said, cosine=0.99)
