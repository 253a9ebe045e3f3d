"""The app `telemetry`: what agents did and what keeps going wrong."""

from django.apps import AppConfig


class TelemetryConfig(AppConfig):
    name = "telemetry"
    verbose_name = "Telemetry"
