"""Letting a memory be again what it once was: an earlier wording, or that it holds.

It is a change like any other. What happened since is not undone, except that what took its place and cannot be true
beside it was, then, never true.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import Final

from gieok.domain.decision import Decision, Remember, Supersede
from gieok.domain.entity import Entity, entity_id, merged, met, split
from gieok.domain.judgement import (
    Beliefs,
    Moment,
    Policy,
    confirmed,
    contested,
    excludes,
    judge,
    next_contradiction,
    repeats,
)
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.model_conclusions import apply_conclusions, pass_id
from gieok.domain.noticed import Mention, Noticed, Sign
from gieok.domain.operation import (
    Amend,
    Arrive,
    Confirm,
    Direct,
    Edit,
    Hide,
    Join,
    Learn,
    Maintain,
    Operation,
    Part,
    Pin,
    Reject,
    Restore,
    Stage,
    Think,
)
from gieok.domain.personal import Flags
from gieok.domain.relationship import (
    ANYBODY,
    MannerChange,
    Manners,
    Relationship,
    RelationshipRules,
    Shift,
    default_rules,
    moved,
    new_relationship,
)
from gieok.domain.relationship import after as manners_after
from gieok.domain.scene import Scene, SceneRules, end_scene, new_scene, staged
from gieok.domain.state import DIRECTOR, Alias, Cause, Move, Note, ScopeState, directed_relationship
from gieok.domain.turn import CHARACTER, USER
from gieok.domain.upkeep import Kept, PassName, Ran

#: What it says and whether it holds. How often it was said and used stays what it is.
_SAID: Final = (
    "content", "value", "surface", "value_class", "polarity", "interpretation", "origin", "pinned", "doubtful",
    "retracted", "forgotten_at", "faded_at", "valid_at", "invalid_at", "closed_by",
)  # fmt: skip


def restored(before: Memory, to: Memory, beliefs: Beliefs) -> list[Change]:
    """Return what changes when `before` becomes what it was as `to`: itself first.

    Where it stood open then and another has taken its place since, that other was never true if both cannot be. It
    ends where the next memory that speaks against it, or says the same, begins, and closes what was true until then.
    """
    after = before.changed(**{name: getattr(to, name) for name in _SAID})
    wrong = beliefs.get(before.closed_by) if after.closed_by is None else None
    if wrong is not None and (after.doubtful or wrong.hidden or not excludes(after, wrong)):
        wrong = None
    taken_back = () if wrong is None else _taken_back(wrong, after, beliefs)
    after, closed = (after, []) if after.hidden else _put_in_time(after, beliefs, without=wrong)
    return [Change(before=before, after=after), *taken_back, *closed]


def _put_in_time(memory: Memory, beliefs: Beliefs, *, without: Memory | None = None) -> tuple[Memory, list[Change]]:
    """Return `memory` up to the next firm one that speaks against it or says the same, and what it closes itself."""
    known = beliefs.about(memory.subject, memory.subject_id)
    others = [each for each in known if each.id not in (memory.id, without and without.id)]
    rivals = [each for each in others if excludes(memory, each) or repeats(memory, each)]
    since = memory.valid_at
    firm = (each for each in rivals if each.valid_at > since and not each.doubtful)
    later = min(firm, key=by_truth, default=None)
    if later is not None and (memory.invalid_at is None or memory.invalid_at > later.valid_at):
        memory = replace(memory, invalid_at=later.valid_at, closed_by=later.id)
    closed = [] if memory.doubtful else [each for each in rivals if each.true_at(since)]
    return memory, [Change(before=each, after=each.changed(invalid_at=since, closed_by=memory.id)) for each in closed]


def _taken_back(wrong: Memory, again: Memory, beliefs: Beliefs) -> Iterable[Change]:
    """Yield that `wrong` was never true, and what it had closed open again, up to what holds `again` or another."""
    yield Change(before=wrong, after=wrong.changed(retracted=True))
    known = beliefs.about(wrong.subject, wrong.subject_id)
    others = [each for each in known if each.id not in (again.id, wrong.id)] + ([] if again.hidden else [again])
    for closed in beliefs.closed_by(wrong.id):
        if closed.id != again.id:
            ends = next_contradiction(closed, others)
            end, closer = (None, None) if ends is None else (ends.valid_at, ends.id)
            yield Change(before=closed, after=closed.changed(invalid_at=end, closed_by=closer))


PAIR: Final = "pair"  #: the id of what there is once for the two
_THE_TWO: Final = frozenset({USER, CHARACTER})
_DISCLOSURE: Final = "self_disclosure"
_CHANGED_MANNERS: Final = "manners/1"
_MOVED_IN: Final = "moved_in"  #: the cause of what comes from another system
_MILESTONE: Final = 0.6  #: the importance of speaking otherwise from now on


Retold = Callable[[MannerChange, str | None], str]  #: a change of manners in words, given the character's name


def _in_short(change: MannerChange, character: str | None) -> str:
    who = (character or change.speaker) if change.speaker == "character" else change.speaker
    return f"{who}: {change.what} {change.after}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SocialRules:
    """The rules that people live together by."""

    relationship: RelationshipRules = field(default_factory=default_rules)
    scenes: SceneRules = field(default_factory=SceneRules)
    retold: Retold = _in_short

    def lived(
        self, operation: Operation, request: Learn, decisions: Sequence[Decision], life: ScopeState
    ) -> tuple[tuple[Move, ...], tuple[Change, ...]]:
        """Return what a turn moved, and events worth remembering in it; `life` absorbs the moves."""
        noticed, moment = request.noticed, operation.moment
        if noticed is None:
            return (), ()
        towards_each_other = () if noticed.speakers - _THE_TWO else noticed.manners
        manners, changed = manners_after(life.get(Manners, PAIR) or Manners(), towards_each_other, moment)
        moves = [
            *self._closer(noticed, decisions, life, moment),
            *life.moved(PAIR, manners),
            *self._met(noticed.mentions, life, moment),
            *self._staged(noticed, request, operation, life),
        ]
        events = (
            self._event(operation, number, change, self.retold(change, request.character))
            for number, change in enumerate(_news(changed))
        )
        return tuple(moves), tuple(Change(before=None, after=event) for event in events)

    def arranged(self, request: Join | Part | Stage, operation: Operation, life: ScopeState) -> Iterator[Move]:
        """Yield what a person's own word on people and scenes moves; what cannot be done moves nothing."""
        match request:
            case Join():
                yield from _joined(request, life)
            case Part():
                yield from _parted(request, life)
            case Stage():
                yield from self._set(request, operation, life)

    def directed(self, request: Direct, operation: Operation, life: ScopeState) -> Iterator[Move]:
        """Yield what a director moves, and the note it leaves."""
        before = life.get(Relationship, PAIR) or new_relationship(self.relationship)
        after, shifts = directed_relationship(before, request.deltas)
        yield from life.moved(PAIR, after, _causes(shifts))
        moment = operation.moment
        note = Note(text=request.note, turn_number=moment.turn_number, at=moment.at, by=operation.who)
        yield from life.moved(DIRECTOR, note)

    def arrived(self, request: Arrive, life: ScopeState) -> Iterator[Move]:
        """Yield whom the character knows now, and how the two stand, as far as that was not known."""
        person = request.person
        if person is not None and _person(life, person.name, person.channel) is None:
            yield from life.moved(person.id, Entity(faces=(person,)), [Cause(name=_MOVED_IN)])
        known, brought = life.get(Relationship, PAIR), request.relationship
        if brought is None or (known is not None and known.turns > request.turns):
            return
        if known is not None:
            met = min(filter(None, (known.met_at, brought.met_at)), default=None)
            last = max(filter(None, (known.last_at, brought.last_at)), default=None)
            brought = replace(brought, turns=known.turns, met_at=met, last_at=last, day=known.day, spent=known.spent)
        yield from life.moved(PAIR, brought, [Cause(name=_MOVED_IN)])

    def hushed(self, life: ScopeState) -> Iterator[Move]:
        """Yield that the director's note is wiped out: it may tell of what is being forgotten."""
        note = life.get(Note, DIRECTOR)
        if note is not None:
            yield from life.moved(DIRECTOR, replace(note, text=""))  # that it was left stays known: no second one

    def _closer(
        self, noticed: Noticed, decisions: Sequence[Decision], life: ScopeState, moment: Moment
    ) -> Iterator[Move]:
        """Yield how a turn brings the two closer; what one of them says to somebody else does not."""
        company = noticed.speakers - _THE_TWO
        if company and USER not in noticed.speakers:
            return  # the character talked to others, and nobody says that the user was there
        before = life.get(Relationship, PAIR) or new_relationship(self.relationship)
        own = () if company else (sign for sign in noticed.signs if sign.speaker in _THE_TWO)
        told = (
            Sign(name=_DISCLOSURE, speaker=USER, words=decision.claim.content)  # to tell of oneself brings closer
            for decision in decisions
            if isinstance(decision, Remember | Supersede)
            and decision.claim.subject == decision.claim.speaker == USER
            and not decision.claim.doubtful
        )
        after, shifts = moved(before, (*own, *islice(told, 1)), moment, self.relationship)
        yield from life.moved(PAIR, after, _causes(shifts))

    def _met(self, mentions: Iterable[Mention], life: ScopeState, moment: Moment) -> Iterator[Move]:
        for mention in mentions:
            key = _entity_key(life, mention.name, moment.channel)
            after = met(life.get(Entity, key), mention, moment)
            yield from life.moved(key, after, [Cause(name="mention", speaker=mention.by, amount=mention.valence)])

    def _staged(self, noticed: Noticed, request: Learn, operation: Operation, life: ScopeState) -> Iterator[Move]:
        number, latest = _latest_scene(life)
        after = staged(
            latest,
            noticed,
            operation.moment,
            self.scenes,
            session=request.session,
            participants=request.participants,
            scene_id=f"scene-{operation.id}",
        )
        yield from _put_scenes(life, number, latest, after)

    def _set(self, request: Stage, operation: Operation, life: ScopeState) -> Iterator[Move]:
        moment = operation.moment
        number, latest = _latest_scene(life)
        over = (end_scene(latest, moment.at),) if latest is not None else ()
        new = () if request.ends else (
            new_scene(
                moment,
                f"scene-{operation.id}",
                session=request.session,
                place=request.place,
                daytime=request.daytime,
                participants=request.participants,
            ),
        )  # fmt: skip
        yield from _put_scenes(life, number, latest, (*over, *new))

    def _event(self, operation: Operation, number: int, change: MannerChange, content: str) -> Memory:
        moment = operation.moment
        return Memory(
            id=f"{operation.id}-manners-{number}",
            speaker=change.speaker,
            subject="user",
            subject_id="user",
            content=content,
            content_type="event",
            kind="episodic",
            attribute="milestone",
            value=content,
            importance=_MILESTONE,
            touched_turn=moment.turn_number,
            valid_at=change.at,
            known_at=moment.at,
            recorded_at=moment.recorded_at,
            extractor=_CHANGED_MANNERS,
            channel=moment.channel,
        )


