"""Sample memories and things of an invented bakery, so that every page has something to show."""

from __future__ import annotations

from dataclasses import dataclass

# The agents of the bakery, each with a key of its own.
DESK, CLERK = "Order desk", "Invoice clerk"
MISSING = "missing_order_number"


@dataclass(frozen=True, slots=True)
class DemoMemory:
    """One sample memory and the standing that it gets.

    agent: the key that writes it; '' for the owner. age: days since it was learned. is_dated: it holds since then.
    cited: runs that cite it.
    """

    content: str
    tags: tuple[str, ...] = ()
    agent: str = ""
    age: int = 20
    source: str = "agent"
    confidence: float = 1.0
    cited: int = 0
    is_dated: bool = False
    is_fact: bool = False
    is_pinned: bool = False
    is_agreed: bool = False
    is_over: bool = False
    suppressed_because: str = ""


@dataclass(frozen=True, slots=True)
class DemoSession:
    """Two calls of an agent on one type of node, `days` ago; `error` is that of the second."""

    agent: str
    days: float
    tool: str
    type: str
    error: str = ""


BAKERY = (
    DemoMemory("Harbour Bakery opens at 06:30 on weekdays.", ("hours",), source="user", cited=1, is_fact=True),
    DemoMemory(
        "Harbour Bakery opens at 07:30 on Sundays.", ("hours",), source="user", cited=3, is_fact=True, is_pinned=True
    ),
    DemoMemory(
        "Orders above 40 loaves need the baker's approval before they are confirmed.",
        ("orders", "policy"),
        source="user",
        cited=2,
        is_fact=True,
        is_pinned=True,
    ),
    DemoMemory(
        "The sesame sourdough contains sesame and gluten; it is made on the same line as the walnut rye.",
        ("allergens",),
        source="user",
        cited=2,
        is_fact=True,
    ),
    DemoMemory(
        "Refunds up to 25 euros may be granted by the shop without asking.",
        ("policy", "refunds"),
        source="user",
        is_fact=True,
    ),
    DemoMemory(
        "The Lindqvist café prefers deliveries through the side entrance, before 06:00.",
        ("deliveries", "lindqvist"),
        DESK,
        age=37,
        cited=3,
        is_agreed=True,
    ),
    DemoMemory(
        "The hospital kitchen orders 120 rolls every Thursday.", ("orders", "hospital"), DESK, 48, is_dated=True
    ),
    DemoMemory(
        "The hospital kitchen now orders 150 rolls every Thursday.", ("orders", "hospital"), DESK, 9, is_dated=True
    ),
    DemoMemory("The walnut rye costs 5.20 euros.", ("prices",), age=90, source="user", is_dated=True),
    DemoMemory("The walnut rye costs 5.60 euros.", ("prices",), age=27, source="user", is_dated=True),
    DemoMemory(
        "Jonas covers the early shift on Mondays until the end of the season.",
        ("staff",),
        age=60,
        source="user",
        is_over=True,
    ),
    DemoMemory("Oven two runs 10 degrees hotter than its display says.", ("equipment",), cited=2, is_pinned=True),
    DemoMemory(
        "Invoices to the school board must carry the purchase order number in the subject.",
        ("invoices",),
        CLERK,
        age=8,
        cited=2,
        is_agreed=True,
    ),
    DemoMemory(
        "When the tide warning is red, the harbour road closes and deliveries go over the bridge.",
        ("deliveries",),
        DESK,
        cited=1,
        is_agreed=True,
    ),
    DemoMemory(
        "Rye flour from the northern mill absorbs about 4 % more water than the southern one.",
        ("recipes", "flour"),
        DESK,
        age=33,
        cited=1,
    ),
    DemoMemory("Customers ask for a sugar-free cinnamon bun about five times a week.", ("ideas",), DESK, age=4),
    DemoMemory(
        "The card terminal at the window loses its connection when the microwave runs.", ("equipment",), DESK, age=3
    ),
    DemoMemory(
        "The Okafor family wants a wedding cake of three tiers with almond and without marzipan.", ("orders",), DESK, 2
    ),
    DemoMemory("Harbour Bakery opens at 08:00 on Sundays.", ("hours",), DESK, age=1),
    DemoMemory("The Lindqvist café may close its second branch.", ("lindqvist",), DESK, age=1, confidence=0.4),
    DemoMemory(
        "Poppy seeds are out of stock until further notice.",
        ("stock",),
        DESK,
        age=11,
        suppressed_because="Delivered again on Tuesday.",
    ),
    DemoMemory("The butter supplier raises its price on the first of January.", ("suppliers",), source="import"),
    DemoMemory("Newsletter readers respond best on Friday mornings.", ("marketing",), source="import", age=130),
)

# What the order desk keeps in its own space and proposes to the shared one: the first is accepted, the second waits.
OFFERED = (
    "The florist next door takes parcels for the bakery after 18:00.",
    "Most people who ask for the sugar-free bun come on Saturdays.",
)

# Users of the order desk. Each has a space of their own, and no context for one holds anything of the other's.
CUSTOMERS = {
    "nadia": (
        "Nadia is allergic to nuts.",
        "Nadia collects a plain sourdough, sliced, on Saturdays at 09:00.",
    ),
    "tom": (
        "Tom orders two walnut ryes every Friday.",
        "Tom pays for his bread once a month.",
    ),
}

# Type and name of each thing, by the word that relations use.
THINGS = {
    "lindqvist": ("customer", "Lindqvist café"),
    "lindqvist again": ("customer", "Lindqvist Cafe"),
    "hospital": ("customer", "Hospital kitchen"),
    "school": ("customer", "School board"),
    "okafor": ("customer", "Okafor family"),
    "mara": ("person", "Mara"),
    "jonas": ("person", "Jonas"),
    "astrid": ("person", "Astrid Lindqvist"),
    "sesame": ("product", "Sesame sourdough"),
    "walnut": ("product", "Walnut rye"),
    "rolls": ("product", "Rolls"),
    "cake": ("product", "Wedding cake"),
    "oven": ("equipment", "Oven two"),
    "mill": ("supplier", "Northern mill"),
    "brandt": ("supplier", "Brandt Ovens"),
    "road": ("place", "Harbour road"),
}

RELATIONS = (
    ("lindqvist", "orders", "sesame"),
    ("lindqvist", "orders", "walnut"),
    ("lindqvist", "is reached by", "road"),
    ("hospital", "orders", "rolls"),
    ("school", "orders", "rolls"),
    ("okafor", "orders", "cake"),
    ("astrid", "owns", "lindqvist"),
    ("mara", "manages", "okafor"),
    ("jonas", "bakes", "sesame"),
    ("jonas", "bakes", "walnut"),
    ("jonas", "works at", "oven"),
    ("rolls", "are baked in", "oven"),
    ("mill", "supplies flour for", "walnut"),
    ("brandt", "repairs", "oven"),
)

# Invoices that lacked a number, until agents were warned of it, and other work.
ACTIONS = (
    *(DemoSession(CLERK, days, "erp.send_invoice", "customer", MISSING) for days in (21, 19, 16, 14, 12, 9)),
    *(DemoSession(DESK, days, "erp.send_invoice", "customer", MISSING) for days in (18, 13)),
    *(DemoSession(CLERK, days, "erp.send_invoice", "customer") for days in (7, 5, 2)),
    *(DemoSession(DESK, days, "orders.create", "product") for days in (13.5, 10, 8, 6, 4, 3, 2, 1, 0.02)),
    DemoSession(DESK, 5, "delivery.plan", "place", "road_closed"),
)
NOTE = "Ask the office of the school board for its purchase order number first."
