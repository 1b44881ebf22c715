"""A social bot's memory with the calls of "Memory System Redesign Plan".

Public data goes to one scope, the bot's own without a user; speakers are distinguished by name and platform. Private
conversations belong to `bank.scope(user=…, character=bot)`, which may read this scope, but not the reverse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.bank import MemoryBank
from gieok.bank.events import Handler
from gieok.domain.answer import Context, Hit, Observed, Where
from gieok.domain.decision import Ignore
from gieok.domain.entity import Entity, most_frequent
from gieok.domain.memory import Memory
from gieok.domain.turn import checked_speaker, display_name
from gieok.domain.upkeep import Kept, PassName
from gieok.errors import UnknownPerson

_RELATED: Final = 5
_MOST_MET: Final = 100_000  #: names cached in memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquainted:
    """A person known to the bot, with facts."""

    profile: Entity
    facts: tuple[Memory, ...]  #: true now


class SocialMemory:
    """The memory of a bot on social sites. An event with a known id is ignored.

    A post, its comments and their replies share a `post_id` and form one session. An author with the bot's own name is
    stored as "@" and that name; a namesake on another platform as "민지@botmadang".
    """

    def __init__(self, bank: MemoryBank, bot: str, *, world: str | None = None) -> None:
        self._bank = bank
        self.mind = bank.scope(character=bot, world=world)
        self._met: dict[tuple[str, str], str] = {}  #: stored name by platform and name
        self._platforms: set[str] | None = None  #: platforms on which the bot has met people

    def on_new_post(
        self,
        platform: str,
        author: str,
        content: str,
        *,
        title: str = "",
        post_id: str | None = None,
        at: datetime | None = None,
    ) -> Observed:
        text = f"{title}\n{content}" if title else content
        return self._observe(platform, author, text, None, thread=post_id, event=("post", post_id), at=at)

    def on_comment_posted(
        self,
        platform: str,
        comment: str,
        *,
        post_id: str | None = None,
        comment_id: str | None = None,
        context: Context | None = None,
        at: datetime | None = None,
    ) -> Observed:
        """Record a comment of the bot; `context` is the context it was written with."""
        event = ("comment", comment_id)
        return self._observe(platform, None, None, comment, thread=post_id, event=event, context=context, at=at)

    def on_notification(
        self,
        platform: str,
        author: str,
        content: str,
        *,
        post_id: str | None = None,
        notification_id: str | None = None,
        at: datetime | None = None,
    ) -> Observed:
        event = ("notification", notification_id)
        return self._observe(platform, author, content, None, thread=post_id, event=event, at=at)

    def on_bot_response(
        self,
        platform: str,
        author: str,
        content: str,
        response: str,
        *,
        post_id: str | None = None,
        response_id: str | None = None,
        context: Context | None = None,
        at: datetime | None = None,
    ) -> Observed:
        event = ("response", response_id)
        return self._observe(platform, author, content, response, thread=post_id, event=event, context=context, at=at)

    remember_post = on_new_post

    def remember_interaction(
        self,
        platform: str,
        author: str,
        content: str,
        response: str | None = None,
        *,
        post_id: str | None = None,
        at: datetime | None = None,
    ) -> Observed:
        """Learn from a message to the bot, and from its response if given."""
        return self._observe(platform, author, content, response, thread=post_id, at=at)

    def get_context_for_post(
        self,
        platform: str,
        author: str,
        content: str,
        *,
        budget: int | None = None,
        system: str = "",
        examples: Iterable[str] = (),
        at: datetime | None = None,
    ) -> Context:
        """Return the context for answering a post; facts about the author come first."""
        known = [memory.id for memory in self._facts(platform, author)]
        return self.mind.context(content, budget=budget, include=known, system=system, examples=examples, at=at)

    def recall_related(self, text: str, limit: int = _RELATED, *, at: datetime | None = None) -> list[str]:
        """Return memories related to `text` as sentences, best first."""
        return [hit.text for hit in self.mind.recall(text, k=limit, at=at)]

    def recall_bot(self, platform: str, name: str) -> Acquainted | None:
        """Return a person with their facts; None: never met on `platform`."""
        profile = self.get_entity_profile(platform, name)
        return None if profile is None else Acquainted(profile=profile, facts=tuple(self._facts(platform, name)))

    def get_frequent_contacts(self, platform: str | None = None, limit: int = 10) -> tuple[Entity, ...]:
        """Return the people whom the bot meets most often, on `platform` or anywhere."""
        met = self.mind.entities()
        if platform is not None:
            met = [entity for entity in met if any(face.channel == platform for face in entity.faces)]
        return most_frequent(met, limit)

    def retrieve_memories(
        self,
        query: str,
        *,
        limit: int | None = None,
        author: str | None = None,
        since: datetime | None = None,
        at: datetime | None = None,
    ) -> list[Hit]:
        """Return the best hits with the parts of their scores; with `author`, only what they said."""
        return self.mind.recall(query, k=limit, where=Where(said_by=author, since=since), at=at)

    def extract_and_store(
        self, platform: str, author: str, content: str, *, at: datetime | None = None
    ) -> tuple[Memory, ...]:
        """Learn from a text and return new and changed memories."""
        observed = self._observe(platform, author, content, None, at=at)
        return tuple(decision.memory for decision in observed.decisions if not isinstance(decision, Ignore))

    def get_entity_profile(self, platform: str, name: str) -> Entity | None:
        """Return the person named `name` on `platform`; None: never met."""
        try:
            return self.mind.entity(self._kept_name(platform, name), channel=platform)
        except UnknownPerson:
            return None

    def run_maintenance(
        self, passes: Iterable[PassName] | None = None, *, at: datetime | None = None, dry_run: bool = False
    ) -> tuple[Kept, ...]:
        """Run the upkeep that is due (or `passes`) and return its results."""
        return self.mind.maintain(passes, at=at, dry_run=dry_run).kept

    def subscribe(self, handlers: Mapping[str, Handler]) -> Callable[[], None]:
        """Call each handler with the events of its name in this bot's memory; call the result to unsubscribe."""

        def only_ours(handler: Handler) -> Handler:
            return lambda event: handler(event) if event.scope == self.mind.key else None

        unsubscribe = ExitStack()
        for name, handler in handlers.items():
            unsubscribe.callback(self._bank.on(name, only_ours(handler)))
        return unsubscribe.close

    def _observe(
        self,
        platform: str,
        author: str | None,
        text: str | None,
        reply: str | None,
        *,
        thread: str | None = None,
        event: tuple[str, str | None] = ("", None),
        context: Context | None = None,
        at: datetime | None = None,
    ) -> Observed:
        kind, own_id = event
        return self.mind.observe(
            text,
            reply=reply,
            speaker=None if author is None else self._kept_name(platform, author),
            channel=platform,
            session=None if thread is None else _named(platform, "post", thread),
            turn_id=None if own_id is None else _named(platform, kind, own_id),
            context=context,
            at=at,
        )

    def _kept_name(self, platform: str, author: str) -> str:
        """Return the name under which an author is stored, so that none is mistaken for the bot or another person."""
        if (kept := self._met.get((platform, author))) is not None:
            return kept
        name = display_name(checked_speaker(author))
        if name in (self.mind.key.character, self.mind.key.world):
            name = f"@{name}"
        if not self._knows(name, platform) and any(self._knows(name, other) for other in self._others(platform)):
            name = f"{name}@{platform}"
        if self._knows(name, platform) and len(self._met) < _MOST_MET:  # this result is final
            self._met[platform, author] = name
        return name

    def _knows(self, name: str, platform: str) -> bool:
        try:
            self.mind.entity(name, channel=platform)
        except UnknownPerson:
            return False
        return True

    def _others(self, platform: str) -> set[str]:
        if self._platforms is None:
            faces = (face for entity in self.mind.entities() for face in entity.faces)
            self._platforms = {face.channel for face in faces if face.channel is not None}
        self._platforms.add(platform)
        return self._platforms - {platform}

    def _facts(self, platform: str, name: str) -> list[Memory]:
        """Return the facts about a person, without those of a namesake on another platform."""
        kept = self._kept_name(platform, name)
        return [memory for memory in self.mind.facts(about=kept) if memory.channel in (None, platform)]


def _named(platform: str, kind: str, own_id: str) -> str:
    """Return an id that is unique across platforms and event kinds."""
    return f"{platform}/{kind}/{own_id}"
