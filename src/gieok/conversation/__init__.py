"""Conversations between a user and a character played by a model, stored in a mind."""

from gieok.conversation.conversation import Conversation

__all__ = ["Conversation"]
