"""The browsable page of the API."""

from __future__ import annotations

from csp.constants import SELF
from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularSwaggerSplitView

# The package's style sheet carries its signs as data; nothing is inline
_SIGNS = csp_update({"img-src": [SELF, "data:"]})


@method_decorator(_SIGNS, name="dispatch")
class ApiDocsView(SpectacularSwaggerSplitView):
    """Swagger UI from the package's own files, with a page and a start script fit for the CSP."""
