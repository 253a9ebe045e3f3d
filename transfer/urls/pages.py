"""Console addresses of erasure: under /w/<slug>/, and of receipts, whose workspace is gone."""

from django.urls import URLPattern, path

from transfer.erasure.pages import erase, erase_workspace, erasure_receipt, erasures

urlpatterns: list[URLPattern] = [
    path("w/<slug:slug>/spaces/erase", erase, name="space-erase"),
    path("w/<slug:slug>/settings/delete", erase_workspace, name="settings-delete"),
    path("erasures", erasures, name="erasures"),
    path("erasures/<uuid:erasure_id>", erasure_receipt, name="erasure"),
]
