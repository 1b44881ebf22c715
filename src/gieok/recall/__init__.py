"""The read path: gathers candidates for a question, scores and diversifies them, makes a context. It never writes."""
