"""Noticing what a turn shows beside its claims, and what it may move."""

from __future__ import annotations

import logging
import re
import time
import unicodedata
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from typing import Final

from gieok.domain.answer import Observed
from gieok.domain.apply import PAIR, Carrier, Present
from gieok.domain.claim import Claim
from gieok.domain.decision import Decision
from gieok.domain.emotion import Felt, valence
from gieok.domain.entity import entity_id
from gieok.domain.judgement import Moment
from gieok.domain.memory import NOTHING_KNOWN, Background, Memory, Needs
from gieok.domain.noticed import EntityKind, Mention, Noticed
from gieok.domain.operation import Learn, Operation
from gieok.domain.personal import Flags, Masked, joined, no_flags
from gieok.domain.relationship import Manners
from gieok.domain.scope import Scope
from gieok.domain.state import Alias, ScopeState
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance, checked_moment, checked_text
from gieok.errors import ModelFailed, TurnChanged, UnknownTurn
from gieok.ids import new_id
from gieok.language.emotions import feel, feel_reply
from gieok.language.manners import manner
from gieok.language.people import mention_of_claim, mentions
from gieok.language.scenes import setting
from gieok.language.signs import signs
from gieok.language.terms import topics_of
from gieok.observe.background import background_of, needs_of, of_pets_known
from gieok.observe.index import Indexer, beliefs_for, fill_in_vectors
from gieok.observe.said import Said, completed, without_answers
from gieok.ports import Clock, Extractor, IndexEntry, Masker, Model, Room, Store, View, Watch
from gieok.ports.store import entry, held
from gieok.prompts.data import Language, Line
from gieok.prompts.tasks import emotion_prompt

_NAMES: Final = ("name", "nickname")
_TITLES: Final = re.compile(r"\s?(?:씨|님|양|군)$|[아야]$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Acquaintance:
    """Whom the two know, and what they are called."""

    known: Mapping[str, EntityKind]
    user: tuple[str, ...]  #: the user's names
    character: tuple[str, ...]
    called: tuple[str, ...]  #: how the two address each other

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.user, *self.character)

    def listener(self, speaker: str) -> tuple[str, ...]:
        """Return the names of the one that `speaker` speaks to."""
        return self.user if speaker == CHARACTER else self.character


def acquaintance(view: View, scope: Scope, names: Collection[str]) -> Acquaintance:
    """Return what noticing has to know of a scope; `names` are what the user is known to be called."""
    manners = ScopeState(view.things_by_key([("manners", PAIR)]).items()).get(Manners, PAIR) or Manners()
    addresses = (speech.address.value for speech in (manners.user, manners.character) if speech.address is not None)
    return Acquaintance(
        known=view.acquaintances(),
        user=tuple(dict.fromkeys((*((scope.user,) if scope.user else ()), *sorted(names)))),
        character=(scope.character,) if scope.character else (),
        called=tuple(dict.fromkeys(addresses)),
    )


def noticed_in(
    turn: Turn, scope: Scope, claims: Sequence[Claim], known: Acquaintance, felt: Sequence[Felt] = ()
) -> Noticed:
    """Read feelings, signs, manners, people and places out of a turn; `felt` is what is known of feelings already."""
    read = {each.speaker: each for each in felt}
    said = turn.utterances
    known = _introduced(known, claims)
    manners = tuple(manner(each.text, each.speaker, known.listener(each.speaker)) for each in said)
    called = (name for each in manners if each.address for name in (each.address, _TITLES.sub("", each.address)))
    known = replace(known, called=tuple(dict.fromkeys((*known.called, *called))))
    shown = tuple(sign for each in said for sign in signs(each.text, each.speaker, known.listener(each.speaker)))
    where = [setting(each.text) for each in said]
    own = [each.text for each in said if each.speaker != CHARACTER]
    return Noticed(
        felt=tuple(read.get(each.speaker) or _felt(each) for each in said),
        signs=shown,
        manners=manners,
        mentions=tuple(dict.fromkeys(_mentions(turn, scope, claims, known))),
        place=next((place for place, _ in reversed(where) if place is not None), None),
        daytime=next((daytime for _, daytime in reversed(where) if daytime is not None), None),
        topics=tuple(dict.fromkeys(topic for text in own for topic in topics_of(text, names=known.names))),
        farewell=any(sign.name == "farewell" for sign in shown),
    )


