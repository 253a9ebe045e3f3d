"""The app `ontology`: what things are and how they hang together."""

from django.apps import AppConfig


class OntologyConfig(AppConfig):
    name = "ontology"
    verbose_name = "Ontology"
