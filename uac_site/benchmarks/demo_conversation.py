"""The example conversation of the demo through the API: what waits for a visitor afterwards."""

from __future__ import annotations

from collections import Counter
from zoneinfo import ZoneInfo

from django.utils import timezone

from memory.models import Fact, HeldReading, Proposal
from uac_site.benchmarks.case import heard
from uac_site.benchmarks.inside import Inside
from uac_site.benchmarks.measure import Bound, Result, none_of
from uac_site.benchmarks.recorded import staged
from uac_site.benchmarks.talk import Talker, Turn, introduced
from uac_site.examples.talk import Talk, read_talk

NAME = "demo"


def run(inside: Inside) -> Result:
    """Post session by session, and count what is left to do."""
    talk = read_talk()
    with staged(inside, NAME) as stage:
        stage.player.labelled = True
        stage.record_as("conversation")
        names = {"display_name": talk.name, "timezone": talk.timezone}
        person = introduced(stage.client, talk.external_id, names)
        _talk(person, talk)
        return report(inside, person, stage.player.told)


def _talk(person: Talker, talk: Talk) -> None:
    today = timezone.now().astimezone(ZoneInfo(talk.timezone))
    for number, session in enumerate(talk.session, start=1):
        turns = [
            Turn(one.role, one.content, one.said_at)
            for one in session.messages(today)
            if one.said_at is not None
        ]
        person.say(turns, f"talk {number}")


def report(inside: Inside, person: Talker, told: str) -> Result:
    """What the demo promises to its visitors."""
    found = heard(person)
    for one in found:
        inside.say(f"{one.origin}, {one.severity}: {one.sentence.partition(chr(10))[0]}")
    for reason in person.unread():
        inside.say(f"not read: {reason}")
    inside.show("Records by kind", ("kind", "records"), sorted(person.kinds().items()))
    open_ones = Counter(one.origin for one in found)
    proposals = Proposal.objects.open().filter(user=person.id).count()
    held = HeldReading.objects.held().filter(user=person.id).count()
    facts = Fact.objects.filter(user=person.id).count()
    return Result(
        [
            Bound("facts", facts, 1, at_least=True),
            Bound("concerns", open_ones["concern"], 1, at_least=True),
            Bound("proposals", proposals, 1, at_least=True),
            Bound("provisional", open_ones["provisional"], 1, at_least=True),
            Bound("held", held, 1, at_least=True),
            none_of("turns not read", len(person.unread())),
        ],
        told,
    )
