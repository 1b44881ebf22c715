"""The planted-facts test: facts are planted in a long conversation, buried in noise, changed, and asked for again.

Beside these modules stand the two splits of its language, `dev` and `test`, written by different authors. Rules may
be written while looking at `dev`; nobody who writes rules looks at `test`.
"""
