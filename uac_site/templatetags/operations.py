"""Figures in words."""

from __future__ import annotations

from django import template

from uac_site.operations.spans import span_words

register = template.Library()


@register.filter
def span(seconds: float | None) -> str:
    """A span of time in seconds in a word or two; nothing where there is none."""
    return "" if seconds is None else span_words(seconds)
