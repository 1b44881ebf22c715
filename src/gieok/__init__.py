"""gieok (기억): long-term memory for AI characters, Korean first.

    import gieok

    bank = gieok.open("memories.db")
    letia = bank.scope(user="minsu", character="letia")
    letia.observe("나 고양이 좋아해", reply="저도 고양이 좋아해요!")
    letia.recall("반려동물")

Importing is cheap: a name brings its module along when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from gieok import moved

if TYPE_CHECKING:
    from gieok.bank import MemoryBank, Mind
    from gieok.bank import open_bank as open
    from gieok.bank.events import Event
    from gieok.bank.restore import rekey, restore
    from gieok.conversation import Conversation
    from gieok.domain.answer import Block, Context, Hit, Observed, Where
    from gieok.domain.claim import Claim
    from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
    from gieok.domain.emotion import Felt
    from gieok.domain.entity import Entity
    from gieok.domain.memory import Memory
    from gieok.domain.relationship import Manners, Relationship
    from gieok.domain.scene import Scene
    from gieok.domain.scope import Scope
    from gieok.domain.scoring import Parts, Weights
    from gieok.domain.turn import Turn, Utterance
    from gieok.errors import GieokError
    from gieok.settings import Settings

__version__ = "0.1.0"

moved.install()

__all__ = [
    "Block",
    "Claim",
    "Context",
    "Conversation",
    "Decision",
    "Entity",
    "Event",
    "Felt",
    "GieokError",
    "Hit",
    "Ignore",
    "Manners",
    "Memory",
    "MemoryBank",
    "Mind",
    "Observed",
    "Parts",
    "Reinforce",
    "Relationship",
    "Remember",
    "Retract",
    "Scene",
    "Scope",
    "Settings",
    "Supersede",
    "Turn",
    "Utterance",
    "Weights",
    "Where",
    "open",
    "rekey",
    "restore",
]

_HOMES = {
    "bank": ("MemoryBank", "Mind"),
    "bank.restore": ("rekey", "restore"),
    "bank.events": ("Event",),
    "conversation": ("Conversation",),
    "domain.answer": ("Block", "Context", "Hit", "Observed", "Where"),
    "domain.claim": ("Claim",),
    "domain.decision": ("Decision", "Ignore", "Reinforce", "Remember", "Retract", "Supersede"),
    "domain.emotion": ("Felt",),
    "domain.entity": ("Entity",),
    "domain.memory": ("Memory",),
    "domain.relationship": ("Manners", "Relationship"),
    "domain.scene": ("Scene",),
    "domain.scope": ("Scope",),
    "domain.scoring": ("Parts", "Weights"),
    "domain.turn": ("Turn", "Utterance"),
    "errors": ("GieokError",),
    "settings": ("Settings",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Bring a public name from its module at the first use (PEP 562)."""
    if name in ("aio", "errors"):
        return import_module(f"gieok.{name}")
    if name == "open":
        value = import_module("gieok.bank").open_bank
    elif name in _HOME_OF:
        value = getattr(import_module(f"gieok.{_HOME_OF[name]}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value
