"""What a memory is and where it came from, as the choices of its columns."""

from __future__ import annotations

from django.db import models


class Kind(models.TextChoices):
    """A memory is weighed against other context; a fact is authoritative. The node's type says which."""

    MEMORY = "memory"
    FACT = "fact"


class Source(models.TextChoices):
    """Where a memory came from."""

    USER = "user"
    AGENT = "agent"
    EXTRACTION = "extraction"
    IMPORT = "import"
