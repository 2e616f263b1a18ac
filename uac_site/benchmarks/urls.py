"""The site's addresses and the floor that its endpoints are measured against."""

from __future__ import annotations

from django.urls import path

from uac_site.benchmarks.floor import FloorView
from uac_site.urls import urlpatterns as site

urlpatterns = [*site, path("benchmark/floor", FloorView.as_view())]
