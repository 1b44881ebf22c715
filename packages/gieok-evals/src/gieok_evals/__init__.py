"""Measuring the memory: cases and scripts as data, small evaluators, frozen reports.

- `facts`: hand-written utterances, each with what should and must not be read from it.
- `frames`: every way to say a fact in the planted language, through the extractor alone.
- `planted`: whole conversations in which facts are planted, buried, changed and asked for again.
- `outside`: the same conversations, for any memory that an adapter of a few lines stands before.
- `retrieval`: questions about conversations and the turns that answer them, from public sets or one's own.
"""
