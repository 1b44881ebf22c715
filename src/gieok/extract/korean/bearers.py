"""Who bears a name that is told without saying whose: 고양이 두 마리 키워요. 이름은 나비랑 초코예요.

Whoever was brought into the talk last is still spoken of: an animal one keeps, somebody one has or has met, a friend
by the name of 지훈. A name without an owner is theirs, and so is what a sentence without a subject says they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.claim import Claim
from gieok.domain.turn import Utterance
from gieok.extract.korean.keeping import HOMONYMS
from gieok.extract.korean.lexicon import Lexicon, lexicon
from gieok.extract.korean.namelike import is_full_name, may_name
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import finding
from gieok.extract.korean.values import READERS
from gieok.extract.korean.whose import PERSONS, Speaking, Whose, honoured
from gieok.language.clauses import Clause, Phrase, clauses
from gieok.language.mood import mood
from gieok.language.text import normalise

_BRINGING: Final = frozenset(
    "있다 생기다 키우다 기르다 데려오다 입양하다 모시다 살다 만나다 사귀다 낳다 태어나다 들어오다 들이다".split()
)
_BEING: Final = frozenset("이다 살다 다니다 일하다 근무하다".split())
_CALLING: Final = frozenset({"라는", "이라는", "란", "이란"})
_THE_SUBJECT: Final = ("이", "가", "은", "는", "도")
_AND: Final = frozenset("랑 이랑 하고 와 과 이 야 아".split())
_FIRST: Final = frozenset({"나", "저"})
_SECOND: Final = frozenset({"너", "네", "니", "당신", "그대", "그쪽"})
_THEIR: Final = frozenset("애 애들 얘 얘네 걔 걔네 아이 아이들 둘 셋 둘다 각각 녀석 녀석들".split())
_NAMES: Final = frozenset({"name", "nickname"})
_LABEL: Final = "이름"
_STILL: Final = 4  #: clauses through which somebody stays in mind
_LOOK_BACK: Final = 3  #: utterances
_LONGEST: Final = 200  #: characters of them
_SHORT_ANSWER: Final = 30
_MOST: Final = 6  #: names
_NO_FINAL: Final = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearer:
    """The one who was brought into the talk, and how many clauses ago."""

    whose: Whose
    named: bool = False  #: by name: 지훈이라는 친구
    animal: bool = False
    age: int = 0

    def later(self) -> Bearer | None:
        return replace(self, age=self.age + 1) if self.age < _STILL else None


def brought_in(clause: Clause, before: Clause | None, last: Bearer | None) -> Bearer | None:
    """Return who is in mind after `clause`: the one it brings in, or the one who was."""
    named = _by_name(clause, before)
    if named is not None:
        return Bearer(whose=named.carried(), named=True)
    brings = clause.predicate is None or clause.predicate.lemma in _BRINGING
    if brings and clause.head is None and mood(clause) in ("statement", "fragment") and not _denies(clause):
        found = _somebody(clause, lexicon())
        if found is not None:
            return found
    if _speaks_of_self(clause):
        return None
    return last.later() if last is not None else None


def of_whom(clause: Clause, before: Clause | None, about: Whose | None, bearer: Bearer | None) -> Whose | None:
    """Return whom `clause` is about, once it is seen who was brought in; `about` is what the clause says by itself."""
    named = _by_name(clause, before)
    if named is not None and (about is None or about.phrase in (None, named.phrase)):
        return named
    if bearer is None or about is None or about.phrase is not None or _speaks_of_self(clause):
        return about
    if _label_of(clause) is not None and not _is_own_full_name(clause, bearer):
        return bearer.whose
    says_what = clause.predicate is not None and clause.predicate.lemma in _BEING and clause.head is None
    return bearer.whose if bearer.named and says_what and about.subject != "other" else about


def named_others(text: str, speaking: Speaking, before: Sequence[Utterance]) -> tuple[Finding, ...]:
    """Return the names that `text` gives to somebody who was brought in, here or in what was said `before`."""
    asked = before[-1] if before and before[-1].speaker != speaking.speaker and "?" in before[-1].text else None
    answers = asked is not None and _LABEL in asked.text and len(text) <= _SHORT_ANSWER
    if _LABEL not in text and not answers:
        return ()
    bearer = _in_mind(before[-_LOOK_BACK:], speaking.speaker)
    read = clauses(text)
    for place, clause in enumerate(read):
        label = _label_of(clause)
        animal = _animal_of(clause)
        label, bearer = (label, bearer) if animal is None else (animal[0], animal[1])
        told = label is not None or (answers and place == 0 and _LABEL not in text)
        if told and bearer is not None and not _speaks_of_self(clause) and not _is_own_full_name(clause, bearer):
            return tuple(_names(read[place:], label, bearer))
        bearer = brought_in(clause, read[place - 1] if place else None, bearer)
    return ()


def but_for(theirs: Sequence[Finding], told: Iterable[Claim]) -> list[Claim]:
    """Return what was `told` without names that are `theirs` and were taken for somebody else's or cut differently."""
    names = tuple(each.value for each in theirs)
    return [claim for claim in told if not (names and claim.attribute in _NAMES and _is_one_of(claim.value, names))]


