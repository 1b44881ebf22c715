"""Signs of a relationship in what one of the two says to the other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import zip_longest
from typing import Final

from gieok.domain.noticed import Sign
from gieok.language.cache import cached_by_text
from gieok.language.clauses import Clause, Phrase, Predicate, clauses
from gieok.language.data_files import WordSets, data_file
from gieok.language.mood import Mood, mood
from gieok.language.people import Party, sentence_parties
from gieok.language.text import has_hangul
from gieok.language.wording import own_words

_SETS: Final = WordSets("word_sets.toml", "signs")
_WORDS: Final = WordSets("signs.ko.toml", "words")
_PERSONS: Final = _WORDS.persons | _WORDS.whose

_RIEUL: Final = 8  # index of ㄹ among the 28 finals of a syllable block
_WILL: Final = "[" + "".join(map(chr, range(ord("가") + _RIEUL, ord("힣") + 1, 28))) + "]게"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A set phrase that is a sign."""

    sign: str
    find: re.Pattern[str]
    strength: float = 1.0
    asks: bool = False  #: a question may be one, too
    of_others: bool = False  #: somebody else may be named beside it
    plain: bool = False  #: no thing may be named beside it: 이 노래 죽인다
    raw: bool = False  #: looked for in the whole utterance: ㄱㅅ is no clause


@cache
def patterns(language: str) -> tuple[Pattern, ...]:
    """Return the set phrases of "ko" or "en"."""
    flags = re.IGNORECASE if language == "en" else re.NOFLAG
    raw = data_file(f"signs.{language}.toml")["patterns"]
    return tuple(Pattern(**{**each, "find": re.compile(each["find"].replace("{will}", _WILL), flags)}) for each in raw)


_LAUGHTER: Final = re.compile(r"[ㅋㅎ]{2,}|[😂🤣😆😜😝😛]|메롱|~{1,}|\^\^|ㅋ$")
_TOLD: Final[frozenset[Mood]] = frozenset({"statement", "fragment"})


@dataclass(frozen=True, kw_only=True)
class _Sentence:
    """The clauses of one sentence and who is meant in it."""

    text: str
    clauses: Sequence[Clause]
    moods: Sequence[Mood]
    meant: frozenset[Party]
    near: frozenset[Party]  #: in the whole utterance
    laughing: bool

    @cached_property
    def asks(self) -> bool:
        ends = zip(self.clauses, self.moods, strict=True)
        return any(told == "question" for clause, told in ends if clause.final or clause is self.clauses[-1])

    @cached_property
    def reports(self) -> bool:
        endings = {ending for clause in self.clauses if clause.predicate for ending in clause.predicate.endings}
        return "hearsay" in self.moods or bool(endings & _SETS.reporting)

    @cached_property
    def is_one_phrase(self) -> bool:
        return sum(len(each.phrases) for each in self.clauses) == 1

    @property
    def praised(self) -> bool:
        """Whether praise in it is of the listener."""
        return "you" in self.meant or ("you" in self.near and not self.near & {"other", "thing"})

    @property
    def insult(self) -> str:
        return "teasing" if self.laughing else "insult"


Found = tuple[str, str, float]  #: the name of a sign, the words, and how clear it is


def korean_signs(text: str, clauses: Sequence[Clause], names: Collection[str]) -> Iterator[Found]:
    """Yield the signs in `text`, the speaker's own words, whose clauses are `clauses`."""
    known, laughing = frozenset(names), _LAUGHTER.search(text) is not None
    near = sentence_parties(clauses, _PERSONS, known)
    end = 0
    for group in _grouped(clauses):
        yield from _exclaimed(text[end : group[0].start])
        end = group[-1].end
        sentence = _Sentence(
            text=text[group[0].start : end][:_LONGEST],
            clauses=group,
            moods=[mood(clause) for clause in group],
            meant=sentence_parties(group, _PERSONS, known),
            near=near,
            laughing=laughing,
        )
        for name, strength in _in_korean_sentence(sentence):
            yield name, sentence.text, strength
    yield from _exclaimed(text[end:])
    for pattern in patterns("ko"):
        found = pattern.find.search(text[:_LONGEST]) if pattern.raw else None
        if found:
            yield pattern.sign, found.group().strip(), pattern.strength


