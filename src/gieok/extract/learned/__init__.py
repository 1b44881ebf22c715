"""The learned reader: a small tagger over conversation windows, trained from `training/`."""
