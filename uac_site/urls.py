"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.views import LogoutView
from django.urls import include, path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

from alerts import views as alerts
from alerts.api import AlertsView
from memory.api.unknown import UnknownAddressView
from memory.api.urls import urlpatterns as memory_api
from memory.views.code import compare, versions
from memory.views.people import people
from memory.views.person import person, person_fragment
from memory.views.proposals import approve, proposal, proposals, reject
from memory.views.query import query
from uac_site.api_docs import ApiDocsView
from uac_site.views import StaffLoginView

api = [
    *memory_api,
    path("users/<uuid:user_id>/alerts", AlertsView.as_view(), name="alerts"),
    path("schema", SpectacularAPIView.as_view(), name="schema"),
    path("docs", ApiDocsView.as_view(url_name="api:schema"), name="docs"),
    path("<path:address>", UnknownAddressView.as_view(), name="unknown"),
]

urlpatterns = [
    path("", alerts.dashboard, name="dashboard"),
    path("alerts", alerts.board, name="board"),
    path("alerts/<int:alert_id>", alerts.alert, name="alert"),
    path("alerts/<int:alert_id>/panel", alerts.panel, name="panel"),
    path("alerts/<int:alert_id>/acknowledge", alerts.acknowledge, name="acknowledge"),
    path("alerts/<int:alert_id>/override", alerts.override, name="override"),
    path("people", people, name="people"),
    path("people/<uuid:user_id>", person, name="person"),
    path("people/<uuid:user_id>/fragment", person_fragment, name="person_fragment"),
    path("people/<uuid:user_id>/query", query, name="person_query"),
    path("people/<uuid:user_id>/code", versions, name="versions"),
    path("people/<uuid:user_id>/code/compare", compare, name="compare"),
    path("proposals", proposals, name="proposals"),
    path("proposals/<uuid:proposal_id>", proposal, name="proposal"),
    path("proposals/<uuid:proposal_id>/approve", approve, name="approve"),
    path("proposals/<uuid:proposal_id>/reject", reject, name="reject"),
    path("favicon.ico", RedirectView.as_view(url="/static/favicon.svg", permanent=True)),
    path("login", StaffLoginView.as_view(), name="login"),
    path("logout", LogoutView.as_view(), name="logout"),
    path("api/v1/", include((api, "api"))),
    path("admin/", admin.site.urls),
]
