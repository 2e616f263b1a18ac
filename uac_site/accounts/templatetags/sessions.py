"""What pages say of sessions."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memory.views.values import day_words
from uac_site.accounts.limits import Left, left

register = template.Library()

BROWSERS = (
    ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"), ("Safari/", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
    ("Mac OS X", "macOS"), ("Linux", "Linux"),
)  # fmt: skip


@register.simple_tag
def when(moment: datetime | None) -> SafeString | str:
    """Day and minute in UTC, the second on hover."""
    if moment is None:
        return "never"
    utc = moment.astimezone(UTC)
    return format_html(
        '<time datetime="{}" title="{}">{}, {}</time>',
        moment.isoformat(),
        f"{day_words(utc.date())}, {utc:%H:%M:%S} (UTC)",
        day_words(utc.date()),
        f"{utc:%H:%M}",
    )


@register.filter
def browser(agent: str) -> str:
    """`Firefox on Linux`, for telling one's own sessions apart."""
    name = next((name for mark, name in BROWSERS if mark in agent), "")
    system = next((name for mark, name in SYSTEMS if re.search(mark, agent)), "")
    return f"{name or 'Another browser'} on {system}" if system else name or "Another program"


@register.simple_tag(takes_context=True)
def session_left(context: Any) -> Left:
    """What is left of the session that asks for this page."""
    return left(context["request"].session, now=timezone.now())
