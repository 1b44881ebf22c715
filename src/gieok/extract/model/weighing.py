"""Weighing what a model proposes: the words must have been said, and the tagger must not see something else in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from gieok.domain.attributes import attribute as schema_of
from gieok.domain.claim import Act, Claim, Flaw, Subject
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Utterance
from gieok.errors import InvalidQuery
from gieok.extract.assertion import is_of_anybody, is_over, is_replaced
from gieok.extract.feelings import feel
from gieok.extract.learned.reader import Mark, marks
from gieok.extract.left_open import OpenLine, reads_in, sentence_at
from gieok.extract.model.ground import Ground
from gieok.extract.values import TOLD, Value, kind_of, value_of
from gieok.language.mood import sentence_moods
from gieok.language.notes import note
from gieok.language.text import has_hangul, squeeze
from gieok.prompts.tasks import Proposed

TRUST: Final = 0.7  #: of what a model is sure of
_SEEN: Final = 0.05  #: certainty of the tagger from which it bears a model out
_REFUSED: Final = 0.2  #: … that something only sounds like a fact
_ANOTHERS: Final = 0.15  #: … that it is somebody else's
_BONDS: Final = frozenset("family friend pet relationship_status".split())  #: facts of the one whose people they are
_UNSAID: Final = frozenset({"question", "wish", "hypothetical", "command"})  #: moods that tell nothing
_AHEAD: Final = frozenset("plan goal dream promise todo decision boundary".split())
_PAST_ALREADY: Final = frozenset("event timeline milestone vaccination trauma".split())
_HAPPENED: Final = frozenset({"event", "timeline", "milestone", "note"})
_LONGEST: Final = 40  #: letters of a value that names something
_LONGEST_TOLD: Final = 80
_ORDER: Final = re.compile(r"라고\s?(?:기억|저장|적어|외워)")  #: an order what to store is no statement
_CHANGED: Final = re.compile(
    r"이제|인제|바[꿨꾸뀌뀐]|옮[겼기]|됐|되었|아니고|아니라|말고|그만|끊|다가"
    r"|\b(?:now|no longer|any ?more|moved|switched|changed|instead|quit)\b",
    re.IGNORECASE,
)
_NEAR: Final = 12  #: letters
_ASKS: Final = re.compile(r"\?\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where in the talk a proposal was read, and what the tagger marks there."""

    line: OpenLine
    ground: Ground
    start: int
    end: int
    seen: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """What the proposals of one answer are weighed against."""

    lines: tuple[OpenLine, ...]
    before: tuple[Utterance, ...]  #: what was said before the lines
    scope: Scope
    read: tuple[Claim, ...]  #: without a model, in the same turn
    extractor: str
    least_certainty: float
    least_importance: float
    known_as: frozenset[str]  #: what the two who talk are called in the prompt

    def claim(self, proposed: Proposed) -> Claim:
        """Return what `proposed` claims. Its id is still to be given."""
        place = self._place(proposed)
        if place is None:
            return self._bare(proposed, self.lines[0], "ungrounded")
        try:
            schema = schema_of(proposed.attribute) if proposed.attribute else None
        except InvalidQuery:
            return self._bare(proposed, place.line, "unknown_attribute")
        about = self._about(proposed, place)
        if about is None:
            return self._bare(proposed, place.line, "ungrounded")
        bare = replace(self._bare(proposed, place.line), subject=about[0], subject_id=about[1])
        if not self._is_told(proposed, about, place):
            return replace(bare, flaw="not_told")
        claim = self._with_value(bare, proposed, place) if schema else self._free(bare, place)
        objection = self._objection(claim, proposed, place) if claim.flaw in (None, "unsure") else None
        return replace(claim, flaw=objection or claim.flaw)

    def _bare(self, proposed: Proposed, line: OpenLine, flaw: Flaw | None = None) -> Claim:
        """Return the claim as it was proposed. What has no name in the schema is kept as a sentence."""
        known = flaw != "unknown_attribute" and flaw != "ungrounded"
        told = feel(line.utterance.text, speaker=line.utterance.speaker)
        return Claim(
            id="",
            speaker=line.utterance.speaker,
            subject=proposed.subject,
            subject_id=self._subject_id(proposed),
            attribute=proposed.attribute if known else None,
            value=proposed.value if known else None,
            content=proposed.content if known else _whole(proposed),
            content_type=proposed.content_type,
            polarity=proposed.polarity,
            certainty=round(TRUST * proposed.certainty, 3),
            importance=proposed.importance,
            emotion_intensity=told.intensity,
            source_id=line.utterance.id,
            origin="model",
            extractor=self.extractor,
            flaw=flaw,
        )

    def _place(self, proposed: Proposed) -> _Place | None:
        """Return where the value stands, or its first word that does, in the quoted words if it can; else these."""
        for line in self.lines:
            ground = Ground(line.utterance.text)
            quoted = ground.place_of(proposed.quote)
            offset, within = (quoted[0], Ground(ground.text[slice(*quoted)])) if quoted else (0, ground)
            value = proposed.value or ""
            found = next((place for word in (value, *value.split()) if (place := within.place_of(word))), None)
            if found is None and quoted is None:
                continue
            start, end = (offset + found[0], offset + found[1]) if found else quoted or (0, 0)
            seen = marks(line.utterance, self.before, ()).facts
            over = tuple(mark for mark in seen if mark.start < end and start < mark.end)
            return _Place(line=line, ground=ground, start=start, end=end, seen=over)
        return None

    def _about(self, proposed: Proposed, place: _Place) -> tuple[Subject, str] | None:
        """Return whom it is about; None where that one was not named."""
        subject, subject_id = proposed.subject, self._subject_id(proposed)
        if subject != "other":
            return subject, subject_id
        speaks = place.line.utterance.speaker == subject_id
        return (subject, subject_id) if subject_id and (speaks or place.ground.holds(subject_id)) else None

    def _subject_id(self, proposed: Proposed) -> str:
        names = {"user": USER, "character": self.scope.character or CHARACTER}
        return names.get(proposed.subject, proposed.name or "")

    def _is_told(self, proposed: Proposed, about: tuple[Subject, str], place: _Place) -> bool:
        """Whether the words state it, and of that one."""
        if _mood_at(place.ground.text, place.start) in _UNSAID and proposed.attribute not in _AHEAD:
            return False
        if is_of_anybody(place.ground.text, place.end):
            return False
        if _ORDER.search(place.ground.text[place.end : place.end + _NEAR]):
            return False
        if any(mark.act == "not" and mark.certainty >= _REFUSED for mark in place.seen):
            return False
        if proposed.attribute in _BONDS:
            return True
        mine = max((mark.certainty for mark in place.seen if self._is_of(mark, about)), default=0.0)
        theirs = max(
            (mark.certainty for mark in place.seen if mark.holder and not self._is_of(mark, about)), default=0.0
        )
        return theirs <= mine or theirs < _ANOTHERS

    def _is_of(self, mark: Mark, about: tuple[Subject, str]) -> bool:
        if mark.holder in (USER, CHARACTER):
            return mark.holder == about[0]
        mine, theirs = squeeze(mark.holder), squeeze(about[1])
        return about[0] == "other" and bool(mine and theirs) and (mine in theirs or theirs in mine)

    def _with_value(self, bare: Claim, proposed: Proposed, place: _Place) -> Claim:
        key = proposed.attribute or ""
        read = self._value(key, proposed.value or "", place)
        if read is None:
            return replace(bare, flaw="ungrounded")
        language: Literal["ko", "en"] = "ko" if has_hangul(place.ground.text) else "en"
        changed = _CHANGED.search(place.ground.text) is not None
        act: Act = "end" if proposed.act == "end" else "prefer" if proposed.act == "correct" and changed else "assert"
        if act == "end" and not changed and not any(mark.act in ("end", "past") for mark in place.seen):
            return replace(bare, flaw="unsure")
        over = act == "end" or (key not in _PAST_ALREADY and is_over(place.ground.text, place.start, place.end))
        shown = read.shown
        content = note(key, shown, language, negative=bare.polarity == "-", over=over) if key not in TOLD else ""
        if not content and not place.ground.names_all(proposed.content, self.known_as | {bare.subject_id}):
            return replace(bare, flaw="ungrounded")
        schema = schema_of(key)
        return replace(
            bare,
            value=read.value,
            surface=place.ground.text[place.start : place.end],
            value_class=kind_of(read.value),
            content=content or proposed.content,
            content_type=schema.content_type,
            act=act if act != "prefer" or schema.single else "assert",
            instead_of=self._instead_of(key, place) if act == "prefer" else None,
            polarity="-" if act == "end" else bare.polarity,
            importance=max(bare.importance, schema.importance),
            invalid_at=place.line.utterance.at if over and act != "end" else None,
            flaw=None if self._borne_out(key, place) else "unsure",
        )

    def _instead_of(self, key: str, place: _Place) -> str | None:
        """Return the value that the words put this one in the place of: 연남동 아니고 성수동."""
        for mark in marks(place.line.utterance, self.before, ()).facts:
            if is_replaced(place.ground.text, mark.end, place.start):
                read = value_of(key, place.ground.text[mark.start : mark.end])
                return read.value if read is not None else None
        return None

    def _value(self, key: str, given: str, place: _Place) -> Value | None:
        """Return what `given` means as a value of `key`; None where nobody said it, or it is no such value."""
        meant = value_of(key, given)
        if meant is None or len(given) > (_LONGEST_TOLD if key in TOLD else _LONGEST):
            return None
        said = [place.ground.text[mark.start : mark.end] for mark in place.seen]
        same = any((read := value_of(key, each)) is not None and read.value == meant.value for each in said)
        return meant if same or place.ground.holds(given) or place.ground.holds(meant.value) else None

    def _borne_out(self, key: str, place: _Place) -> bool:
        """Whether the tagger sees such a thing there; of what is told in a sentence it need not."""
        kind = key.partition(".")[0]
        seen = (mark for mark in place.seen for name in mark.attributes if name.partition(".")[0] == kind)
        return (key in TOLD and key != "trait") or kind == "free" or any(mark.certainty >= _SEEN for mark in seen)

    def _free(self, bare: Claim, place: _Place) -> Claim:
        """A sentence without an attribute: every word of it must have been said, for no value can be checked."""
        besides = self.known_as | {bare.subject_id}
        said = place.ground.words_all(bare.content, besides) and place.ground.names_all(bare.content, besides)
        return replace(bare, value=None, flaw=None if said else "ungrounded")

    def _told(self, claim: Claim) -> list[Claim]:
        return [each for each in self.read if each.attribute not in _HAPPENED or claim.attribute in _HAPPENED]

    def _objection(self, claim: Claim, proposed: Proposed, place: _Place) -> Flaw | None:
        around = sentence_at(place.ground.text, place.start, place.end)
        if _is_read(claim, self.read) or (
            around not in place.line.sentences and reads_in(around, self._told(claim), place.line.utterance.id)
        ):
            return "rules_read_it"
        if proposed.certainty < self.least_certainty:
            return "unsure"
        return "trifling" if proposed.importance < self.least_importance else None