def _news(changed: Sequence[MannerChange]) -> Iterator[MannerChange]:
    """Yield what is worth remembering; where one follows the other in the same turn, they changed together."""
    together = {change.after for change in changed if change.what == "style" and change.mutual}
    first = {change.after: change for change in reversed(changed) if change.what == "style"}
    for change in changed:
        if change.before is None or (change.what == "address" and ANYBODY & {change.before, change.after}):
            continue
        if change.what == "address" and (change.before in change.after or change.after in change.before):
            continue  # 포피야 and 포피 are one form of address
        if change.what == "style" and first[change.after].asked_by is None and change.asked_by is None:
            continue  # people slip in and out of a style; what they agreed on is worth remembering
        if change.what == "style" and change.after in together:
            if change.mutual:
                yield replace(change, asked_by=first[change.after].asked_by)
        else:
            yield change


def _causes(shifts: Iterable[Shift]) -> Iterator[Cause]:
    for shift in shifts:
        yield Cause(
            name=shift.cause,
            speaker=shift.speaker,
            words=shift.words,
            axis=shift.axis,
            amount=round(shift.after - shift.before, 6),
        )


def _joined(request: Join, life: ScopeState) -> Iterator[Move]:
    one, other = _person(life, request.name, request.channel), _person(life, request.other, request.channel)
    if one is None or other is None or one[0] == other[0]:
        return
    (key, person), (other_key, namesake) = one, other
    yield from life.moved(key, merged(person, namesake), [Cause(name="same_person")])
    yield from life.dropped(Entity, other_key, [Cause(name="same_person")])
    for face in namesake.faces:
        yield from life.moved(face.id, Alias(of=key))