def _is_one_of(value: str | None, names: Sequence[str]) -> bool:
    return value is not None and any(value.startswith(name) or name.startswith(value) for name in names)


def _in_mind(before: Sequence[Utterance], speaker: str) -> Bearer | None:
    """Return who is in mind after what was said `before`."""
    bearer: Bearer | None = None
    for utterance in before:
        read = clauses(normalise(utterance.text)[:_LONGEST])
        for clause, last in zip(read, (None, *read), strict=False):
            if utterance.speaker == speaker:
                bearer = brought_in(clause, last, bearer)
            elif _asks_who_you_are(clause):
                bearer = None
            else:
                bearer = _asked_of(clause) or bearer
        bearer = replace(bearer, age=0) if bearer is not None else None
    return bearer


def _asks_who_you_are(clause: Clause) -> bool:
    """Whether it is the other whose name is asked: 네 이름은?, 성함이 어떻게 되세요?."""
    if any("성함" in phrase.words for phrase in clause.phrases):
        return True
    label = next((phrase for phrase in clause.phrases if phrase.words[-1:] == (_LABEL,)), None)
    yours = label is not None and (label.owner in _SECOND or any(p.pronoun in _SECOND for p in clause.phrases))
    return yours or (label is not None and len(label.words) == 1 and honoured(clause))


def _asked_of(clause: Clause) -> Bearer | None:
    """Return whose name is asked: 강아지 이름은 뭐야?."""
    label = next((phrase for phrase in clause.phrases if phrase.words[-1:] == (_LABEL,)), None)
    return _bearer_in(label, lexicon()) if label is not None and label.owner not in _SECOND else None


def _somebody(clause: Clause, words: Lexicon) -> Bearer | None:
    for phrase in reversed(clause.phrases):
        found = _bearer_in(phrase, words) if phrase.pronoun is None else None
        if found is not None:
            return found
    return None


def _bearer_in(phrase: Phrase, words: Lexicon) -> Bearer | None:
    for word in phrase.words:
        animal = READERS["animal"](word) if word not in HOMONYMS else None
        if animal is not None:
            return Bearer(whose=Whose(subject="other", subject_id=animal.value), animal=True)
        if word in words.kin or word in words.others or word in PERSONS:
            return Bearer(whose=Whose(subject="other", subject_id=word))
    return None


