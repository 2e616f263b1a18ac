"""Times, digests and references in words, with the exact value on hover."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.template.defaultfilters import stringfilter
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memory.models import MemoryUser
from memory.rights import Right
from memory.views.values import cut, day_words

register = template.Library()

MINUTE, HOUR, DAY = 60, 3_600, 86_400
DAYS_AS_AGE = 14


def exact(moment: datetime, zone: ZoneInfo) -> str:
    """`21 Nov 2026, 20:14:05 (Europe/Berlin)`."""
    local = moment.astimezone(zone)
    return f"{day_words(local.date())}, {local:%H:%M:%S} ({zone.key})"


def age_words(moment: datetime, now: datetime) -> str:
    """`42 s`, `12 min`, `3 h`, `5 d`; empty where the date says more."""
    seconds = max(int((now - moment).total_seconds()), 0)
    for unit, size, end in (("s", 1, MINUTE), ("min", MINUTE, HOUR), ("h", HOUR, DAY)):
        if seconds < end:
            return f"{seconds // size} {unit}"
    days = seconds // DAY
    return f"{days} d" if days < DAYS_AS_AGE else ""


@register.simple_tag
def age(moment: datetime, now: datetime, person: MemoryUser) -> SafeString:
    """How long ago, kept up to date in the browser."""
    words = age_words(moment, now) or day_words(moment.astimezone(person.zone).date())
    return format_html(
        '<time class="age" data-age datetime="{}" title="{}">{}</time>',
        moment.isoformat(),
        exact(moment, person.zone),
        words,
    )


@register.simple_tag
def day(moment: datetime, person: MemoryUser) -> SafeString:
    """The date it was for the person."""
    return _time(moment, person, day_words(moment.astimezone(person.zone).date()))


@register.simple_tag
def clock(moment: datetime, person: MemoryUser) -> SafeString:
    """Date and minute as the person's clock showed them."""
    local = moment.astimezone(person.zone)
    return _time(moment, person, f"{day_words(local.date())}, {local:%H:%M}")


def _time(moment: datetime, person: MemoryUser, words: str) -> SafeString:
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        moment.isoformat(),
        exact(moment, person.zone),
        words,
    )


@register.simple_tag
def digest(value: str) -> SafeString:
    """The first characters of a digest, the whole on hover."""
    return format_html('<code class="digest" title="{}">{}…</code>', value, value[:8])


@register.simple_tag(takes_context=True)
def fact_ref(context: Mapping[str, Any], person: MemoryUser, seq: int) -> SafeString:
    """`F12`, a link to the sentence: on this page where it stands here, else on the person's.

    Only a word for who may not see the person's page.
    """
    here = context.get("evidence")
    if here is not None and seq in here.seqs:
        return format_html('<a class="ref" href="#F{}">F{}</a>', seq, seq)
    if Right.STATE_READ not in context.get("may", (Right.STATE_READ,)):
        return format_html('<span class="ref">F{}</span>', seq)
    return format_html('<a class="ref" href="{}">F{}</a>', fact_url(person, seq), seq)


@register.simple_tag
def fact_url(person: MemoryUser, seq: int) -> str:
    """The address of a fact's sentence: the page of facts that begins with it."""
    return f"{reverse('person', args=[person.pk])}?tab=facts&before={seq + 1}#F{seq}"


@register.filter
@stringfilter
def shortened(text: str, limit: int) -> str:
    """The text with an ellipsis where it is longer than the limit."""
    return cut(text, limit)


@register.filter
def local_clock(now: datetime, person: MemoryUser) -> str:
    """`Sat 20:14`, what the person's clock shows."""
    return f"{now.astimezone(person.zone):%a %H:%M}"