def _parted(request: Part, life: ScopeState) -> Iterator[Move]:
    one = _person(life, request.name, request.channel)
    if one is None or not one[1].goes_by(request.other, request.channel) or len(one[1].faces) < 2:
        return
    key, person = one
    left, taken = split(person, request.other, request.channel)
    if left.id != key:  # the name that the person went by leaves
        yield from life.dropped(Entity, key, [Cause(name="different_people")])
        yield from life.dropped(Alias, left.id)
        for face in left.faces[1:]:
            yield from life.moved(face.id, Alias(of=left.id))
    yield from life.dropped(Alias, taken.id)
    yield from life.moved(left.id, left, [Cause(name="different_people")])
    yield from life.moved(taken.id, taken, [Cause(name="different_people")])


def _person(life: ScopeState, name: str, channel: str | None) -> tuple[str, Entity] | None:
    key = _entity_key(life, name, channel)
    found = life.get(Entity, key)
    return (key, found) if found is not None else None


def _entity_key(life: ScopeState, name: str, channel: str | None) -> str:
    own = entity_id(name, channel)
    alias = life.get(Alias, own)
    return alias.of if alias is not None else own


def _latest_scene(life: ScopeState) -> tuple[int, Scene | None]:
    known = life.all(Scene)
    return (int(known[-1][0]), known[-1][1]) if known else (0, None)


