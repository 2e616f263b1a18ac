"""What can go wrong when a model is asked. No message holds a key or a word of a prompt.

`outcome` is what the record of the call says (`memory.models.CallOutcome`). `again` tells whether
the same question may be sent once more, `alive` what it says of the endpoint: True where it
answered, False where it did not, None where nothing was learnt.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal


class ModelError(Exception):
    """A call that brought no answer."""

    outcome = "failed"
    again = False
    alive: bool | None = True
    retry_after: float | None = None
    """Seconds that the endpoint asked to wait."""
    status: int | None = None
    """The HTTP status, where there was one."""


class NotConfigured(ModelError):
    """No endpoint or no model is set for the stage."""

    alive = None


class CircuitOpen(ModelError):
    """The endpoint failed too often in a row and is left alone until `retry_at`."""

    outcome = "circuit_open"
    alive = None

    def __init__(self, retry_at: datetime) -> None:
        super().__init__(
            f"the model's endpoint fails; it is asked again at {retry_at:%H:%M:%S} UTC"
        )
        self.retry_at = retry_at


class BudgetSpent(ModelError):
    """The day's budget has no room for this call; `scope` is `person` or `all`."""

    outcome = "over_budget"
    alive = None

    def __init__(self, scope: str, spent: Decimal, budget: Decimal) -> None:
        whose = "for this person" if scope == "person" else "for all people"
        super().__init__(f"today's budget {whose} is {budget}, of which {spent} is spent or held")
        self.scope, self.spent, self.budget = scope, spent, budget


class Cancelled(ModelError):
    """Whoever asked does not want the answer any more."""

    outcome = "cancelled"
    alive = None


class Unreachable(ModelError):
    """No connection, or one that broke off."""

    outcome = "unreachable"
    again, alive = True, False


class TimedOut(ModelError):
    """The endpoint was silent for too long."""

    outcome = "timed_out"
    again, alive = True, False


class OutOfTime(TimedOut):
    """The whole time of the call is over."""

    again = False


class ServerFailed(ModelError):
    """The endpoint says that it failed: HTTP 5xx, 408, 409 or 425, or None within an answer."""

    again, alive = True, False

    def __init__(self, status: int | None, retry_after: float | None = None) -> None:
        how = f"with HTTP {status}" if status else "that it failed"
        super().__init__(f"the endpoint answered {how}")
        self.status, self.retry_after = status, retry_after


class RateLimited(ModelError):
    """The endpoint has had too many requests (HTTP 429)."""

    outcome = "rate_limited"
    again = True
    status = 429

    def __init__(self, retry_after: float | None = None, *, exhausted: bool = False) -> None:
        what = "the account has no credit left" if exhausted else "too many requests"
        super().__init__(f"the endpoint answered with HTTP 429: {what}")
        self.retry_after = retry_after
        self.again = not exhausted


class Refused(ModelError):
    """The endpoint does not take this request: a wrong key, model or parameter, or a redirect."""

    outcome = "refused"

    def __init__(self, status: int, said: str = "") -> None:
        super().__init__(f"the endpoint refused the request with HTTP {status}")
        self.status = status
        self.said = said
        """What the endpoint said; it may quote the prompt, so it is neither logged nor stored."""


class Garbled(ModelError):
    """What came back is no chat completion."""

    outcome = "garbled"
    again, alive = True, False


class TooLarge(ModelError):
    """The answer went past the limit of its size and was cut."""

    outcome = "too_large"


class CutShort(ModelError):
    """The model stopped at the limit of tokens, in the middle of its answer."""

    outcome = "cut_short"


class Declined(ModelError):
    """The model, or a filter before it, declined to answer."""

    outcome = "declined"


class AnswerRefused(ModelError):
    """The answer does not fit its shape.

    `problem` says what is wrong in words that may be sent back to the model, `text` is its answer.
    """

    outcome = "invalid"

    def __init__(self, problem: str, text: str) -> None:
        super().__init__("the model's answer does not fit its shape")
        self.problem, self.text = problem, text
