"""Console addresses of erasure, under /w/<slug>/."""

from django.urls import URLPattern, path

from transfer.erasure.pages import erase

urlpatterns: list[URLPattern] = [path("w/<slug:slug>/spaces/erase", erase, name="space-erase")]