def _mood_at(text: str, place: int) -> str:
    """Return the mood of the sentence around `place`."""
    if not has_hangul(text):
        return "question" if _ASKS.search(text[place:].partition("\n")[0].partition(". ")[0]) else "statement"
    for morphemes, mood in sentence_moods(text):
        if morphemes[0].start <= place < morphemes[-1].end:
            return mood
    return "statement"


def _whole(proposed: Proposed) -> str:
    """Return everything that was proposed, so that the journal shows what was refused."""
    said = f"{proposed.attribute}: {proposed.value}" if proposed.attribute else ""
    return " – ".join(part for part in (said, proposed.content) if part)


def _is_read(claim: Claim, read: Sequence[Claim]) -> bool:
    """Whether the same topic, or something in the same words, was read without a model."""
    mine = squeeze(claim.surface or claim.value or "")
    for other in read:
        if other.doubtful or (other.attribute in _HAPPENED and claim.attribute not in _HAPPENED):
            continue  # what happened (도예 공방에 등록했어) may tell more than that
        if claim.attribute is not None and claim.topic == other.topic:
            return True
        theirs = {squeeze(each) for each in (other.surface, other.value) if each}
        if other.source_id == claim.source_id and mine and any(mine in each or each in mine for each in theirs):
            return True
    return False
