"""Weighing what a model proposes: a claim, with the flaw for which it must not be believed, if it has one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import Final

from gieok.domain.attributes import attribute as schema_of
from gieok.domain.claim import Act, Claim, Flaw, Subject
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER
from gieok.errors import InvalidQuery
from gieok.extract.korean.lexicon import change_words
from gieok.extract.left_open import OpenLine, reads_in, sentence_at
from gieok.extract.likely import is_learned, share, squeeze
from gieok.extract.model.fitting import fits, is_spoken_of
from gieok.extract.model.ground import Ground
from gieok.extract.model.stretches import Stretch, is_anothers, is_likened, is_played, stretches
from gieok.extract.model.values import Meant, is_known, measured, sentence, value_meant
from gieok.language.emotions import feel
from gieok.language.morphemes import Morpheme, analyse
from gieok.language.text import has_hangul
from gieok.prompts.tasks import Proposed

_SINCE_NOW: Final = frozenset("이제 이젠 이제부터 요즘 요새 앞으로 더이상 지금 현재 정정 전과 편입 전향 교체".split())
_TURNED: Final = frozenset(
    "바뀌다 바꾸다 옮기다 변하다 이사하다 이직하다 전학하다 갈아타다 넘어오다 그만두다 끊다 헤어지다 떠나다".split()
)
_RATHER: Final = frozenset({"아니", "말", "말고"})
_ENGLISH: Final = re.compile(
    r"\b(?:no longer|any ?more|not now|now|stopped|quit|gave up|switched|changed|moved|became|used to|instead|"
    r"broke up|left|retired|from now on)\b",
    re.IGNORECASE,
)
TRUST: Final = 0.7  #: of what a model is sure of
_PEOPLE: Final = frozenset("family friend pet relationship_status".split())  #: facts of the one whose people they are
_DENIABLE: Final = frozenset(
    "name nickname age birth_year birthday gender job workplace major school hometown residence blood_type mbti height "
    "weight handedness nationality religion likes hobby exercise pet skill part_time_job medication family friend "
    "allergy phobia medical_condition relationship_status".split()
)  #: "안 좋아해" does not tell that one likes it
_NATURES: Final = frozenset(
    "allergy phobia medical_condition contraindication trauma likes dislikes habit trait skill boundary constraint "
    "opinion".split()
)  #: told by what always comes of something: 새우 먹으면 두드러기가 나
_AHEAD: Final = frozenset(
    "plan goal dream promise todo decision event timeline milestone skill boundary note".split()
)  #: what may lie ahead; 여수에 살 거야 is no residence
_PAST_ALREADY: Final = frozenset("event timeline milestone vaccination trauma".split())


def replaced_in(text: str, value: str) -> str | None:
    """Return what the words put `value` in the place of: 유진 of "유진 아니고 유빈이야", "유진이 아니라 유빈"."""
    parts = analyse(text)
    for place, part in enumerate(parts):
        if part.form in _RATHER and part.tag in ("VCN", "VX", "VV", "JX") and value in text[part.end :]:
            nouns = takewhile(lambda each: each.tag[0] in "NSXJ", reversed(parts[:place]))
            own = [each for each in nouns if each.tag[0] != "J" and each.tag != "NP"]
            return text[own[-1].start : own[0].end] if own else None
    return None


def _put_right(parts: Sequence[Morpheme]) -> bool:
    """부산 아니고 대구, 교사가 아니라 강사."""
    return any(one.tag == "VCN" and after.tag == "EC" for one, after in pairwise(parts))


def says_change(text: str, attribute: str) -> bool:
    """Say whether `text` has a word by which something of the kind of `attribute` changes."""
    if not has_hangul(text):
        return _ENGLISH.search(text) is not None
    known = change_words()
    parts = analyse(text)
    if any(part.form in _SINCE_NOW or part.form in known.over_nouns for part in parts):
        return True
    endings = (ending for part in parts for ending in known.over.get(part.lemma, ()))
    return (
        _put_right(parts)
        or any(part.lemma in _TURNED for part in parts)
        or any(ending.fits(attribute) and not ending.needs for ending in endings)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where in the talk a proposal was read."""

    line: OpenLine
    ground: Ground
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighing:
    """What the proposals of one answer are weighed against."""

    lines: tuple[OpenLine, ...]
    scope: Scope
    read: tuple[Claim, ...]  #: by the rules, in the same turn
    extractor: str
    least_certainty: float
    least_importance: float
    asked: str  #: what was said to the speaker just before
    known_as: frozenset[str]  #: what the two who talk are called in the prompt

    def claim(self, proposed: Proposed) -> Claim:
        """Return what `proposed` claims. Its id is still to be given."""
        proposed = _named_as_known(proposed)
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
        stretch = self._stretch(place)
        within = self._sentence(place)
        if within is None or stretch is None or not _told(proposed, about, stretch) or is_played(place.ground.text):
            return replace(bare, flaw="not_told")
        if is_anothers(place.ground.text, place.start) or is_likened(place.ground.text, place.end):
            return replace(bare, flaw="not_told")
        claim = self._with_value(bare, proposed, place, stretch, within) if schema else self._free(bare, place)
        objection = self._objection(claim, proposed) if claim.flaw in (None, "unsure") else None
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
            found = next((place for word in self._words(proposed, within) if (place := within.place_of(word))), None)
            if found is not None:
                return _Place(line=line, ground=ground, start=offset + found[0], end=offset + found[1])
            if quoted is not None:
                return _Place(line=line, ground=ground, start=quoted[0], end=quoted[1])
        return None

    def _words(self, proposed: Proposed, ground: Ground) -> tuple[str, ...]:
        """Return the words by which the value may be found, the whole of it first."""
        value = proposed.value or ""
        meant = measured(proposed.attribute or "", value, ground) if value else None
        return (value, *([meant.surface] if meant is not None else ()), *value.split())

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

    def _sentence(self, place: _Place) -> str | None:
        """Return the sentence that it was read in; None if rules have read that one."""
        text = place.ground.text
        for each in place.line.sentences:
            start = text.find(each)
            if start <= place.start < start + len(each):
                return each
        around = sentence_at(text, place.start, place.end)
        return None if reads_in(around, self.read, place.line.utterance.id) else around

    def _stretch(self, place: _Place) -> Stretch | None:
        utterance = place.line.utterance
        found = stretches(utterance.text, utterance.speaker, self.scope)
        within = [each for each in found if each.start < place.end and place.start < each.end]
        return next((each for each in within if not each.stated), within[0]) if within else None

    def _with_value(self, bare: Claim, proposed: Proposed, place: _Place, stretch: Stretch, within: str) -> Claim:
        key = proposed.attribute or ""
        hangul = has_hangul(place.ground.text)
        meant = value_meant(key, proposed.value or "", place.ground)
        if meant is None:
            return replace(bare, flaw="ungrounded")
        act = _act(proposed, place)
        over = act == "end" or (stretch.bygone and key not in _PAST_ALREADY)
        content = sentence(key, meant.shown, hangul=hangul, negative=bare.polarity == "-", over=over)
        grounded = content is not None or place.ground.names_all(proposed.content, self.known_as | {bare.subject_id})
        return replace(
            bare,
            value=meant.value,
            surface=meant.surface,
            content=content or proposed.content,
            content_type=schema_of(key).content_type,
            act=act,
            instead_of=self._instead_of(key, meant, place) if act == "prefer" else None,
            polarity="-" if act == "end" else bare.polarity,
            importance=max(bare.importance, schema_of(key).importance) if grounded else bare.importance,
            invalid_at=place.line.utterance.at if over and act != "end" else None,
            flaw=_flaw(proposed, within, meant, stretch, self._likelihood(key, meant, place, within))
            if grounded
            else "ungrounded",
        )

    def _instead_of(self, key: str, meant: Meant, place: _Place) -> str | None:
        """Return the value that the words put this one in the place of."""
        old = replaced_in(place.ground.text, meant.surface)
        known = value_meant(key, old, place.ground) if old is not None else None
        return known.value if known is not None and known.value != meant.value else None

    def _likelihood(self, key: str, meant: Meant, place: _Place, within: str) -> float | None:
        """Return how likely what was said, or the sentence alone, tells it; None for what is not learned."""
        if not is_learned(key, meant.value):
            return None
        return max(share(key, meant.value, meant.surface, said, self.asked) for said in (place.ground.text, within))

    def _free(self, bare: Claim, place: _Place) -> Claim:
        """A sentence without an attribute: every word of it must have been said, for no value can be checked."""
        besides = self.known_as | {bare.subject_id}
        said = place.ground.words_all(bare.content, besides) and place.ground.names_all(bare.content, besides)
        return replace(bare, value=None, flaw=None if said else "ungrounded")

    def _objection(self, claim: Claim, proposed: Proposed) -> Flaw | None:
        if _read_by_rule(claim, self.read):
            return "rules_read_it"
        if proposed.certainty < self.least_certainty:
            return "unsure"
        return "trifling" if proposed.importance < self.least_importance else None


