"""Memories for `gieok eval run --adapter examples/adapter.py:LastLines` (docs/measuring.md): a naive one, and gieok."""

from collections import defaultdict, deque
from tempfile import TemporaryDirectory

import gieok


class LastLines:
    """Keeps the last twenty lines of each user, and answers everything with them, newest first."""

    def __init__(self):
        self.lines = defaultdict(lambda: deque(maxlen=20))

    def observe(self, user, text, reply, at):
        self.lines[user].appendleft(text)

    def ask(self, user, question):
        return list(self.lines[user])


class Gieok:
    """Remembers with gieok, and answers with what it recalls."""

    def __init__(self):
        self.folder = TemporaryDirectory()
        self.bank = gieok.open(f"{self.folder.name}/memories.db")

    def observe(self, user, text, reply, at):
        self.now = at
        self.bank.scope(user=user, character="letia").observe(text, reply=reply, at=at)

    def ask(self, user, question):
        hits = self.bank.scope(user=user, character="letia").recall(question, k=10, at=self.now)
        return [hit.text for hit in hits]

    def close(self):
        self.bank.close()
        self.folder.cleanup()
