"""The authenticator app on somebody's phone, computed."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import struct
import time

STEP = 30


def code_of(key: bytes, *, at: float | None = None) -> str:
    """The six digits of RFC 6238 for a key, now or at a moment in seconds since 1970."""
    counter = int((time.time() if at is None else at) // STEP)
    digest = hmac.new(key, struct.pack(">Q", counter), hashlib.sha1).digest()
    start = digest[-1] & 15
    number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def next_code_of(key: bytes) -> str:
    """The code of the half minute after this one: good already, and not used yet."""
    return code_of(key, at=time.time() + STEP)


def key_on(page: str) -> bytes:
    """The key that an enrolment page shows in letters."""
    found = re.search(r'<p class="key mono">(.*?)</p>', page, re.DOTALL)
    assert found is not None
    return base64.b32decode("".join(re.findall(r"<span>([A-Z2-7]+)</span>", found[1])))


def codes_on(page: str) -> list[str]:
    """The recovery codes that a page shows."""
    found = re.search(r'<ol class="codes[^>]*>(.*?)</ol>', page, re.DOTALL)
    assert found is not None
    return re.findall(r"<li>([\w-]+)</li>", found[1])
