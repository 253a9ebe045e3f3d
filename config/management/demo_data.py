"""Sample memories of an invented bakery, so that every page has something to show."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DemoMemory:
    """One sample memory and the standing that it gets."""

    content: str
    tags: tuple[str, ...] = ()
    source: str = "agent"
    is_fact: bool = False
    is_pinned: bool = False
    cited: int = 0
    suppressed_because: str = ""


BAKERY = (
    DemoMemory("Harbour Bakery opens at 06:30 on weekdays and at 07:30 on Sundays.", ("hours",), "user", True, True, 6),
    DemoMemory(
        "Orders above 40 loaves need the baker's approval before they are confirmed.",
        ("orders", "policy"),
        "user",
        True,
        True,
        4,
    ),
    DemoMemory(
        "The sesame sourdough contains sesame and gluten; it is made on the same line as the walnut rye.",
        ("allergens",),
        "user",
        True,
        False,
        3,
    ),
    DemoMemory(
        "Refunds up to 25 euros may be granted by the shop without asking.", ("policy", "refunds"), "user", True
    ),
    DemoMemory(
        "The Lindqvist café prefers deliveries through the side entrance, before 06:00.",
        ("deliveries", "lindqvist"),
        "agent",
        False,
        False,
        5,
    ),
    DemoMemory(
        "Rye flour from the northern mill absorbs about 4 % more water than the southern one.",
        ("recipes", "flour"),
        "agent",
        False,
        False,
        2,
    ),
    DemoMemory("Oven two runs 10 degrees hotter than its display says.", ("equipment",), "agent", False, True, 3),
    DemoMemory(
        "Mara prefers summaries in three bullet points, with the decision first.",
        ("preferences",),
        "extraction",
        False,
        False,
        4,
    ),
    DemoMemory(
        "The hospital kitchen orders 120 rolls every Thursday and pays within 30 days.", ("orders", "hospital"), "agent"
    ),
    DemoMemory(
        "When the tide warning is red, the harbour road closes and deliveries go over the bridge.",
        ("deliveries",),
        "agent",
        False,
        False,
        1,
    ),
    DemoMemory("Customers ask for a sugar-free cinnamon bun about five times a week.", ("ideas",), "extraction"),
    DemoMemory(
        "The card terminal at the window loses its connection when the microwave runs.", ("equipment",), "agent"
    ),
    DemoMemory(
        "Jonas covers the early shift on Mondays until the end of the season.",
        ("staff",),
        "extraction",
        False,
        False,
        1,
    ),
    DemoMemory(
        "Invoices to the school board must carry the purchase order number in the subject.",
        ("invoices",),
        "agent",
        False,
        False,
        2,
    ),
    DemoMemory("The butter supplier raises its price on the first of January.", ("suppliers",), "import"),
    DemoMemory(
        "Poppy seeds are out of stock until further notice.",
        ("stock",),
        "agent",
        suppressed_because="Delivered again on Tuesday.",
    ),
    DemoMemory("Newsletter readers respond best on Friday mornings.", ("marketing",), "import"),
    DemoMemory("The wedding order of the Okafor family is three tiers, almond, no marzipan.", ("orders",), "agent"),
)
