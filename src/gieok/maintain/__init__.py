"""Upkeep: passes that merge, promote, prune, reflect and summarise what is remembered, as pure decisions."""
