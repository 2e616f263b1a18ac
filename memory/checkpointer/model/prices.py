"""What a call costs, from the prices in the settings. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_UP, Decimal

MILLION = Decimal(1_000_000)
SMALLEST = Decimal("0.000001")
BYTES_A_TOKEN = 3
"""Fewer than any text of ours has, so that an estimate errs towards more tokens."""


@dataclass(frozen=True)
class Price:
    """Of a million tokens, in the currency of the budget."""

    input: Decimal
    output: Decimal

    def of(self, tokens_in: int, tokens_out: int) -> Decimal:
        """The cost of so many, rounded up to a millionth."""
        cost = (self.input * tokens_in + self.output * tokens_out) / MILLION
        return cost.quantize(SMALLEST, rounding=ROUND_UP)


FREE = Price(Decimal(0), Decimal(0))


def estimated_tokens(text: str) -> int:
    """How many tokens a text may have, for an endpoint that does not say."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_A_TOKEN)
