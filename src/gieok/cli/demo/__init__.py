"""The demo: a story of some weeks, played through a real bank in seconds."""
