"""The JSON API: the calls of a mind over HTTP."""