def _named_as_known(proposed: Proposed) -> Proposed:
    """The favourite of a kind that rules do not know (favorite.country) is liked."""
    key = proposed.attribute or ""
    return replace(proposed, attribute="likes") if key.startswith("favorite.") and not is_known(key) else proposed


def _whole(proposed: Proposed) -> str:
    """Return everything that was proposed, so that the journal shows what was refused."""
    said = f"{proposed.attribute}: {proposed.value}" if proposed.attribute else ""
    return " – ".join(part for part in (said, proposed.content) if part)


def _told(proposed: Proposed, about: tuple[Subject, str], stretch: Stretch) -> bool:
    """Whether the words state it, and of that one."""
    if not _stated(proposed, stretch):
        return False
    if stretch.subject == about[0] and (about[0] != "other" or _same_one(about[1], stretch.subject_id or "")):
        return True
    return about[0] == USER and proposed.attribute in _PEOPLE and stretch.subject == "other"


def _stated(proposed: Proposed, stretch: Stretch) -> bool:
    """Whether the clause says so of such a thing: what is meant to be is a plan, what always follows is a nature."""
    key = proposed.attribute or ""
    if proposed.act == "end":
        return stretch.stated or stretch.given_up
    if stretch.ahead and key:
        return key in _AHEAD
    if stretch.supposed and key not in _NATURES and not key.startswith("favorite."):
        return False
    return stretch.stated or (stretch.whenever and (key in _NATURES or key.startswith("favorite.")))


