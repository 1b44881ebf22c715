"""A store whose turn log keeps its own words: whoever quotes, indexes or reads it for a model sees them masked.

Wraps a store where `pii_turns = "keep"`. Only what holds utterances is looked at; all else is the store's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

from gieok.domain.answer import Item
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn, Utterance
from gieok.ports import Masker, Room, Store, Unembedded, View


class QuotingStore:
    """Wraps a store; everything that gives no utterances is the store's own."""

    def __init__(self, store: Store, mask: Masker) -> None:
        self._store = store
        self._mask = mask

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def view(self, scope: Scope) -> Iterator[View]:
        with self._store.view(scope) as view:
            yield cast(View, _Quoting(view, self._mask))

    @contextmanager
    def locked(self, scope: Scope) -> Iterator[Room]:
        with self._store.locked(scope) as room:
            yield cast(Room, _Quoting(room, self._mask))

    def unembedded(self, limit: int) -> list[Unembedded]:
        return [replace(each, text=self._mask(each.text).text) for each in self._store.unembedded(limit)]


class _Quoting:
    """A view, or a room, that quotes utterances masked."""

    def __init__(self, view: View, mask: Masker) -> None:
        self._view = view
        self._mask = mask

    def __getattr__(self, name: str) -> Any:
        return getattr(self._view, name)

    def turn(self, turn_id: str) -> Turn | None:
        turn = self._view.turn(turn_id)
        return None if turn is None else self._quoted(turn)

    def turns(self, limit: int, *, before: int | None = None) -> list[Turn]:
        return [self._quoted(turn) for turn in self._view.turns(limit, before=before)]

    def turns_of(self, *, session: str | None = None, channel: str | None = None, limit: int) -> list[Turn]:
        return [self._quoted(turn) for turn in self._view.turns_of(session=session, channel=channel, limit=limit)]

    def left_open(self, limit: int) -> list[Turn]:
        return [self._quoted(turn) for turn in self._view.left_open(limit)]

    def unread(self, limit: int) -> list[Turn]:
        return [self._quoted(turn) for turn in self._view.unread(limit)]

    def items(self, refs: Iterable[int]) -> dict[int, Item]:
        found = self._view.items(refs)
        return {ref: self._line(item) if isinstance(item, Utterance) else item for ref, item in found.items()}

    def vectorless(self, limit: int) -> list[Unembedded]:
        return [replace(each, text=self._mask(each.text).text) for each in self._view.vectorless(limit)]

    def _quoted(self, turn: Turn) -> Turn:
        return replace(turn, utterances=tuple(self._line(each) for each in turn.utterances))

    def _line(self, utterance: Utterance) -> Utterance:
        masked = self._mask(utterance.text)
        return replace(utterance, text=masked.text) if masked.flags else utterance