def _by_name(clause: Clause, before: Clause | None) -> Whose | None:
    """지훈 of 지훈이라는 친구가 …; 유진 of 유진이라고 있는데."""
    if before is None or before.predicate is None or before.predicate.lemma != "이다" or not before.phrases:
        return None
    ending = before.predicate.endings[-1:]
    name = READERS["name"](before.phrases[-1].words[-1])
    if name is None or before.phrases[-1].particles:
        return None
    if ending == ("라고",) and clause.predicate is not None and clause.predicate.lemma == "있다" and not clause.phrases:
        return Whose(subject="other", subject_id=name.value)
    called = next((phrase for phrase in clause.phrases if _is_called(phrase)), None) if before.head else None
    if called is None or ending[0] not in _CALLING or called.words[0] != before.head:
        return None
    return Whose(subject="other", subject_id=name.value, phrase=called)


def _is_called(phrase: Phrase) -> bool:
    known = phrase.words[-1] in lexicon().kin | lexicon().others | PERSONS
    return known and phrase.has(*_THE_SUBJECT) and any(part.form in _CALLING for part in phrase.adnominal)


def _denies(clause: Clause) -> bool:
    return clause.predicate is not None and clause.predicate.negated


def _speaks_of_self(clause: Clause) -> bool:
    named = any(phrase.pronoun in _FIRST and not phrase.has("랑", "이랑", "하고") for phrase in clause.phrases)
    return named or any(phrase.owner in _FIRST and phrase.words == (_LABEL,) for phrase in clause.phrases)


def _label_of(clause: Clause) -> Phrase | None:
    """The words that a name is told with and that say of nobody in particular: 이름은, 애들 이름은."""
    for phrase in clause.phrases:
        bare = phrase.words == (_LABEL,) or (len(phrase.words) == 2 and phrase.words[0] in _THEIR)
        if bare and phrase.words[-1] == _LABEL and phrase.owner is None and not phrase.adnominal:
            return phrase if not phrase.particles or phrase.has(*_THE_SUBJECT) else None
    return None


def _animal_of(clause: Clause) -> tuple[Phrase, Bearer] | None:
    """고양이 이름은, 우리 강아지 이름은."""
    for phrase in clause.phrases:
        bearer = _bearer_in(phrase, lexicon()) if phrase.words[-1] == _LABEL and phrase.has(*_THE_SUBJECT) else None
        if bearer is not None and bearer.animal and len(phrase.words) == 2:
            return phrase, bearer
    return None


def _is_own_full_name(clause: Clause, bearer: Bearer) -> bool:
    """고양이 키워요. 이름은 한지우예요: no animal has a surname."""
    said = clause.phrases[-1].text if clause.phrases else ""
    return bearer.animal and not said.endswith("이") and is_full_name(said)


def _names(read: Sequence[Clause], label: Phrase | None, bearer: Bearer) -> Iterator[Finding]:
    """나비랑 초코, 하양이, 까망이, 점박이."""
    count = 0
    for clause in read:
        phrases = clause.phrases
        if label in phrases:
            phrases = phrases[phrases.index(label) + 1 :]
        copula = clause.predicate is not None and clause.predicate.form == "copula"
        if clause.predicate is not None and not copula:
            return
        for phrase in phrases:
            name = _name(phrase, bearer)
            if name is None or count == _MOST or mood(clause) in ("question", "hypothetical", "wish"):
                return
            count += 1
            yield finding("name", name, whose=bearer.whose)
        if copula or clause.final or clause.ends_with.lstrip().startswith((".", "!", "?")):
            return


def _name(phrase: Phrase, bearer: Bearer) -> str | None:
    if phrase.pronoun is not None or len(phrase.words) != 1 or not set(phrase.particles) <= _AND:
        return None
    said = phrase.words[0]
    if phrase.particles == () and len(said) > 2 and said.endswith("야"):
        said = said.removesuffix("야")  # 지아야, in one piece
    closed = "가" <= said[-1] <= "힣" and (ord(said[-1]) - ord("가")) % _NO_FINAL != 0
    if closed and (phrase.has("이") or len(said) == 1):
        said += "이"  # 하양이, and 별이: a name of one syllable is spoken with it
    name = READERS["name"](said)
    if name is None or not may_name(said):
        return None
    return said if bearer.animal else name.value
