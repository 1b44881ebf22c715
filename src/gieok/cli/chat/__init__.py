"""Talking in the terminal, with a character that a model speaks for, or rules where there is none."""
