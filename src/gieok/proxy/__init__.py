"""Any chat client in front of any model, with a memory between the two."""
