"""The JSON API: what a mind can do, over HTTP."""
