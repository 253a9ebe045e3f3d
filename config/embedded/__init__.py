"""The backing servers that come as wheels, started and watched without root, containers or configuration."""

from config.embedded.errors import LaunchError
from config.embedded.home import Home
from config.embedded.services import Services

__all__ = ["Home", "LaunchError", "Services"]
