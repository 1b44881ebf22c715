"""Conversations between a user and a character that a model plays, stored in a mind."""

from gieok.conversation.conversation import Conversation

__all__ = ["Conversation"]
