"""What the OpenAPI description needs to know that the views do not say."""

from __future__ import annotations

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class AppKeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the description names the key."""

    target_class = "memory.api.authentication.AppKeyAuthentication"
    name = "appKey"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "An app key, `uac_…`."}
