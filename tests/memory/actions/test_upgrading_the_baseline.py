"""A new baseline reaches everyone through one approval, and overlays are carried over or asked."""

from __future__ import annotations

from io import StringIO

import pytest
from django.contrib.auth.models import User as Staff
from django.core.management import CommandError, call_command
from django.utils import timezone

from memory.code import project_of
from memory.models import Baseline, CodeVersion, Job, MemoryUser, Proposal, Record, Waiting
from memory.project import shipped
from memory.upgrades import progress, queue_upgrades
from memory.verification import verify_user
from tests.api_client import Api
from tests.facts import allergy, fact, note, reading
from tests.people import new_person
from tests.proposals import PURCHASE, approved, bought, current, proposed, with_files
from tests.queue import deliver_all
from tests.shipped_copy import ShippedCopy, forget

HEALTH = "domains/health/schema.py"
NOTES = "domains/notes/schema.py"
QUIET = '"""Says nothing."""\n\nfrom datetime import date\n\nfrom uac import Alert\n\n\n'
QUIET += 'def check(today: date) -> list[Alert]:\n    """Nothing."""\n    return []\n'
MORE = '''

@kind("vaccinations", key=("name",))
@dataclass
class Vaccination:
    """A vaccination."""

    id: str
    name: str
'''


@pytest.fixture
def release(code: ShippedCopy) -> ShippedCopy:
    """The shipped code, to change as the next release would."""
    return code


def _write(release: ShippedCopy, path: str, text: str) -> None:
    (release.folder / "baseline" / path).write_text(text, encoding="utf-8")
    forget()


def _health(release: ShippedCopy) -> str:
    return (release.folder / "baseline" / HEALTH).read_text(encoding="utf-8")


def _upgrade(staff: Staff) -> str:
    out = StringIO()
    call_command("upgrade_baseline", "--approve", "--by", staff.username, stdout=out)
    deliver_all()
    return out.getvalue()


def _sound(person: MemoryUser) -> None:
    call_command("rebuild_state", "--check", "--user", str(person.pk), stdout=StringIO())
    assert verify_user(person.pk) == []


def test_it_shows_what_would_change_and_changes_nothing(
    api: Api, person: MemoryUser, release: ShippedCopy
) -> None:
    api.append(person, allergy("latex"))
    _write(release, HEALTH, _health(release) + MORE)
    _write(release, "rules/quiet.py", QUIET)
    out = StringIO()
    call_command("upgrade_baseline", stdout=out)
    shown = out.getvalue()
    for line in (
        f"file {HEALTH}: changed",
        "file rules/quiet.py: added",
        "kind health.Vaccination: added",
        "rule quiet: added",
        "+class Vaccination:",
        "1 people have records, 0 of them code of their own.",
        "Adopt it with --approve --by USERNAME.",
    ):
        assert line in shown
    assert Baseline.objects.count() == 1
    assert not Job.objects.filter(name="bring over").exists()


@pytest.mark.parametrize("by", [[], ["--by", "nobody"], ["--by", "outsider"]])
def test_only_a_named_member_of_staff_approves(
    api: Api, person: MemoryUser, release: ShippedCopy, outsider: Staff, by: list[str]
) -> None:
    api.append(person, note("n"))
    _write(release, "rules/quiet.py", QUIET)
    with pytest.raises(CommandError, match="name an active member of staff"):
        call_command("upgrade_baseline", "--approve", *by, stdout=StringIO())
    assert Baseline.objects.count() == 1


