"""`users/{id}/code`: a person's project as files, its versions, and what differs between them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from pydantic import Field
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from memory.api.base import CURSOR_PARAMETERS, READ_REFUSALS, Page, UserView, refusals
from memory.api.fields import Strict
from memory.api.problems import Problem
from memory.api.users import Head, head_json
from memory.code import baseline_of, load_project, project_of
from memory.files import File, files_of
from memory.models import CodeVersion, MemoryUser
from memory.project.export import zip_bytes
from memory.project.review.tree import changed_files
from memory.project.tree import Project
from memory.project.unified import unified_diff
from memory.rights import Right

LONGEST_PATH = 500


class FileOut(Strict):
    """A file: whence it is, and what it holds."""

    path: str
    layer: Literal["baseline", "overlay", "generated"] = Field(
        description="Generated files are rendered from the records and belong to no version."
    )
    digest: str = Field(description="SHA-256 of the UTF-8.")
    size: int = Field(description="Bytes.")
    url: str


class CodeOut(Strict):
    """A person's project as it is now."""

    user_id: UUID
    head: Head
    digest: str = Field(description="Of the project, generated files left out.")
    baseline: str = Field(description="Digest of the baseline it was built on.")
    version: int | None = Field(description="Number of the active version; null: the baseline.")
    files: list[FileOut]


class FileText(FileOut):
    """A file with its text."""

    text: str


class VersionOut(Strict):
    """A version that somebody approved."""

    number: int
    digest: str
    parent: str
    baseline: str
    overlay: list[str]
    summary: str
    approved_at: datetime
    approved_by: str
    active: bool


class VersionPage(Strict):
    items: list[VersionOut]
    next: str | None


class ChangeOut(Strict):
    """A file that differs, as a unified diff."""

    path: str
    status: Literal["added", "removed", "changed"]
    diff: str


class CompareOut(Strict):
    """What differs between two versions."""

    from_: str = Field(alias="from")
    to: str
    files: list[ChangeOut]


class ZipRenderer(BaseRenderer):
    """Lets a client ask for `application/zip`; only problems are rendered by it, as JSON."""

    media_type = "application/zip"
    format = "zip"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return json.dumps(data).encode()


def _file_json(request: Request, user: MemoryUser, file: File) -> dict[str, Any]:
    address = reverse("api:code_file", [user.pk], request=request)
    return {
        "path": file.path,
        "layer": file.layer,
        "digest": file.digest,
        "size": file.size,
        "url": f"{address}?path={file.path}",
    }


def _active_number(user: MemoryUser, project: Project) -> int | None:
    found = CodeVersion.objects.filter(user=user, tree_id=project.digest).order_by("-number")
    return found.values_list("number", flat=True).first()


class CodeView(UserView):
    rights = {"GET": Right.CODE_READ}

    @extend_schema(operation_id="get_code", responses={200: CodeOut, **READ_REFUSALS})
    def get(self, request: Request, user_id: UUID) -> Response:
        """The files of the person's project, and which version of it is active."""
        user = self.memory_user(request, user_id)
        found = files_of(user.pk, now=timezone.now())
        return Response(
            {
                "user_id": str(user.pk),
                "head": head_json(found.user),
                "digest": found.project.digest,
                "baseline": found.baseline.digest,
                "version": _active_number(found.user, found.project),
                "files": [_file_json(request, user, file) for file in found.files],
            }
        )


