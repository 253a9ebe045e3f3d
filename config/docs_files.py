"""The docs as the server has them: files of Markdown, answered as text to everybody."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from core.errors import NotFoundError


@require_safe
def docs_file(request: HttpRequest, page: str) -> HttpResponse:
    """Render a page of the docs, which hold nothing of anybody. Raises NotFoundError for what is none."""
    folder = (settings.ROOT / "docs").resolve()
    names = {str(path.relative_to(folder)): path for path in folder.rglob("*.md")}  # a path is compared, never joined
    if page not in names:
        raise NotFoundError("There is no such page of the docs.")
    return HttpResponse(names[page].read_bytes(), content_type="text/plain; charset=utf-8")
