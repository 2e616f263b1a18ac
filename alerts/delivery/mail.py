"""E-mail to staff: what waits for one of them goes into one message, by Django's own backend."""

from __future__ import annotations

import random
import time
from collections import defaultdict
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

AT_ONCE = 200
LEASE = timedelta(minutes=30)  # for as many messages, one after the other


def send_mails(*, clock: Callable[[], datetime]) -> None:
    """Send each member of staff one message of all that is due for them."""
    due: dict[Staff, list[Delivery]] = defaultdict(list)
    for delivery in claim(channel=Channel.EMAIL, most=AT_ONCE, now=clock(), lease=LEASE):
        assert delivery.staff is not None
        due[delivery.staff].append(delivery)
    for staff, deliveries in due.items():
        _send(staff, deliveries, clock)


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
