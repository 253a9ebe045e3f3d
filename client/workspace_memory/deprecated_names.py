"""Earlier names of keyword arguments, which are taken for as long as programs may still say them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

C = TypeVar("C", bound=Callable[..., Any])


def takes_most(method: C) -> C:
    """Return a method that takes its `limit` under the earlier name `most` as well, with a DeprecationWarning."""

    @wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        if "most" in kwargs:
            if "limit" in kwargs:
                raise TypeError("`most` is the earlier name of `limit`: give it as `limit` alone.")
            warnings.warn("`most` is called `limit` now.", DeprecationWarning, stacklevel=2)
            kwargs["limit"] = kwargs.pop("most")
        return method(*args, **kwargs)

    return cast("C", call)
