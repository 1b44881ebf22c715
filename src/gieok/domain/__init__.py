"""Domain rules as pure functions over frozen values. No I/O, no clock, no randomness."""
