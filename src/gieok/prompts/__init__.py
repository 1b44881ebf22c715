"""Prompts: one document per task and language, rendered by pure functions, with typed answers."""
