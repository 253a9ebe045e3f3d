"""What tokens cost, and what a budget still allows. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

TOKENS_PER_PRICE = 1_000_000
SMALLEST_CREDIT = Decimal("0.000001")

# Background work stops here, so that the rest of the month's credits answers people.
BACKGROUND_SHARE = Decimal("0.8")


@dataclass(frozen=True, slots=True)
class Prices:
    """Credits for a million tokens."""

    input: Decimal = Decimal(0)
    output: Decimal = Decimal(0)

    def cost(self, *, input_tokens: int, output_tokens: int) -> Decimal:
        """Credits for one call, to a millionth."""
        cost = (self.input * input_tokens + self.output * output_tokens) / TOKENS_PER_PRICE
        return cost.quantize(SMALLEST_CREDIT)


@dataclass(frozen=True, slots=True)
class Budget:
    """A month's credits and how many of them are spent; without a limit nothing ever stops."""

    limit: Decimal | None
    spent: Decimal

    @property
    def stops_everything(self) -> bool:
        return self.limit is not None and self.spent >= self.limit

    @property
    def stops_background(self) -> bool:
        return self.limit is not None and self.spent >= self.limit * BACKGROUND_SHARE


def month_start(now: datetime) -> datetime:
    """Midnight (of `now`'s zone) on the first day of the month."""
    return now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
