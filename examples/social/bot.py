"""The bot, and the event bus that it sits on."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

import gieok
from gieok.interop.social import SocialMemory

SITE, BOT = "마당", "바라"
A_WEEK = timedelta(days=7)
FITS = 0.3  #: how near to a post, by meaning or by words, something must be to be quoted


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedMove:
    """Something that happened on the site."""

    at: datetime
    type: str  #: post, notification (an answer to the bot), message (in private), comment (the bot's own), tick
    id: str = ""
    post: str = ""  #: under which post
    author: str = ""
    text: str = ""
    context: gieok.Context | None = None  #: what a comment was written with


class Audience(Protocol):
    """Whoever is shown what happens and what is learned from it."""

    def happened(self, event: RecordedMove, *, again: bool = False) -> None: ...

    def learned(self, event: gieok.Event) -> None: ...


class Bus:
    """A queue, and those who want to hear of what is in it."""

    def __init__(self) -> None:
        self._waiting: deque[RecordedMove] = deque()
        self._handlers: defaultdict[str, list[Callable[[RecordedMove], object]]] = defaultdict(list)

    def on(self, type: str, handler: Callable[[RecordedMove], object]) -> None:
        self._handlers[type].append(handler)

    def publish(self, event: RecordedMove) -> None:
        self._waiting.append(event)

    def run(self) -> None:
        while self._waiting:
            event = self._waiting.popleft()
            for handler in self._handlers[event.type]:
                handler(event)


class Bara:
    """The bot: it hears, remembers, and comments on posts."""

    def __init__(self, bank: gieok.MemoryBank, bus: Bus, audience: Audience) -> None:
        self.memory = SocialMemory(bank, BOT)
        self.comments: dict[str, str] = {}
        self.heard: set[str] = set()  #: turns that were kept
        self._bank, self._bus, self._audience = bank, bus, audience
        for type, handler in (
            ("post", self.read_post),
            ("notification", self.read_notification),
            ("message", self.read_message),
            ("comment", self.keep_comment),
            ("tick", self.keep_house),
        ):
            bus.on(type, handler)
        self.memory.subscribe(dict.fromkeys(("memory.remembered", "memory.superseded", "reflected"), audience.learned))

    def read_post(self, event: RecordedMove) -> None:
        """Learn from a post, and comment on it."""
        context = self.memory.get_context_for_post(SITE, event.author, event.text, at=event.at)
        if self._hear(event, self.memory.on_new_post(SITE, event.author, event.text, post_id=event.id, at=event.at)):
            soon, words = event.at + timedelta(minutes=5), self.write(event)
            self._bus.publish(
                RecordedMove(at=soon, type="comment", id=f"c-{event.id}", post=event.id, text=words, context=context)
            )

    def read_notification(self, event: RecordedMove) -> None:
        """Learn from an answer to the bot; a question is answered."""
        if not event.text.endswith("?"):
            ids = {"post_id": event.post, "notification_id": event.id}
            self._hear(event, self.memory.on_notification(SITE, event.author, event.text, at=event.at, **ids))
            return
        answer, ids = self.write(event), {"post_id": event.post, "response_id": event.id}
        context = self.memory.get_context_for_post(SITE, event.author, event.text, at=event.at)
        both = self.memory.on_bot_response(SITE, event.author, event.text, answer, context=context, at=event.at, **ids)
        if self._hear(event, both):
            self._show(event, answer)

    def read_message(self, event: RecordedMove) -> None:
        """Learn what is said in private: a memory of its own, which what is written in the open never reads."""
        alone = self._bank.scope(user=event.author, character=BOT)
        self._hear(event, alone.observe(event.text, turn_id=event.id, channel=SITE, at=event.at))

    def keep_comment(self, event: RecordedMove) -> None:
        """Remember what the bot itself wrote; what it was written with counts as used."""
        ids = {"post_id": event.post, "comment_id": event.id}
        self.memory.on_comment_posted(SITE, event.text, context=event.context, at=event.at, **ids)
        self._show(event, event.text)

    def keep_house(self, event: RecordedMove) -> None:
        """Merge, reflect and let go, as far as it is due."""
        self.memory.run_maintenance(at=event.at)

    def write(self, post: RecordedMove) -> str:
        """Return a comment. A model would write it from `context.messages`; without one, it quotes what fits."""
        asks = post.text.endswith("?")
        for hit in self.memory.retrieve_memories(post.text, author=post.author, at=post.at):
            said = self._source(hit)
            fits = asks or max(hit.parts.relevance, hit.parts.keyword) >= FITS
            if fits and said.at <= post.at - A_WEEK:
                words, weeks = said.text.rstrip(".!"), (post.at - said.at) // A_WEEK
                closing = "도움이 되면 좋겠어요." if asks else "그때 그 얘기가 생각나네요."
                return f"{post.author} 님, {weeks}주 전에 “{words}”라고 하셨죠? {closing}"
        known = self.memory.get_entity_profile(SITE, post.author)
        return f"{'잘 읽었어요' if known and known.interactions > 1 else '반가워요'}, {post.author} 님!"

    def _show(self, event: RecordedMove, words: str) -> None:
        self.comments[event.id] = words
        self._audience.happened(replace(event, type="comment", text=words))

    def _source(self, hit: gieok.Hit) -> gieok.Utterance:
        """Return the words that a hit comes from."""
        if isinstance(hit.item, gieok.Utterance):
            return hit.item
        return self.memory.mind.sources(hit.item.id)[0].utterances[0]

    def _hear(self, event: RecordedMove, observed: gieok.Observed) -> bool:
        """Note a turn; return whether it is new. The same event delivered again is not."""
        self._audience.happened(event, again=observed.again)
        self.heard.add(observed.turn.id)
        return not observed.again
