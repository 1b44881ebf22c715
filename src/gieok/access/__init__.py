"""Who may do what: keys, roles, limits, and the guard at the door."""
