"""Every address of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView

from alerts.api import webhooks
from alerts.api.alerts import AlertsView
from alerts.api.context import ContextView
from alerts.api.handling import (
    AcknowledgeView,
    OverrideView,
    ReopenView,
    ResolveView,
    ShelveView,
    UnshelveView,
)
from alerts.api.proof import ProveView
from alerts.figures.page import figures_page
from alerts.views import dashboard, handling, rules
from alerts.views.back_then import fired_then
from alerts.views.proving import prove_alert
from alerts.views.trying import try_it
from memory.api.unknown import UnknownAddressView
from memory.api.urls import urlpatterns as memory_api
from memory.views import code_edits, code_files, line_comments, person_data, work
from memory.views.ask import ask as ask_person
from memory.views.audit import audit_csv, audit_page
from memory.views.code import compare, versions
from memory.views.correction import correct
from memory.views.model import model, retry_model
from memory.views.needs import ask, person_needs, try_again
from memory.views.people import people
from memory.views.person import person, person_fragment
from memory.views.proposals import approve, changes, proposal, proposal_file, rebuild, reject
from memory.views.query import query
from memory.views.queue import queue, queue_count, queue_list
from memory.views.reading import again, confirm, person_reading, refuse
from memory.views.reference import table_row, tables
from memory.views.search import person_search
from uac_site.api_docs import ApiDocsView
from uac_site.home import home
from uac_site.operations import page as operations_page
from uac_site.operations import probes

api = [
    *memory_api,
    path("users/<uuid:user_id>/alerts", AlertsView.as_view(), name="alerts"),
    path("users/<uuid:user_id>/context", ContextView.as_view(), name="context"),
    *(
        path(f"users/<uuid:user_id>/alerts/<int:alert_id>/{verb}", view.as_view(), name=verb)
        for verb, view in (
            ("acknowledge", AcknowledgeView),
            ("shelve", ShelveView),
            ("unshelve", UnshelveView),
            ("override", OverrideView),
            ("reopen", ReopenView),
            ("resolve", ResolveView),
            ("prove", ProveView),
        )
    ),
    path("webhooks", webhooks.WebhooksView.as_view(), name="webhooks"),
    path("webhooks/<uuid:webhook_id>", webhooks.WebhookView.as_view(), name="webhook"),
    path(
        "webhooks/<uuid:webhook_id>/rotate",
        webhooks.RotateWebhookView.as_view(),
        name="rotate_webhook",
    ),
    path("webhooks/<uuid:webhook_id>/end", webhooks.EndWebhookView.as_view(), name="end_webhook"),
    path(
        "webhooks/<uuid:webhook_id>/test",
        webhooks.TestWebhookView.as_view(),
        name="test_webhook",
    ),
    path(
        "webhooks/<uuid:webhook_id>/deliveries",
        webhooks.DeliveriesView.as_view(),
        name="deliveries",
    ),
    path(
        "webhooks/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/replay",
        webhooks.ReplayView.as_view(),
        name="replay_delivery",
    ),
    path("schema", SpectacularAPIView.as_view(), name="schema"),
    path("docs", ApiDocsView.as_view(url_name="api:schema"), name="docs"),
    re_path(r"^(?P<address>(?s:.*))$", UnknownAddressView.as_view(), name="unknown"),
]

handler500 = "uac_site.errors.server_error"

urlpatterns = [
    path("healthz", probes.healthz, name="healthz"),
    path("readyz", probes.readyz, name="readyz"),
    path("metrics", probes.metrics, name="metrics"),
    path("", dashboard.dashboard, name="dashboard"),
    path("home", home, name="home"),
    path("alerts", dashboard.board, name="board"),
    path("alerts/<int:alert_id>", dashboard.alert, name="alert"),
    path("alerts/<int:alert_id>/panel", dashboard.panel, name="panel"),
    path("alerts/<int:alert_id>/acknowledge", handling.acknowledge, name="acknowledge"),
    path("alerts/<int:alert_id>/override", handling.override, name="override"),
    path("alerts/<int:alert_id>/shelve", handling.shelve, name="shelve"),
    path("alerts/<int:alert_id>/reopen", handling.reopen, name="reopen"),
    path("alerts/<int:alert_id>/resolve", handling.resolve, name="resolve"),
    path("alerts/<int:alert_id>/prove", prove_alert, name="prove"),
    path("figures", figures_page, name="figures"),
    path("concerns/<int:concern_id>/dismiss", handling.dismiss, name="dismiss_concern"),
    path("concerns/<int:concern_id>/send", handling.send, name="send_concern"),
    path("people", people, name="people"),
    path("people/<uuid:user_id>", person, name="person"),
    path("people/<uuid:user_id>/fragment", person_fragment, name="person_fragment"),
    path("people/<uuid:user_id>/ask", ask_person, name="person_ask"),
    path("people/<uuid:user_id>/query", query, name="person_query"),
    path("people/<uuid:user_id>/facts/<int:seq>/correct", correct, name="correct_fact"),
    path("people/<uuid:user_id>/search", person_search, name="person_search"),
    path("people/<uuid:user_id>/code", versions, name="versions"),
    path("people/<uuid:user_id>/code/compare", compare, name="compare"),
    path("people/<uuid:user_id>/code/zip", code_files.code_zip, name="code_zip"),
    path("people/<uuid:user_id>/code/<int:number>", code_files.version, name="version"),
    path("people/<uuid:user_id>/code/<int:number>/zip", code_files.version_zip, name="version_zip"),
    path(
        "people/<uuid:user_id>/code/<int:number>/<slug:key>",
        code_files.version_file,
        name="version_file",
    ),
    path(
        "people/<uuid:user_id>/code/<int:number>/<slug:key>/blame",
        code_files.version_blame,
        name="version_blame",
    ),
    path(
        "people/<uuid:user_id>/code/<int:number>/<slug:key>/raw",
        code_files.version_raw,
        name="version_raw",
    ),
    path("people/<uuid:user_id>/code/edit", code_edits.begin, name="edit_code"),
    path(
        "people/<uuid:user_id>/code/versions/<int:number>/restore",
        code_edits.restore,
        name="restore_version",
    ),
    path("edits/<uuid:edit_id>", code_edits.edit, name="edit"),
    path("edits/<uuid:edit_id>/status", code_edits.edit_status, name="edit_status"),
    path("people/<uuid:user_id>/then", fired_then, name="fired_then"),
    path("people/<uuid:user_id>/rules/<str:name>", rules.person_rule, name="person_rule"),
    path("rules", rules.rules, name="rules"),
    path("rules/<str:name>", rules.rule, name="rule"),
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
    path("proposals", queue, name="proposals"),
    path("proposals/list", queue_list, name="queue_list"),
    path("proposals/count", queue_count, name="queue_count"),
    path("proposals/<uuid:proposal_id>", proposal, name="proposal"),
    path("proposals/<uuid:proposal_id>/approve", approve, name="approve"),
    path("proposals/<uuid:proposal_id>/reject", reject, name="reject"),
    path("proposals/<uuid:proposal_id>/changes", changes, name="request_changes"),
    path("proposals/<uuid:proposal_id>/rebuild", rebuild, name="rebuild"),
    path(
        "proposals/<uuid:proposal_id>/files/<slug:key>",
        proposal_file,
        name="proposal_file",
    ),
    path("proposals/<uuid:proposal_id>/edit", code_edits.begin_of_proposal, name="edit_proposal"),
    path("proposals/<uuid:proposal_id>/comments", line_comments.comments, name="comments"),
    path("comments/<int:comment_id>/resolve", line_comments.resolve, name="resolve_comment"),
    path("office/model", model, name="model"),
    path("office/model/retry", retry_model, name="retry_model"),
    path("office/operations", operations_page.operations, name="operations"),
    path("office/operations/now", operations_page.fragment, name="operations_fragment"),
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