def _same_one(name: str, other: str) -> bool:
    mine, theirs = squeeze(name), squeeze(other)
    return bool(mine) and bool(theirs) and (mine in theirs or theirs in mine)


def _flaw(proposed: Proposed, sentence: str, meant: Meant, stretch: Stretch, likelihood: float | None) -> Flaw | None:
    key = proposed.attribute or ""
    if stretch.denied and proposed.polarity == "+" and proposed.act == "assert" and key in _DENIABLE:
        return "not_told"
    if (proposed.act != "end" and not fits(key, meant, sentence, likelihood)) or (
        proposed.act == "end" and not _ended(key, sentence, stretch)
    ):
        return "unsure"
    return None


def _ended(key: str, sentence: str, stretch: Stretch) -> bool:
    """Whether the words leave it behind: 끊었어, 부산 아니고, 서울 살다가, 예전엔 …였는데."""
    over = stretch.denied or stretch.bygone or stretch.given_up or (stretch.past and is_spoken_of(key, sentence))
    return over or says_change(sentence, key)


def _act(proposed: Proposed, place: _Place) -> Act:
    """A model may say that things changed where the words do; that something was never true, only rules may say."""
    if proposed.act == "end":
        return "end"
    key = proposed.attribute or ""
    changed = proposed.act == "correct" and schema_of(key).single and says_change(place.ground.text, key)
    return "prefer" if changed else "assert"


def _read_by_rule(claim: Claim, read: Sequence[Claim]) -> bool:
    """Whether rules have claimed the same topic, or something in the same words."""
    mine = squeeze(claim.surface or claim.value or "")
    for other in read:
        if claim.attribute is not None and claim.topic == other.topic:
            return True
        theirs = {squeeze(each) for each in (other.surface, other.value) if each}
        if other.source_id == claim.source_id and mine and any(mine in each or each in mine for each in theirs):
            return True
    return False
