"""The order in which rows of several tables are deleted: those that hang on others first."""

from __future__ import annotations

from collections.abc import Collection
from graphlib import TopologicalSorter
from typing import Any

from django.db import models


def order_children_first(tables: Collection[type[Any]]) -> list[type[Any]]:
    """Return models in an order in which each comes before those that its rows point at."""
    order: TopologicalSorter[type[Any]] = TopologicalSorter(dict.fromkeys(tables, ()))
    for model in tables:
        for column in references(model, tables):
            order.add(column.related_model, model)
    return list(order.static_order())


def references(model: type[models.Model], tables: Collection[type[models.Model]]) -> list[models.ForeignKey[Any, Any]]:
    """Return the columns of a model that point at rows of other models among these."""
    return [
        column
        for column in model._meta.concrete_fields
        if isinstance(column, models.ForeignKey)
        and column.related_model in tables
        and column.related_model is not model
    ]
