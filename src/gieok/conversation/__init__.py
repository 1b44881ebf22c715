"""A talk between a user and a character that a model speaks for, over a mind that remembers it."""

from gieok.conversation.conversation import Conversation

__all__ = ["Conversation"]
