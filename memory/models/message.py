"""Raw turns of conversation, kept verbatim."""

from __future__ import annotations

from django.db import models

from memory.models.entry import Body, Entry


class Message(Entry):
    """One turn of a conversation."""

    said_at = models.DateTimeField()


class MessageBody(Body):
    """What was said, by whom, in which session."""

    session = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=40)

    class Meta:
        indexes = [models.Index(fields=["user", "session", "seq"], name="message_session")]
