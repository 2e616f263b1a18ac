"""A reading that was wrong is withdrawn: the record and its alerts are as if it had never been."""

from __future__ import annotations

from django.core.management import call_command

from memory.models import MemoryUser
from tests.api_client import Api, pointers
from tests.facts import allergy, fact, medication, reading

ALLERGY = "health.Allergy"


def _withdrawal(seq: int, record: str = "penicillin") -> dict[str, object]:
    return fact("That was her sister.", reading(ALLERGY, "withdraw", record, reading=seq))


def test_a_withdrawn_allergy_is_gone_and_so_is_its_alert(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"))
    opened = api.append(person, medication("Amoxicillin"))["alerts"]["opened"]
    answer = api.append(person, _withdrawal(1))
    assert answer["facts"][0]["readings"][0]["effect"] == "removed"
    assert [one["id"] for one in answer["alerts"]["cleared"]] == [opened[0]["id"]]
    assert api.records(person, ALLERGY) == {}
    call_command("rebuild_state", "--check", "--user", str(person.pk))


def test_what_was_read_before_the_withdrawn_reading_counts_again(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin", reaction="hives"))
    api.append(person, allergy("penicillin", reaction="anaphylaxis"))
    api.append(person, _withdrawal(2))
    assert api.records(person, ALLERGY)["penicillin"]["reaction"] == "hives"


def test_only_an_earlier_reading_of_the_record_can_be_withdrawn(
    api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin"), allergy("latex"))
    for seq in (2, 3, 99):
        answer = api.post_facts(person, _withdrawal(seq))
        assert answer.status_code == 422
        (pointer,) = pointers(answer)
        assert pointer.endswith("/readings/0/data/reading")
    assert set(api.records(person, ALLERGY)) == {"penicillin", "latex"}
