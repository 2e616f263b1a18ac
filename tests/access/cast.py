"""Who knocks at every door, and whom and what they ask for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.contrib import admin
from django.contrib.auth.models import User as Staff
from django.test import Client
from django.utils import timezone

from alerts.delivery.webhooks import Wishes, send_test, subscribe
from alerts.escalation.policies import NewStep, add_step
from alerts.models import Alert, Delivery, Severity
from memory.actions.code_edits import begin_edit
from memory.actions.teams import add_member, create_team, place_person
from memory.audit import CONSOLE
from memory.models import (
    AppKey,
    CarePlacement,
    CodeEdit,
    Erasure,
    HeldReading,
    Job,
    LineComment,
    MemoryUser,
    Need,
    Proposal,
    TeamMembership,
)
from memory.project.review.tree import key_of
from memory.rights import SCOPES, Right, Role
from tests.alerts.early_words import concern, noticed
from tests.api_client import HOST, Api
from tests.facts import allergy, fact, medication, reading
from tests.people import new_person
from tests.proposals import approved, bought, proposed
from tests.staff import new_key, new_staff, ward

BOAT = "domains/boats/schema.py"
ADMIN_MODEL = re.compile(r"admin/(\w+)/(\w+)/")


@dataclass(frozen=True)
class Cast:
    """Somebody for every role and scope, and a person with an alert and a proposal."""

    person: MemoryUser
    alert: Alert
    proposal: Proposal
    staff: dict[str, Staff | None]
    keys: dict[str, str | None]
    samples: dict[str, str]

    def browser(self, who: str) -> Client:
        """The pages as somebody sees them."""
        client = Client(SERVER_NAME=HOST, raise_request_exception=False)
        member = self.staff[who]
        if member is not None:
            client.force_login(member)
        return client

    def sample(self, route: str, name: str) -> str:
        """The value of a part of a route. Raises KeyError for one that nobody thought of."""
        model = ADMIN_MODEL.match(route)
        if name == "object_id" and model is not None:
            return _first(*model.groups())
        if name == "key" and route.startswith("proposals/"):
            return key_of(BOAT)
        return self.samples[name]


def _first(app_label: str, name: str) -> str:
    """The key of some row of a model that is in the administration."""
    for model in admin.site._registry:
        if (model._meta.app_label, model._meta.model_name) == (app_label, name):
            row = model._base_manager.first()
            return "1" if row is None else str(row.pk)
    raise KeyError(f"{app_label}.{name}")


def assembled() -> Cast:
    """Everybody, in a database that has nobody."""
    person = new_person(name="Ada")
    full = Api(new_key("chat"))
    full.append(person, allergy("penicillin", severity="severe"), medication("Amoxicillin"))
    full.append(person, bought("a lamp"))
    approved(proposed(person), new_staff("first reviewer", Role.REVIEWER))
    full.append(person, fact("I own a boat.", reading("boats.Boat", name="Anna")))
    proposal = proposed(person)
    now = timezone.now()
    elsewhere = create_team(name="Elsewhere", actor=CONSOLE, now=now)
    stranger = new_person(name="Zoe", placed=False)
    place_person(user=stranger, team=elsewhere, actor=CONSOLE, now=now)
    far = new_staff("far", *Role, in_team=False)
    add_member(team=elsewhere, staff=far, actor=CONSOLE, now=now)
    staff: dict[str, Staff | None] = {
        "stranger": None,
        "outsider": Staff.objects.create(username="outsider"),
        "no role": new_staff("no role"),
        **{role.value: new_staff(role.value, role) for role in Role},
        "far": far,
    }
    return Cast(
        person=person,
        alert=Alert.objects.get(),
        proposal=proposal,
        staff=staff,
        keys={
            **{scope.value: new_key("chat", scopes=[scope]) for scope in SCOPES},
            "no key": None,
            "far": new_key("other", people=[stranger]),
        },
        samples=_samples(person, proposal, Alert.objects.get()),
    )


def _asked(person: MemoryUser) -> Erasure:
    asking = Staff.objects.get(username="admin")
    now = timezone.now()
    return Erasure.objects.create(user=person, reason="wish", asked_by=asking, asked_at=now)


def _held(person: MemoryUser) -> HeldReading:
    now = timezone.now()
    return HeldReading.objects.create(
        user=person,
        fact_seq=1,
        kind="health.Allergy",
        record_id="penicillin",
        op="retract",
        data={},
        effective_at=now,
        quote="I am not allergic",
        held_at=now,
    )


def _need(person: MemoryUser) -> Need:
    now = timezone.now()
    return Need.objects.create(
        user=person, fact_seq=1, cause="request", needs="kind", noted_at=now, changed_at=now
    )


def _job(person: MemoryUser) -> Job:
    return Job.objects.create(name="read", user=person, queued_at=timezone.now())


def _comment(proposal: Proposal) -> LineComment:
    by = Staff.objects.get(username="reviewer")
    return LineComment.objects.create(
        user=proposal.user,
        proposal=proposal,
        digest=proposal.digest,
        path=BOAT,
        side="new",
        line=1,
        text="hm",
        by=by,
        at=timezone.now(),
    )


def _edit(person: MemoryUser) -> CodeEdit:
    return begin_edit(
        user_id=person.pk, actor=Staff.objects.get(username="reviewer"), now=timezone.now()
    )


def _told(alert: Alert) -> dict[str, str]:
    """Ids of a step of escalation, of a webhook of the app's, and of a delivery."""
    now, key = timezone.now(), AppKey.objects.get(scopes=[Right.WEBHOOKS.value])
    wishes = Wishes(url="https://hooks.example.org/", kinds=[], least=Severity.INFO)
    step = add_step(
        team=ward(), step=NewStep(5, Severity.INFO, by_email=True), actor=CONSOLE, now=now
    )
    AppKey.objects.filter(pk=key.pk).update(scopes=["webhooks", "alerts:read"])
    key.refresh_from_db()
    webhook, _ = subscribe(key=key, wishes=wishes, now=now)
    AppKey.objects.filter(pk=key.pk).update(scopes=["webhooks"])
    delivery = send_test(webhook=webhook, actor=CONSOLE, now=now)
    Delivery.objects.update(status="delivered", ended_at=now)
    return {
        "step_id": str(step.pk),
        "webhook_id": str(webhook.pk),
        "delivery_id": str(delivery.pk),
    }


