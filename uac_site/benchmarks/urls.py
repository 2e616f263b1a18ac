"""The site's addresses and the floor that its endpoints are measured against."""

from __future__ import annotations

from django.urls import path

from uac_site.audit import IMPERSONAL
from uac_site.benchmarks.floor import FloorView
from uac_site.urls import urlpatterns as site

IMPERSONAL.add("floor")  # it stores a row and nothing else
urlpatterns = [*site, path("benchmark/floor", FloorView.as_view(), name="floor")]
