"""What is quoted where no model answers: the lines that bear on the question, and none where none does."""

from __future__ import annotations

import pytest

from chat.services.extractive_answer import NO_MODEL, extractive_answer
from memory.citations.quoting_answers import NEAREST_INTRO, NOTHING_FOUND, QUOTED_INTRO
from memory.recall.budget import Filled, Item

LIKINGS = [
    "Caroline loves creating art.",
    "Caroline is passionate about helping people.",
    "Caroline loves all the yellow leaves.",
    "Caroline enjoys long walks by the lake.",
    "Caroline prefers tea to coffee.",
]
RESEARCH = "Caroline researched adoption agencies (said on 25 May 2023)."
SUPPLIER = "Flour Power GmbH comes on Tuesdays."
TIDE = "When the tide warning is red, deliveries go over the bridge."


def block(name: str, lines: list[str]) -> Filled:
    items = [Item(line, f"- {line}", "found", score=0.9) for line in lines]
    return Filled(name, "\n".join(item.line for item in items), 0, items)


def quoted(question: str, *, memories: list[str], episodes: list[str] | None = None) -> list[str]:
    blocks = [block("episodes", [f"(9 turns) {line}" for line in episodes or []]), block("memories", memories)]
    intro, *lines = extractive_answer(blocks, question=question).split("\n")
    assert intro == f"{NO_MODEL}, {QUOTED_INTRO if lines else NOTHING_FOUND}"
    return [line.removeprefix("- ") for line in lines]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did Caroline research?", [RESEARCH]),
        ("What is Caroline's identity?", []),
        ("When did Caroline move to Oslo?", []),
        ("Which leaves does Caroline love?", [LIKINGS[2]]),
        ("When does Flour Power GmbH deliver?", [SUPPLIER]),
        ("When is Melanie planning on going camping?", []),
        ("Zebra crossings?", []),
        ("", []),
    ],
)
def test_quotes_what_bears_on_the_question(question: str, expected: list[str]) -> None:
    assert quoted(question, memories=[*LIKINGS, RESEARCH, SUPPLIER, TIDE]) == expected


def test_whom_it_is_about_is_not_what_it_asks() -> None:
    assert quoted("What did Caroline research?", memories=LIKINGS) == []
    assert quoted("What about Caroline?", memories=LIKINGS) == LIKINGS


def test_an_episode_is_quoted_by_sentence() -> None:
    told = "user: I went to a support group yesterday (said on 8 May 2023). We had tea. Did you go to a support group?"

    assert quoted("When did you go to the support group?", memories=LIKINGS, episodes=[told]) == [
        "Summarised earlier: user: I went to a support group yesterday (said on 8 May 2023)."
    ]


CUSTOMERS = [
    "Café Petit wants its deliveries at noon.",
    "Hotel Astoria wants deliveries before seven.",
    "Fisk & Co want deliveries twice a week.",
    "Tivoli wants no deliveries on Mondays.",
    "Nordlys wants deliveries at the side door.",
]
LINDQVIST = "The Lindqvist café prefers deliveries through the side entrance, before 06:00."


def test_the_one_that_a_question_names_is_quoted_first() -> None:
    for memories in ([*CUSTOMERS, LINDQVIST], [LINDQVIST, *CUSTOMERS]):
        assert quoted("When does Lindqvist want deliveries?", memories=memories)[0] == LINDQVIST


def test_what_the_search_found_first_is_never_dropped() -> None:
    found = [Item("1", "- Ovens are cleaned on Fridays.", "found", score=0.5, confidence=0.15)]
    found += [Item(str(n), f"- {line}", "found", score=0.1, confidence=0.001) for n, line in enumerate(CUSTOMERS)]
    blocks = [Filled("memories", "", 0, found)]

    answer = extractive_answer(blocks, question="When does Nordlys want its ovens cleaned and its deliveries?")

    assert "Ovens are cleaned on Fridays." in answer


def test_the_relation_that_is_asked_for_goes_before_others() -> None:
    edges = [f"Order 26-105{n} delivered on Route 3" for n in range(4)] + ["Route 3 driven by Jens Lund"]
    items = [Item(str(n), f"  {edge}", "edge", score=0.5, opening=f"- [node:1] {edge}") for n, edge in enumerate(edges)]

    answer = extractive_answer([Filled("nodes", "", 0, items)], question="Who drives Route 3?")

    assert answer.split("\n")[1] == "- [node:1] Route 3 driven by Jens Lund"


def test_an_earlier_question_is_no_answer() -> None:
    asked = Item("1", "user: … Who drives Route 3?", "found", score=0.9, confidence=0.9)

    answer = extractive_answer([Filled("messages", "", 0, [asked])], question="Who drives Route 3?")

    assert answer == f"{NO_MODEL}, {NOTHING_FOUND}"


@pytest.mark.parametrize("confidence", [0.9, 0.001])
def test_an_earlier_answer_without_anything_is_no_answer(confidence: float) -> None:
    answered = Item("1", f"assistant: {NO_MODEL}, {NOTHING_FOUND}", "found", score=0.9, confidence=confidence)

    answer = extractive_answer([Filled("messages", "", 0, [answered])], question="Which model remembers nothing?")

    assert answer == f"{NO_MODEL}, {NOTHING_FOUND}"


@pytest.mark.parametrize("confidence", [0.9, 0.1])
def test_an_earlier_answer_is_not_quoted_again(confidence: float) -> None:
    text = f"assistant: {NO_MODEL}, {QUOTED_INTRO} - (mem:1) Jens Lund drives Route 3."
    answered = Item("1", text, "found", score=0.9, confidence=confidence)

    answer = extractive_answer([Filled("messages", "", 0, [answered])], question="Who drives Route 3?")

    assert answer == f"{NO_MODEL}, {NOTHING_FOUND}"


def test_what_comes_nearest_is_quoted_where_nothing_has_the_words() -> None:
    """A context that holds the answer in other words is not denied."""
    line, provenance = "  [from Mara] user: The landlord takes 760 a month.", "[from Mara]"
    said = [Item("1", line, "found", confidence=0.05, provenance=provenance, day="2026-10-12")]
    said += [Item("2", "  user: It rains.", "found", confidence=0.001)]
    blocks = [block("facts", LIKINGS), Filled("messages", "", 0, said)]

    answer = extractive_answer(blocks, question="How much rent do I pay?")

    assert answer.split("\n") == [
        f"{NO_MODEL}, {NEAREST_INTRO}",
        "- Said earlier 2026-10-12 [from Mara]: user: The landlord takes 760 a month.",
    ]


def test_guidance_for_any_request_does_not_displace_what_answers() -> None:
    """An instruction may apply to whatever is asked, and says nothing about the parrot."""
    guided = [Item("1", "  user: Always write in short lines.", "guidance", confidence=0.35, is_guidance=True)]
    said = [Item("2", "  user: For Kiwi only seeds or apples.", "found", confidence=0.08)]

    answer = extractive_answer([Filled("messages", "", 0, [*guided, *said])], question="What should I give the parrot?")
    alone = extractive_answer([Filled("messages", "", 0, guided)], question="What should I give the parrot?")

    assert answer.split("\n")[1:] == ["- Said earlier : user: For Kiwi only seeds or apples."]
    assert alone.split("\n") == [f"{NO_MODEL}, {NEAREST_INTRO}", "- Said earlier : user: Always write in short lines."]
