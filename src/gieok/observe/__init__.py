"""The write path: a turn becomes claims, claims become decisions, decisions become memories."""

from gieok.observe.editing import Editor
from gieok.observe.observing import Observer
from gieok.observe.rewinding import Rewinder

__all__ = ["Editor", "Observer", "Rewinder"]