def _put_scenes(life: ScopeState, number: int, latest: Scene | None, scenes: Sequence[Scene]) -> Iterator[Move]:
    """Put scenes in their places: what goes on where `latest` stood, what is new behind it."""
    for scene in scenes:
        if latest is None or scene.id != latest.id:
            number += 1
        yield from life.moved(f"{number:08d}", scene)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingState:
    """Everything an operation is carried out against. Both change as it goes."""

    beliefs: Beliefs = field(default_factory=Beliefs)
    life: ScopeState = field(default_factory=ScopeState)


#: yields what the pass of that name does; what was yielded is absorbed before the next pass
PassRunner = Callable[[PassName, Operation, WorkingState], Iterator[Kept]]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationApplier:
    """Carries operations out by the rules it was given."""

    policy: Policy = field(default_factory=Policy)
    living: SocialRules = field(default_factory=SocialRules)

    def carried_out(
        self,
        operation: Operation,
        present: WorkingState,
        *,
        turn_number: int | None = None,
        keeper: PassRunner | None = None,
    ) -> Operation:
        """Return `operation` with its outcome against `present`, which absorbs it.

        A request whose memory is not there (any more) changes nothing.
        """
        if turn_number is not None:
            operation = replace(operation, moment=replace(operation.moment, turn_number=turn_number))
        operation = replace(operation, decisions=(), kept=(), changes=(), moves=())
        life = present.life
        changes: tuple[Change, ...] = ()
        moves: Iterable[Move] = ()
        match operation.request:
            case Learn() as request:
                return self._learned(operation, request, present)
            case Maintain() as request:
                assert keeper is not None, "passes need somebody who decides"
                return _maintained(operation, request, present, keeper)
            case Think() as request:
                return _thought(operation, request, present)
            case Direct() as request:
                moves = self.living.directed(request, operation, life)
            case Arrive() as request:
                moves = self.living.arrived(request, life)
            case Join() | Part() | Stage() as request:
                moves = self.living.arranged(request, operation, life)
            case Amend() | Pin() | Confirm() | Reject() | Hide() | Restore() as request:
                changes = tuple(_edited(request, present.beliefs, operation.moment.at, self.policy.flags))
                present.beliefs.absorb(changes)
                moves = self.living.hushed(life) if isinstance(request, Hide) and changes else ()
        return replace(operation, changes=changes, moves=tuple(moves))

    def _learned(self, operation: Operation, request: Learn, present: WorkingState) -> Operation:
        beliefs, moment = present.beliefs, operation.moment
        reviewed = list[Change]()
        for ids, change in ((request.doubted, contested), (request.confirmed, _borne_out)):
            for memory in filter(None, map(beliefs.get, ids)):
                changes = change(memory, beliefs)
                beliefs.absorb(changes)
                reviewed += changes
        decisions = judge(request.claims, beliefs, moment, self.policy)
        moves, events = self.living.lived(operation, request, decisions, present.life)
        beliefs.absorb(events)
        known = [old for each in dict.fromkeys(request.used) if (old := beliefs.get(each)) is not None]
        used = [Change(before=old, after=old.changed(uses=old.uses + 1, last_used_at=moment.at)) for old in known]
        beliefs.absorb(used)
        judged = (change for decision in decisions for change in decision.changes)
        return replace(operation, decisions=decisions, changes=(*reviewed, *judged, *events, *used), moves=moves)

    def rewound(
        self,
        log: Sequence[Operation],
        undo: frozenset[str],
        present: WorkingState,
        *,
        turn_number: int,
        keeper: PassRunner | None = None,
    ) -> list[Operation]:
        """Return what `log` becomes without the operations in `undo`; `present` ends as the survivors leave it.

        `log` holds every operation in force from the oldest in `undo` to the newest, in order; `turn_number` is the
        number of the last turn before it. Undoing by inverse changes runs back over all of them, newest first; then
        the survivors are judged again, with their own claims, times and ids.
        """
        for operation in reversed(log):
            present.beliefs.absorb(change.inverse for change in reversed(operation.changes))
            present.life.absorb(move.inverse for move in reversed(operation.moves))
        replayed = []
        gone = sorted(each.moment.turn_number for each in log if each.id in undo and each.kind == "observe")
        for operation in log:
            if operation.id in undo:
                replayed.append(replace(operation, undone=True))
                continue
            turn_number += operation.kind == "observe"
            number = turn_number
            if operation.kind == "read":  # of an earlier turn, which may have moved up
                read = operation.moment.turn_number
                number = min(read - bisect_left(gone, read), turn_number)
            replayed.append(self.carried_out(operation, present, turn_number=number, keeper=keeper))
        return replayed