def _exclaimed(between: str) -> Iterator[Found]:
    """Yield the signs in what is no clause, such as a mere 안녕."""
    said = between.strip()[:_LONGEST]
    for pattern in patterns("ko") if has_hangul(said) else ():
        if (pattern.asks or "?" not in said) and not pattern.raw and pattern.find.search(said):
            yield pattern.sign, said, pattern.strength


def _grouped(clauses: Sequence[Clause]) -> Iterator[Sequence[Clause]]:
    """Group them by sentence; a noun behind it without a mark belongs to it: 예쁘다 너."""
    begin = 0
    for end, (clause, following) in enumerate(zip_longest(clauses, clauses[1:]), start=1):
        trails = following is not None and following.predicate is None and not clause.ends_with
        if following is None or (clause.final and not trails):
            yield clauses[begin:end]
            begin = end


def _in_korean_sentence(sentence: _Sentence) -> Iterator[tuple[str, float]]:
    for pattern in patterns("ko"):
        if not pattern.raw and _matched(pattern, sentence):
            yield pattern.sign, pattern.strength
    if sentence.reports:
        return
    for at, clause in enumerate(sentence.clauses):
        name = None
        if clause.predicate is not None:
            name = _predicated(sentence, at, clause, clause.predicate)
        elif sentence.moods[at] in _TOLD:
            name = _bare(sentence, clause)
        if name is not None:
            yield name, 1.0
    if not sentence.meant & {"other", "me"} and "other" not in sentence.near:
        for clause in sentence.clauses:
            yield from ((name, 1.0) for name in _abused(sentence, clause))


def _matched(pattern: Pattern, sentence: _Sentence) -> bool:
    if (sentence.asks and not pattern.asks) or (pattern.plain and "thing" in sentence.meant):
        return False
    if not pattern.of_others and ("other" in sentence.meant or sentence.reports):
        return False
    found = pattern.find.search(sentence.text)
    # 고 makes the words somebody's: 사랑한다고 했다.
    return found is not None and not re.match(r"(?:라|다|자|냐)?고(?:\s|$)", sentence.text[found.end() :])


def _predicated(sentence: _Sentence, at: int, clause: Clause, predicate: Predicate) -> str | None:
    """Return the sign that a predicate makes: 고마워, 너 싫어, 속상했겠다, 너 기타 진짜 잘 친다."""
    lemma, endings, who = predicate.lemma, set(predicate.endings), sentence.meant
    plainly = not sentence.asks and "other" not in who
    if endings & _SETS.quoting:
        return None
    if lemma in _WORDS.thanks:  # not 엄마가 도와줘서 고마워
        return "thanks" if "other" not in who and _is_felt(sentence, at, predicate) else None
    if lemma in _WORDS.apology:
        return "apology" if _is_felt(sentence, at, predicate) else None
    longs = lemma == "보다" and "싶다" in predicate.auxiliaries  # said of people and of films
    liked = any(phrase.pronoun in _SETS.you and phrase.has("가", "이") for phrase in clause.phrases)  # 난 네가 참 좋아
    if longs or lemma in _WORDS.love | _WORDS.fond | _WORDS.missing or (lemma == "좋다" and liked):
        return _loving(sentence, at, predicate)
    if lemma in _WORDS.praise | _WORDS.insult | _WORDS.good:
        judged = _is_judgement(sentence, at, clause) and _is_of_listener(sentence, clause, predicate)
        return _judgement(sentence, predicate) if judged else None
    if predicate.form in ("copula", "not"):
        return _being(sentence, at, predicate) if plainly and "me" not in who else None
    if lemma in _WORDS.hard_feelings:  # what only the listener can have felt: 속상했겠다, but not 답답해 죽겠네
        guessed = endings & _SETS.guessed and any(part.form == "겠" for part in predicate.tail)
        close = clause.final and plainly and "me" not in who and "other" not in sentence.near
        return "comfort" if guessed and close and not predicate.auxiliaries else None
    if sentence.moods[at] != "statement" or predicate.negated or "you" not in who or not plainly:
        return None
    if lemma in _WORDS.turned_away and clause.final and "thing" not in who:
        return "rejection"
    skilled = "잘" in clause.adverbs and not predicate.past and endings & _SETS.admiring
    praises = skilled and "me" not in who and lemma not in _SETS.getting_by and not predicate.auxiliaries
    return "praise" if praises else None


