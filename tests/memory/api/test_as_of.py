"""`as_of`: state, queries and search as of any fact or moment are what they were then."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User as Staff
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.actions.append_readings import NewStatement, append_readings
from memory.code_history import code_then
from memory.models import MemoryUser
from memory.then import then
from tests.api_client import PROBLEM, Api, pointers
from tests.facts import Json, allergy, fact, medication, note, reading, trip
from tests.people import new_person
from tests.proposals import approved, bought, current, proposed

KINDS = ("health.Allergy", "health.Medication", "travel.Trip", "notes.Note")
SUBSTANCES = st.sampled_from(["latex", "nuts", "penicillin"])
FACTS = st.one_of(
    st.builds(allergy, SUBSTANCES),
    st.builds(lambda name: allergy(name, "update", severity="mild"), SUBSTANCES),
    st.builds(lambda name: allergy(name, "retract"), SUBSTANCES),
    st.builds(medication, SUBSTANCES),
    st.builds(note, st.sampled_from(["a", "b"])),
    st.builds(trip, st.sampled_from(["Rome", "Oslo"]), st.just("2026-05-01")),
    st.just(fact("nothing to read")),
)


def _state(api: Api, person: MemoryUser, **query: Any) -> dict[str, Any]:
    """Counts and records of every kind of interest."""
    state = api.get(f"users/{person.pk}/state", **query)
    assert state.status_code == 200, state.content
    counts = {one["kind"]: one["count"] for one in state.json()["kinds"]}
    records = {kind: api.all(f"users/{person.pk}/state/{kind}", limit=2, **query) for kind in KINDS}
    assert {kind: len(rows) for kind, rows in records.items()} == {
        kind: counts[kind] for kind in KINDS
    }
    return {"head": state.json()["head"], "records": records}


def _asked(api: Api, person: MemoryUser, code: str, as_of: Any = None) -> Json:
    answer = api.post(f"users/{person.pk}/query", {"code": code, "as_of": as_of})
    assert answer.status_code == 200, answer.content
    body: Json = answer.json()
    return body


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(posts=st.lists(st.lists(FACTS, min_size=1, max_size=3), min_size=1, max_size=4))
def test_the_state_of_then_is_what_was_there_then(api: Api, posts: list[list[Json]]) -> None:
    person = new_person()
    seen = []
    for post in posts:
        for one in post:
            api.post_facts(person, one)  # an update of nothing is refused
        seen.append((timezone.now(), _state(api, person)))
    for moment, state in seen:
        assert _state(api, person, as_of=moment.isoformat()) == state
        if (seq := state["head"]["seq"]) > 0:
            assert _state(api, person, as_of=seq) == state


def test_a_seq_within_a_post_leaves_out_what_came_after_it(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"), allergy("nuts"), allergy("latex", "retract"))
    path = f"users/{person.pk}/state/health.Allergy"
    ids = [[one["id"] for one in api.all(path, as_of=seq)] for seq in range(4)]
    assert ids == [[], ["latex"], ["latex", "nuts"], ["nuts"]]


def test_a_late_fact_about_the_past_was_not_known_then(api: Api, person: MemoryUser) -> None:
    api.append(person, note("first"))
    before = timezone.now()
    api.append(person, {**allergy("latex"), "occurred_at": "2020-01-01T00:00:00Z"})
    path = f"users/{person.pk}/state/health.Allergy"
    assert api.all(path, as_of=before.isoformat()) == []
    assert len(api.all(path)) == 1


def test_a_query_is_asked_of_what_was_known_then(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"))
    moment = timezone.now()
    api.append(person, allergy("nuts"), allergy("latex", "retract"))
    code = "[a.substance for a in allergies]"
    assert _asked(api, person, code)["value"] == ["nuts"]
    found = _asked(api, person, code, moment.isoformat())
    assert (found["value"], found["seq"], found["reading_seq"]) == (["latex"], 1, 1)
    values = [_asked(api, person, code, seq)["value"] for seq in (0, 1, 2, 3, 2, 1)]
    assert values == [[], ["latex"], ["latex", "nuts"], ["nuts"], ["latex", "nuts"], ["latex"]]
    assert _asked(api, person, code)["value"] == ["nuts"]


def test_today_is_the_date_of_then_where_the_person_is(api: Api) -> None:
    person = new_person("Pacific/Auckland")
    moment = datetime.fromisoformat("2026-01-31T12:00:00Z")
    assert _asked(api, person, "today", moment.isoformat())["value"] == "2026-02-01"


@pytest.mark.parametrize("zone", ["America/New_York", "Pacific/Auckland"])
def test_the_oldest_moments_are_asked_about_everywhere(api: Api, zone: str) -> None:
    person = new_person(zone)
    api.append(person, allergy("latex"))
    for resource in ("state", "state/health.Allergy", "search", "alerts"):
        answer = api.get(f"users/{person.pk}/{resource}", q="latex", as_of="0001-01-01T00:00:00Z")
        assert answer.status_code == 200, answer.content
    assert _asked(api, person, "len(allergies)", "0001-01-01T00:00:00Z")["value"] == 0


def test_the_code_is_that_of_then(api: Api, person: MemoryUser, caregiver: Staff) -> None:
    api.append(person, bought("bread"))
    waited = timezone.now()
    approved(proposed(person), caregiver)
    since = timezone.now()
    api.append(person, bought("milk"))
    path = f"users/{person.pk}/state"
    earlier, later = (api.get(path, as_of=one.isoformat()).json() for one in (waited, since))
    assert [one["count"] for one in earlier["waiting"]] == [1]
    assert "purchases.Purchase" not in {one["kind"] for one in earlier["kinds"]}
    assert api.get(f"{path}/purchases.Purchase", as_of=waited.isoformat()).status_code == 404
    assert later["waiting"] == []
    assert len(api.all(f"{path}/purchases.Purchase", as_of=since.isoformat())) == 1
    assert len(api.all(f"{path}/purchases.Purchase")) == 2
    assert earlier["as_of"]["version"] != later["as_of"]["version"]
    assert later["as_of"]["version"] == current(person).tree


def test_before_the_first_version_the_code_is_the_baseline(
    api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("bread"))
    version = approved(proposed(person), caregiver)
    long_ago = datetime.fromisoformat("2020-01-01T00:00:00Z")
    assert version is not None
    known = code_then(current(person), long_ago)
    assert known.project.digest == current(person).baseline


@pytest.mark.parametrize("resource", ["state", "state/health.Allergy", "search", "alerts"])
@pytest.mark.parametrize(
    ("as_of", "said"),
    [
        ("yesterday", "as_of is a moment with an offset"),
        ("2026-01-01T00:00:00", "as_of is a moment with an offset"),
        ("-1", "as_of is a moment with an offset"),
        ("99999999999", "as_of is a moment with an offset"),
        ("2", "there is no fact 2 yet; the last one is 1"),
        ("9000-01-01T00:00:00Z", "the moment lies in the future"),
    ],
)
def test_a_moment_that_cannot_be_is_told(
    api: Api, person: MemoryUser, resource: str, as_of: str, said: str
) -> None:
    api.append(person, note("x"))
    answer = api.get(f"users/{person.pk}/{resource}", q="x", as_of=as_of)
    assert (answer.status_code, answer["Content-Type"]) == (400, PROBLEM)
    assert said in answer.json()["detail"]


@pytest.mark.parametrize("as_of", ["yesterday", "1", True, 1.5, -1, [], 2**31])
def test_a_query_names_the_field_that_does_not_fit(
    api: Api, person: MemoryUser, as_of: object
) -> None:
    answer = api.post(f"users/{person.pk}/query", {"code": "1", "as_of": as_of})
    assert answer.status_code == 422
    assert list(pointers(answer)) == ["/as_of"]


def test_a_query_about_the_future_is_refused(api: Api, person: MemoryUser) -> None:
    later = (timezone.now() + timedelta(hours=1)).isoformat()
    for as_of in (later, 1):
        answer = api.post(f"users/{person.pk}/query", {"code": "today", "as_of": as_of})
        assert answer.status_code == 400
        assert "as_of" in answer.json()["detail"]


def test_links_stay_at_the_moment(api: Api, person: MemoryUser) -> None:
    api.append(person, *(allergy(name) for name in ("a", "b", "c")))
    moment = timezone.now().isoformat()
    api.append(person, allergy("bb"), allergy("a", "retract"))
    kinds = api.get(f"users/{person.pk}/state", as_of=moment).json()["kinds"]
    (url,) = [one["url"] for one in kinds if one["kind"] == "health.Allergy"]
    assert [one["id"] for one in api.client.get(url).json()["items"]] == ["a", "b", "c"]
    paged = api.all(f"users/{person.pk}/state/health.Allergy", as_of=moment, limit=1)
    assert [one["id"] for one in paged] == ["a", "b", "c"]


def test_now_is_what_was_known_now(api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"), fact("no reading"), reading_only("nuts"))
    now = timezone.now()
    known = then(current(person), now, now=now)
    assert (known.fact_seq, known.reading_seq) == (3, 2)
    assert known.fact_hash == current(person).fact_head


def reading_only(substance: str) -> Json:
    """A fact whose text says less than its reading."""
    return fact("as I said", reading("health.Allergy", substance=substance))


def test_what_was_read_of_a_fact_later_was_not_known_then(api: Api, person: MemoryUser) -> None:
    api.append(person, fact("Peanuts make me ill"))
    before = timezone.now()
    user = current(person)
    read = NewStatement(
        ("health.Allergy", "peanuts"), 1, before, "assert", {"substance": "peanuts"}, "model"
    )
    append_readings(user, [read], timezone.now())
    user.save()
    path = f"users/{person.pk}/search"
    (now,) = api.get(path, q="peanuts").json()["items"]
    (then_,) = api.get(path, q="peanuts", as_of=before.isoformat()).json()["items"]
    assert (now["kinds"], then_["kinds"]) == (["health.Allergy"], [])
