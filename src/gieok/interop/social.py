"""A social bot's memory, under the names that "Memory System Redesign Plan" gives it.

Many people meet one bot in the open, so everything goes to one scope, the bot's own without a user: who speaks is told
by name, where by the platform. What is said in private belongs into a scope of its own,
`bank.scope(user=…, character=bot)`, which may read this one and is not read from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.bank import MemoryBank
from gieok.bank.events import Event, Handler
from gieok.domain.answer import Context, Hit, Observed, Where
from gieok.domain.decision import Ignore
from gieok.domain.entity import Entity, frequent
from gieok.domain.memory import Memory
from gieok.domain.turn import CHARACTER, USER, checked_speaker
from gieok.domain.upkeep import Kept, PassName
from gieok.errors import UnknownPerson

_RELATED: Final = 5
_MOST_MET: Final = 100_000  #: names that are held in memory
_ROLES: Final = (USER, CHARACTER, "world")  #: words of a mind's for those who are no strangers


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquainted:
    """Somebody the bot knows, and what it knows of them."""

    profile: Entity
    facts: tuple[Memory, ...]  #: true now


class SocialMemory:
    """What a bot on social sites remembers. Every call is one of `Mind`'s; an id given twice is learned from once.

    A post, the comments on it and the answers to them share their `post_id`, which makes them one sitting. An author
    who goes by the bot's own name is not the bot: they are kept as "@" and that name. Nor is a namesake on another
    platform the one who was met first: they are kept as "민지@botmadang".
    """

    def __init__(self, bank: MemoryBank, bot: str, *, world: str | None = None) -> None:
        self._bank = bank
        self.mind = bank.scope(character=bot, world=world)
        self._met: dict[tuple[str, str], str] = {}  #: under which name somebody of a name on a platform is kept
        self._platforms: set[str] | None = None  #: on which the bot has met anybody

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
        """Learn from what somebody posted."""
        text = f"{title}\n{content}" if title else content
        turn_id = None if post_id is None else _named(platform, "post", post_id)
        return self._observe(platform, author, text, None, thread=post_id, turn_id=turn_id, at=at)

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
        """Note what the bot itself wrote under a post; `context` is what it was written with."""
        turn_id = None if comment_id is None else _named(platform, "comment", comment_id)
        return self._observe(platform, None, None, comment, thread=post_id, turn_id=turn_id, context=context, at=at)

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
        """Learn from an answer to the bot, or a mention of it."""
        turn_id = None if notification_id is None else _named(platform, "notification", notification_id)
        return self._observe(platform, author, content, None, thread=post_id, turn_id=turn_id, at=at)

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
        """Learn from an exchange: what somebody said, and what the bot answered."""
        turn_id = None if response_id is None else _named(platform, "response", response_id)
        return self._observe(
            platform, author, content, response, thread=post_id, turn_id=turn_id, context=context, at=at
        )

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
        """Learn from what somebody said to the bot, and from its answer if there was one."""
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
        """Return what a model should see before it answers a post; what is known of the author comes first."""
        known = [memory.id for memory in self._facts(platform, author)]
        return self.mind.context(content, budget=budget, include=known, system=system, examples=examples, at=at)

    def recall_related(self, text: str, limit: int = _RELATED, *, at: datetime | None = None) -> list[str]:
        """Return what comes to mind for `text`, as sentences, best first."""
        return [hit.text for hit in self.mind.recall(text, k=limit, at=at)]

    def recall_bot(self, platform: str, name: str) -> Acquainted | None:
        """Return somebody with what is known of them; None: never met on `platform`."""
        profile = self.get_entity_profile(platform, name)
        return None if profile is None else Acquainted(profile=profile, facts=tuple(self._facts(platform, name)))

    def get_frequent_contacts(self, platform: str | None = None, limit: int = 10) -> tuple[Entity, ...]:
        """Return whom the bot meets most, on `platform` or anywhere."""
        met = self.mind.entities()
        if platform is not None:
            met = [entity for entity in met if any(face.channel == platform for face in entity.faces)]
        return frequent(met, limit)

    def retrieve_memories(
        self,
        query: str,
        *,
        limit: int | None = None,
        author: str | None = None,
        since: datetime | None = None,
        at: datetime | None = None,
    ) -> list[Hit]:
        """Return what answers `query`, best first, each with the parts of its score; of `author`: what they said."""
        return self.mind.recall(query, k=limit, where=Where(said_by=author, since=since), at=at)

    def extract_and_store(
        self, platform: str, author: str, content: str, *, at: datetime | None = None
    ) -> tuple[Memory, ...]:
        """Learn from a text, and return the memories that it made or changed."""
        observed = self._observe(platform, author, content, None, at=at)
        return tuple(decision.memory for decision in observed.decisions if not isinstance(decision, Ignore))

    def get_entity_profile(self, platform: str, name: str) -> Entity | None:
        """Return who goes by `name` on `platform`; None: never met."""
        try:
            return self.mind.entity(self._stranger(platform, name), channel=platform)
        except UnknownPerson:
            return None

    def run_maintenance(
        self, passes: Iterable[PassName] | None = None, *, at: datetime | None = None, dry_run: bool = False
    ) -> tuple[Kept, ...]:
        """Merge, prune, reflect and summarise as far as it is due (or do `passes`), and return what was done."""
        return self.mind.maintain(passes, at=at, dry_run=dry_run).kept

    def subscribe(self, handlers: Mapping[str, Handler]) -> Callable[[], None]:
        """Call each handler with the events of its name in this bot's memory; the result, called, takes all back."""

        def only_ours(handler: Handler) -> Handler:
            return lambda event: handler(event) if self._is_ours(event) else None

        taken_back = [self._bank.on(name, only_ours(handler)) for name, handler in handlers.items()]

        def unsubscribe() -> None:
            for take_back in taken_back:
                take_back()

        return unsubscribe

    def _is_ours(self, event: Event) -> bool:
        return event.scope == self.mind.key

    def _observe(
        self,
        platform: str,
        author: str | None,
        text: str | None,
        reply: str | None,
        *,
        thread: str | None = None,
        turn_id: str | None = None,
        context: Context | None = None,
        at: datetime | None = None,
    ) -> Observed:
        return self.mind.observe(
            text,
            reply=reply,
            speaker=None if author is None else self._stranger(platform, author),
            channel=platform,
            session=None if thread is None else _named(platform, "post", thread),
            turn_id=turn_id,
            context=context,
            at=at,
        )

    def _stranger(self, platform: str, author: str) -> str:
        """Return the name under which somebody is kept: anybody can call themself as the bot, or another, is called."""
        if (kept := self._met.get((platform, author))) is not None:
            return kept
        name = checked_speaker(author)
        if name in (*_ROLES, self.mind.key.character, self.mind.key.world):
            name = f"@{name}"
        if not self._knows(name, platform) and any(self._knows(name, other) for other in self._others(platform)):
            name = f"{name}@{platform}"
        if self._knows(name, platform) and len(self._met) < _MOST_MET:  # from here on it stays so
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
        """Return what is known of somebody; a namesake elsewhere is another."""
        kept = self._stranger(platform, name)
        return [memory for memory in self.mind.facts(about=kept) if memory.channel in (None, platform)]


def _named(platform: str, kind: str, own_id: str) -> str:
    """Return an id that no other platform and no other kind of event gives."""
    return f"{platform}/{kind}/{own_id}"