def _maintained(operation: Operation, request: Maintain, present: WorkingState, keeper: PassRunner) -> Operation:
    kept: list[Kept] = []
    moves: list[Move] = []
    for name in request.passes:
        done = list(keeper(name, operation, present))
        for each in done:
            present.beliefs.absorb(each.changes)
        kept += done
        ran = Ran(turn_number=operation.moment.turn_number, at=operation.moment.at)
        moves += present.life.moved(name, ran)
    changes = tuple(change for each in kept for change in each.changes)
    return replace(operation, kept=tuple(kept), changes=changes, moves=tuple(moves))


def _thought(operation: Operation, request: Think, present: WorkingState) -> Operation:
    kept: list[Kept] = []
    for each in apply_conclusions(
        request.insights,
        request.retellings,
        request.conflicts,
        who=operation.who,
        operation_id=operation.id,
        beliefs=present.beliefs,
        moment=operation.moment,
    ):
        present.beliefs.absorb(each.changes)
        kept.append(each)
    ran = Ran(turn_number=operation.moment.turn_number, at=operation.moment.at)
    moves = tuple(move for thought in request.over for move in present.life.moved(pass_id(thought), ran))
    changes = tuple(change for each in kept for change in each.changes)
    return replace(operation, kept=tuple(kept), changes=changes, moves=moves)


