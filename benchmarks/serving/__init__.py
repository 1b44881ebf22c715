"""Parts of serve.py: a server in a process of its own, and many clients at once."""
