"""The secrets of webhooks, and signatures by them.

A secret is computed from the site's key, the webhook's id and a number that rotation counts up:
nothing of it is stored, and whoever reads the database cannot sign.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable
from uuid import UUID

from django.utils.crypto import salted_hmac

SALT = "alerts.delivery.signing"
PREFIX = "uacwh_"


def secret_of(webhook_id: UUID, number: int) -> str:
    """The secret with this number; 256 bits."""
    made = salted_hmac(SALT, f"{webhook_id}.{number}", algorithm="sha256").digest()
    return PREFIX + base64.urlsafe_b64encode(made).rstrip(b"=").decode()


def key_id(number: int) -> str:
    """How a signature names its secret."""
    return f"k{number}"


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """HMAC-SHA256 over `<timestamp>.<body>` in hex; the key is the secret's text as it is shown."""
    signed = f"{timestamp}.".encode() + body
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def headers_of(
    webhook_id: UUID, numbers: Iterable[int], *, delivery_id: UUID, timestamp: int, body: bytes
) -> dict[str, str]:
    """What a request says beside its body: which delivery it is, when it was signed, by what."""
    signed = [
        f"{key_id(number)}={signature(secret_of(webhook_id, number), timestamp, body)}"
        for number in numbers
    ]
    return {
        "Content-Type": "application/json",
        "User-Agent": "user-as-code",
        "UAC-Delivery": str(delivery_id),
        "UAC-Timestamp": str(timestamp),
        "UAC-Signature": ",".join(signed),
    }
