"""Measures of gieok's memory. The commands of `gieok eval` are in `commands`.

- `facts`: hand-written utterances, with the facts that should and must not be read from them.
- `frames`: every sentence frame of the planted language, read by the extractor alone.
- `planted`: long conversations in which facts are told, changed and asked for again.
- `outside`: the same conversations for any memory system, through a small adapter.
- `retrieval`: questions about conversations and the turns that answer them, from public datasets or your own.
- `year`: ten simulated users over a year.
- `emotion`, `pii`: labelled texts.
"""
