"""A whole utterance, clause by clause: what no clause tells alone, its neighbours do.

"우리 루나 먹여야 하는데 사료값이 올랐네" never says "I keep a cat"; the words around do. Rules over a telling are asked
only where one of their words occurs, so that the rest of the talk costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.extract.korean.lexicon import Lexicon
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.whose import Whose
from gieok.language.clauses import Clause, Phrase
from gieok.language.mood import Mood
from gieok.language.morphemes import Morpheme

_OF_MANY: Final = re.compile(r"(?:사람|사람들|차|벌레)[이가]? ?$")  #: 사람 많은 곳
#: 땅콩 들어간 건 못 먹어요. 알레르기가 있거든요.
_EXPLAINING: Final = frozenset({"거든", "거든요", "어서요", "아서요", "라서요", "니까요"})
_LONGEST: Final = 12  #: clauses
_PUNCTUATION: Final = 4  #: characters behind a clause that still belong to it
_THE_FACT: Final = frozenset("거 것 게 건 걸 겐".split())
_EVER: Final = frozenset({"적", "일"})
_ENDS: Final = (".", "?", "!", "…")
_NOUN_OF_PERSON: Final = frozenset({"NNP", "NNG"})
_MEANING_ME: Final = ("나 말이야", "내 얘기", "제 얘기", "저 말이에요", "저 말이예요", "나야 나")
_CLAIMED: Final = frozenset({"나", "저"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One clause of an utterance: whom it is about, how it is meant, and how its whole sentence is."""

    clause: Clause
    about: Whose | None  #: None where it cannot be told
    mood: Mood
    closes: Mood = "statement"

    def says(self, *lemmas: str) -> bool:
        return self.clause.predicate is not None and self.clause.predicate.lemma in lemmas

    @property
    def negated(self) -> bool:
        return self.clause.predicate is not None and self.clause.predicate.negated

    @property
    def past(self) -> bool:
        return self.clause.predicate is not None and self.clause.predicate.past

    @property
    def ending(self) -> str:
        predicate = self.clause.predicate
        return predicate.endings[-1] if predicate is not None and predicate.endings else ""

    def one_of_two(self, following: Clause | None) -> bool:
        """나 솔로야 연애 중이야?, 내가 남자라고 했어 여자라고 했어?: neither is told."""
        one, other = self.clause.predicate, following.predicate if following is not None else None
        asked = self.closes == "question" or (following is not None and following.ends_with.startswith("?"))
        asked = asked or (self.about is not None and self.about.subject == "character")  # 넌 겨울이 좋아 여름이 좋아
        if not asked or one is None or other is None or self.clause.ends_with.strip():
            return False
        alike = (one.lemma, one.endings[-1:]) == (other.lemma, other.endings[-1:])
        return alike and following is not None and not any(phrase.pronoun == "너" for phrase in following.phrases)

    @property
    def all_words(self) -> frozenset[str]:
        return frozenset(word for phrase in self.clause.phrases for word in phrase.words) | set(self.clause.adverbs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """The parts of one utterance, in order."""

    text: str
    parts: tuple[Part, ...]
    me: Whose
    words: Lexicon
    asked: str = ""  #: what was asked just before

    def sentences(self) -> Iterator[Telling]:
        """Yield each sentence as a telling of its own, with the one that gives its reason; one without end is cut."""
        start = 0
        for place, part in enumerate(self.parts):
            following = self.next(place)
            explained = following is not None and following.ending in _EXPLAINING and place - start < _LONGEST
            ends = part.clause.ends_with.lstrip().startswith(_ENDS) and not explained
            if ends or place - start >= _LONGEST or following is None:
                yield replace(self, parts=self.parts[start : place + 1])
                start = place + 1

    def mine(self, part: Part) -> bool:
        return part.about is not None and part.about.subject_id == self.me.subject_id

    def told(self) -> Iterator[tuple[int, Part]]:
        """Yield the parts of the speaker's own sentences that neither ask, wish nor suppose."""
        for place, part in enumerate(self.parts):
            if self.mine(part) and part.closes in ("statement", "fragment") and part.mood != "question":
                yield place, part

    def next(self, place: int) -> Part | None:
        return self.parts[place + 1] if place + 1 < len(self.parts) else None

    def names_me(self, place: int) -> bool:
        """Whether what follows says that it is the speaker: …하는 사람 나야, …하는 사람 여기 있음."""
        for part in self.parts[place + 1 : place + 3]:
            if any(phrase.pronoun in _CLAIMED for phrase in part.clause.phrases) or "여기" in part.all_words:
                return part.closes != "question"
        return any(said in self.text for said in _MEANING_ME)

    def said(self, phrase: Phrase) -> str:
        """Return the words of `phrase` with what modifies them, as they were typed."""
        own = phrase.adnominal if _describes(phrase.adnominal) else ()
        parts = (*own, *phrase.morphemes)
        start = min(part.start for part in parts)
        crowd = _OF_MANY.search(self.text[:start]) if own else None
        start -= len(crowd[0]) if crowd is not None else 0
        return self.text[start : max(part.end for part in parts)].strip()

    def typed(self, parts: Sequence[Morpheme]) -> str:
        return self.text[min(part.start for part in parts) : max(part.end for part in parts)].strip()


Hint = Callable[[Telling], Iterator[Finding]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """A rule over tellings and the words without which it has nothing to say."""

    trigger: re.Pattern[str]
    rule: Hint
    asked: re.Pattern[str] | None = None  #: a question whose answer it reads

    def calls(self, telling: Telling) -> bool:
        if self.asked is not None and telling.asked and self.asked.search(telling.asked) is not None:
            return True
        if not telling.parts:
            return False
        first, last = telling.parts[0].clause, telling.parts[-1].clause
        return self.trigger.search(telling.text, first.start, last.end + _PUNCTUATION) is not None


def parts_of(read: Sequence[tuple[Clause, Whose | None, Mood]]) -> tuple[Part, ...]:
    """Return clauses as parts; each learns how the sentence closes that it stands in."""
    parts: list[Part] = []
    closes: Mood = "statement"
    following: Clause | None = None
    for clause, about, mood in reversed(read):
        if clause.final or clause.ends_with.startswith(_ENDS):
            closes = mood
        asked = following is not None and closes == "question" and _asks_whether(clause.head, following)
        parts.append(Part(clause=clause, about=about, mood="question" if asked else mood, closes=closes))
        following = clause
    return tuple(reversed(parts))


def _asks_whether(head: str | None, main: Clause) -> bool:
    """고양이 키우는 거야?, 결혼한 적 있어?; but 고양이 키우는 거 몰랐어? tells it."""
    if head in _EVER:
        return main.predicate is not None and main.predicate.lemma == "있다"
    itself = bool(main.phrases) and main.phrases[-1].words == (head,)  # not …는 거 개그지 않냐
    return head in _THE_FACT and itself and (main.predicate is None or main.predicate.form == "copula")


def others_named(parts: Sequence[Part]) -> tuple[int, ...]:
    """Return where somebody else is named whom a clause is about: 정국 생일이, 동욱이는."""
    about = (part.about for part in parts if part.about is not None and part.about.subject == "other")
    return tuple(whose.phrase.morphemes[0].start for whose in about if whose.phrase is not None)


def finding(attribute: str, value: str, *, surface: str = "", whose: Whose | None = None) -> Finding:
    return Finding(attribute=attribute, value=value, shown=value, surface=surface or value, whose=whose)


def ended(found: Finding) -> Finding:
    """Return the same, as something that is over."""
    return replace(found, polarity="-", act="end")


def person_named(phrase: Phrase, words: Lexicon, word: str | None = None) -> str | None:
    """Return the person's name that `phrase` is (or ends in): 민석이, 춘식; no place, job or thing that is known."""
    said = word or (phrase.words[-1] if phrase.words else "")
    last = phrase.morphemes[0] if len(phrase.words) == 1 else phrase.morphemes[-1]
    if phrase.pointed or phrase.pronoun is not None or last.tag not in _NOUN_OF_PERSON:
        return None
    name = said[:-1] if len(said) in (3, 4) and said.endswith("이") and _closed(said[-2]) else said
    known = name in words.class_of or name in words.cities or name in words.places or words.is_job(name)
    if known or name.endswith("들") or name in words.kin or name in words.others or not 2 <= len(name) <= 3:
        return None
    proper = last.tag == "NNP" or not last.known or name != said or name in words.names
    return name if proper and all("가" <= letter <= "힣" for letter in name) else None


def _closed(letter: str) -> bool:
    return "가" <= letter <= "힣" and (ord(letter) - ord("가")) % 28 != 0


def _describes(adnominal: tuple[Morpheme, ...]) -> bool:
    """Whether a modifier belongs to the name of a thing: 좁은 곳, 사람 많은 곳; not 어제 본 거미."""
    stems = [part for part in adnominal if part.tag in ("VV", "VA", "XSA", "XSV", "VCP", "VX")]
    return len(stems) == 1 and stems[0].tag in ("VA", "XSA")
