"""Which shape of answer a question asks for, what it is searched with, and what counts as guidance."""

from __future__ import annotations

import pytest

from core.english.answer_shapes import Shape, answer_shape
from core.english.question_topics import search_text
from core.english.standing_instructions import GUIDANCE_WORDS, Guidance, guidance_kind, occasion
from core.text import lexemes


@pytest.mark.parametrize(("text", "shape"), [
    ("In what order did we open the bakeries?", Shape.ORDER),
    ("Can you list the order in which I asked about the ovens?", Shape.ORDER),
    ("Give me a timeline of the move to Oslo.", Shape.ORDER),
    ("What was the sequence of events after the flood?", Shape.ORDER),
    ("Put our talks about the mill into chronological order.", Shape.ORDER),
    ("Which came first, the rye or the spelt?", Shape.ORDER),
    ("Summarise what we said about the rye.", Shape.SUMMARY),
    ("Give me an overview of the order desk.", Shape.SUMMARY),
    ("What do you know about Mara?", Shape.SUMMARY),
    ("Tell me about the bakery in Bergen.", Shape.SUMMARY),
    ("How has our sourdough developed over time?", Shape.SUMMARY),
    ("How many ovens do we have?", Shape.LIST),
    ("List all suppliers of flour.", Shape.LIST),
    ("What hobbies does Mara have?", Shape.LIST),
    ("Where has Mara been?", Shape.LIST),
    ("What kinds of bread does Ben bake?", Shape.LIST),
    ("Which festivals did Mara go to?", Shape.LIST),
    ("In what ways does Ben help the mill?", Shape.LIST),
    ("What have Mara and Ben both baked?", Shape.LIST),
    ("When did Mara move to Oslo?", Shape.POINT),
    ("How many days passed between the order and the delivery?", Shape.POINT),
    ("Who is the baker?", Shape.POINT),
    ("What is the address of the mill?", Shape.POINT),
    ("What kind of oven did Ben buy?", Shape.POINT),
    ("What time does the bus leave?", Shape.POINT),
    ("In order to bake, which oven is free?", Shape.POINT),
    ("Wann kommt das Mehl?", Shape.POINT),
    ("", Shape.POINT),
])  # fmt: skip
def test_the_shape_of_an_answer(text: str, shape: Shape) -> None:
    assert answer_shape(text).shape is shape


@pytest.mark.parametrize(("text", "is_request"), [
    ("Can you write a letter to the mill?", True),
    ("How should I store the rye?", True),
    ("Which flour would you recommend?", True),
    ("I'm planning a stall for the market.", True),
    ("Should we buy another oven?", True),
    ("Please explain proofing.", True),
    ("Can you give me a summary of our talks?", False),
    ("What does Ben lose every week, and what did Mara suggest?", False),
    ("What advice did Ben give about the oven?", False),
    ("Who recommended the mill?", False),
    ("What would you suggest, now that Mara has recommended rye?", True),
    ("Find me a ferry to Mull.", True),
    ("Ok, compare these two ovens.", True),
    ("How much does the ferry to Mull cost?", True),
    ("How should answers be written for Mara?", True),
    ("How long should the replies to me be?", True),
    ("In which language should your answers be?", True),
    ("Which answers were given to Mara?", False),
    ("How much rent do I pay?", False),
    ("When did Mara move to Oslo?", False),
    ("What is the address of the mill?", False),
])  # fmt: skip
def test_requests(text: str, is_request: bool) -> None:
    assert answer_shape(text).is_request is is_request


@pytest.mark.parametrize(("question", "searched"), [
    (
        "Can you list the order in which I brought up different aspects of running my stall throughout our "
        "conversations, in order? Mention ONLY and ONLY five items.",
        "running my stall",
    ),
    ("Can you give me a short summary of how my plans for the mill have developed over time?", "my plans for the mill"),
    ("Tell me about the bakery in Bergen.", "the bakery in Bergen"),
    ("Give me a timeline of the move to Oslo.", "the move to Oslo"),
    ("Summarise our conversations.", "our conversations"),
    ("In what order?", "In what order?"),
    ("What hobbies does Mara have?", "What hobbies does Mara have?"),
    ("When did Mara move to Oslo?", "When did Mara move to Oslo?"),
])  # fmt: skip
def test_an_order_or_a_summary_is_searched_by_its_topic(question: str, searched: str) -> None:
    assert search_text(question) == searched


