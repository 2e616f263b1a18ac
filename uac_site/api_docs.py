"""The browsable page of the API."""

from __future__ import annotations

from csp.constants import SELF
from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularSwaggerSplitView

# Swagger UI sets styles on elements; scripts stay the site's own
_STYLES = csp_update({"style-src": [SELF, "'unsafe-inline'"]})


@method_decorator(_STYLES, name="dispatch")
class ApiDocsView(SpectacularSwaggerSplitView):
    """Swagger UI from the package's own files, its start script a separate one, for the CSP."""
