"""Talking in the terminal, with a character that has no model behind it."""
