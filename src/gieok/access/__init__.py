"""Access control: keys, roles, limits, and the check of every request."""
