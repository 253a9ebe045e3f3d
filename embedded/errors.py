"""The one error that starting may end with."""


class LaunchError(Exception):
    """Something that must run cannot; the message is one sentence that names the cure."""
