"""How a reader wants to see a diff: in one column or side by side, folded or whole."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest

from memory.project.review.render import View


@dataclass(frozen=True)
class DiffModes:
    """`?view=split` sets both sides beside each other, `?lines=all` opens every folded run."""

    view: View
    all_lines: bool
    page: tuple[tuple[str, str], ...] = ()
    """What else the page's address asks for."""

    @property
    def other_view(self) -> str:
        """The query that shows the same in the other view."""
        return self._query("unified" if self.view == "split" else "split", self.all_lines)

    @property
    def other_lines(self) -> str:
        """The query that opens what is folded, or folds it again."""
        return self._query(self.view, not self.all_lines)

    def _query(self, view: View, all_lines: bool) -> str:
        asked = [("view", "split")] if view == "split" else []
        asked += [("lines", "all")] if all_lines else []
        return f"?{urlencode([*self.page, *asked])}"


def modes_of(request: HttpRequest, *page: tuple[str, str]) -> DiffModes:
    """The modes that a request asks for; `page` are the other parts of its query."""
    view: View = "split" if request.GET.get("view") == "split" else "unified"
    return DiffModes(view, request.GET.get("lines") == "all", page)
