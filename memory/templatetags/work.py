"""What a model is doing for a person, on their pages."""

from __future__ import annotations

from django import template

from memory.models import Job, MemoryUser
from memory.work import NAMES, Work, words_of, work_of

register = template.Library()


@register.simple_tag(name="work_of")
def work_of_person(person: MemoryUser) -> Work:
    """What waits or runs for the person."""
    return work_of(person)


@register.filter
def named(job: Job) -> str:
    """What the job does, in a word."""
    return NAMES[job.name]


@register.filter
def at(job: Job) -> str:
    """What the job is at."""
    return words_of(job)
