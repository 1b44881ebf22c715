"""The planted-facts test for any memory: it is told what was said and asked questions, and its answers are read.

An adapter of a few lines stands between: `observe(user, text, reply, at)` and `ask(user, question) -> list[str]`.
"""
