"""What a server keeps in a bank beside memories: keys, answers to repeat, webhooks with their letters, documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from gieok.domain.desk import AccessKey, Document, KeptAnswer, Letter, Webhook


class Desk(Protocol):
    """What a server keeps."""

    def keep_key(self, key: AccessKey) -> None:
        """Keep a new key, or one that has changed."""
        ...

    def access_keys(self) -> list[AccessKey]:
        """Return all keys, oldest first, revoked ones too."""
        ...

    def count_uses(self, day: str, uses: Mapping[str, int]) -> None:
        """Add to the requests that keys (by id) made on a day ("2026-11-15", UTC)."""
        ...

    def uses(self, day: str) -> dict[str, int]:
        """Return the requests of a day by key id."""
        ...

    def answer(self, name: str, now: datetime) -> KeptAnswer | None: ...

    def keep_answer(self, name: str, answer: KeptAnswer, *, until: datetime, now: datetime) -> KeptAnswer:
        """Keep an answer and return it; one that is kept under that name already stays, and is returned instead.

        What is past its time goes.
        """
        ...

    def keep_webhook(self, webhook: Webhook) -> None: ...

    def webhooks(self) -> list[Webhook]:
        """Return all webhooks, oldest first."""
        ...

    def drop_webhook(self, webhook_id: str) -> bool:
        """Drop a webhook with the letters to it; False: there is none."""
        ...

    def lease(self, webhook_id: str, holder: str, *, until: datetime, now: datetime) -> bool:
        """Let `holder` alone bring the letters to a webhook until then; False: another one does, or there is none.

        Holding it again prolongs it. One that was taken by a clock which has been set back since does not count.
        """
        ...

    def let_go(self, webhook_id: str, holder: str) -> None:
        """Give a lease back; one that is not held does no harm."""
        ...

    def post(self, letters: Sequence[Letter]) -> None:
        """Keep letters until they are delivered."""
        ...

    def due_letters(self, webhook_id: str, now: datetime, limit: int) -> list[Letter]:
        """Return the letters to a webhook that may be tried now, in the order in which they were posted."""
        ...

    def waiting_letters(self) -> dict[str, int]:
        """Return how many letters wait, by webhook id."""
        ...

    def put_off(self, letter: Letter) -> None:
        """Keep a letter's tries and when it is due next."""
        ...

    def drop_letter(self, number: int) -> None: ...

    def put_document(self, document: Document) -> None:
        """Keep a document; one of that name is replaced, but stays as old as it is.

        Raises `InvalidText` where it holds a NUL or half a character.
        """
        ...

    def document(self, namespace: Sequence[str], key: str) -> Document | None: ...

    def documents(self, prefix: Sequence[str] = ()) -> list[Document]:
        """Return the documents whose namespace begins with `prefix`, by namespace and key."""
        ...

    def drop_document(self, namespace: Sequence[str], key: str) -> Document | None:
        """Drop a document and return it; None: there was none."""
        ...
