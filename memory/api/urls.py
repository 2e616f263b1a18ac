"""The memory's part of `/api/v1/`."""

from __future__ import annotations

from django.urls import path

from memory.api.ask import AskView
from memory.api.code import (
    CodeCompareView,
    CodeFileView,
    CodeVersionsView,
    CodeView,
    CodeZipView,
)
from memory.api.facts import FactsView
from memory.api.jobs import CancelJobView, JobsView
from memory.api.key import KeyView
from memory.api.messages import MessagesView
from memory.api.needs import NeedsView
from memory.api.query import QueryView
from memory.api.reading import QuestionsView, ReadingView
from memory.api.search import SearchView
from memory.api.state import RecordsView, StateView
from memory.api.users import UserDetailView, UsersView

urlpatterns = [
    path("key", KeyView.as_view(), name="key"),
    path("users", UsersView.as_view(), name="users"),
    path("users/<uuid:user_id>", UserDetailView.as_view(), name="user"),
    path("users/<uuid:user_id>/facts", FactsView.as_view(), name="facts"),
    path("users/<uuid:user_id>/messages", MessagesView.as_view(), name="messages"),
    path("users/<uuid:user_id>/reading", ReadingView.as_view(), name="reading"),
    path("users/<uuid:user_id>/questions", QuestionsView.as_view(), name="questions"),
    path("users/<uuid:user_id>/jobs", JobsView.as_view(), name="jobs"),
    path(
        "users/<uuid:user_id>/jobs/<uuid:job_id>/cancel",
        CancelJobView.as_view(),
        name="cancel_job",
    ),
    path("users/<uuid:user_id>/needs", NeedsView.as_view(), name="needs"),
    path("users/<uuid:user_id>/search", SearchView.as_view(), name="search"),
    path("users/<uuid:user_id>/state", StateView.as_view(), name="state"),
    path("users/<uuid:user_id>/state/<str:kind>", RecordsView.as_view(), name="records"),
    path("users/<uuid:user_id>/query", QueryView.as_view(), name="query"),
    path("users/<uuid:user_id>/ask", AskView.as_view(), name="ask"),
    path("users/<uuid:user_id>/code", CodeView.as_view(), name="code"),
    path("users/<uuid:user_id>/code.zip", CodeZipView.as_view(), name="code_zip"),
    path("users/<uuid:user_id>/code/file", CodeFileView.as_view(), name="code_file"),
    path("users/<uuid:user_id>/code/versions", CodeVersionsView.as_view(), name="code_versions"),
    path("users/<uuid:user_id>/code/compare", CodeCompareView.as_view(), name="code_compare"),
]
