"""The read path: a question gathers candidates, they are scored, spread out and put into a context. It never writes."""
