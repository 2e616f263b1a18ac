"""The HTTP application; `asgi.py` serves it from threads."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "uac_site.settings")

application = get_wsgi_application()
