"""Sample conversations of an invented bakery: what was said in a small team, and by two of its customers."""

from __future__ import annotations

from dataclasses import dataclass

from config.management.demo_data import CLERK, DESK

ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class DemoConversation:
    """What was said, as (name, text), a minute apart from 09:00 (UTC) on, `age` days ago.

    user: whose space it is in; '' for what is shared. becomes_episode: its messages are consolidated. is_over: it has
    ended, so that facts and preferences are looked for in it.
    """

    key: str
    title: str
    age: int
    said: tuple[tuple[str, str], ...]
    user: str = ""
    becomes_episode: bool = False
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class DemoQuestion:
    """A question to an agent, and its answer. `cites` is the content of the memory that it cites, `things` are the
    words of the things that it is about."""

    agent: str
    key: str
    name: str
    question: str
    answer: str
    cites: str = ""
    things: tuple[str, ...] = ()
    user: str = ""


CONVERSATIONS = (
    DemoConversation(
        "lindqvist-deliveries",
        "Deliveries to the Lindqvist café",
        38,
        (
            ("Mara", "Astrid Lindqvist owns the Lindqvist café since this week, and wants her bread before 06:00."),
            (ASSISTANT, "Noted. Which door should the driver use?"),
            ("Mara", "He uses the side entrance in Rope Lane, since the front door stays locked until seven."),
            ("Jonas", "I can take the sesame sourdough out of the oven at 04:30, so the van leaves at 05:20."),
            ("Mara", "We agreed on eight sesame sourdoughs and four walnut ryes, Tuesday to Saturday."),
            (ASSISTANT, "Noted. Who gets the invoice?"),
            ("Mara", "The invoice goes to Astrid Lindqvist on the first of each month."),
            ("Jonas", "I prefer to get the order sheet by 15:00 on the day before."),
            ("Mara", "I prefer summaries in three bullet points, with the decision first."),
            (ASSISTANT, "Understood: the order sheet by 15:00, and summaries in three bullet points."),
        ),
        becomes_episode=True,
    ),
    DemoConversation(
        "oven-two",
        "Oven two burns the rolls",
        24,
        (
            ("Jonas", "Oven two burnt the first batch of rolls again this morning."),
            (ASSISTANT, "How far is it from what the display says?"),
            ("Jonas", "I measured 240 degrees while the display said 230."),
            ("Mara", "I called Brandt Ovens. They will send a technician on Friday."),
            ("Jonas", "We decided to bake the croissants in oven one until the sensor is replaced."),
            ("Mara", "The repair may cost up to 400 euros, above that I want to be asked."),
            (ASSISTANT, "Croissants in oven one, and Mara is asked above 400 euros."),
        ),
        becomes_episode=True,
    ),
    DemoConversation(
        "saturday-market",
        "The stall at the Saturday market",
        4,
        (
            ("Mara", "The stall at the Saturday market is ours until the end of March."),
            (ASSISTANT, "How much bread should I plan for it?"),
            ("Jonas", "Last time the bread was sold out at ten. I would take thirty loaves, not twenty."),
            ("Mara", "Thirty then. I want the card terminal to come along, half of the people had no cash."),
            (ASSISTANT, "Thirty loaves and the card terminal. Who opens the stall?"),
            ("Jonas", "I open the stall at 07:00, and my sister Lena helps until noon."),
        ),
        is_over=True,
    ),
    DemoConversation(
        "okafor-wedding",
        "The wedding cake of the Okafor family",
        2,
        (
            ("Mara", "The Okafor family wants a wedding cake: three tiers, almond, no marzipan."),
            (ASSISTANT, "For how many guests, and where is it delivered?"),
            ("Mara", "Ninety guests, in the boat house. Grace Okafor pays half of it in advance."),
            ("Jonas", "I need two days for three tiers, and the cold room to myself on the second one."),
        ),
    ),
    DemoConversation(
        "order-nadia",
        "Nadia's order",
        3,
        (
            ("Nadia", "May I have a sourdough for Saturday? I am allergic to nuts."),
            (ASSISTANT, "The plain sourdough is made without nuts. At what time do you collect it?"),
            ("Nadia", "At nine, and sliced, please."),
        ),
        user="nadia",
    ),
    DemoConversation(
        "order-tom",
        "Tom's order",
        3,
        (
            ("Tom", "Two walnut ryes every Friday from now on, please."),
            (ASSISTANT, "Two walnut ryes every Friday. Do you pay each time?"),
            ("Tom", "I pay once a month."),
        ),
        user="tom",
    ),
)

ASKED = (
    DemoQuestion(
        DESK,
        "hospital-thursday",
        "Jonas",
        "How many rolls does the hospital kitchen order on Thursdays?",
        "150 rolls; it was 120 before.",
        "The hospital kitchen now orders 150 rolls every Thursday.",
        ("hospital",),
    ),
    DemoQuestion(
        CLERK,
        "school-board-invoice",
        "Mara",
        "What must I know before I send an invoice to the school board?",
        "The purchase order number has to be in the subject.",
        "Invoices to the school board must carry the purchase order number in the subject.",
        ("school",),
    ),
    DemoQuestion(
        DESK,
        "order-nadia",
        "Nadia",
        "Which of your breads can I eat with my allergy?",
        "The plain sourdough: the walnut rye and what is made on its line may contain nuts.",
        "The sesame sourdough contains sesame and gluten; it is made on the same line as the walnut rye.",
        user="nadia",
    ),
)
