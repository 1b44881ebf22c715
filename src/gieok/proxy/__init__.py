"""The proxy: adds a memory between any chat client and any model."""
