"""A typed client of the API, sync and async; it needs httpx and pydantic, and nothing of the site.

It stands by itself: the folder may be copied into another project, as `uac_client` say.
"""

from .clients import AsyncUacClient, UacClient
from .errors import UacError
from .inputs import NewFact, NewMessage, NewReading

__all__ = ["AsyncUacClient", "NewFact", "NewMessage", "NewReading", "UacClient", "UacError"]
