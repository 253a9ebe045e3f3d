"""Layers of a context, in the order in which they are read. Adding one is a module here and a line below."""

from memory.recall.layers.base import Layer
from memory.recall.layers.episodes import EpisodesLayer
from memory.recall.layers.facts import FactsLayer
from memory.recall.layers.memories import MemoriesLayer
from memory.recall.layers.messages import MessagesLayer
from memory.recall.layers.nodes import NodesLayer
from memory.recall.layers.patterns import PatternsLayer
from memory.recall.layers.profile import ProfileLayer
from memory.recall.layers.statements import StatementsLayer

LAYERS: tuple[Layer, ...] = (
    EpisodesLayer(),
    ProfileLayer(),
    StatementsLayer(),
    MessagesLayer(),
    FactsLayer(),
    MemoriesLayer(),
    NodesLayer(),
    PatternsLayer(),
)
