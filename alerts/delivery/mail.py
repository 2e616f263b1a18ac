"""E-mail to staff: what waits for one of them goes into one message, by Django's own backend."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from smtplib import SMTPException

from django.conf import settings
from django.contrib.auth.models import User as Staff
from django.core.mail import EmailMessage

from alerts.delivery.answered import Answered
from alerts.delivery.bodies import mail_subject, mail_text
from alerts.delivery.claims import claim, drop, record
from alerts.escalation.recipients import told_in_words, who_may
from alerts.models import Alert, Channel, Delivery, Status

MOST_AT_ONCE = 200  # alerts in a message
SECONDS = 10.0  # that one message should not take longer than
LEASE = timedelta(minutes=3)  # for one message; a slow server may take its time for each line


def send_mails(*, clock: Callable[[], datetime], ends: float) -> None:
    """Send each member of staff one message of all that is due for them, as long as there is time:
    what is left is due for the next who looks."""
    due = Delivery.objects.due(clock()).filter(channel=Channel.EMAIL)
    for staff_id in dict.fromkeys(due.values_list("staff", flat=True)):
        if time.monotonic() + SECONDS >= ends:
            return
        now = clock()
        taken = claim(
            channel=Channel.EMAIL, most=MOST_AT_ONCE, now=now, lease=LEASE, staff=staff_id
        )
        if taken and taken[0].staff is not None:
            _send(taken[0].staff, taken, clock)


def _send(staff: Staff, deliveries: Sequence[Delivery], clock: Callable[[], datetime]) -> None:
    now = clock()
    allowed = who_may(staff, deliveries)
    drop([one for one in deliveries if one not in allowed], "not_in_reach", now=now)
    waiting = [one for one in allowed if one.event and one.event.alert.status == Status.OPEN]
    drop([one for one in allowed if one not in waiting], "answered", now=now)
    if not waiting:
        return
    alerts = {one.event.alert_id: one.event.alert for one in waiting if one.event}
    answered = _mail(staff, list(alerts.values()), now)
    for delivery in waiting:
        record(delivery, answered, now=clock(), random=random.random)


def _mail(staff: Staff, alerts: Sequence[Alert], now: datetime) -> Answered:
    began = time.monotonic()
    if not settings.EMAIL_CONFIGURED:
        return Answered(error="no_email_set_up")
    if not staff.email:
        return Answered(error="no_email_address")
    summaries = told_in_words(staff, alerts, now)
    message = EmailMessage(
        mail_subject(alerts), mail_text(alerts, summaries=summaries), to=[staff.email]
    )
    try:
        message.send()
    except (OSError, SMTPException):
        return Answered(error="no_mail_server", seconds=time.monotonic() - began)
    return Answered(200, seconds=time.monotonic() - began)
