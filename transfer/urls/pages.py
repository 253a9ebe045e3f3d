"""Console addresses of transfers: under /w/<slug>/, and of receipts of erasures, whose workspace is gone."""

from django.urls import URLPattern, path

from core.http.slow_page_marker import waits
from transfer.erasure.pages import erase, erase_workspace, erasure_receipt, erasures
from transfer.imports.pages import data, export_file, import_file, import_state
from transfer.undo.pages import undo_preview, undo_revert, undo_state

urlpatterns: list[URLPattern] = [
    path("w/<slug:slug>/settings/data", data, name="settings-data"),
    path("w/<slug:slug>/settings/data/export", waits(export_file), name="settings-data-export"),
    path("w/<slug:slug>/settings/data/import", waits(import_file), name="settings-data-import"),
    path("w/<slug:slug>/settings/data/imports/<uuid:import_id>", import_state, name="settings-import"),
    path("w/<slug:slug>/spaces/erase", erase, name="space-erase"),
    path("w/<slug:slug>/settings/delete", erase_workspace, name="settings-delete"),
    path("w/<slug:slug>/undo", waits(undo_preview), name="undo-preview"),
    path("w/<slug:slug>/undo/<uuid:undo_id>", undo_state, name="undo"),
    path("w/<slug:slug>/undo/<uuid:undo_id>/revert", waits(undo_revert), name="undo-revert"),
    path("erasures", erasures, name="erasures"),
    path("erasures/<uuid:erasure_id>", erasure_receipt, name="erasure"),
]
