"""The app `ontology`: what things are and how they hang together."""

from django.apps import AppConfig


class OntologyConfig(AppConfig):
    name = "ontology"
    verbose_name = "Ontology"

    def ready(self) -> None:
        """Register the staff pages."""
        from ontology.graph import admin as _graph  # noqa: F401, PLC0415  # Django itself looks at an app's top only
