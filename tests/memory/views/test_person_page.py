"""The page of one person."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User as Staff
from django.test import Client

from memory.actions.append_facts import append_facts
from memory.actions.check_facts import NewFact
from memory.actions.fit_reading import NewReading
from memory.models import App, MemoryUser
from tests.api_client import HOST, Api
from tests.facts import allergy, fact, medication, note, reading
from tests.memory.queue.waiting import held_reading
from tests.people import new_person
from tests.proposals import approved, bought, proposed

HOSTILE = "<script>alert(1)</script>\u202e\u2066'\"&{{ 7|add:7 }}"
TABS = ("overview", "facts", "state", "alerts")


def logged_in(staff: Staff) -> Client:
    client = Client(SERVER_NAME=HOST)
    client.force_login(staff)
    return client


@pytest.fixture
def pages(caregiver: Staff) -> Client:
    """The pages as the caregiver sees them."""
    return logged_in(caregiver)


def page(client: Client, person: MemoryUser, **query: str) -> str:
    answer = client.get(f"/people/{person.pk}", query)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("where", ["", "/fragment"])
def test_absent_and_forbidden_look_alike(
    pages: Client, outsider: Staff, person: MemoryUser, where: str
) -> None:
    absent = pages.get(f"/people/{uuid.uuid4()}{where}")
    forbidden = logged_in(outsider).get(f"/people/{person.pk}{where}")
    assert (absent.status_code, forbidden.status_code) == (404, 404)
    assert absent.content == forbidden.content


def test_a_stranger_is_asked_to_log_in(person: MemoryUser) -> None:
    answer = Client(SERVER_NAME=HOST).get(f"/people/{person.pk}")
    assert answer.status_code == 302


@pytest.mark.parametrize("tab", TABS)
def test_a_person_nothing_is_known_of_has_every_tab(
    pages: Client, person: MemoryUser, tab: str
) -> None:
    text = page(pages, person, tab=tab)
    assert "allergies: none recorded" in text
    assert "evaluated through fact 0" in text


@pytest.mark.parametrize("tab", TABS)
def test_hostile_words_are_only_words(pages: Client, api: Api, tab: str) -> None:
    person = new_person(name=HOSTILE)
    api.append(
        person,
        fact(
            HOSTILE,
            reading("health.Allergy", substance=HOSTILE, reaction=HOSTILE),
            reading("health.Medication", name=HOSTILE, dose=HOSTILE),
            reading("notes.Note", text=HOSTILE, topic=HOSTILE),
            source=HOSTILE,
        ),
    )
    text = page(pages, person, tab=tab)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
    assert "14" not in text.partition("&lt;script&gt;")[2][:80]


def test_the_banner_names_allergies_with_severity_or_says_unknown(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(
        person,
        allergy("latex"),
        allergy("peanuts", category="food", reaction="anaphylaxis", severity="severe"),
        allergy("penicillin", reaction="hives"),
    )
    text = page(pages, person)
    assert "Peanuts: anaphylaxis, severe" in text
    assert "Penicillin: hives, severity unknown" in text
    assert "Latex: reaction and severity unknown" in text
    assert text.index("Peanuts: ") < text.index("Latex: ")


def test_a_person_who_said_that_there_are_none_is_told_from_one_nobody_asked(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("no known drug allergies"))
    assert "allergies: none, as told" in page(pages, person)


def test_facts_come_newest_first_with_their_readings_and_effects(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, medication("cetirizine", dose="10 mg"))
    api.append(person, medication("cetirizine", op="update", dose="20 mg"))
    api.append(person, medication("cetirizine", op="retract"))
    text = page(pages, person, tab="facts")
    assert text.index('id="F3"') < text.index('id="F2"') < text.index('id="F1"')
    removed, changed, created = (text.partition(f'id="F{seq}"')[2] for seq in (3, 2, 1))
    assert "record removed" in removed.partition("</li>\n<li")[0]
    assert "dose 20 mg" in changed
    assert "record changed" in changed
    assert "new record" in created


def test_the_pages_of_facts_leave_none_out_and_repeat_none(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, *(note(f"Fact number {n}") for n in range(1, 121)))
    seen: list[int] = []
    query: dict[str, str] = {"tab": "facts"}
    for _ in range(3):
        answer = pages.get(f"/people/{person.pk}", query)
        seen += [line.entry.seq for line in answer.context["page"].lines]
        query = {"tab": "facts", "before": str(answer.context["page"].older)}
    assert seen == list(range(120, 0, -1))
    assert answer.context["page"].older is None
    assert answer.context["page"].newer == 71


def test_a_reference_leads_to_the_sentence(pages: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("latex"), *(note(f"Fact {n}") for n in range(80)))
    state = page(pages, person, tab="state")
    assert f'href="/people/{person.pk}?tab=facts&amp;before=2#F1"' in state
    assert 'id="F1"' in page(pages, person, tab="facts", before="2")


def test_what_nobody_said_is_written_unknown(pages: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, medication("cetirizine", dose="10 mg"), medication("ibuprofen"))
    state = page(pages, person, tab="state")
    assert '<span class="unknown">unknown</span>' in state
    assert "Prescriber" not in state  # no record has one, so there is no column


def test_a_record_that_an_alert_rests_on_is_marked(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin", severity="severe"), medication("amoxicillin"))
    alert = api.alerts(person)[0]["id"]
    assert page(pages, person, tab="state").count(f'href="/alerts/{alert}"') == 2


def test_alerts_stand_and_pass(pages: Client, api: Api, person: MemoryUser) -> None:
    api.append(person, allergy("penicillin"), medication("amoxicillin"))
    (alert,) = api.alerts(person)
    summary = alert["summary"]
    standing, _, past = page(pages, person, tab="alerts").partition("<h2>Past")
    assert (summary in standing, summary in past) == (True, False)
    seen = api.post(f"users/{person.pk}/alerts/{alert['id']}/acknowledge", {})
    assert seen.status_code == 200, seen.content
    api.append(person, medication("amoxicillin", op="retract"))
    standing, _, past = page(pages, person, tab="alerts").partition("<h2>Past")
    assert (summary in standing, summary in past) == (False, True)


def test_what_cleared_before_anybody_saw_it_is_not_past(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin", severity="severe"), medication("amoxicillin"))
    summary = api.alerts(person)[0]["summary"]
    api.append(person, medication("amoxicillin", op="retract"))
    shown, _, past = page(pages, person, tab="alerts").partition("<h2>Past")
    _, _, unseen = shown.partition("<h2>Cleared, not acknowledged")
    assert (summary in unseen, summary in past) == (True, False)
    assert unseen.startswith(' <span class="muted small">1</span>')


def test_a_kind_is_paged_by_the_ids_of_its_records(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, *(note(f"Note {n}") for n in range(250)))
    first = pages.get(f"/people/{person.pk}", {"tab": "state", "kind": "notes.Note"})
    after = first.context["next"]
    rest = pages.get(f"/people/{person.pk}", {"tab": "state", "kind": "notes.Note", "after": after})
    ids = [row.record_id for one in (first, rest) for row in one.context["tables"][0].rows]
    assert len(ids) == len(set(ids)) == 250
    assert rest.context["next"] is None


@pytest.mark.parametrize("tab", TABS)
def test_a_tab_needs_few_queries_however_much_is_known(
    pages: Client, api: Api, person: MemoryUser, tab: str, django_assert_max_num_queries: object
) -> None:
    api.append(
        person,
        allergy("penicillin"),
        *(medication(f"drug {n}", dose="1 mg") for n in range(60)),
        *(note(f"Note {n}") for n in range(60)),
    )
    with django_assert_max_num_queries(30):  # type: ignore[operator]
        page(pages, person, tab=tab)


@pytest.mark.parametrize(
    "query",
    [
        {"tab": "nonsense"},
        {"tab": "facts", "before": "x"},
        {"tab": "facts", "before": "99999999999999999999"},
        {"tab": "facts", "before": "0"},
        {"tab": "state", "kind": "no.Kind", "after": "\0"},
    ],
)
def test_a_query_of_nonsense_is_answered(
    pages: Client, api: Api, person: MemoryUser, query: dict[str, str]
) -> None:
    api.append(person, note("One fact"))
    page(pages, person, **query)


def test_the_log_card_shows_the_head(pages: Client, api: Api, person: MemoryUser) -> None:
    head = api.append(person, note("One fact"))["head"]["hash"]
    text = page(pages, person)
    assert f'title="{head}"' in text
    assert f"{head[:8]}…" in text


def test_each_record_stands_with_the_sentence_it_rests_on_and_a_way_to_correct_it(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(
        person,
        fact("Ten milligrams.", reading("health.Medication", name="cetirizine", dose="10 mg")),
        fact("No, twenty.", reading("health.Medication", name="cetirizine", dose="20 mg")),
    )
    text = page(pages, person, tab="state")
    assert '<q dir="auto">No, twenty.</q>' in text
    assert "Ten milligrams." not in text
    assert f'href="/people/{person.pk}/facts/2/correct"' in text


def test_the_banner_says_when_they_were_born_or_that_nobody_knows(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    assert "birth date unknown" in page(pages, person)
    born = {"kind": "people.Person", "id": "me", "data": {"name": "Ada", "born": "1985-03"}}
    api.append(person, fact("I was born in March 1985.", born))
    assert "born 1985-03" in page(pages, person)


def test_the_year_shows_when_code_was_approved(
    pages: Client, api: Api, person: MemoryUser, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp"))
    approved(proposed(person), caregiver)
    assert "version 1 of the code approved" in page(pages, person)


def test_what_waits_for_a_decision_stands_on_the_first_tab(
    pages: Client, api: Api, person: MemoryUser
) -> None:
    api.append(person, allergy("penicillin"))
    assert "Waits for you" not in page(pages, person)
    held = held_reading(person)
    text = page(pages, person)
    assert "Waits for you" in text
    assert "I am not allergic to penicillin" in text
    assert f'action="/held/{held.pk}/confirm"' in text


def test_the_state_is_shown_as_it_was_known_on_a_day(
    pages: Client, app: App, person: MemoryUser, now: datetime
) -> None:
    """What was recorded later is not there, and an alert of now marks no record of then."""
    days = [now - timedelta(days=days) for days in (9, 2)]
    for told, at in (("penicillin", days[0]), ("latex", days[1])):
        append_facts(
            user_id=person.pk,
            facts=[
                NewFact(
                    text=f"I am allergic to {told}",
                    readings=(NewReading("health.Allergy", "assert", None, {"substance": told}),),
                )
            ],
            actor=app,
            now=at,
        )

    def shown(day: datetime, **more: str) -> str:
        text = page(pages, person, tab="state", known_on=day.date().isoformat(), **more)
        return text.partition('id="person-content"')[2]

    then = shown(days[0])
    assert "penicillin" in then
    assert "latex" not in then
    assert ": 1 record, under the code of then" in then
    assert "Nothing typed was known" in shown(days[0] - timedelta(days=1))
    assert "latex" in shown(days[1], kind="health.Allergy")
    for day in ("soon", (now + timedelta(days=1)).date().isoformat()):
        text = page(pages, person, tab="state", known_on=day)
        assert "under the code of then" not in text
        assert "latex" in text.partition('id="person-content"')[2]
