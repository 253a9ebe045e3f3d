"""Names of edges as their ends see them: "works at" from one end is "employs" from the other. Pure."""

from __future__ import annotations

INVERSES = {
    "belongs_to": "has",
    "bought_by": "bought",
    "contains": "part of",
    "created_by": "created",
    "customer_of": "customers",
    "delivered_by": "delivers",
    "delivers_to": "gets deliveries from",
    "depends_on": "needed by",
    "driven_by": "drives",
    "employs": "works at",
    "for": "has",
    "founded": "founded by",
    "founded_by": "founded",
    "has": "belongs to",
    "has_part": "part of",
    "knows": "known by",
    "leads": "led by",
    "led_by": "leads",
    "likes": "liked by",
    "lives_in": "home of",
    "located_in": "location of",
    "made_by": "makes",
    "managed_by": "manages",
    "manages": "managed by",
    "member_of": "members",
    "mentions": "mentioned in",
    "orders": "ordered by",
    "owned_by": "owns",
    "owns": "owned by",
    "paid_by": "paid",
    "parent_of": "child of",
    "part_of": "has part",
    "placed_by": "placed",
    "reports_to": "manages",
    "sells": "sold by",
    "sent_by": "sent",
    "sold_by": "sells",
    "supplied_by": "supplies",
    "supplies": "supplied by",
    "supplies_to": "supplied by",
    "uses": "used by",
    "works_at": "employs",
    "works_for": "employs",
    "works_with": "works with",
}


def edge_words(kind: str) -> str:
    """Return the type of an edge in words, as its source sees it."""
    return kind.replace("_", " ").strip() or kind


def inverse_words(kind: str) -> str:
    """Return the type of an edge in words, as its target sees it; what has no inverse names the target as "this"."""
    known = INVERSES.get(kind.casefold().replace("-", "_").replace(" ", "_"))
    return known or f"{edge_words(kind)} this"