def _samples(person: MemoryUser, proposal: Proposal, alert: Alert) -> dict[str, str]:
    return {
        "user_id": str(person.pk),
        "staff_id": str(Staff.objects.get(username="caregiver").pk),
        "team_id": str(ward().pk),
        "membership_id": str(TeamMembership.objects.filter(team=ward()).earliest("pk").pk),
        "placement_id": str(CarePlacement.objects.filter(team=ward()).earliest("pk").pk),
        "key_id": str(AppKey.objects.earliest("created_at").pk),
        "proposal_id": str(proposal.pk),
        "alert_id": str(alert.pk),
        "concern_id": str(noticed(person, concern())[0].pk),
        "held_id": str(_held(person).pk),
        "need_id": str(_need(person).pk),
        "job_id": str(_job(person).pk),
        "comment_id": str(_comment(proposal).pk),
        "edit_id": str(_edit(person).pk),
        "erasure_id": str(_asked(person).pk),
        **_told(alert),
        "kind": "health.Medication",
        "name": alert.rule,
        "seq": "1",
        "row_id": "class:penicillins",
        "address": "nothing",
        "app_label": "memory",
        "content_type_id": "1",
        "object_id": "1",
        "url": "nowhere",
        "number": "1",
        "key": key_of("domains/health/schema.py"),
    }
