"""How fast it is here: a guide, not a test."""
