"""Prompts: a document for each task and language, rendered by pure functions, with typed answers."""
