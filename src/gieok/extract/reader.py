"""Reading a turn in its conversation: what the tagger marks, through the truth gate.

The tagger sees whose fact it is and whether it is meant. What it marks is firm where it is sure, doubtful where it is
not, and below that nothing. What the character says is evidence of her own words only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, Literal

from gieok.domain.attributes import SCHEMA
from gieok.domain.attributes import attribute as schema_of
from gieok.domain.claim import Act, Claim, Subject, claim_id
from gieok.domain.memory import NOTHING_KNOWN, Background, Memory, Needs
from gieok.domain.personal import masks_of
from gieok.domain.pets import of_pet, of_pets
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn, Utterance
from gieok.extract.assertion import (
    is_anothers_home,
    is_denied,
    is_direct,
    is_given_up,
    is_hated,
    is_liked,
    is_new,
    is_not_her_own,
    is_of_anybody,
    is_over,
    is_overcome,
    is_plain,
    is_preferred,
    is_replaced,
    is_thought_of,
    is_visited,
    meant_instead,
    names_nothing,
    promises,
    takes_back,
    tells_a_death,
)
from gieok.extract.feelings import feel
from gieok.extract.holder import STOP, Talk, is_hearsay
from gieok.extract.learned.network import Network, network
from gieok.extract.learned.reader import Mark, Marks, clean_name, marks, prepare
from gieok.extract.learned.taught import taught_network
from gieok.extract.times import dated, time_of_plan, time_of_state, undated
from gieok.extract.values import TOLD, kind_of, value_of
from gieok.language.mood import joke_ends, joking
from gieok.language.morphemes import analyse
from gieok.language.notes import note
from gieok.language.people import PEOPLE_WORDS
from gieok.language.text import has_hangul

NAME: Final = "reader/2"
FIRM: Final = 0.62  #: certainty of the tagger from which a fact of the user is believed
FIRM_PINNED: Final = 0.64  #: … one that goes into every context
FIRM_OTHERS: Final = 0.5  #: … one of somebody else
#: … where the tagger is surer or less sure than it says, by the dev authors
_FIRM_AT: Final = {
    "habit": 0.85, "medical_condition": 0.8, "likes": 0.65, "job": 0.73, "name": 0.73, "promise": 0.7,
    "age": 0.58, "exercise": 0.55, "pet": 0.5, "goal": 0.5, "free": 0.45,
    "plan": 0.45, "relationship_status": 0.45, "timeline": 0.4,
}  # fmt: skip
_FIRM_AT_OTHERS: Final = {
    "likes": 0.9, "habit": 0.85, "skill": 0.64,
    "hobby": 0.45, "allergy": 0.4, "vaccination": 0.4, "event": 0.4, "timeline": 0.3, "name": 0.28,
}  # fmt: skip
FIRM_ENDED: Final = 0.35  #: … that something known is over
FIRM_CHARACTER: Final = 0.7
FIRM_NAME: Final = 0.85  #: … that a name beside an animal is the user's own
FIRM_REPLACED: Final = 0.3  #: … that a value is over, where the same words name the new one
DOUBTFUL: Final = 0.2  #: certainty from which it is kept in doubt
RETRACTS: Final = 0.5
_CONTEXT: Final = 6  #: utterances before this one that the tagger is shown
_PEOPLE: Final = 12  #: people known by name that it is shown
_NEAR: Final = 120  #: letters before and after a span that are looked at for the rest of its sentence
_SHORT: Final = 30  #: … for the words that it belongs to
_LONGEST: Final = 90  #: characters of a sentence that is kept as a memory
_NOISE: Final = re.compile(r"[ㅋㅎㅠㅜㄷㅇㄱ]{2,}|\*[^*\n]*\*|[\^;:]{2,}")
_HAPPENED: Final = frozenset({"event", "milestone", "timeline", "note", "trauma", "name", "birthday", "promise"})
_AHEAD: Final = frozenset({"plan", "goal", "todo", "promise", "decision"})  #: what has a day in the future
_SAID: Final = re.compile(r"\b(?:said|told)\b", re.IGNORECASE)
_MASKS: Final = (
    ("phone", re.compile("|".join(map(re.escape, masks_of("phone"))))),
    ("residence", re.compile("|".join(map(re.escape, masks_of("address"))))),
)
_NUMBER_OF: Final = re.compile(
    r"(\S+?)(?:의|'s)?\s(?:전화|핸드폰|휴대폰|phone|cell)?\s?(?:번호|number)\S*\s(?:is\s)?$", re.IGNORECASE
)
_MY: Final = frozenset("내 제 나 저 나의 저의 my".split())
_BARE_WITH: Final = 6  #: words beside what is taken back: 아까 나 땅콩 알레르기 있다고 한 거 뻥이야
_BARE: Final = 3  #: words of a bare answer
_ASKED_ABOUT: Final = 2  #: utterances before a turn whose facts an end may mean: 헬스는 다녀? – 끊었어
_HEARD: Final = 0.3  #: chance from which a bare answer gives what was asked for
_FILLER: Final = re.compile(
    r"(?:(?:네|넵|넹|예|응|엉|ㅇㅇ|어|아|음+|흠+|그냥|yes|yeah|yep|oh|um+|well)(?=[\s,.~!…])[\s,.~!…]*)+", re.IGNORECASE
)
_IN_FOCUS: Final = 0.9  #: how sure it is that a report is of the one in focus
_DOUBTED: Final = 0.8  #: chance from which even a plain sentence is not meant
_LIKELY: Final = 0.45  #: certainty from which a plain sentence makes a mark surer
_DATED: Final = frozenset({"plan", "todo", "event", "goal"})
_A_DAY: Final = timedelta(days=3)  #: of a plan with a day; a weekend counts
_SOON: Final = 0.25  #: exponent of the tagger's chance where the day is told
_OWN: Final = 0.6  #: chance from which a plain sentence leaves no doubt that the speaker means themselves
_PLAIN: Final = 0.1  #: exponent of the tagger's chance in a plain sentence
_TASTES: Final = frozenset({"likes", "dislikes"})
_TOGETHER: Final = frozenset("연애중 썸 dating".split())
_PARTED: Final = frozenset("이별 이혼 사별 별거 솔로 single divorced widowed separated".split())
_NEEDED: Final = frozenset("allergy medical_condition medication contraindication diet constraint vaccination".split())
_CAUTIONS: Final = frozenset(key for key, schema in SCHEMA.items() if schema.category == "caution")
_OVERCOME: Final = frozenset("allergy medical_condition phobia trauma".split())
_CLEAR: Final = 0.5  #: chance of the attribute from which a fact goes into every context
_SURELY: Final = 0.8  #: chance from which a favourite needs no word that says so
_BEST: Final = re.compile(
    r"제일|젤|가장|최애|최고|1등|일등|인생|원픽|무조건|오직|없으면\s?못|only|favou?rite|\bbest\b|\bmost\b|number one",
    re.IGNORECASE,
)
_I: Final = re.compile(r"(?:^|[\s,.])(?:나는|난|나|저는|전|저)\s$")
_I_AM: Final = re.compile(r"(?:이야|야|이에요|예요|입니다|임|이다)\b")
_CALLED: Final = re.compile(r"이?라고\s?(?:합니다|해요|해|하는|하오)(?!서)")
_DENIABLE: Final = frozenset(
    "job workplace school major hometown residence relationship_status pet likes hobby exercise part_time_job "
    "medication skill friend".split()
)
_YOU: Final = re.compile(r"오빠|언니|누나|당신|주인님|선배|\b네가|\b니가|너[는를도의]|\byou\b|\byour", re.IGNORECASE)
_PLANNED: Final = _AHEAD | {"dream"}
_KEYS: Final = {"favorite.other": "likes", "grade": "free.grade"}  #: attributes of the tagger with another name here
_INJECTED: Final = frozenset({"event", "milestone", "medication", "timeline"})
_VACCINE: Final = re.compile(r"백신|접종|예방\s?주사|\bvaccin|\bbooster", re.IGNORECASE)
_PET_SIGNS: Final = frozenset({"free.breed", "free.species", "vaccination"})
_OUR: Final = r"(?:우리|울|저희|내|제|my|our)\s*(?:집\s*)?"
_NAME_OF: Final = re.compile(r"(\S+?)(?:의|'s)?\s(?:이름[은이]?|name is)\s*$", re.IGNORECASE)
_ROW: Final = re.compile(r"(?:이?랑|하고|와|과|이?고|,|and|&|\s)+(?:[가-힣A-Za-z]{1,4}(?:이?랑|하고|와|과|,)\s*)?")
_ANIMAL: Final = frozenset({"pet", "free.species", "free.breed"})
_ANOTHERS: Final = re.compile(r"옆집|이웃|[가-힣]네\s|neighbou?r|friend's", re.IGNORECASE)
_INTRODUCES: Final = tuple(
    (key, re.compile(rf"\b(?:{words})\s+(?:an?\s+|the\s+)?$", re.IGNORECASE))
    for key, words in {
        "residence": r"liv(?:e|es|ing) (?:in|at)|moved to",
        "workplace": r"work(?:s|ing)? (?:at|for)",
        "job": r"work(?:s|ing)? as",
        "hometown": r"born in|grew up in|raised in",
        "allergy": r"allergic to",
    }.items()
)
_BONDS: Final = frozenset({"friend", "family", "pet"})  #: facts of the user that name somebody else


@dataclass(frozen=True)
class Reader:
    """The extractor that needs no model."""

    taught: Path | None = None  #: a file with a last layer that a studio taught

    @property
    def name(self) -> str:
        return f"{NAME} taught" if self.taught else NAME

    @cached_property
    def network(self) -> Network:
        return taught_network(self.taught, network()) if self.taught else network()

    def needs(self, turn: Turn, before: Sequence[Utterance]) -> Needs:
        """Return which known facts `claims` needs for `turn`."""
        said = [
            each.text for each in (*before[-_ASKED_ABOUT:], *turn.utterances) if each.speaker == USER or each in before
        ]
        return Needs(said="\n".join(said), people=True)

    def prepare(self, utterances: Sequence[Utterance]) -> None:
        """Encode utterances that are to be read soon together: half the time of one by one."""
        prepare(utterances, self.network)

    def claims(
        self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background = NOTHING_KNOWN
    ) -> Sequence[Claim]:
        heard, read = list(before), list[Claim]()
        people = [*background.people]
        prepare((*heard[-_CONTEXT:], *turn.utterances), self.network)
        for utterance in turn.utterances:
            reading = _Reading(utterance, tuple(heard[-_CONTEXT:]), scope, background, tuple(people), self.network)
            found = reading.read()
            read += (replace(claim, id=claim_id(utterance.id, number)) for number, claim in enumerate(found))
            people = list(dict.fromkeys([*(each.subject_id for each in found if each.subject == "other"), *people]))
            heard.append(utterance)
        return read


@dataclass(frozen=True, slots=True)
class _Reading:
    """One utterance, what was said before it, and what is known."""

    utterance: Utterance
    before: tuple[Utterance, ...]
    scope: Scope
    background: Background
    people: tuple[str, ...]
    network: Network

    def read(self) -> list[Claim]:
        text = self.utterance.text
        if self.utterance.speaker == CHARACTER and is_not_her_own(text):
            return []
        marked = self._marks()
        found = self._claims(marked)
        if self.utterance.speaker == USER and (marked.retracts >= RETRACTS or takes_back(self.utterance.text)):
            taken_back = list(self._taken_back(marked))
            gone = {each.saying for each in taken_back} | {
                each.saying for each in found if text.find(each.surface or "") < joke_ends(text)
            }
            found = [*taken_back, *(claim for claim in found if claim.saying not in gone)]
        found = self._corrected(found)
        found += self._after_death()
        if self._is_bare_word():
            found = [claim for claim in found if claim.act == "retract"]
        return list(_one_value_each(_with_pets(found, self.utterance, self.background)))

    def _marks(self) -> Marks:
        text = self.utterance.text
        marked = marks(self.utterance, self.before, self.people[:_PEOPLE], self.network)
        facts: Sequence[Mark] = list(_promised(list(_masked(marked.facts, text)), text, self.utterance.speaker))
        facts = [_introduced(mark, text) for mark in facts]
        if self.utterance.speaker != CHARACTER:
            facts = list(self._reported(facts))
            if self._talk().is_of_oneself():
                own = self.utterance.speaker
                facts = [replace(mark, held=1.0) if mark.holder == own else mark for mark in facts]
            answer, talk = _bare_answer(text), self._talk()
            asked = talk.asked_of() if answer else ""
            facts = _plainly(facts, self.utterance, answer, asked, talk.asked_attribute() if asked else "")
            facts = list(_planned(facts, self.utterance))
        facts = list(_told_once(_one_status(facts, text), text))
        return replace(marked, facts=tuple(_of_animals(facts, text, self.utterance.speaker)))

    def _reported(self, found: Sequence[Mark]) -> Iterator[Mark]:
        """Yield the marks; what a vet or a doctor has said is of whoever the talk is about: 신부전이래."""
        talk = self._talk()
        reported_of = cache(talk.reported_of)
        for mark in found:
            may_be = mark.attribute in _NEEDED and mark.acts["not"] <= _DOUBTED
            whose = reported_of(around(self.utterance.text, mark.start, mark.end)) if may_be else ""
            of_them = whose and mark.holder in (self.utterance.speaker, whose)
            yield replace(mark.as_told(), chance=mark.chance, holder=whose, held=_IN_FOCUS) if of_them else mark

    def _talk(self) -> Talk:
        character = self.scope.character or CHARACTER
        return Talk(self.utterance, self.before, self.people, self.background, character)

    def _claims(self, marked: Marks) -> list[Claim]:
        named = {self._words(mark) for mark in marked.facts if mark.attribute in _BONDS and mark.certainty >= DOUBTFUL}
        told = [(mark, claim) for mark in marked.facts if (claim := self._claim(mark, named=named)) is not None]
        said, found = set[tuple[object, ...]](), list[Claim]()
        for mark, claim in told:
            if claim.act == "assert" and claim.polarity == "+" and not claim.doubtful:
                claim = self._instead(claim, mark, marked, named)
            elif claim.act == "end" or claim.invalid_at is not None:
                news = (each for _, each in told if each.topic == claim.topic and each.value != claim.value)
                replaced = any(each.polarity == "+" and not each.doubtful and each.invalid_at is None for each in news)
                claim = replace(claim, doubtful=False) if replaced and claim.certainty >= FIRM_REPLACED else claim
            if (*claim.saying, claim.polarity) not in said:
                said.add((*claim.saying, claim.polarity))
                found.append(claim)
        gone = {(*claim.topic, claim.instead_of) for claim in found if claim.instead_of}
        return [claim for claim in found if claim.act != "end" or (*claim.topic, claim.value) not in gone]

    def _instead(self, claim: Claim, mark: Mark, marked: Marks, named: Set[str]) -> Claim:
        """Return `claim` with the value that the words put it in the place of: 유진 아니고 유빈."""
        for other in marked.facts:
            if is_replaced(self.utterance.text, other.end, mark.start) and other.act in ("not", "deny", "end"):
                old = self._claim(other.as_told(), named=named)
                if old is not None and old.value and old.topic == claim.topic and old.value != claim.value:
                    return replace(claim, act="correct", instead_of=old.value)
        return claim

    def _taken_back(self, marked: Marks) -> Iterator[Claim]:
        """Yield the retraction of what the user told last: in this utterance, or else in an earlier one."""
        own = [mark for mark in marked.facts if mark.end <= marked.retracts_at or mark.act == "not"]
        if not own and _SAID.search(self.utterance.text):
            own = list(marked.facts)
        text = self.utterance.text
        found = []
        for mark in own:
            claim = self._claim(mark.as_told()) if mark.chance >= DOUBTFUL else None
            if claim is not None:  # in 땅콩 알레르기 없어. 농담이야, the denial is the joke
                short = len(text.split()) - len(self._words(mark).split()) <= _BARE_WITH
                direct = short and (not joking(text) or not is_overcome(text, mark.start, mark.end))
                found.append(replace(claim, direct=direct))
        for number in range(len(self.before) - 1, -1, -1):
            if found:
                break
            if self.before[number].speaker == USER:
                earlier = replace(self, utterance=self.before[number], before=self.before[:number])
                told = [claim for claim in earlier._claims(earlier._marks()) if claim.act == "assert"]
                found = [replace(claim, direct=len(text.split()) <= _BARE) for claim in told]  # 뻥이야 ㅋㅋ
        changes: dict[str, Any] = {"act": "retract", "polarity": "+", "invalid_at": None, "doubtful": False}
        for each in found:
            yield replace(each, **changes, source_id=self.utterance.id)

    def _is_bare_word(self) -> bool:
        """Whether the user said one word that answers nothing: it tells nothing."""
        word = self.utterance.text.strip(" .,!?~…")
        if self.utterance.speaker != USER or " " in word or self._talk().asked_of():
            return False
        return not has_hangul(word) or all(part.tag[0] in "NSX" for part in analyse(word))

    def _corrected(self, found: list[Claim]) -> list[Claim]:
        """Return the claims; words that replace what was just said have its attribute: 아니 그거 말고 파스타."""
        at = meant_instead(self.utterance.text) if self.utterance.speaker == USER else None
        said = [number for number, each in enumerate(self.before) if each.speaker == USER]
        if at is None or not said:
            return found
        earlier = replace(self, utterance=self.before[said[-1]], before=self.before[: said[-1]])
        told = [each for each in earlier._claims(earlier._marks()) if each.act == "assert" and each.value]
        words = self.utterance.text[slice(*at)]
        for claim in reversed(told):
            key = claim.attribute or ""
            read = None if _is_told(key) or key in _NEEDED else value_of(key, words)
            if read is None or read.value == claim.value or kind_of(read.value) not in (None, claim.value_class):
                continue
            right = replace(
                claim,
                act="correct",
                value=read.value,
                surface=words,
                content=note(key, read.shown, _language(words)),
                instead_of=claim.value,
                source_id=self.utterance.id,
                doubtful=False,
            )
            return [right, *(each for each in found if (each.surface or "") not in words)]
        return found

    def _after_death(self) -> Iterator[Claim]:
        """Yield the end of what somebody needed who has died, and of an only animal; their name stays."""
        text = self.utterance.text
        if self.utterance.speaker != USER:
            return
        for memory in self.background.of_others:
            if memory.subject_id not in text or memory.polarity == "-" or memory.attribute is None:
                continue
            if not tells_a_death(text, memory.subject_id):
                continue
            language = _language(memory.value or "")
            if memory.attribute in _NEEDED | {"age"}:
                over = note(memory.attribute, memory.value or "", language, over=True)
                yield _again(memory, self.utterance, act="end", polarity="-", content=over)
            elif memory.attribute == "free.species" and self.background.pets == {memory.subject_id}:
                over = note("pet", memory.value or "", language, negative=True, over=True)
                gone = _again(memory, self.utterance, act="end", polarity="-", content=over)
                yield replace(gone, subject=USER, subject_id=USER, attribute="pet")

    def _words(self, mark: Mark) -> str:
        return self.utterance.text[mark.start : mark.end]

    def _claim(self, mark: Mark, *, named: Set[str] = frozenset()) -> Claim | None:
        """Return what a mark claims; `named`: words that name people of the user in the same utterance."""
        meant = self._meant(mark, named)
        if meant is None:
            return None
        key, act, certainty, (subject, subject_id) = meant
        text, at = self.utterance.text, self.utterance.at
        sentence = sentence_at(text, mark.start, mark.end)
        words = self._words(mark)
        if key == "vaccination" and subject == "other":  # an animal gets the same one again every year
            words = f"{at.year}년 {words}" if has_hangul(words) else f"{words} {at.year}"
        worded = self._worded(key, act, words, sentence)
        if worded is None:
            return None
        value, content = worded
        if value is None:
            act, value = "end", self._last_spoken_of(key)
        ahead, schema = key in _AHEAD, schema_of(key)
        time = time_of_plan(sentence, at) if ahead else time_of_state(sentence, at)
        if ahead and time.since is not None:
            content = dated(content, time.since, time.until or time.since, _language(text))
            value = undated(value or "", at) or value
        felt = feel(text, speaker=self.utterance.speaker)
        acts: dict[str, Act] = {"correct": "correct", "end": "end"}
        if key == "likes" and is_preferred(text, mark.start, mark.end):
            acts["assert"] = "prefer"
        claim = Claim(
            id="",
            speaker=self.utterance.speaker,
            subject=subject,
            subject_id=subject_id,
            attribute=key,
            value=value,
            surface=self._words(mark),
            value_class=None if value is None or _is_told(key) else kind_of(value),
            content=content,
            content_type=schema.content_type,
            polarity="-" if act in ("deny", "end") and value not in ("솔로", "single") else "+",
            act=acts.get(act, "assert"),
            certainty=round(certainty, 3),
            importance=schema.importance,
            emotion_intensity=felt.intensity,
            tags=() if felt.emotion == "neutral" else (felt.emotion,),
            valid_at=None if ahead else time.until if act == "end" else time.since,
            invalid_at=None if act == "end" else time.until or (at if act == "past" else None),
            source_id=self.utterance.id,
            extractor=NAME,
            doubtful=certainty < (FIRM_ENDED if act == "end" else firm_from(subject, key))
            or (
                schema.pinned
                and (_is_blurred(key, mark) or (key in _NEEDED and subject == USER and is_hearsay(sentence)))
            ),
        )
        if key in _CAUTIONS:
            claim = replace(claim, direct=is_direct(text, mark.start, mark.end) and not is_hearsay(sentence))
        return of_pet(claim) if key in _PET_SIGNS and subject == "other" else claim

    def _meant(self, mark: Mark, named: Set[str]) -> tuple[str, str, float, tuple[Subject, str]] | None:
        """Return attribute, act, certainty and holder of a mark; None where it is no evidence of anything."""
        text, act, certainty = self.utterance.text, mark.act, mark.certainty
        if act in ("assert", "end", "past") and is_new(text, mark.start, mark.end):
            act, certainty = "assert", mark.certainty_of("assert", "correct", "end", "past")
        if act == "not" or not mark.holder or certainty < DOUBTFUL:
            return None
        if is_of_anybody(text, mark.end) or (act in ("end", "past") and is_thought_of(text, mark.end)):
            return None
        holder = self._talk().subject(mark.holder, named)
        if (self.utterance.speaker == CHARACTER) != (holder[0] == CHARACTER):
            return None  # what one of the two says of the other's life is no evidence; nor what she says of others
        of_you = mark.attribute != "promise" and _YOU.search(around(text, mark.start, mark.end))
        if holder[0] == CHARACTER and (certainty < FIRM_CHARACTER or of_you):
            return None
        asked = self.before[-1].text if self._talk().asked_of() else ""
        key, act = _said_as(_named(mark, text, asked), act, mark, text)
        if key in _TASTES and (is_liked(text, mark.start, mark.end) or is_hated(text, mark.start, mark.end)):
            certainty /= mark.blur  # the words say which it is
        away = is_anothers_home(text, mark.end) or is_visited(around(text, mark.start, mark.end))
        if key == "residence" and away:
            return None
        return key, act, certainty, holder

    def _worded(self, key: str, act: str, words: str, sentence: str) -> tuple[str | None, str] | None:
        """Return the value and the sentence that is kept; None if the words are no value of the attribute.

        The value of an end that names nothing is None: it is whatever is known.
        """
        if act in ("end", "past") and names_nothing(words):
            return None, sentence
        if _is_told(key):
            return " ".join(words.split()).strip(" ,."), sentence
        read = value_of(key, words)
        if read is None:
            return None
        value, shown = read.value, read.shown
        if key == "relationship_status" and act == "deny" and value in _TOGETHER:
            value = shown = "솔로" if has_hangul(value) else "single"
            return value, note(key, shown, _language(self.utterance.text))
        if key == "name" and value == self.scope.character:
            return None  # who is called by her name is she
        if act in ("end", "deny"):
            value = shown = self._as_known(key, value)
        over = act in ("end", "past")
        return value, note(key, shown, _language(self.utterance.text), negative=act in ("deny", "end"), over=over)

    def _last_spoken_of(self, key: str) -> str | None:
        """Return the only known value of an attribute that was just spoken of."""
        known = [each.value for each in self.background.mentioned if each.attribute == key]
        return known[0] if len(known) == 1 else None

    def _as_known(self, key: str, value: str) -> str:
        """Return a value that is over as it is known: 편의점 일 ends 편의점."""
        known = [each.value for each in self.background.mentioned if each.attribute == key and each.value]
        return next((each for each in known if each in value or value in each), value)


def _said_as(key: str, act: str, mark: Mark, text: str) -> tuple[str, str]:
    """Return attribute and act by certain signs: what is hated, denied, over or planned."""
    if act == "assert":
        if key == "likes" and is_hated(text, mark.start, mark.end):
            return "dislikes", act
        if key in _DENIABLE and is_denied(text, mark.start, mark.end):
            return key, "deny"
        if key in _OVERCOME and is_overcome(text, mark.start, mark.end):
            return key, "end"
        if _may_end(key) and is_given_up(text, mark.start, mark.end):
            return key, "end"
        if _may_end(key) and is_over(text, mark.start, mark.end):
            return key, "past"
    return ("plan", act) if act == "plan" and key not in _PLANNED else (key, act)


def _may_end(key: str) -> bool:
    return not schema_of(key).lifelong and key not in _HAPPENED


def _named(mark: Mark, text: str, asked: str) -> str:
    """Return the attribute of a mark by its name in a bank, where the words tell it better than the tagger."""
    key = _KEYS.get(mark.attribute, mark.attribute)
    if key.startswith("favorite.") and mark.attributes[mark.attribute] < _SURELY and not _BEST.search(text + asked):
        return "likes"
    words = text[mark.start : mark.end]
    if key in _INJECTED and _VACCINE.search(words):
        return "vaccination"
    unclear = "name" in mark.attributes or mark.attributes[mark.attribute] < _CLEAR  # 한국인 is clear
    full = unclear and len(words) == 3 and words[0] in PEOPLE_WORDS.surnames and mark.holder == USER
    if full and _I_AM.match(text, mark.end) and _I.search(text[max(0, mark.start - _SHORT) : mark.start]):
        return "name"  # 나는 김민수야
    if key in ("phobia", "pet", "dislikes") and is_liked(text, mark.start, mark.end):
        return "likes"
    if key == "nickname" and mark.holder == USER and _CALLED.match(text, mark.end):
        return "name"
    if key in ("pet", "friend", "family", "nickname") and mark.holder not in ("", USER, CHARACTER):
        before = text[max(0, mark.start - _SHORT) : mark.start].rstrip()
        if kind_of(mark.holder) == "animal" or before.endswith(mark.holder):
            return "name"  # 동생 수아, 강아지 보리
    return key


def _language(text: str) -> Literal["ko", "en"]:
    return "ko" if has_hangul(text) else "en"


def _is_told(key: str) -> bool:
    """Whether what is kept of an attribute is the sentence that tells it."""
    return key in TOLD or key.startswith("free.")


def _is_blurred(key: str, mark: Mark) -> bool:
    """Whether the tagger itself cannot tell which attribute it is; of cautions not even that it is one."""
    if key != mark.attribute or schema_of(key).category != "caution":
        return key == mark.attribute and mark.attributes[key] < _CLEAR
    return sum(chance for name, chance in mark.attributes.items() if name in _CAUTIONS) < _CLEAR


def firm_from(subject: str, key: str) -> float:
    """Return the certainty from which a fact is believed, as `training/CARD.md` shows it for each attribute."""
    family = key.partition(".")[0]
    if subject == USER:
        return _FIRM_AT.get(family, FIRM_PINNED if schema_of(key).pinned else FIRM)
    return FIRM_CHARACTER if subject == CHARACTER else _FIRM_AT_OTHERS.get(family, FIRM_OTHERS)


def _promised(found: Sequence[Mark], text: str, speaker: str) -> Iterator[Mark]:
    """Yield the marks; a sentence that promises something is one promise."""
    told = promises(text)
    for mark in found:
        if not (mark.attribute == "promise" and any(start <= mark.start < end for start, end in told)):
            yield mark
    for start, end in told:
        yield _sure(start, end, "promise", speaker)


def _sure(start: int, end: int, key: str, holder: str) -> Mark:
    """Return a mark of what the form of the words leaves no doubt about."""
    acts = {"assert": 1.0} | dict.fromkeys(("correct", "end", "past", "plan", "deny", "not"), 0.0)
    return Mark(start=start, end=end, chance=1.0, attributes={key: 1.0}, acts=acts, holder=holder, held=1.0)


def _introduced(mark: Mark, text: str) -> Mark:
    """Return a mark whose attribute is not clear by the words before it that leave no doubt: I live in Pangyo."""
    if mark.attributes[mark.attribute] >= _CLEAR:
        return mark
    before = text[max(0, mark.start - _SHORT) : mark.start]
    key = next((key for key, words in _INTRODUCES if words.search(before)), None)
    return mark if key is None else replace(mark, attributes={key: 1.0})


def _masked(found: Sequence[Mark], text: str) -> Iterator[Mark]:
    """Yield the marks; a masked number or address is a value as it stands."""
    masked = [(match, key) for key, masks in _MASKS for match in masks.finditer(text)]
    for mark in found:
        if not any(mark.start < match.end() and match.start() < mark.end for match, _ in masked):
            yield mark
    for match, key in masked:
        over = [mark for mark in found if mark.start < match.end() and match.start() < mark.end]
        whose = _NUMBER_OF.search(text[max(0, match.start() - _SHORT) : match.start()])
        holder = next((mark.holder for mark in over if mark.holder), USER)
        if whose is not None:
            holder = USER if whose[1].lower() in _MY else whose[1]
        elif key == "phone" and not over:
            continue
        yield _sure(match.start(), match.end(), key, holder)


def _bare_answer(text: str) -> tuple[int, int] | None:
    """Return where a first sentence of a few words stands, which may be a bare answer: 초등학교 교사. 나는 살림해."""
    lead = _FILLER.match(text)
    begin = lead.end() if lead else 0
    stop = STOP.search(text, begin)
    end = stop.start() if stop else len(text)
    said = text[begin:end]
    return (begin, end) if 0 < len(said.split()) <= _BARE and not is_hearsay(said) else None


def _plainly(
    found: Sequence[Mark], utterance: Utterance, answer: tuple[int, int] | None, asked: str, key: str
) -> list[Mark]:
    """Return the marks; what somebody says of themselves in a plain sentence is asserted, and so is a bare answer.

    A bare answer is of the one who was `asked` about (아드님은 무슨 일 하세요? – 소방관이요); `key` is the attribute
    that was asked for, if that is clear.
    """
    text, speaker, marks_of = utterance.text, utterance.speaker, list(found)
    for number, mark in enumerate(marks_of):
        words = text[mark.start : mark.end]
        bare = bool(asked) and answer is not None and answer[0] <= mark.start and mark.end <= answer[1]
        bare = bare and answer is not None and 2 * len(words) >= len(text[slice(*answer)].strip())
        told = replace(mark.as_told(), chance=mark.chance)
        if mark.act not in ("assert", "correct", "not") or mark.acts["not"] > _DOUBTED:
            continue
        likely = mark.attributes.get(key, 0.0) >= _LIKELY * mark.attributes[mark.attribute]
        asked_so = likely and value_of(_KEYS.get(key, key), words) is not None
        if bare and asked_so and mark.chance >= _HEARD:
            told = replace(told, attributes={key: 1.0})
        elif told.certainty < _LIKELY:
            continue
        own = mark.holder == speaker or words in mark.holder  # 따님 성함이? – 미숙이
        if bare and asked != USER and (own or key) and mark.act != "not":
            marks_of[number] = replace(told, chance=mark.chance**_PLAIN, holder=asked, held=1.0)
        elif bare and mark.act != "not":
            marks_of[number] = replace(told, chance=mark.chance**_PLAIN)
        elif (
            mark.holder == speaker
            and mark.held >= _OWN
            and (
                is_plain(around(text, mark.start, mark.end))
                or (mark.attribute == "likes" and is_preferred(text, mark.start, mark.end))
            )
        ):
            marks_of[number] = replace(told, chance=mark.chance**_PLAIN, held=1.0)
    return marks_of


def _told_once(found: Sequence[Mark], text: str) -> Iterator[Mark]:
    """Yield the marks; what several words of one sentence tell in the same way is told once, and the surer for it."""
    groups: dict[tuple[object, ...], list[Mark]] = {}
    for number, mark in enumerate(found):
        told = _is_told(mark.attribute)
        key = (mark.attribute, mark.act, mark.holder, around(text, mark.start, mark.end)) if told else (number,)
        groups.setdefault(key, []).append(mark)
    for together in groups.values():
        unsure = 1.0
        for mark in together:
            unsure *= 1 - mark.chance
        yield replace(max(together, key=lambda mark: mark.certainty), chance=1 - unsure)


def _planned(found: Sequence[Mark], utterance: Utterance) -> Iterator[Mark]:
    """Yield the marks; what somebody says of a day to come is a plan of theirs: 모레 면접 봐."""
    text = utterance.text
    for mark in found:
        sentence = around(text, mark.start, mark.end)
        may_be = mark.attribute in _DATED and mark.act in ("assert", "plan") and mark.holder == utterance.speaker
        if not may_be or mark.chance < DOUBTFUL or is_thought_of(text, mark.end):
            yield mark
            continue
        time = time_of_plan(sentence, utterance.at)
        if time.since is None or time.until is None or time.until - time.since > _A_DAY:
            yield mark
            continue
        acts = dict.fromkeys(mark.acts, 0.0) | {"plan": 1.0}
        yield replace(mark, attributes={"plan": 1.0}, acts=acts, chance=mark.chance**_SOON)


def _one_status(found: Sequence[Mark], text: str) -> list[Mark]:
    """Return the marks; 남자친구랑 헤어졌어 tells one status, and that it is over."""
    told = [mark for mark in found if mark.attribute == "relationship_status" and mark.act == "assert"]
    read = [value_of("relationship_status", text[mark.start : mark.end]) for mark in told]
    over = [mark for mark, value in zip(told, read, strict=True) if value is not None and value.value in _PARTED]
    if len(told) != 2 or len(over) != 1 or told[0].holder != told[1].holder:
        return list(found)
    unsure = (1 - told[0].chance) * (1 - told[1].chance)
    last = replace(over[0], chance=1 - unsure, held=max(mark.held for mark in told))
    return [last if mark is over[0] else mark for mark in found if mark not in told or mark is over[0]]


def _of_animals(found: Sequence[Mark], text: str, speaker: str) -> Iterator[Mark]:
    """Yield the marks; an animal and its name beside each other bear each other out: 햄스터 참깨."""
    found = [_named_animal(mark, text) for mark in found]
    kinds = [mark for mark in found if mark.attribute in _ANIMAL and kind_of(text[mark.start : mark.end]) == "animal"]
    kinds = [mark for mark in kinds if mark.act == "assert" and mark.certainty >= DOUBTFUL]
    if len(kinds) != 1 or _ANOTHERS.search(text):
        yield from found
        return
    (kind,) = kinds
    names = [mark for mark in found if mark is not kind and _is_its_name(mark, kind, text, speaker)]
    best = max(names, key=lambda mark: mark.certainty, default=None)
    names = [mark for mark in names if best is not None and _is_joined(mark, best, text)]
    unsure = 1.0
    for mark in (kind, best) if best else (kind,):
        unsure *= 1 - mark.chance * mark.acts["assert"]
    sure = replace(kind, held=1.0, chance=1 - unsure)
    for mark in found:
        if mark is kind:
            yield replace(sure, holder=speaker, attributes={"pet": 1.0})
        elif mark in names:
            if len(names) == 1:  # a kind has one name; of several animals each is an animal of its own
                yield replace(mark, holder=text[kind.start : kind.end], held=1.0, attributes={"name": 1.0})
            yield replace(sure, holder=clean_name(text[mark.start : mark.end]), attributes={"free.species": 1.0})
        else:
            yield mark


def _is_joined(mark: Mark, other: Mark, text: str) -> bool:
    """Whether two names are told as one row: 나비랑 코코."""
    first, last = sorted((mark, other), key=lambda each: each.start)
    return mark is other or _ROW.fullmatch(text, first.end, last.start) is not None


def _named_animal(mark: Mark, text: str) -> Mark:
    """Return a mark as the name of an animal where the words say so: 고양이 이름은 나비예요."""
    called = _NAME_OF.search(text[max(0, mark.start - _SHORT) : mark.start])
    if called is None or kind_of(called[1]) != "animal" or mark.attribute not in ("name", "nickname", "pet"):
        return mark
    return replace(mark, holder=called[1], held=1.0, attributes={"name": 1.0})


def _is_its_name(mark: Mark, kind: Mark, text: str, speaker: str) -> bool:
    if mark.act != "assert" or mark.attribute not in ("pet", "name", "nickname"):
        return False
    words = text[mark.start : mark.end]
    if mark.chance < _LIKELY:
        return False
    own = mark.attribute != "pet" and mark.holder == speaker and (mark.start < kind.start or mark.certainty > FIRM_NAME)
    return kind_of(words) != "animal" and not own


def _with_pets(claims: Sequence[Claim], utterance: Utterance, background: Background) -> list[Claim]:
    """Return `claims` with the user's animals.

    What is told of an animal with its kind or breed is told of the user's own: it gives the user's pet as well.
    """
    found, text, known = list(claims), utterance.text, background.pets
    kept = {each.value for each in found if each.subject == USER and each.attribute == "pet"} | known
    for claim in claims:
        name = claim.subject_id
        own = kind_of(name) == "animal" and re.search(_OUR + re.escape(name), text, re.IGNORECASE)
        animal = claim.subject == "other" and (claim.attribute in _PET_SIGNS or own)
        if animal and not kept & {name, claim.value} and not _ANOTHERS.search(text):
            kept.add(name)
            found.append(
                _noted(replace(claim, subject=USER, subject_id=USER, attribute="pet", value=name, surface=name))
            )
    if _ANOTHERS.search(text):
        return list(of_pets(found, known))
    names = known | {each.value for each in found if each.attribute == "name" and kind_of(each.subject_id) == "animal"}
    names |= {each.subject_id for each in found if each.subject == "other" and each.attribute in _PET_SIGNS}
    for memory in background.of_others:  # 코코는 우리 집 고양이야
        told = re.search(re.escape(memory.subject_id) + r"[은는이가]*\s" + _OUR + r"([가-힣]+)", text)
        if told is not None and any(kind_of(told[1][:size]) == "animal" for size in range(len(told[1]), 1, -1)):
            names |= {memory.subject_id}
    newly = names - known
    found += (  # what is known of it already is from now on an animal's
        _again(memory, utterance)
        for memory in background.of_others
        if memory.subject_id in newly and memory.attribute in _NEEDED and memory.polarity == "+"
    )
    kinds = {each.subject_id for each in found if each.subject == "other" and kind_of(each.subject_id) == "animal"}
    return list(of_pets(found, {name for name in names | kinds if name}))


def _again(memory: Memory, utterance: Utterance, **changes: Any) -> Claim:
    """Return a claim of what is known."""
    claim = Claim(
        id="",
        speaker=utterance.speaker,
        subject=memory.subject,
        subject_id=memory.subject_id,
        attribute=memory.attribute,
        value=memory.value,
        surface=memory.surface,
        content=memory.content,
        content_type=memory.content_type,
        certainty=memory.certainty,
        importance=memory.importance,
        source_id=utterance.id,
        extractor=NAME,
    )
    return replace(claim, **changes)


def _noted(claim: Claim) -> Claim:
    """Return a claim that another was made into, in the words of its attribute."""
    schema = schema_of(claim.attribute or "note")
    return replace(
        claim,
        content=note(schema.key, claim.value or "", _language(claim.value or "")),
        content_type=schema.content_type,
        importance=schema.importance,
        act="assert",
        polarity="+",
        invalid_at=None,
        doubtful=claim.certainty < firm_from(claim.subject, schema.key),
    )


def _one_value_each(claims: Sequence[Claim]) -> Iterator[Claim]:
    """Yield the claims of one utterance; of several values for what has only one, the surest is firm."""
    surest: dict[tuple[str, str], Claim] = {}
    for claim in claims:
        if claim.attribute and claim.act == "assert" and claim.polarity == "+" and claim.invalid_at is None:
            key = (claim.subject_id, claim.attribute)
            if key not in surest or claim.certainty > surest[key].certainty:
                surest[key] = claim
    for claim in claims:
        best = surest.get((claim.subject_id, claim.attribute or ""))
        rival = best is not None and best is not claim and best.value != claim.value
        single = claim.attribute is not None and schema_of(claim.attribute).single
        stands = not single or not rival or claim.act != "assert" or claim.invalid_at is not None
        yield claim if stands else replace(claim, doubtful=True)


def around(text: str, start: int, end: int) -> str:
    """Return the sentence around a span; of a long one, what is near."""
    first, last = max(0, start - _NEAR), min(len(text), end + _NEAR)
    begin = max((stop.end() for stop in STOP.finditer(text, first, start)), default=first)
    stop = STOP.search(text, end, last)
    return text[begin : stop.start() + 1 if stop else last].strip()


def sentence_at(text: str, start: int, end: int) -> str:
    """Return the sentence around a span, short enough to be a memory."""
    first, last = max(0, start - _NEAR), min(len(text), end + _NEAR)
    begin = max((stop.end() for stop in STOP.finditer(text, first, start)), default=first)
    stop = STOP.search(text, end, last)
    close = stop.start() if stop else last
    if close - begin > _LONGEST:
        begin = max(begin, text.rfind(" ", begin, max(begin, start - 30)) + 1)
        close = min(close, begin + _LONGEST)
    return " ".join(_NOISE.sub(" ", text[begin:close]).split()).strip(" ,") or text[start:end].strip()