class CodeFileView(UserView):
    rights = {"GET": Right.CODE_READ}

    @extend_schema(
        operation_id="get_code_file",
        parameters=[OpenApiParameter("path", str, required=True, description="As in the list.")],
        responses={200: FileText, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """One file of the project with its text, the rendered ones included."""
        user = self.memory_user(request, user_id)
        path = request.query_params.get("path", "")
        if not path:
            raise Problem(400, "Bad query", "Give path, such as domains/travel/schema.py.")
        for file in files_of(user.pk, now=timezone.now()).files:
            if file.path == path:
                return Response({**_file_json(request, user, file), "text": file.text})
        detail = f"The project has no file {path[:LONGEST_PATH]}; see the list at /code."
        raise Problem(404, "Not found", detail)


class CodeVersionsView(UserView):
    rights = {"GET": Right.CODE_READ}

    @extend_schema(
        operation_id="list_code_versions",
        parameters=CURSOR_PARAMETERS,
        responses={200: VersionPage, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """The versions of the person's project, by number; newest first unless told."""
        user = self.memory_user(request, user_id)
        page = Page(request)
        rows = CodeVersion.objects.filter(user=user).select_related("approved_by")
        if page.after is not None:
            side = "lt" if page.newest_first else "gt"
            rows = rows.filter(**{f"number__{side}": page.after})
        found = list(rows.order_by("-number" if page.newest_first else "number")[: page.limit])
        active = _active_number(user, project_of(user))
        items = [_version_json(version, active) for version in found]
        return Response(page.answer(items, [version.number for version in found]))


def _version_json(version: CodeVersion, active: int | None) -> dict[str, Any]:
    return {
        "number": version.number,
        "digest": version.tree_id,
        "parent": version.parent,
        "baseline": version.baseline_id,
        "overlay": version.overlay,
        "summary": version.summary,
        "approved_at": version.approved_at,
        "approved_by": version.approved_by.get_username(),
        "active": version.number == active,
    }


class CodeCompareView(UserView):
    rights = {"GET": Right.CODE_READ}

    @extend_schema(
        operation_id="compare_code",
        parameters=[
            OpenApiParameter(
                name,
                str,
                description=f'A version\'s number, "baseline" or "active"; {usual} first.',
            )
            for name, usual in (("from", "baseline"), ("to", "active"))
        ],
        responses={200: CompareOut, **READ_REFUSALS},
    )
    def get(self, request: Request, user_id: UUID) -> Response:
        """What differs between two versions of the project, a unified diff for each file."""
        user = self.memory_user(request, user_id)
        old, new = (
            self._named(request, user, "from", "baseline"),
            self._named(request, user, "to", "active"),
        )
        changes = changed_files(old.files, new.files)
        return Response(
            {
                "from": old.digest,
                "to": new.digest,
                "files": [
                    {"path": one.path, "status": one.status, "diff": unified_diff(one)}
                    for one in changes
                ],
            }
        )

    def _named(self, request: Request, user: MemoryUser, name: str, usual: str) -> Project:
        """The project that a parameter names. Raises Problem."""
        said = request.query_params.get(name, usual)
        if said == "baseline":
            return baseline_of(user)
        if said == "active":
            return project_of(user)
        if not (said.isascii() and said.isdigit() and len(said) < 10):
            detail = f'{name} is the number of a version, "baseline" or "active".'
            raise Problem(400, "Bad query", detail)
        version = CodeVersion.objects.filter(user=user, number=int(said)).first()
        if version is None:
            raise Problem(404, "Not found", f"There is no version {said}; see /code/versions.")
        return load_project(version.tree_id)


class CodeZipView(UserView):
    rights = {"GET": Right.CODE_READ}

    renderer_classes = (JSONRenderer, ZipRenderer)

    @extend_schema(
        operation_id="download_code",
        responses={
            (200, "application/zip"): OpenApiTypes.BINARY,
            **READ_REFUSALS,
            **refusals(406),
        },
    )
    def get(self, request: Request, user_id: UUID) -> HttpResponse:
        """The project with library and runner: unpacked, `python -m uac_runner` runs its rules."""
        user = self.memory_user(request, user_id)
        found = files_of(user.pk, now=timezone.now())
        answer = HttpResponse(zip_bytes(found.exported), content_type="application/zip")
        answer["Content-Disposition"] = f'attachment; filename="{user.pk}.zip"'
        return answer
