"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

from alerts import rule_views
from alerts import views as alerts
from alerts.api import AlertsView
from alerts.try_views import try_it
from memory.api.unknown import UnknownAddressView
from memory.api.urls import urlpatterns as memory_api
from memory.views import person_data, work
from memory.views.audit import audit_csv, audit_page
from memory.views.code import compare, versions
from memory.views.model import model, retry_model
from memory.views.needs import ask, person_needs, try_again
from memory.views.people import people
from memory.views.person import person, person_fragment
from memory.views.proposals import approve, changes, proposal, proposals, reject
from memory.views.query import query
from memory.views.reading import again, confirm, person_reading, refuse
from memory.views.reference import table_row, tables
from uac_site.api_docs import ApiDocsView
from uac_site.home import home

api = [
    *memory_api,
    path("users/<uuid:user_id>/alerts", AlertsView.as_view(), name="alerts"),
    path("schema", SpectacularAPIView.as_view(), name="schema"),
    path("docs", ApiDocsView.as_view(url_name="api:schema"), name="docs"),
    re_path(r"^(?P<address>(?s:.*))$", UnknownAddressView.as_view(), name="unknown"),
]

urlpatterns = [
    path("", alerts.dashboard, name="dashboard"),
    path("home", home, name="home"),
    path("alerts", alerts.board, name="board"),
    path("alerts/<int:alert_id>", alerts.alert, name="alert"),
    path("alerts/<int:alert_id>/panel", alerts.panel, name="panel"),
    path("alerts/<int:alert_id>/acknowledge", alerts.acknowledge, name="acknowledge"),
    path("alerts/<int:alert_id>/override", alerts.override, name="override"),
    path("concerns/<int:concern_id>/dismiss", alerts.dismiss, name="dismiss_concern"),
    path("concerns/<int:concern_id>/send", alerts.send, name="send_concern"),
    path("people", people, name="people"),
    path("people/<uuid:user_id>", person, name="person"),
    path("people/<uuid:user_id>/fragment", person_fragment, name="person_fragment"),
    path("people/<uuid:user_id>/query", query, name="person_query"),
    path("people/<uuid:user_id>/code", versions, name="versions"),
    path("people/<uuid:user_id>/code/compare", compare, name="compare"),
    path("people/<uuid:user_id>/rules/<str:name>", rule_views.person_rule, name="person_rule"),
    path("rules", rule_views.rules, name="rules"),
    path("rules/<str:name>", rule_views.rule, name="rule"),
    path("tables", tables, name="tables"),
    path("tables/<str:row_id>", table_row, name="table_row"),
    path("try", try_it, name="try_it"),
    path("people/<uuid:user_id>/reading", person_reading, name="person_reading"),
    path("people/<uuid:user_id>/reading/again", again, name="read_again"),
    path("people/<uuid:user_id>/needs", person_needs, name="person_needs"),
    path("people/<uuid:user_id>/needs/ask", ask, name="ask_for_code"),
    path("needs/<int:need_id>/again", try_again, name="try_need_again"),
    path("people/<uuid:user_id>/reading/now", work.read, name="read_now"),
    path("people/<uuid:user_id>/jobs/<uuid:job_id>/cancel", work.cancel, name="cancel_work"),
    path("held/<int:held_id>/confirm", confirm, name="confirm_held"),
    path("held/<int:held_id>/refuse", refuse, name="refuse_held"),
    path("proposals", proposals, name="proposals"),
    path("proposals/<uuid:proposal_id>", proposal, name="proposal"),
    path("proposals/<uuid:proposal_id>/approve", approve, name="approve"),
    path("proposals/<uuid:proposal_id>/reject", reject, name="reject"),
    path("proposals/<uuid:proposal_id>/changes", changes, name="request_changes"),
    path("office/model", model, name="model"),
    path("office/model/retry", retry_model, name="retry_model"),
    path("audit", audit_page, name="audit"),
    path("audit.csv", audit_csv, name="audit_csv"),
    path("data", person_data.data, name="data"),
    path("people/<uuid:user_id>/data", person_data.person_data, name="person_data"),
    path("people/<uuid:user_id>/export", person_data.export, name="export_person"),
    path("people/<uuid:user_id>/erase", person_data.ask, name="ask_erasure"),
    path("erasures/<uuid:erasure_id>/confirm", person_data.confirm, name="confirm_erasure"),
    path("erasures/<uuid:erasure_id>/withdraw", person_data.withdraw, name="withdraw_erasure"),
    path("favicon.ico", RedirectView.as_view(url="/static/favicon.svg", permanent=True)),
    path("", include("uac_site.accounts.urls")),
    path("api/v1/", include((api, "api"))),
    path("admin/", admin.site.urls),
]