def _introduced(known: Acquaintance, claims: Sequence[Claim]) -> Acquaintance:
    """Return `known` with the names that are told just now."""
    told = [claim for claim in claims if claim.attribute in _NAMES and claim.value is not None]
    users = (claim.value for claim in told if claim.subject == USER)
    characters = (claim.value for claim in told if claim.subject == CHARACTER)
    return replace(
        known,
        user=tuple(dict.fromkeys((*known.user, *(name for name in users if name)))),
        character=tuple(dict.fromkeys((*known.character, *(name for name in characters if name)))),
    )


def _felt(utterance: Utterance) -> Felt:
    if utterance.speaker == CHARACTER:
        return feel_reply(utterance.text, speaker=CHARACTER)
    return feel(utterance.text, speaker=utterance.speaker)


def _mentions(turn: Turn, scope: Scope, claims: Sequence[Claim], known: Acquaintance) -> Iterator[Mention]:
    for utterance in turn.utterances:
        own = "" if utterance.speaker == USER else (scope.character or "")
        if utterance.speaker not in (USER, CHARACTER):
            yield Mention(name=utterance.speaker, by=utterance.speaker)
            own = utterance.speaker
        yield from mentions(
            utterance.text, utterance.speaker, known.known, parties=known.names, called=known.called, own=own
        )
    for claim in claims:
        mention = mention_of_claim(claim, scope.character or "")
        if mention is not None:
            yield mention


def life_for(view: View, request: Learn, moment: Moment) -> ScopeState:
    """Return the things that living `request` may touch."""
    if request.noticed is None:
        return ScopeState()
    people = [entity_id(mention.name, moment.channel) for mention in request.noticed.mentions]
    keys = [("relationship", PAIR), ("manners", PAIR)]
    keys += [(kind, person) for person in people for kind in ("entity", "alias")]
    found = view.things_by_key(keys)
    others = [("entity", alias.of) for alias in found.values() if isinstance(alias, Alias)]
    scenes = {("scene", id): scene for id, scene in view.last_things("scene")}
    return ScopeState({**found, **(view.things_by_key(others) if others else {}), **scenes}.items())


def felt_in_reply(model: Model, lines: Sequence[tuple[str, str]], character: str, language: Language) -> Felt | None:
    """Return what the character feels at the end of `lines` (name and text); None: the model gave no answer.

    An answer that cannot be read goes with what the classifier reads in its place, so that the trace can show it.
    """
    quoted = [Line(speaker=speaker, text=text) for speaker, text in lines]
    prompt = emotion_prompt(lines=quoted, speaker=character, language=language)
    try:
        mood = model.ask(prompt)
    except ModelFailed as trouble:
        log.warning("the classifier tells the feeling of this reply: %s", trouble)
        return replace(feel_reply(lines[-1][1]), raw=trouble.answer) if trouble.answer else None
    by = f"{prompt.version} {model.name}"
    return Felt(
        speaker=CHARACTER,
        emotion=mood.emotion,
        intensity=mood.intensity,
        valence=valence(mood.emotion, mood.intensity),
        by=by,
        raw=mood.raw,
    )


MOST: Final = 10_000

_Key = tuple[str, ...]


class Unreadable:
    """Which turns failed, and which for good. Of more than `most`, those that failed longest ago are dropped."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._for_good: OrderedDict[_Key, bool] = OrderedDict()
        self._lock = Lock()

    def failed(self, turn: Turn) -> bool:
        """Note that `turn` could not be read; return whether that is news."""
        with self._lock:
            known = _key(turn) in self._for_good
            self._note(_key(turn), for_good=self._for_good.get(_key(turn), False))
            return not known

    def give_up(self, turn: Turn) -> None:
        with self._lock:
            self._note(_key(turn), for_good=True)

    def worth_trying(self, turn: Turn) -> bool:
        with self._lock:
            return not self._for_good.get(_key(turn), False)

    def _note(self, key: _Key, *, for_good: bool) -> None:
        self._for_good[key] = for_good
        self._for_good.move_to_end(key)
        if len(self._for_good) > self._most:
            self._for_good.popitem(last=False)


def _key(turn: Turn) -> _Key:
    """Return what no other turn has: the id of a rewound turn may be given again, and a caller's ids mean one scope."""
    return (turn.id, *(utterance.id for utterance in turn.utterances))


log = logging.getLogger(__name__)

