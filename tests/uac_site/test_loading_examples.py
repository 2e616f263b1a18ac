"""`manage.py load_examples`, and what stands afterwards."""

from __future__ import annotations

from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from alerts.models import Alert, AlertEvent, Status, Watermark
from memory.log import facts_by_seq
from memory.models import Fact, MemoryUser, Message, Proposal, Reading, Record
from memory.verification import verify_user
from tests.queue import deliver_all

pytestmark = pytest.mark.django_db(transaction=True)


def load() -> str:
    out = StringIO()
    call_command("load_examples", stdout=out)
    return out.getvalue()


def counted() -> dict[str, Any]:
    tables = (MemoryUser, Fact, Message, Reading, Record, Alert, AlertEvent, Watermark)
    heads = MemoryUser.objects.order_by("pk").values_list("fact_head", "reading_head")
    return {**{table.__name__: table.objects.count() for table in tables}, "heads": list(heads)}


def test_examples_are_loaded_with_alerts_and_a_second_time_changes_nothing() -> None:
    load()
    before = counted()
    assert before["MemoryUser"] == 6
    standing = Counter(Alert.objects.standing().values_list("severity", flat=True))
    assert standing["critical"] >= 2
    assert standing["warning"] >= 2
    assert standing.total() <= 12  # the dashboard stays readable
    assert Alert.objects.standing().filter(grade="not checked").exists()
    assert Alert.objects.filter(status=Status.RESOLVED).exists()
    assert load().count("(0 new)") == 6
    assert counted() == before

    for person in MemoryUser.objects.all():
        assert verify_user(person.pk) == []
    _alerts_join_facts_that_lie_months_apart()
    _a_diary_of_an_unknown_kind_waits_for_approval()
    _the_person_of_the_demo_is_allergic_and_has_no_alert()


def _alerts_join_facts_that_lie_months_apart() -> None:
    gaps = []
    for alert in Alert.objects.standing().select_related("user"):
        seqs = [seq for record in alert.evidence for seq in record["facts"]]
        times = [fact.occurred_at for fact in facts_by_seq(alert.user, seqs).values()]
        gaps.append((max(times) - min(times)).days)
    assert len([gap for gap in gaps if gap > 90]) >= 4


def _a_diary_of_an_unknown_kind_waits_for_approval() -> None:
    deliver_all()
    proposal = Proposal.objects.open().get()
    assert proposal.user.external_id == "example-priya"
    assert {placed["kind"] for placed in proposal.placements} == {"diary.Migraine"}
    assert len(proposal.placements) == 6
    assert all(check["ok"] for check in proposal.checks)


def _the_person_of_the_demo_is_allergic_and_has_no_alert() -> None:
    margarete = MemoryUser.objects.get(external_id="example-margarete")
    assert Record.objects.filter(user=margarete, record_id="penicillin").exists()
    assert not Alert.objects.standing().filter(user=margarete).exists()
