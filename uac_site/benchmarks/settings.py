"""The site's settings with the endpoints and instruments that only benchmarks need."""

from uac_site.benchmarks import clock
from uac_site.settings import *  # noqa: F403
from uac_site.settings import INSTALLED_APPS as SITE_APPS
from uac_site.settings import MIDDLEWARE as SITE_MIDDLEWARE

ROOT_URLCONF = "uac_site.benchmarks.urls"
INSTALLED_APPS = [*SITE_APPS, "uac_site.benchmarks"]
MIDDLEWARE = [*SITE_MIDDLEWARE, "uac_site.benchmarks.instruments.InstrumentsMiddleware"]

clock.install()  # before anything else can have taken hold of the time
