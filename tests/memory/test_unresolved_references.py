"""Words of a statement that point at what it does not name: such a statement is left out."""

from __future__ import annotations

import pytest

from memory.episodes.companions import find_company
from memory.episodes.question_pairs import AskedQuestion, find_question
from memory.episodes.unresolved_references import find_unresolved, is_vague_question, leans_back


@pytest.mark.parametrize(
    ("said", "pointing"),
    [
        ("I sold it in May.", "it"),
        ("Since Monday I row.", ""),
        ("I sold my boat, and it was hard.", ""),
        ("A friend made it for my birthday.", "it"),
        ("Rowing it calms me.", "it"),
        ("I made it to relax.", "it"),
        ("I made it to Bari.", ""),
        ("It's good to know that the harbour is safe.", ""),
        ("It's a great way to relax.", "It"),
        ("I trust him.", "him"),
        ("My brother rows, and I trust him.", ""),
        ("I helped and taught them.", "them"),
        ("I teach children, and I love them.", ""),
        ("I want my son to learn that too.", "that"),
        ("I painted this after the regatta.", "this"),
        ("I bought this boat.", "this boat"),
        ("This sounds like a solid plan.", "This"),
        ("This boat I bought last year is fast.", ""),
        ("I think that boats are fast.", ""),
        ("I had a boat like this.", "this"),
        ("We had a wonderful week there.", "there"),
        ("We had a wonderful week in Bari, and I liked it there.", ""),
        ("There is a bakery in Graz.", ""),
        ("The training was hard.", "The training was"),
        ("The training for the regatta in Bari was hard.", ""),
        ("Lots of people came to the event.", "the event"),
        ("Lots of people came to the event of the harbour.", ""),
        ("We had so much fun!", "had so much fun"),
        ("We had so much fun at the regatta in Bari!", ""),
        ("Almost as fast as a gull.", "Almost"),
        ("Especially after I sold the boat, I was sad.", ""),
        ("I did something new.", "did something"),
        ("I've been playing for four months.", "been playing for"),
        ("I like the other one.", "the other"),
        ("I'm trying to meet a deadline in May, and I need help with this problem.", ""),
    ],
)
def test_what_points_at_something_that_is_not_named_is_found(said: str, pointing: str) -> None:
    assert find_unresolved(said).startswith(pointing) if pointing else find_unresolved(said) == ""


def test_what_is_read_before_names_things() -> None:
    assert find_unresolved("I sold it in May.", known="Who sold the boat?") == ""
    assert find_unresolved("I trust him.", known="Who sold the boat?") == "him"
    assert find_unresolved("Ben found an app, and they use it.", is_retold=True) == ""


@pytest.mark.parametrize(
    ("question", "is_vague"),
    [
        ("What's on it?", True),
        ("Why is he your hero?", True),
        ("How did they take the news?", True),
        ("What did you write on that board?", False),
        ("Is the boat yours?", False),
    ],
)
def test_a_question_needs_a_noun(question: str, is_vague: bool) -> None:
    assert is_vague_question(question) is is_vague


@pytest.mark.parametrize(
    ("said", "leans"),
    [
        ("It made me think.", True),
        ("It's important to row each day.", False),
        ("That gives me ideas.", True),
        ("My boat is fast.", False),
    ],
)
def test_sentences_that_need_the_one_before(said: str, leans: bool) -> None:
    assert leans_back(said) is leans


@pytest.mark.parametrize(
    ("sentence", "around", "company"),
    [
        ("We went to Bari.", ["My kids loved the sea."], "kids"),
        ("We went to Bari.", ["I like trains."], ""),
        ("We were teammates for four years.", ["I saw my family and old friends."], ""),
        ("We were with teammates in Bari.", ["I saw my family."], "family"),
        ("We're like a family.", ["My old rowing team won."], "team"),
        ("We went to Bari.", ["Tom and I rented a boat."], "Tom"),
        ("We should meet up in Bari.", ["My kids loved the sea."], "Ben"),
        ("Let's row on Sunday.", [], "Ben"),
        ("We could row to Bari one day.", ["My kids loved the sea."], "Ben"),
        ("We won in Bari.", ["I love my old rowing team."], "team"),
        ("We won in Bari.", ["My week with friends was calm."], ""),
        ("My sister and I went to Bari, and we liked it.", [], ""),
        ("I went to Bari.", ["My kids loved the sea."], ""),
    ],
)
def test_who_we_are(sentence: str, around: list[str], company: str) -> None:
    assert find_company(sentence, around, listener="Ben") == company


@pytest.mark.parametrize(
    ("sentence", "around", "earlier", "company"),
    [
        ("Our friendship grows.", ["My crew rows at six."], [], "crew"),
        ("Our friendship grows.", [], ["My crew rows at six."], "Ben"),
        ("Our friendship grows, and you know it.", ["My crew rows at six."], [], "Ben"),
        ("I have rowed since we met.", ["My crew is slow."], [], "crew"),
        ("I have rowed since we talked.", ["My crew is slow."], [], "Ben"),
        ("We row at six.", [], ["My crew is slow."], "crew"),
        ("Our boat leaks.", ["My crew is slow."], [], "crew"),
        ("Our boat leaks.", [], ["My crew is slow."], ""),
    ],
)
def test_what_we_share(sentence: str, around: list[str], earlier: list[str], company: str) -> None:
    assert find_company(sentence, around, listener="Ben", earlier=earlier) == company


BOAT, CAT = AskedQuestion("Has Ana sold the boat?"), AskedQuestion("How old is Ana's cat?")


@pytest.mark.parametrize(
    ("questions", "answer", "said", "answered"),
    [
        ([BOAT, CAT], "The boat went to Tom.", "The boat went to Tom.", BOAT),
        ([BOAT, CAT], "My cat sleeps all day.", "My cat sleeps all day.", CAT),
        ([BOAT, CAT], "Nine years.", "Nine years.", CAT),
        ([BOAT], "I sold things in May.", "Yes! I sold things in May.", BOAT),
        ([BOAT], "I went to Oslo by train.", "I went to Oslo by train.", None),
        ([CAT], "I went to Oslo.", "I went to Oslo.", None),
        ([AskedQuestion("Why did Ana move?")], "Because of the sea.", "Because of the sea.", "first"),
        ([AskedQuestion("Any good films?")], '"The Gull" is great.', '"The Gull" is great.', "first"),
        ([], "Nine years.", "Nine years.", None),
    ],
)
def test_an_answer_stands_behind_the_question_that_it_fits(
    questions: list[AskedQuestion], answer: str, said: str, answered: AskedQuestion | str | None
) -> None:
    expected = questions[0] if answered == "first" else answered

    assert find_question(questions, answer, said=said, names=["Ana", "Ben"]) == expected
