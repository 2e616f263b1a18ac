"""After any legal history, with corrections and approvals, what is stored is what is rebuilt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User as Staff
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.actions.rebuild_state import rebuild_state
from memory.code import project_of
from memory.models import MemoryUser, Record, Waiting
from memory.project.infer import infer_kinds
from memory.verification import verify_user
from memory.waiting import waiting_readings
from tests.api_client import Api
from tests.facts import Json, fact, reading
from tests.people import new_person
from tests.proposals import PURCHASE, approved, proposed

START = datetime(2025, 1, 1, tzinfo=UTC)
ALLERGY = "health.Allergy"
ITEMS = st.sampled_from(["latex", "Nuts", "“x”\n'''"])
DAYS = st.integers(0, 4)


@dataclass
class History:
    """A person, and what has been told of them; each step is legal whatever came before."""

    api: Api
    staff: Staff
    person: MemoryUser

    def tell(self, said: list[Json], day: int, **more: Any) -> None:
        """One fact about a day."""
        moment = (START + timedelta(days=day)).isoformat()
        self.api.append(self.person, fact("x", *said, occurred_at=moment, **more))

    def allergy(self, item: str, day: int, op: str) -> None:
        """Something about an allergy; one that nobody has told of is asserted."""
        told = self.facts_about(ALLERGY, item)
        data: dict[str, Any] = {"severity": "mild"} if op == "update" else {}
        if op == "withdraw" and told:
            said = reading(ALLERGY, op, told[-1]["id"], reading=told[-1]["seq"])
        else:
            said = reading(ALLERGY, op if told and op != "withdraw" else "assert", substance=item)
            said["data"] |= data
        self.tell([said], day)

    def facts_about(self, kind: str, item: str) -> list[Json]:
        """The readings about an allergy so far, oldest first."""
        facts = self.api.all(f"users/{self.person.pk}/facts", order="asc")
        read = [one for each in facts for one in each["readings"] if one["kind"] == kind]
        ids = {one["id"] for one in read if one["data"].get("substance") == item}
        return [one for one in read if one["id"] in ids]

    def purchase(self, item: str, day: int, op: str) -> None:
        """Something of a kind that does not ship, of one type or another."""
        price: Any = {"assert": 5, "update": "five", "retract": None, "withdraw": 0.5}[op]
        self.tell([reading(PURCHASE, item=item, price=price)], day)

    def correct(self, item: str, day: int, op: str) -> None:
        """A correction of some earlier fact, whatever it was."""
        self.person.refresh_from_db()
        if self.person.fact_seq:
            seq = 1 + (len(item) * 7 + day) % self.person.fact_seq
            said = [reading("notes.Note", text=item)] if op == "assert" else []
            self.tell(said, day, corrects=seq)

    def approve(self, item: str, day: int, op: str) -> None:
        """An approval of the kind that the first waiting reading has; others may not fit it."""
        self.person.refresh_from_db()
        waiting = waiting_readings(self.person)
        if waiting and self.person.tree == self.person.baseline:
            project = project_of(self.person)
            inference = infer_kinds({PURCHASE: [waiting[0].data]}, project)
            approved(proposed(self.person, inference.applied_to(project)), self.staff)


STEPS: dict[str, Callable[..., None]] = {
    "allergy": History.allergy,
    "purchase": History.purchase,
    "correct": History.correct,
    "approve": History.approve,
}


def _state(person: MemoryUser) -> list[Any]:
    records = Record.objects.filter(user=person).order_by("kind", "record_id")
    waiting = Waiting.objects.filter(user=person).order_by("reading_seq")
    return [*records.values(), *waiting.values_list("reading_seq", "kind")]


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(sorted(STEPS)),
            ITEMS,
            DAYS,
            st.sampled_from(["assert", "update", "retract", "withdraw"]),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_the_log_alone_gives_what_is_stored(
    api: Api, caregiver: Staff, steps: list[tuple[str, str, int, str]]
) -> None:
    history = History(api, caregiver, new_person())
    for name, item, day, op in steps:
        STEPS[name](history, item, day, op)
        assert rebuild_state(user_id=history.person.pk, check_only=True) == []
    stored = _state(history.person)
    Record.objects.filter(user=history.person).delete()
    Waiting.objects.filter(user=history.person).delete()
    rebuild_state(user_id=history.person.pk, check_only=False)
    assert _state(history.person) == stored
    assert verify_user(history.person.pk) == []
