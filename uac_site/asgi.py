"""The application: HTTP from threads, sockets on the event loop.

Django's own ASGI handler makes a thread, and so a database connection, for every request, and hops
between loop and thread for every middleware. Here HTTP runs as WSGI in a fixed set of threads whose
connections stay open.
"""

from __future__ import annotations

import gc
import os
import sys
from threading import Thread
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.utils import timezone

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "uac_site.settings")

from uac_site.wsgi import application as wsgi  # sets Django up before the rest is imported

# isort: split

from alerts.evaluation.warm import read_tables, warm
from alerts.live.hub import hub, told
from alerts.live.routing import websocket_urlpatterns
from uac_site.agents.door import PATH, Door
from uac_site.env import environment
from uac_site.operations.instruments import count_pushed
from uac_site.sockets import Counted, EveryStepTaken

_http = WSGIMiddleware(cast(Any, wsgi), workers=environment().web_threads)


told.connect(count_pushed, dispatch_uid="count")
read_tables()
for collection in ("medications", "trips"):
    Thread(target=warm, args=(collection, timezone.now().date()), daemon=True).start()

# What has been loaded stays for good: the collector need not walk through it again and again
gc.collect()
gc.freeze()
# A thread that waits for the interpreter gets it sooner than after the usual 5 ms
sys.setswitchinterval(0.001)


async def site(scope: Any, receive: Any, send: Any) -> None:
    """Serve HTTP from the threads; the loop that does is the one that commits wake."""
    hub()
    await _http(scope, receive, send)


_agents = Door(site)


async def http(scope: Any, receive: Any, send: Any) -> None:
    """Serve HTTP: agents' messages from the loop, all else from the threads."""
    await (_agents if scope["path"] == PATH else site)(scope, receive, send)


application = ProtocolTypeRouter(
    {
        "http": http,
        "websocket": AllowedHostsOriginValidator(
            AuthMiddlewareStack(Counted(EveryStepTaken(URLRouter(websocket_urlpatterns))))
        ),
    }
)
