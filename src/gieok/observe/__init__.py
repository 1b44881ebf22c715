"""The write path: a turn becomes claims, claims become decisions, decisions become memories."""
