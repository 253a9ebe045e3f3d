"""REST addresses of transfers, under /v1/workspaces/{ws}/."""

from django.urls import URLPattern, path

from transfer.erasure.api import SpaceView
from transfer.exports import api as exports_api
from transfer.imports import api
from transfer.undo import api as undo_api

urlpatterns: list[URLPattern] = [
    path("export", exports_api.ExportView.as_view(), name="api-export"),
    path("import", api.ImportView.as_view(), name="api-import-bulk"),
    path("import/items", api.ItemsView.as_view(), name="api-import-items-bulk"),
    path("imports", api.ImportsView.as_view(), name="api-imports"),
    path("imports/<str:import_id>", api.OneImportView.as_view(), name="api-import"),
    path("imports/<str:import_id>/parts/<str:number>", api.ImportPartView.as_view(), name="api-import-part-bulk"),
    path("imports/<str:import_id>/start", api.ImportStartView.as_view(), name="api-import-start"),
    path("imports/<str:import_id>/map", api.ImportMapView.as_view(), name="api-import-map"),
    path("undo", undo_api.UndoView.as_view(), name="api-undos"),
    path("undo/<str:undo_id>", undo_api.OneUndoView.as_view(), name="api-undo"),
    path("undo/<str:undo_id>/revert", undo_api.UndoRevertView.as_view(), name="api-undo-revert"),
    path("spaces/<path:space>", SpaceView.as_view(), name="api-space"),
]