_TURNS_BEFORE = 2
_CATCH_UP = 2  #: turns kept unread that one observe goes back to
_UNREAD = 200  #: of how many it chooses
_FIRST_WORDS = ("나 고양이 좋아해. 어제 부산에 다녀왔는데 좋았어!", "I moved to Seoul last week, and I love cats.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heard:
    """A turn as it was read, before any of it is believed."""

    turn: Turn  #: masked
    logged: Turn  #: as the log keeps it
    said: Said
    claims: tuple[Claim, ...]
    unread: bool
    left_open: bool
    noticed: Noticed | None

    @property
    def findable(self) -> dict[str, str]:
        """What a search must find, by the id of the utterance or the claim."""
        texts = {utterance.id: utterance.text for utterance in self.turn.utterances}
        return texts | {claim.id: claim.findable for claim in self.claims}

    def request(self, scope: Scope) -> Learn:
        return Learn(
            claims=self.claims,
            used=self.said.used,
            noticed=without_answers(self.noticed),
            session=self.turn.session,
            participants=_participants(self.turn, scope),
            character=scope.character,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """Learns from turns, and from what is said outright."""

    store: Store
    indexer: Indexer
    extractor: Extractor
    mask: Masker
    log_mask: Masker | None = None  #: how the log keeps what was said; None: masked, as everything else
    flags: Flags = no_flags
    clock: Clock
    carrier: Carrier
    watch: Watch
    unreadable: Unreadable = field(default_factory=Unreadable)
    left_open: Callable[[Turn, Sequence[Claim]], bool] | None = None  #: whether a model is to read a turn; None: never
    traces: int = 0  #: how many turns of a scope keep how they came about

    def observe(self, scope: Scope, what: Said) -> Observed:
        """Learn from what was said. The turn is kept even when nothing in it is worth remembering."""
        begun = time.perf_counter()
        turn, logged, personal = self._turn(what)
        with self.store.view(scope) as view:
            stored = self._stored(view, turn, logged)
            before = [utterance for each in view.turns(_TURNS_BEFORE) for utterance in each.utterances]
            missed = [each for each in view.unread(_UNREAD) if self.unreadable.worth_trying(each)][:_CATCH_UP]
            background = background_of(view, self._needs(turn, before))
            known = acquaintance(view, scope, background.names)
            waiting = bool(view.vectorless(1))
        if stored is not None:
            return replace(stored, pii=personal.flags, ask=personal.asked)
        claims, unread = self._read(turn, scope, before, background)
        if not unread:
            for older in missed:
                self._catch_up(scope, older)
        heard = _Heard(
            turn=turn,
            logged=logged,
            said=what,
            claims=claims,
            unread=unread,
            left_open=self._left_open(turn, claims),
            noticed=_noticed(turn, scope, claims, known, what.felt),
        )
        index = self.indexer.entries(heard.findable)
        observed = held(self.store, scope, lambda room: self._learn(room, scope, heard, index))
        self._tell(observed, time.perf_counter() - begun)
        if any(each.vectors is None for each in index.values()):
            self.watch.counted("degraded", "vectors")
        elif waiting:  # the embedder answers again
            fill_in_vectors(self.store, self.indexer.embedder, scope)
        return replace(observed, pii=personal.flags, ask=personal.asked)

    def _learn(self, room: Room, scope: Scope, heard: _Heard, index: Mapping[str, IndexEntry]) -> Observed:
        """Believe what was heard, with the scope held."""
        turn, used = heard.turn, heard.said.used
        stored = self._stored(room, turn, heard.logged)
        if stored is not None:
            return stored
        moment = Moment(
            at=turn.at, recorded_at=turn.recorded_at, turn_number=room.turn_number + 1, channel=turn.channel
        )
        request = heard.request(scope)
        asked = Operation(
            id=heard.said.operation_id or new_id(),
            kind="observe",
            moment=moment,
            who=self.extractor.name,
            request=request,
            why=heard.said.why,
            turn_id=turn.id,
        )
        present = Present(beliefs=beliefs_for(room, heard.claims, index, used), life=life_for(room, request, moment))
        numbered = replace(heard.logged, number=moment.turn_number)
        carried_out = self.carrier.carried_out(asked, present)
        done = room.apply(
            entry(
                carried_out,
                self.indexer.with_new_memories(index, carried_out.changes),
                turn=numbered,
                unread=heard.unread,
                left_open=heard.left_open,
                trace=completed(heard.said.trace, heard.noticed, carried_out.changes),
                traces=self.traces,
            )
        )
        return _observed(numbered, done, unread=heard.unread)

    def warm(self) -> None:
        """Load what reading a turn takes, in both languages; nothing is written."""
        scope = Scope(user=USER, character=CHARACTER)
        known = Acquaintance(known={}, user=(USER,), character=(CHARACTER,), called=())
        for line in _FIRST_WORDS:
            turn, _, _ = self._turn(Said(lines=((USER, line), (CHARACTER, line))))
            claims, _ = self._read(turn, scope, (), NOTHING_KNOWN)
            _noticed(turn, scope, claims, known, ())

    def observed(self, scope: Scope, turn_id: str) -> Observed:
        """Return what became of a turn, as it is in force now. Raises `UnknownTurn`."""
        with self.store.view(scope) as view:
            known = view.turn(turn_id)
            if known is None:
                raise UnknownTurn(turn_id)
            return self._flagged(_recorded(view, known))

    def _flagged(self, observed: Observed) -> Observed:
        """Tell which kinds of personal data show in the words of a turn that is kept."""
        lines = [each.text for each in observed.turn.utterances]
        shown = {flag for line in lines for flag in self.flags(line)}
        asked = {flag for line in lines for flag in self.mask(line).asked}
        return replace(observed, pii=tuple(sorted(shown)), ask=tuple(sorted(asked)))

    def _tell(self, observed: Observed, seconds: float) -> None:
        if observed.again:
            return
        self.watch.took("observe", "whole", seconds)
        self.watch.counted("turns", "unread" if observed.unread else "read")
        for decision in observed.decisions:
            self.watch.counted("decisions", type(decision).__name__)

    def check(self, scope: Scope, what: Said) -> None:
        """Raise what observing `what` would raise for its words or its turn id; write nothing."""
        turn, logged, _ = self._turn(what)
        with self.store.view(scope) as view:
            self._stored(view, turn, logged)

    def _catch_up(self, scope: Scope, turn: Turn) -> None:
        """Read a turn that was kept unread; what it claims counts from when it was said.

        Called when the extractor has just read another one: if it fails now, it is for this turn.
        """
        with self.store.view(scope) as view:
            background = background_of(view, self._needs(turn, ()))
        claims, still_unread = self._read(turn, scope, (), background)
        if still_unread:
            self.unreadable.give_up(turn)
            return
        index = self.indexer.entries({claim.id: claim.findable for claim in claims})

        def learn(room: Room) -> None:
            if all(each.id != turn.id for each in room.unread(_UNREAD)):
                return
            moment = Moment(at=turn.at, recorded_at=self.clock.now(), turn_number=room.turn_number)
            asked = Operation(
                id=new_id(),
                kind="read",
                moment=moment,
                who=self.extractor.name,
                request=Learn(claims=claims),
                turn_id=turn.id,
            )
            done = self.carrier.carried_out(asked, Present(beliefs=beliefs_for(room, claims, index)))
            findable = self.indexer.with_new_memories(index, done.changes)
            room.apply(replace(entry(done, findable), caught_up=turn.id))

        held(self.store, scope, learn)

    def reread(
        self, scope: Scope, memory: Memory, content: str, at: datetime, consent: tuple[str, ...] = ()
    ) -> Claim | None:
        """Read `content` as the speaker of `memory` would have said it; return the claim about its attribute."""
        if memory.attribute is None:
            return None
        turn, _, _ = self._turn(Said(lines=((memory.speaker, content),), at=at, consent=consent))
        claims, _ = self._read(turn, scope, (), NOTHING_KNOWN)
        return next((claim for claim in claims if claim.attribute == memory.attribute), None)

    def remember(self, scope: Scope, claim: Claim, at: datetime) -> Decision:
        """Believe what a person or an import says outright; its words are masked by now."""
        index = self.indexer.entries({claim.id: claim.findable})

        def learn(room: Room) -> Decision:
            moment = Moment(at=at, recorded_at=self.clock.now(), turn_number=room.turn_number)
            claims = of_pets_known(room, (claim,))
            asked = Operation(
                id=new_id(), kind="remember", moment=moment, who=claim.origin, request=Learn(claims=claims)
            )
            done = self.carrier.carried_out(asked, Present(beliefs=beliefs_for(room, claims, index)))
            return room.apply(entry(done, self.indexer.with_new_memories(index, done.changes))).decisions[0]

        return held(self.store, scope, learn)

    def _turn(self, what: Said) -> tuple[Turn, Turn, Masked]:
        """Return the exchange masked, and as the log keeps it; and what was found in it."""
        lines = [(speaker, unicodedata.normalize("NFC", text)) for speaker, text in what.lines]
        masked = [self.mask(text, what.consent) for _, text in lines]
        turn = self._made(what, [(speaker, each.text) for (speaker, _), each in zip(lines, masked, strict=True)])
        logged = turn
        if self.log_mask is not None and any(each.flags for each in masked):
            kept = (self.log_mask(text, what.consent).text for _, text in lines)
            said = zip(turn.utterances, kept, strict=True)
            logged = replace(turn, utterances=tuple(replace(each, text=text) for each, text in said))
        return turn, logged, joined(masked)

    def _made(self, what: Said, lines: Sequence[tuple[str, str]]) -> Turn:
        recorded_at = self.clock.now()
        at = recorded_at if what.at is None else checked_moment(what.at)
        turn_id = new_id() if what.turn_id is None else checked_text(what.turn_id, "turn_id")
        utterances = tuple(
            Utterance(
                id=new_id(),
                turn_id=turn_id,
                speaker=speaker,
                text=text,
                at=at,
                position=position,
                session=what.session,
            )
            for position, (speaker, text) in enumerate(lines)
        )
        return Turn(
            id=turn_id,
            utterances=utterances,
            at=at,
            recorded_at=recorded_at,
            session=what.session,
            channel=what.channel,
            present=what.present,
            cut_off=what.cut_off,
        )

    def _needs(self, turn: Turn, before: Sequence[Utterance]) -> Needs:
        try:
            return needs_of(self.extractor, turn, before)
        except Exception:  # as with `claims`: whatever a plug-in raises, the turn itself must be kept
            log.exception("extractor %s does not say what it needs for turn %s", self.extractor.name, turn.id)
            return Needs()

    def _read(
        self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background
    ) -> tuple[tuple[Claim, ...], bool]:
        """Return the claims of `turn` and whether reading it failed."""
        try:
            return tuple(self.extractor.claims(turn, scope, before, background)), False
        except Exception:  # extractors are plug-ins: whatever they raise, the turn itself must be kept
            news = self.unreadable.failed(turn)
            log.error("turn %s is kept unread: extractor %s failed", turn.id, self.extractor.name, exc_info=news)
            return (), True

    def _stored(self, view: View, turn: Turn, logged: Turn) -> Observed | None:
        """Return what was stored for this turn id; raise `TurnChanged` if its words were others.

        What was masked then and is not now, or the other way round, are the same words.
        """
        known = view.turn(turn.id)
        if known is None:
            return None
        if not (known.says(logged) or known.says(turn) or self._masked(known).says(self._masked(turn))):
            raise TurnChanged(turn.id)
        return _recorded(view, known)

    def _masked(self, turn: Turn) -> Turn:
        return replace(
            turn, utterances=tuple(replace(each, text=self.mask(each.text).text) for each in turn.utterances)
        )

    def _left_open(self, turn: Turn, claims: Sequence[Claim]) -> bool:
        """Return whether a model is to read `turn`; a failure costs that, not the turn."""
        try:
            return self.left_open is not None and self.left_open(turn, claims)
        except Exception:  # as with extractors: whatever goes wrong in reading, the turn itself must be kept
            log.exception("turn %s is not kept for a model", turn.id)
            return False


def _recorded(view: View, turn: Turn) -> Observed:
    operation = view.operation_of(turn.id)
    unread = any(each.id == turn.id for each in view.unread(_UNREAD))
    return _observed(turn, operation, unread=unread, again=True)


def _observed(turn: Turn, operation: Operation | None, *, unread: bool, again: bool = False) -> Observed:
    if operation is None:
        return Observed(turn=turn, decisions=(), unread=unread, again=again)
    noticed = operation.request.noticed if isinstance(operation.request, Learn) else None
    return Observed(
        turn=turn,
        decisions=operation.decisions,
        emotions=noticed.felt if noticed is not None else (),
        moves=operation.moves,
        unread=unread,
        again=again,
    )


def _noticed(
    turn: Turn, scope: Scope, claims: Sequence[Claim], known: Acquaintance, felt: Sequence[Felt]
) -> Noticed | None:
    """Return what is noticed in `turn` beside its claims; a failure costs that, not the turn."""
    try:
        return noticed_in(turn, scope, claims, known, felt)
    except Exception:  # as with extractors: whatever goes wrong in reading, the turn itself must be kept
        log.exception("nothing is noticed in turn %s", turn.id)
        return None


def _participants(turn: Turn, scope: Scope) -> tuple[str, ...]:
    """Return who took part: the user, the character by name, and whoever else spoke or was there."""
    named = {CHARACTER: scope.character or CHARACTER}
    spoke = (named.get(utterance.speaker, utterance.speaker) for utterance in turn.utterances)
    return tuple(dict.fromkeys((*spoke, *turn.present)))