def _is_felt(sentence: _Sentence, at: int, predicate: Predicate) -> bool:
    """Whether thanks or an apology is said here, and to the listener."""
    clause = sentence.clauses[at]
    softened = not clause.final and set(predicate.endings[-1:]) & _SETS.softening
    said = sentence.moods[at] in _TOLD and not predicate.negated and clause.head is None and not softened
    return said and "other" not in sentence_parties([clause], _PERSONS, frozenset())


def _loving(sentence: _Sentence, at: int, predicate: Predicate) -> str | None:
    who = sentence.meant
    if sentence.asks or sentence.moods[at] not in ("statement", "wish"):
        return None
    if who & {"other", "thing"} or "other" in sentence.near or (predicate.lemma in _WORDS.fond and "you" not in who):
        return None
    if predicate.negated:
        return "rejection" if predicate.lemma in _WORDS.love else None
    return "affection"


def _judgement(sentence: _Sentence, predicate: Predicate) -> str | None:
    if predicate.lemma in _WORDS.insult:
        return None if predicate.negated else sentence.insult
    if not predicate.negated:
        return "praise"
    return "insult" if predicate.lemma not in _WORDS.good and "you" in sentence.meant else None  # 너 하나도 안 예뻐


def _is_judgement(sentence: _Sentence, at: int, clause: Clause) -> bool:
    if clause.head is not None:  # 똑똑한 것 같아; not 예쁜 옷
        following = sentence.clauses[at + 1] if at + 1 < len(sentence.clauses) else None
        says = following.predicate.lemma if following is not None and following.predicate is not None else ""
        seems = clause.head in _SETS.seems and says == "같다"
        return not sentence.asks and (seems or (says == "이다" and clause.head in _WORDS.somebody))
    if sentence.moods[at] == "question":
        before = sentence.clauses[at - 1].predicate if at else None
        # 왜 이렇게 착하냐: Kiwi may take 이렇게 for a clause of its own
        return (before is not None and before.lemma in _SETS.so) or bool(set(clause.adverbs) & _SETS.wonder)
    return sentence.moods[at] in _TOLD and not sentence.asks


def _is_of_listener(sentence: _Sentence, clause: Clause, predicate: Predicate) -> bool:
    who, near = sentence.meant, sentence.near
    if who & {"other", "me"}:
        return False
    gift = any(phrase.words[-1] in _WORDS.gifts for phrase in clause.phrases)
    if predicate.lemma in _WORDS.good:  # 넌 참 좋은 친구야, 목소리가 참 좋으세요
        return "you" in who if clause.head in _WORDS.somebody else gift and bool(who & {"you", "honoured"})
    if "you" in who:
        return True
    if predicate.lemma in _WORDS.insult:
        return "thing" not in who and "you" in near and "other" not in near
    if "honoured" in who:
        return "thing" not in who or gift
    return predicate.lemma in _WORDS.praise_alone and "thing" not in who and not near & {"other", "thing"}


def _being(sentence: _Sentence, at: int, predicate: Predicate) -> str | None:
    """천재네 넌, 너 최고야, 넌 내 전부야."""
    phrases = sentence.clauses[at].phrases
    if predicate.negated or sentence.moods[at] not in _TOLD or not phrases:
        return None
    what = phrases[-1].words[-1]
    if "you" in sentence.meant and what in _WORDS.dearest and phrases[-1].owner == "나":
        return "affection"
    if "you" in sentence.meant and what in _WORDS.insult_nouns:
        return sentence.insult
    return "praise" if what in _WORDS.praise_nouns and sentence.praised else None


def _bare(sentence: _Sentence, clause: Clause) -> str | None:
    """Return what is said without a verb: 정말 감사, 미안!, 너 최고."""
    if not clause.phrases or sentence.asks or "other" in sentence.meant or clause.phrases[-1].particles:
        return None
    last = clause.phrases[-1].words[-1]
    if last in _WORDS.thanks_nouns and len(clause.phrases) == 1:
        return "thanks"
    if last in _WORDS.apology_nouns:
        return "apology"
    return "praise" if last in _WORDS.praise_nouns and sentence.praised else None