@pytest.mark.parametrize(("question", "searched"), [
    ("When did Mara and Ben last talk about the rye?", "Mara and Ben: the rye?"),
    ("When was the last time that Mara and Ben spoke of the rye?", "Mara and Ben: the rye?"),
    ("When did Mara last mention her knee?", "Mara: her knee?"),
    ("Where does Mara live now?", "Where does Mara live?"),
    ("Where does Mara live now, and with whom?", "Where does Mara live, and with whom?"),
    ("What should I not say to Ben about his oven?", "Ben: his oven?"),
    ("What should I avoid telling Ben about the oven?", "Ben: the oven?"),
    ("Plan a birthday present for Mara.", "what Mara likes, loves and wants."),
    ("Can you suggest some gift ideas for Mara?", "what Mara likes, loves and wants?"),
    ("When did Mara and Ben last talk?", "When did Mara and Ben last talk?"),
    ("What should I say to Ben?", "What should I say to Ben?"),
    ("Where is she now?", "Where is she now?"),
    ("What does Ben say about the oven?", "What does Ben say about the oven?"),
    ("Who gave a present to Mara?", "Who gave a present to Mara?"),
])  # fmt: skip
def test_a_question_is_searched_without_its_frame(question: str, searched: str) -> None:
    assert search_text(question) == searched


@pytest.mark.parametrize(("text", "what"), [
    ("Always name the mill when I ask about flour.", "flour"),
    ("Whenever I mention the oven, give its age in years.", "the oven"),
    ("Always confirm dates when they ask about deadlines and such.", "deadlines and such"),
    ("Please use grams if I ask you for recipes", "recipes"),
    ("When the assistant suggests flour, it should name the mill.", "flour"),
    ("When you suggest things, always give me two.", ""),
    ("Always give two reasons when I ask you something.", ""),
    ("When you answer my questions, always be brief.", ""),
    ("Never use tables when you give me a reply", ""),
    ("Always use metric units.", ""),
    ("I was glad when the rye came.", ""),
])  # fmt: skip
def test_the_occasion_of_an_instruction(text: str, what: str) -> None:
    assert occasion(text) == what


@pytest.mark.parametrize(("text", "guidance"), [
    ("Always use metric units.", Guidance.INSTRUCTION),
    ("Thanks. From now on, answer in Norwegian.", Guidance.INSTRUCTION),
    ("Please don't mention prices.", Guidance.INSTRUCTION),
    ("Always name the mill when I ask about flour.", Guidance.CONDITIONAL),
    ("Always name two mills when I ask you for something.", Guidance.INSTRUCTION),
    ("Always name the mill when I ask anything about flour.", Guidance.CONDITIONAL),
    ("When you suggest things, please always give me two.", Guidance.INSTRUCTION),
    ("I prefer rye, can you find a recipe?", Guidance.PREFERENCE),
    ("I'd rather bake at night.", Guidance.PREFERENCE),
    ("We decided on rye instead of spelt.", Guidance.PREFERENCE),
    ("We always met at the mill.", None),
    ("It never rained.", None),
    ("Great to hear, always good to talk to you.", None),
    ("Never tried it? It is a thing of the north.", None),
    ("The tide is high and always makes me late.", None),
    ("Rye is here, always a pleasure.", None),
    ("The oven bells ring and always remind me of the mill.", None),
    ("Bake the rye, and never open the oven.", Guidance.INSTRUCTION),
    ("Always bring up the mill.", Guidance.INSTRUCTION),
    ("Never discuss prices with the mill.", Guidance.INSTRUCTION),
    ("Thanks, and always focus on rye.", Guidance.INSTRUCTION),
    ("Which flour do we have?", None),
    ("Oh, and always give prices in pounds.", Guidance.INSTRUCTION),
    ("Could you always give prices in pounds?", Guidance.INSTRUCTION),
    ("Make sure you always name the mill.", Guidance.INSTRUCTION),
    ("btw don't use bullet points with me", Guidance.INSTRUCTION),
    ("Also, keep replies to three lines.", Guidance.INSTRUCTION),
    ("I'd like answers in normal sentences.", Guidance.INSTRUCTION),
    ("Just call me Mo, not Mohammed.", Guidance.INSTRUCTION),
    ("Going forward, use British spelling.", Guidance.INSTRUCTION),
    ("Stop using emojis.", Guidance.INSTRUCTION),
    ("Call me when the van lands.", None),
    ("No messages came today.", None),
    ("Keep the oven closed.", None),
    ("I want answers from the council about the road.", None),
    ("In the future I want a dog.", None),
    ("You always make me laugh.", None),
    (f"{'So it went on. ' * 50} Always use metric units.", None),
    ("", None),
])  # fmt: skip
def test_guidance(text: str, guidance: Guidance | None) -> None:
    assert guidance_kind(text) is guidance
    assert guidance is None or GUIDANCE_WORDS & set(lexemes(text))
