"""The app `telemetry`: what agents did and what keeps going wrong."""

from django.apps import AppConfig


class TelemetryConfig(AppConfig):
    name = "telemetry"
    verbose_name = "Telemetry"

    def ready(self) -> None:
        """Register the staff pages."""
        from telemetry.actions import admin as _actions  # noqa: F401, PLC0415  # Django itself looks at an app's top only
        from telemetry.patterns import admin as _patterns  # noqa: F401, PLC0415  # Django itself looks at an app's top only