def _abused(sentence: _Sentence, clause: Clause) -> Iterator[str]:
    """Yield slurs and nicknames thrown at the listener: 병신아, 너 같은 쓰레기, 바보야ㅋㅋ."""
    if clause.predicate is not None and clause.predicate.negated and not sentence.asks:
        return
    for phrase in clause.phrases:
        noun = phrase.words[-1]
        shown = clause.final or phrase.has("야", "아") or phrase.adnominal
        if shown and noun in _WORDS.slurs | _WORDS.teasing and _is_thrown(phrase, clause, sentence):
            yield "teasing" if noun in _WORDS.teasing else sentence.insult


def _is_thrown(phrase: Phrase, clause: Clause, sentence: _Sentence) -> bool:
    if phrase.has("야", "아"):
        return True
    says = clause.predicate is None or clause.predicate.form in ("copula", "not")
    if "you" in sentence.meant:
        return says or bool(phrase.adnominal)
    return says and sentence.is_one_phrase


_SENTENCE: Final = re.compile(r"[^.!?…\n]+[.!?…]*")
_REPORTED: Final = re.compile(
    r"\b(?:he|she|they|someone|somebody|everyone|people|mom|dad|my \w+|who) (?:\w+ )?"
    r"(?:said|says|told|tells|called|calls|never said|asked|thinks|thought|wrote)\b"
    r"|\b(?:if|when|unless) (?:i|you|he|she|they) (?:said?|told)\b",
    re.IGNORECASE,
)
_SUPPOSED: Final = re.compile(r"^(?:if|what if|suppose|imagine|unless)\b|\bi wish\b|\bwould (?:you|i)\b", re.IGNORECASE)
_KIND_DENIAL: Final = re.compile(
    r"\byou(?:.re| are) (?:not|n.t) (?:an? )?(?:idiot|stupid|dumb|useless|worthless|ugly|a loser|loser|a burden)",
    re.IGNORECASE,
)
_LAUGHING: Final = re.compile(r"\b(?:lol|lmao|haha|hehe|jk|xd)\b|[😂🤣😆😜😝😛]", re.IGNORECASE)
_LONGEST: Final = 400
_MOST: Final = 4000
_LATIN: Final = re.compile(r"[A-Za-z]{2}")
_KOREAN: Final = re.compile(r"[가-힣ㄱ-ㅎ]")
_LONGEST_WORDS: Final = 80
#: of two in one utterance the first is meant
_OVERRULED: Final = {"teasing": "insult", "praise": "insult", "greeting": "farewell"}


def english_signs(text: str) -> Iterator[Found]:
    """Yield the signs in `text`, the speaker's own words."""
    laughing = _LAUGHING.search(text[:_MOST]) is not None
    for written in _SENTENCE.findall(text[:_MOST]):
        sentence = written.strip().replace("’", "'")[:_LONGEST]
        if _REPORTED.search(sentence) or _SUPPOSED.search(sentence):
            continue
        for name, strength in _in_sentence(sentence):
            hurts = name == "insult" and laughing
            yield "teasing" if hurts else name, sentence, strength


def _in_sentence(sentence: str) -> Iterator[tuple[str, float]]:
    if _KIND_DENIAL.search(sentence):
        yield "comfort", 0.8
    for pattern in patterns("en"):
        if sentence.endswith("?") and not pattern.asks:
            continue
        if pattern.find.search(sentence):
            yield pattern.sign, pattern.strength


def signs(text: str, speaker: str, names: Collection[str] = ()) -> tuple[Sign, ...]:
    """Return the signs in `text`, each name once, in the order in which they were found.

    `names` are the listener's own. What is asked, supposed, cited, narrated or said of somebody else is no sign.
    """
    return _signs(text, speaker, tuple(names))


@cached_by_text
def _signs(text: str, speaker: str, names: tuple[str, ...]) -> tuple[Sign, ...]:
    own = own_words(text)
    korean = korean_signs(own, clauses(own), names) if _KOREAN.search(own) else ()
    found: dict[str, Sign] = {}
    for name, words, strength in (*korean, *(english_signs(own) if _LATIN.search(own) else ())):
        if name not in found or found[name].strength < strength:
            found[name] = Sign(name=name, speaker=speaker, words=words[:_LONGEST_WORDS], strength=strength)
    return tuple(sign for sign in found.values() if _OVERRULED.get(sign.name) not in found)
