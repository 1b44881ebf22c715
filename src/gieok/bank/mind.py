"""The mind of one character for one user: the handle that callers hold. It owns no rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, get_args

from gieok.bank.checking import checked_choice, composed, listed, weights_over
from gieok.bank.disclosing import Disclosing
from gieok.bank.erasures import Forgetting
from gieok.bank.keeping import Keeping
from gieok.bank.living import Living
from gieok.bank.pages import Hindsight, Pages
from gieok.bank.privacy import agreed
from gieok.bank.relating import Relating
from gieok.bank.retelling import Retelling
from gieok.bank.services import weights_in
from gieok.bank.telling import Outright, Telling
from gieok.bank.versions import Versions
from gieok.domain.answer import BLOCKS, Context, Hit, Item, ModelCall, Observed, Where, traced
from gieok.domain.attributes import ContentType
from gieok.domain.attributes import attribute as attribute_named
from gieok.domain.claim import Claim, Polarity, Subject
from gieok.domain.decision import Decision, Retract, Supersede
from gieok.domain.emotion import Felt
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.scoring import Weights
from gieok.domain.turn import CHARACTER, USER, checked_moment
from gieok.domain.upkeep import PASSES, PassName
from gieok.errors import UnknownMemory
from gieok.ids import new_id
from gieok.observe.said import Said, said
from gieok.ports import MemoryFilter

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank
    from gieok.maintain.maintainer import Upkept
    from gieok.recall.recaller import Recaller
    from gieok.settings import Settings

_SUBJECTS: Final[dict[str, Subject]] = {"user": "user", "character": "character", "world": "world"}


class Mind(Living, Relating, Retelling, Telling, Pages, Hindsight, Keeping, Forgetting, Disclosing, Versions):
    """What one character knows, for one user in one world."""

    def __init__(
        self,
        bank: MemoryBank,
        scope: Scope,
        *,
        weights: Weights | Mapping[str, float] | None = None,
        settings: Settings | None = None,
    ) -> None:
        self._bank = bank
        self._settings = settings or bank.settings
        self.key = scope  #: the frozen scope
        own = bank.services.weights if settings is None else weights_in(settings)
        self.weights = weights_over(weights, own)  #: what it recalls by, unless a call says otherwise

    def __repr__(self) -> str:
        return f"Mind({self.key})"

    @property
    def bank(self) -> MemoryBank:
        """The bank that it is kept in."""
        return self._bank

    def under(self, settings: Settings) -> Mind:
        """Return this mind as it recalls and assembles under other settings: to try them, nothing is changed.

        Store, encoder and models stay those of the bank, and whatever it is told is judged as the bank is set.
        """
        return Mind(self._bank, self.key, settings=settings)

    @property
    def _recaller(self) -> Recaller:
        services = self._bank.services
        own = self._settings is self._bank.settings
        return services.recaller if own else services.recaller_under(self._settings)

    def observe(
        self,
        text: str | None = None,
        *,
        reply: str | None = None,
        at: datetime | None = None,
        session: str | None = None,
        turn_id: str | None = None,
        speaker: str | None = None,
        present: Iterable[str] = (),
        channel: str | None = None,
        context: Context | None = None,
        cut_off: bool = False,
        felt: Iterable[Felt] = (),
        calls: Iterable[ModelCall] = (),
        consent: Iterable[str] = (),
    ) -> Observed:
        """Learn from an exchange: `text` by the user (or `speaker`), then `reply` by the character.

        The same `turn_id` with the same words returns what was stored; with other words it raises `TurnChanged`.
        Characters in `present` hear it, too, each in a scope of their own; rewinding here takes nothing back there.
        `context` is what the reply was made with: its memories count as used, in the same transaction. A reply that
        was broken off is marked as `cut_off`; `felt` are feelings that somebody else has read, a model or a player;
        `calls` is what models were asked for the reply. `trace` tells of it, and of `context`. Personal data is masked
        as the settings say; `Observed.ask` names kinds to ask the user about, and `consent` those they agree to.
        """
        scopes = [self.key.beside(character) for character in listed(present, "present")]
        others = tuple(scope.character or CHARACTER for scope in scopes)
        what = Said(
            lines=said(text, reply, self._role(speaker, beside=text or "")),
            at=at,
            session=session,
            turn_id=turn_id if turn_id is not None else (new_id() if others else None),
            channel=channel,
            present=others,
            cut_off=cut_off,
            felt=tuple(felt),
            consent=agreed(consent),
            used=context.items if context is not None else (),
            trace=traced(context, calls) if self._bank.settings.keep_traces else None,
        )
        heard = [what.heard_by(character, self.key.character or CHARACTER) for character in others]
        observer = self._bank.services.observer
        for scope, words in zip(scopes, heard, strict=True):
            observer.check(scope, words)
        observed = observer.observe(self.key, what)
        for scope, words in zip(scopes, heard, strict=True):
            observer.observe(scope, words)
        if self._bank.settings.upkeep == "auto" and not observed.again:
            gave_up = any(isinstance(decision, Supersede | Retract) for decision in observed.decisions)
            for scope in (self.key, *scopes):
                self._bank.services.maintainer.after_turn(scope, observed.turn.at, gave_up=gave_up)
        if not observed.again:
            for scope in (self.key, *scopes):
                self._bank.wake(scope)
        return observed

    def remember(
        self,
        content: str,
        *,
        about: str = USER,
        attribute: str | None = None,
        value: str | None = None,
        type: ContentType | None = None,
        said_by: str | None = None,
        polarity: Polarity = "+",
        importance: float | None = None,
        valid_at: datetime | None = None,
        invalid_at: datetime | None = None,
        at: datetime | None = None,
        tags: Sequence[str] = (),
        origin: Literal["person", "import"] = "person",
        consent: Iterable[str] = (),
    ) -> Decision:
        """Remember what is said outright. It is judged like any claim, but never ignored as unimportant.

        Personal data in it is masked as in `observe`.
        """
        moment = self._moment(at)
        what = Outright(
            content=content,
            about=about,
            attribute=attribute,
            value=value,
            type=type,
            said_by=said_by,
            polarity=polarity,
            importance=importance,
            valid_at=valid_at,
            invalid_at=invalid_at,
            tags=tags,
            origin=origin,
            consent=consent,
        )
        return self._bank.services.observer.remember(self.key, self._claim_of(what, moment), moment)

    def recall(
        self,
        query: str,
        *,
        k: int | None = None,
        at: datetime | None = None,
        where: Where | None = None,
        weights: Weights | Mapping[str, float] | None = None,
        explain: bool = False,
    ) -> list[Hit]:
        """Return what comes to mind for `query`, best first, each with the parts of its score. Writes nothing.

        `weights` of single parts leave the others as they are. With `explain` every hit says in `contributions` what
        each part adds to its score.
        """
        where = where or Where()
        for name, moment in (("since", where.since), ("until", where.until)):
            if moment is not None:
                checked_moment(moment, name)
        if where.about is not None or where.said_by is not None:
            about = None if where.about is None else self._subject(where.about)[1]
            where = replace(where, about=about, said_by=self._role(where.said_by))
        if where.attribute is not None:
            where = replace(where, attribute=composed(where.attribute))
        return self._recaller.recall(
            self.key,
            self._masked(query, "query"),
            k=self._settings.recall_k if k is None else k,
            at=None if at is None else checked_moment(at),
            where=where,
            weights=weights_over(weights, self.weights),
            explain=explain,
        )

    def context(
        self,
        query: str,
        *,
        budget: int | None = None,
        k: int | None = None,
        at: datetime | None = None,
        include: Iterable[str] = (),
        weights: Weights | Mapping[str, float] | None = None,
        system: str = "",
        examples: Iterable[str] = (),
        shown: Iterable[str] | None = None,
        without: Iterable[str] = (),
    ) -> Context:
        """Return what a model should see before it answers `query`, in at most `budget` tokens.

        `include` names items to put in first. `system` is your own prompt and `examples` your own few-shot examples:
        they are counted and put first as they are, while memories are quoted as material. Whoever shows the model the
        talk themselves gives the ids of its utterances as `shown`: then neither they nor the last turns are quoted.
        `without` names blocks to leave out: pinned, people, examples, talk, memories, summary.
        """
        settings = self._settings
        unwanted = listed(without, "without")
        for name in unwanted:
            checked_choice("block", name, BLOCKS)
        return self._recaller.context(
            self.key,
            self._masked(query, "query"),
            budget=settings.context_budget if budget is None else budget,
            k=settings.context_k if k is None else k,
            at=None if at is None else checked_moment(at),
            include=listed(include, "include"),
            system=system.strip(),
            examples=[each.strip() for each in listed(examples, "examples") if each.strip()],
            weights=weights_over(weights, self.weights),
            shown=None if shown is None else listed(shown, "shown"),
            without=frozenset(unwanted),
        )

    def items(self, ids: Iterable[str]) -> dict[str, Item]:
        """Return the memories and utterances with these ids that a context may quote; others are not in it."""
        return self._recaller.items(self.key, listed(ids, "ids"))

    def facts(
        self,
        about: str | None = None,
        *,
        said_by: str | None = None,
        type: ContentType | None = None,
        attribute: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        learned_since: datetime | None = None,
        history: bool = False,
    ) -> list[Memory]:
        """Return what is true now, oldest first; nothing is ranked or left out.

        `as_of` asks what was true then, `known_at` what was believed then, `history` for everything that was ever
        true (not what was retracted or forgotten).
        """
        if attribute is not None:
            attribute = attribute_named(attribute).key
        if type is not None:
            checked_choice("type", type, get_args(ContentType))
        moments = {"as_of": as_of, "known_at": known_at, "learned_since": learned_since}
        for name, moment in moments.items():
            if moment is not None:
                checked_moment(moment, name)
        subject, subject_id = (None, None) if about is None else self._subject(about)
        which = MemoryFilter(
            subject=subject,
            subject_id=subject_id,
            speaker=self._role(said_by),
            content_type=type,
            attribute=attribute,
            learned_since=learned_since,
        )
        return self._bank.services.lister.facts(self.key, which, as_of=as_of, known_at=known_at, history=history)

    def correct(
        self,
        memory_id: str,
        content: str,
        *,
        value: str | None = None,
        at: datetime | None = None,
        if_version: int | None = None,
        consent: Iterable[str] = (),
    ) -> Memory:
        """Put a memory right and return it as it is now. What it said before stays in its history.

        With `if_version` only if it is still that version, here and in `pin` and `forget`; else raises `MemoryMoved`.
        """
        moment = self._moment(at)
        kinds = agreed(consent)
        raw, content = content, self._masked(content, "content", kinds)
        value = surface = None if value is None else self._masked(value, None, kinds, beside=raw)
        if value is None:
            read = self._reread(memory_id, content, moment, kinds)
            value, surface = (read.value, read.surface) if read else (None, None)
        return self._bank.services.editor.correct(
            self.key, memory_id, content, value=value, surface=surface, at=moment, if_version=if_version
        )

    def pin(
        self, memory_id: str, pinned: bool = True, *, at: datetime | None = None, if_version: int | None = None
    ) -> Memory:
        """Keep a memory in every context, or (`pinned=False`) no longer."""
        moment = self._moment(at)
        return self._bank.services.editor.pin(self.key, memory_id, pinned=pinned, at=moment, if_version=if_version)

    def forget(self, memory_id: str, *, at: datetime | None = None, if_version: int | None = None) -> Memory:
        """Hide a memory from every answer, at once. It stays in its history until the next `scrub`."""
        return self._bank.services.editor.forget(self.key, memory_id, at=self._moment(at), if_version=if_version)

    def maintain(
        self, passes: Iterable[PassName] | None = None, *, at: datetime | None = None, dry_run: bool = False
    ) -> Upkept:
        """Do the upkeep that is due, or the named `passes`; a dry run writes nothing and tells what would be done.

        What was kept while the embedder was away gets its vectors. Where nothing is named, what was forgotten leaves
        the disk, too: see `scrub`.
        """
        done = self.upkept(passes, at=at, dry_run=dry_run)
        if passes is None and not dry_run:
            self._bank.scrub([self.key], prove=self._bank.store.proves_quickly)
        return done

    def upkept(self, passes: Iterable[PassName] | None, *, at: datetime | None, dry_run: bool) -> Upkept:
        """Do the same without scrubbing: for whoever goes through many minds and does that once."""
        asked = None if passes is None else listed(passes, "passes")
        for name in asked or ():
            checked_choice("pass", name, PASSES)
        wanted = None if asked is None else [name for name in PASSES if name in asked]
        moment = None if at is None else checked_moment(at)
        if not dry_run:
            self._bank.services.fill_in_vectors(self.key)
        return self._bank.services.maintainer.maintain(self.key, wanted, at=moment, dry_run=dry_run)

    def _subject(self, about: str, *, beside: str = "") -> tuple[Subject, str]:
        about = self._role(about, beside=beside) or about
        subject = _SUBJECTS.get("world" if about == self.key.world else about, "other")
        if subject == "other":
            return subject, about
        return subject, (self.key.character or CHARACTER) if subject == "character" else subject

    def _reread(self, memory_id: str, content: str, at: datetime, consent: tuple[str, ...]) -> Claim | None:
        """Read a correction as its speaker would have said it; return the claim about the memory's attribute."""
        with self._bank.store.view(self.key) as view:
            known = view.memories_by_id([memory_id]).get(memory_id)
        if known is None:
            raise UnknownMemory(memory_id)
        return self._bank.services.observer.reread(self.key, known, content, at, consent)
