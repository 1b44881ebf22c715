"""The Model Context Protocol: a memory as tools."""
