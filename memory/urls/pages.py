"""Console addresses of memories, under /w/<slug>/memory."""

from django.urls import URLPattern, path

from memory import pages
from memory.lifecycle import Verb

MEMORY = "w/<slug:slug>/memory"
ONE = f"{MEMORY}/<uuid:memory_id>"

urlpatterns: list[URLPattern] = [
    path(MEMORY, pages.listing, name="memory"),
    path(f"{MEMORY}/remember", pages.remember_page, name="memory-remember"),
    path(f"{MEMORY}/stale/purge", pages.purge, name="memory-purge"),
    path(ONE, pages.detail, name="memory-detail"),
    path(f"{ONE}/edit", pages.edit, name="memory-edit"),
    path(f"{ONE}/weigh", pages.weigh, name="memory-weigh"),
    *[path(f"{ONE}/{verb}", pages.change, {"verb": verb}, name=f"memory-{verb}") for verb in Verb],
]
