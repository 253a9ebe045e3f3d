"""The backing servers that come as wheels, started and watched without root, containers or configuration."""

from embedded.errors import LaunchError
from embedded.home import Home
from embedded.server_group import Services

__all__ = ["Home", "LaunchError", "Services"]
