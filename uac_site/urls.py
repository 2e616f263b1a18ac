"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView

from alerts.api import AlertsView
from memory.api.urls import urlpatterns as memory_api
from uac_site.api_docs import ApiDocsView

api = [
    *memory_api,
    path("users/<uuid:user_id>/alerts", AlertsView.as_view(), name="alerts"),
    path("schema", SpectacularAPIView.as_view(), name="schema"),
    path("docs", ApiDocsView.as_view(url_name="api:schema"), name="docs"),
]

urlpatterns = [
    path("api/v1/", include((api, "api"))),
    path("admin/", admin.site.urls),
]
