"""`gieok presets` and `gieok init`: the five systems as settings, explained, and a settings file to begin with."""