def test_nothing_is_adopted_twice(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    api.append(person, note("n"))
    _write(release, "rules/quiet.py", QUIET)
    _upgrade(caregiver)
    assert _upgrade(caregiver) == "The baseline that ships is in force.\n"
    (_, second) = Baseline.objects.order_by("number")
    assert (second.number, second.adopted_by) == (2, caregiver)


def test_everyone_gets_it_and_is_evaluated_again(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    others = [new_person() for _ in range(3)]
    for one in (person, *others):
        api.append(one, allergy("latex"))
    _write(release, HEALTH, _health(release) + MORE)
    assert "4 people are queued" in _upgrade(caregiver)
    for one in (person, *others):
        assert "health.Vaccination" in project_of(current(one)).kinds
        assert current(one).tree == current(one).baseline == shipped.baseline().digest
        assert Job.objects.filter(user=one, name="evaluate", status="done").exists()
        _sound(one)
    assert not CodeVersion.objects.exists()
    newest = Baseline.objects.get(number=2)
    assert (progress(newest).people, progress(newest).done, progress(newest).left) == (4, 4, 0)


def test_until_a_person_is_brought_over_their_facts_are_read_as_before(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    api.append(person, allergy("latex"))
    _write(release, HEALTH, _health(release) + MORE)
    call_command("upgrade_baseline", "--approve", "--by", "caregiver", stdout=StringIO())
    vaccination = fact("x", reading("health.Vaccination", name="MMR"))
    answer = api.append(person, vaccination)
    assert answer["facts"][0]["readings"][0]["effect"] == "waiting"
    deliver_all()
    assert api.records(person, "health.Vaccination") == {"mmr": {"name": "MMR"}}
    assert not Waiting.objects.exists()
    _sound(person)


def test_records_are_rendered_as_the_new_schema_has_them(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    api.append(person, fact("x", reading("health.Condition", name="asthma", status="active")))
    schema = _health(release).replace('"resolved"] = "active"', '"resolved"] = "resolved"')
    _write(release, HEALTH, schema)
    _upgrade(caregiver)
    (row,) = Record.objects.filter(user=person)
    assert row.source == "Condition(id='asthma', name='asthma', status='active')"
    _sound(person)


def test_an_overlay_apart_from_the_change_is_carried_over_as_a_version(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp"))
    approved(proposed(person), caregiver)
    _write(release, HEALTH, _health(release) + MORE)
    _upgrade(caregiver)
    kinds = project_of(current(person)).kinds
    assert {PURCHASE, "health.Vaccination"} <= set(kinds)
    second = CodeVersion.objects.get(user=person, number=2)
    assert second.overlay == ["domains/purchases/schema.py"]
    assert (second.baseline_id, second.approved_by) == (shipped.baseline().digest, caregiver)
    assert second.parent == CodeVersion.objects.get(user=person, number=1).tree_id
    assert set(api.records(person, PURCHASE)) == {"f1-1"}
    _sound(person)


OWN = '''

@kind("moods", key=())
@dataclass
class Mood:
    """How the person feels."""

    id: str
    word: str
'''


def _with_own_notes(api: Api, person: MemoryUser, staff: Staff) -> None:
    api.append(person, fact("x", reading("notes.Mood", word="fine")))
    text = project_of(current(person)).files[NOTES]
    approved(proposed(person, with_files(person, {NOTES: text + OWN})), staff)


def test_a_file_that_changed_on_both_sides_is_proposed(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    _with_own_notes(api, person, caregiver)
    before = current(person).tree
    path = release.folder / "baseline" / NOTES
    text = path.read_text(encoding="utf-8").replace("One statement kept", "A statement kept")
    _write(release, NOTES, text)
    _upgrade(caregiver)
    assert current(person).tree == before
    proposal = Proposal.objects.get(user=person, status="open")
    assert f"{NOTES} changed on both sides: put together." in proposal.summary
    newest = Baseline.objects.get(number=2)
    assert (progress(newest).proposed, progress(newest).left) == (1, 0)
    assert queue_upgrades(now=timezone.now()) == 0
    approved(proposal, caregiver)
    files = project_of(current(person)).files
    assert "A statement kept" in files[NOTES]
    assert "class Mood" in files[NOTES]
    assert current(person).baseline == shipped.baseline().digest
    assert progress(newest).done == 1
    assert set(api.records(person, "notes.Mood")) == {"f1-1"}
    _sound(person)


def test_a_person_whose_records_would_not_fit_stays_and_is_shown(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    api.append(person, allergy("nuts", severity="mild"))
    other = new_person()
    api.append(other, allergy("nuts", severity="severe"))
    _write(release, HEALTH, _health(release).replace('"mild", ', ""))
    _upgrade(caregiver)
    assert project_of(current(other)).digest == shipped.baseline().digest
    assert current(person).tree != shipped.baseline().digest
    proposal = Proposal.objects.get(user=person)
    assert proposal.status == "failed"
    assert "health.Allergy nuts" in proposal.checks[0]["detail"]
    assert set(api.records(person, "health.Allergy")) == {"nuts"}
    _sound(person)


def test_who_was_mended_is_tried_again(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    api.append(person, allergy("nuts", severity="mild"))
    _write(release, HEALTH, _health(release).replace('"mild", ', ""))
    _upgrade(caregiver)
    api.append(person, fact("No.", corrects=1))
    assert queue_upgrades(now=timezone.now()) == 0
    out = StringIO()
    call_command("upgrade_baseline", "--retry", stdout=out)
    assert out.getvalue().endswith("1 are tried again.\n")
    deliver_all()
    assert current(person).tree == shipped.baseline().digest
    _sound(person)


def test_a_job_that_was_given_up_is_told_apart_and_tried_again(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    api.append(person, note("n"))
    _write(release, "rules/quiet.py", QUIET)
    call_command("upgrade_baseline", "--approve", "--by", "caregiver", stdout=StringIO())
    Job.objects.filter(name="bring over").update(status="failed")
    deliver_all()
    newest = Baseline.objects.get(number=2)
    assert (progress(newest).failed, progress(newest).left) == (1, 0)
    assert queue_upgrades(now=timezone.now()) == 0
    call_command("upgrade_baseline", "--retry", stdout=StringIO())
    deliver_all()
    assert (progress(newest).done, progress(newest).failed) == (1, 0)


def test_an_overlay_that_clashes_with_the_new_baseline_stays_and_is_shown(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    api.append(person, fact("x", reading("vaccines.Vaccination", name="MMR")))
    approved(proposed(person), caregiver)
    before = current(person).tree
    _write(release, HEALTH, _health(release) + MORE)
    _upgrade(caregiver)
    assert current(person).tree == before
    proposal = Proposal.objects.get(user=person, status="failed")
    assert any("Vaccination" in check["detail"] for check in proposal.checks)
    _sound(person)


def test_an_open_proposal_is_made_anew_on_the_new_code(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    api.append(person, bought("a lamp"))
    stale = proposed(person)
    _write(release, "rules/quiet.py", QUIET)
    Job.objects.all().delete()
    _upgrade(caregiver)
    assert Proposal.objects.get(pk=stale.pk).status == "superseded"
    (fresh,) = Proposal.objects.filter(user=person, status="open")
    assert (fresh.parent, fresh.baseline_id) == (current(person).tree, current(person).baseline)
    approved(fresh, caregiver)
    assert set(api.records(person, PURCHASE)) == {"f1-1"}


def test_only_so_many_are_queued_at_once(
    api: Api,
    person: MemoryUser,
    release: ShippedCopy,
    caregiver: Staff,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("memory.upgrades.AT_ONCE", 2)
    for one in (person, *(new_person() for _ in range(4))):
        api.append(one, note("n"))
    _write(release, "rules/quiet.py", QUIET)
    call_command("upgrade_baseline", "--approve", "--by", "caregiver", stdout=StringIO())
    assert Job.objects.filter(name="bring over").count() == 2
    assert queue_upgrades(now=timezone.now()) == 0
    deliver_all()
    assert queue_upgrades(now=timezone.now()) == 2
    deliver_all()
    assert queue_upgrades(now=timezone.now()) == 1


def test_the_progress_is_shown_until_nothing_is_left(
    api: Api, person: MemoryUser, release: ShippedCopy, caregiver: Staff
) -> None:
    api.append(person, note("n"))
    _write(release, "rules/quiet.py", QUIET)
    _upgrade(caregiver)
    out = StringIO()
    call_command("upgrade_baseline", "--watch", stdout=out)
    assert out.getvalue().endswith(f"[{'#' * 40}] 1 of 1 on the new baseline\n")