def _edited(request: Edit, beliefs: Beliefs, at: datetime, flags: Flags) -> list[Change]:
    before = beliefs.get(request.memory_id)
    if before is None and request.saying is not None:  # the turn that gave it was rewound, and another says the same
        before = beliefs.that_says(request.saying)
    if before is None:
        return []
    if isinstance(request, Restore):
        changes = restored(before, request.to, beliefs)
        return [*changes, *_told_otherwise(changes[0], beliefs, at)]
    if isinstance(request, Pin):
        if before.doubtful and request.pinned:
            return []
        after = before.changed(pinned=request.pinned)
    elif isinstance(request, Confirm | Reject):
        return _out_of_doubt(request, before, beliefs)
    elif isinstance(request, Hide):
        told_on = (Change(before=old, after=old.changed(faded_at=at)) for old in beliefs.concluded_from(before))
        return [Change(before=before, after=before.changed(forgotten_at=at)), *told_on]
    else:
        value = before.value if request.value is None else request.value
        told = {"content": request.content, "value": value, "surface": request.surface, "origin": "person"}
        marks = flags(request.content if value is None else f"{request.content} {value}")
        after = before.changed(**told, pii_flags=marks, interpretation=None)  # that told of other words
        closed: list[Change] = []
        if before.doubtful:  # a person who puts it right vouches for it
            after, closed = _put_in_time(confirmed(after), beliefs)
        change = Change(before=before, after=after)
        return [change, *closed, *_told_otherwise(change, beliefs, at)]
    return [Change(before=before, after=after)]


def _out_of_doubt(request: Confirm | Reject, before: Memory, beliefs: Beliefs) -> list[Change]:
    """Return what changes when a person says that a doubtful memory is true, or never was; of a firm one nothing."""
    if before.retracted or not before.doubtful:
        return []
    if isinstance(request, Reject):
        return [Change(before=before, after=before.changed(retracted=True))]
    after, closed = _put_in_time(confirmed(before.changed(certainty=1.0)), beliefs)
    return [Change(before=before, after=after), *closed]


def _borne_out(before: Memory, beliefs: Beliefs) -> tuple[Change, ...]:
    """Return what changes when a model bears out what is in doubt."""
    if before.retracted or not before.doubtful:
        return ()
    after, closed = _put_in_time(confirmed(before.changed()), beliefs)
    return (Change(before=before, after=after), *closed)


def _told_otherwise(change: Change, beliefs: Beliefs, at: datetime) -> Iterator[Change]:
    """Yield what becomes of the conclusions that tell what a memory said before.

    The story so far is told on with the right words, others are let go.
    """
    before, after = change.before, change.after
    if before is None or after is None or before.content == after.content:
        return
    for page in beliefs.retelling(before):
        told = page.content.replace(before.content, " ".join(after.content.split()))
        retold = page.content_type == "summary" and before.content in page.content
        fields = {"content": told, "interpretation": None} if retold else {"faded_at": at}
        yield Change(before=page, after=page.changed(**fields))
