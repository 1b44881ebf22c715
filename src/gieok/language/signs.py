"""Signs of a relationship in what one of the two says to the other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from gieok.domain.noticed import Sign
from gieok.language.cache import cached_by_text
from gieok.language.clauses import Clause, Phrase, clauses
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SignMatch:
    """A sign that was found: its name, the words, and how clear it is."""

    name: str
    words: str
    strength: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    """The clauses of one sentence and who is meant in it."""

    text: str
    clauses: tuple[Clause, ...]
    moods: tuple[Mood, ...]
    meant: frozenset[Party]
    near: frozenset[Party]  #: in the whole utterance
    laughing: bool
    asks: bool
    reports: bool


def korean_signs(text: str, clauses: Sequence[Clause], names: Collection[str]) -> Iterator[SignMatch]:
    """Yield the signs in `text`, the speaker's own words, whose clauses are `clauses`."""
    laughing = _LAUGHTER.search(text) is not None
    near = sentence_parties(clauses, _PERSONS, frozenset(names))
    end = 0
    for group in _grouped(clauses):
        yield from _exclaimed(text[end : group[0].start])
        yield from _in_korean_sentence(_sentence(text, group, near, names, laughing=laughing))
        end = group[-1].end
    yield from _exclaimed(text[end:])
    for pattern in patterns("ko"):
        found = pattern.find.search(text[:_LONGEST]) if pattern.raw else None
        if found:
            yield SignMatch(name=pattern.sign, words=found.group().strip(), strength=pattern.strength)


def _exclaimed(between: str) -> Iterator[SignMatch]:
    """Yield the signs in what is no clause, such as a mere 안녕."""
    said = between.strip()[:_LONGEST]
    if not has_hangul(said):
        return
    for pattern in patterns("ko"):
        if (pattern.asks or "?" not in said) and not pattern.raw and pattern.find.search(said):
            yield SignMatch(name=pattern.sign, words=said, strength=pattern.strength)


def _sentence(
    text: str, group: list[Clause], near: frozenset[Party], names: Collection[str], *, laughing: bool
) -> _Sentence:
    moods = tuple(mood(clause) for clause in group)
    ends = [told for clause, told in zip(group, moods, strict=True) if clause.final or clause is group[-1]]
    endings = {ending for clause in group if clause.predicate for ending in clause.predicate.endings}
    return _Sentence(
        text=text[group[0].start : group[-1].end][:_LONGEST],
        clauses=tuple(group),
        moods=moods,
        meant=sentence_parties(group, _PERSONS, frozenset(names)),
        near=near,
        laughing=laughing,
        asks="question" in ends,
        reports="hearsay" in moods or bool(endings & _SETS.reporting),
    )


def _grouped(clauses: Sequence[Clause]) -> Iterator[list[Clause]]:
    """Group them by sentence; a noun behind it without a mark belongs to it: 예쁘다 너."""
    group: list[Clause] = []
    for at, clause in enumerate(clauses):
        group.append(clause)
        following = clauses[at + 1] if at + 1 < len(clauses) else None
        trails = following is not None and following.predicate is None and not clause.ends_with
        if clause.final and not trails:
            yield group
            group = []
    if group:
        yield group


def _in_korean_sentence(sentence: _Sentence) -> Iterator[SignMatch]:
    for pattern in patterns("ko"):
        found = None if pattern.raw else _matched(pattern, sentence)
        if found:
            yield SignMatch(name=pattern.sign, words=sentence.text, strength=pattern.strength)
    if sentence.reports:
        return
    for at, clause in enumerate(sentence.clauses):
        told = sentence.moods[at]
        if clause.predicate is not None:
            yield from _predicated(sentence, at, clause, told)
        elif told in _TOLD:
            yield from _bare(sentence, clause)
    yield from _abused(sentence)


def _matched(pattern: Pattern, sentence: _Sentence) -> bool:
    if (sentence.asks and not pattern.asks) or (pattern.plain and "thing" in sentence.meant):
        return False
    if not pattern.of_others and ("other" in sentence.meant or sentence.reports):
        return False
    found = pattern.find.search(sentence.text)
    # Whether 고 makes the words somebody's: 사랑한다고 했다.
    return found is not None and not (re.match(r"(?:라|다|자|냐)?고(?:\s|$)", sentence.text[found.end() :]) is not None)


def _predicated(sentence: _Sentence, at: int, clause: Clause, told: Mood) -> Iterator[SignMatch]:
    predicate = clause.predicate
    if predicate is None or set(predicate.endings) & _SETS.quoting:
        return
    lemma = predicate.lemma
    if lemma in _WORDS.thanks or lemma in _WORDS.apology:
        yield from _feeling(sentence, at, clause, told, "thanks" if lemma in _WORDS.thanks else "apology")
    elif lemma in _WORDS.love | _WORDS.fond | _WORDS.missing or _longs(clause) or _is_fond(clause):
        yield from _loving(sentence, clause, told)
    elif lemma in _WORDS.praise | _WORDS.insult | _WORDS.good:
        yield from _judging(sentence, at, clause, told)
    elif predicate.form in ("copula", "not"):
        yield from _being(sentence, clause, told)
    elif lemma in _WORDS.hard_feelings:
        yield from _understanding(sentence, clause)
    elif told == "statement":
        yield from _stated(sentence, clause)


def _stated(sentence: _Sentence, clause: Clause) -> Iterator[SignMatch]:
    """너 싫어; 너 기타 진짜 잘 친다."""
    predicate, who = clause.predicate, sentence.meant
    if predicate is None or predicate.negated or "you" not in who or "other" in who or sentence.asks:
        return
    if predicate.lemma in _WORDS.turned_away and clause.final and "thing" not in who:
        yield SignMatch(name="rejection", words=sentence.text)
    elif _admires(clause) and "me" not in who:
        yield SignMatch(name="praise", words=sentence.text)


def _feeling(sentence: _Sentence, at: int, clause: Clause, told: Mood, name: str) -> Iterator[SignMatch]:
    predicate = clause.predicate
    if predicate is None or told not in _TOLD or predicate.negated or clause.head is not None:
        return
    softened = not clause.final and set(predicate.endings[-1:]) & _SETS.softening
    others = name == "thanks" and "other" in sentence.meant  # 엄마가 도와줘서 고마워
    if not (softened or others or "other" in sentence_parties(sentence.clauses[at : at + 1], _PERSONS, frozenset())):
        yield SignMatch(name=name, words=sentence.text)


def _longs(clause: Clause) -> bool:
    """보고 싶다, which is said of people and of films."""
    predicate = clause.predicate
    return predicate is not None and predicate.lemma == "보다" and "싶다" in predicate.auxiliaries


def _is_fond(clause: Clause) -> bool:
    """난 네가 참 좋아."""
    predicate = clause.predicate
    liked = any(phrase.pronoun in _SETS.you and phrase.has("가", "이") for phrase in clause.phrases)
    return predicate is not None and predicate.lemma == "좋다" and liked


def _loving(sentence: _Sentence, clause: Clause, told: Mood) -> Iterator[SignMatch]:
    predicate = clause.predicate
    if predicate is None or sentence.asks or told not in ("statement", "wish"):
        return
    if not clause.final and predicate.endings != ("어",):
        return  # 사랑하면서 외로워; but 사랑해 잘 자
    if not _longs(clause) and (told == "wish" or "지다" in predicate.auxiliaries):
        return  # 사랑하고 싶어
    if (predicate.past and predicate.lemma in _WORDS.love) or set(predicate.endings) & _SETS.not_said_to:
        return  # 정말 사랑했어: it is over
    if any(phrase.has("까지", "로", "으로") for phrase in clause.phrases):
        return  # 끝까지 보고 싶어
    if "other" in sentence.meant or "thing" in sentence.meant or "other" in sentence.near:
        return
    if predicate.lemma in _WORDS.fond and "you" not in sentence.meant:
        return
    if predicate.lemma in _WORDS.love and predicate.negated:
        yield SignMatch(name="rejection", words=sentence.text)
    elif not predicate.negated:
        yield SignMatch(name="affection", words=sentence.text)


def _admires(clause: Clause) -> bool:
    """기타 진짜 잘 친다."""
    predicate = clause.predicate
    if predicate is None or "잘" not in clause.adverbs or predicate.past:
        return False
    return (
        bool(set(predicate.endings) & _SETS.admiring)
        and predicate.lemma not in _SETS.getting_by
        and not predicate.auxiliaries
    )


def _understanding(sentence: _Sentence, clause: Clause) -> Iterator[SignMatch]:
    """속상했겠다: what only the listener can have felt."""
    predicate = clause.predicate
    if predicate is None or predicate.auxiliaries or not set(predicate.endings) & _SETS.guessed:
        return  # 답답해 죽겠네
    guessed = any(part.tag == "EP" and part.form == "겠" for part in predicate.tail)
    who = sentence.meant
    if guessed and clause.final and not (sentence.asks or "other" in who or "me" in who or "other" in sentence.near):
        yield SignMatch(name="comfort", words=sentence.text)


def _judging(sentence: _Sentence, at: int, clause: Clause, told: Mood) -> Iterator[SignMatch]:
    """Praise, or its contrary, of the listener."""
    predicate = clause.predicate
    if predicate is None or not _is_judgement(sentence, at, clause, told):
        return
    praises = predicate.lemma not in _WORDS.insult
    if not _is_of_listener(sentence, clause, praises=praises):
        return
    if predicate.negated:
        if praises and predicate.lemma not in _WORDS.good and "you" in sentence.meant:
            yield SignMatch(name="insult", words=sentence.text, strength=0.5)
    elif praises:
        yield SignMatch(name="praise", words=sentence.text)
    else:
        yield SignMatch(name="teasing" if sentence.laughing else "insult", words=sentence.text)


def _is_judgement(sentence: _Sentence, at: int, clause: Clause, told: Mood) -> bool:
    if clause.head is not None:  # 똑똑한 것 같아; not 예쁜 옷
        following = sentence.clauses[at + 1] if at + 1 < len(sentence.clauses) else None
        says = following.predicate.lemma if following is not None and following.predicate is not None else ""
        seems = clause.head in _SETS.seems and says == "같다"
        return not sentence.asks and (seems or (says == "이다" and clause.head in _WORDS.somebody))
    if told == "question":
        before = sentence.clauses[at - 1].predicate if at else None
        so = (
            before is not None and before.lemma in _SETS.so
        )  # 왜 이렇게 착하냐: Kiwi may take it for a clause of its own
        return so or bool(set(clause.adverbs) & _SETS.wonder)
    return told in _TOLD and not sentence.asks


def _is_of_listener(sentence: _Sentence, clause: Clause, *, praises: bool) -> bool:
    who = sentence.meant
    if "other" in who or "me" in who:
        return False
    predicate = clause.predicate
    if predicate is None:
        return False
    gift = any(phrase.words and phrase.words[-1] in _WORDS.gifts for phrase in clause.phrases)
    if predicate.lemma in _WORDS.good and clause.head in _WORDS.somebody:
        return "you" in who  # 넌 참 좋은 친구야
    if predicate.lemma in _WORDS.good:
        return gift and ("you" in who or "honoured" in who)  # 목소리가 참 좋으세요
    if "you" in who:
        return True
    if not praises:
        return "thing" not in who and "you" in sentence.near and "other" not in sentence.near
    if "honoured" in who:
        return "thing" not in who or gift
    return predicate.lemma in _WORDS.praise_alone and not (
        "thing" in who or "other" in sentence.near or "thing" in sentence.near
    )


def _being(sentence: _Sentence, clause: Clause, told: Mood) -> Iterator[SignMatch]:
    """천재네 넌, 너 최고야."""
    predicate = clause.predicate
    if predicate is None or predicate.negated or told not in _TOLD or not clause.phrases:
        return
    what = clause.phrases[-1].words[-1]
    if "other" in sentence.meant or "me" in sentence.meant or sentence.asks:
        return
    if what in _WORDS.dearest and clause.phrases[-1].owner == "나" and "you" in sentence.meant:
        yield SignMatch(name="affection", words=sentence.text)  # 넌 내 전부야
    elif what in _WORDS.insult_nouns and "you" in sentence.meant:
        yield SignMatch(name="teasing" if sentence.laughing else "insult", words=sentence.text)
    elif what in _WORDS.praise_nouns and _is_praised(sentence):
        yield SignMatch(name="praise", words=sentence.text)


def _is_praised(sentence: _Sentence) -> bool:
    near = sentence.near
    return "you" in sentence.meant or ("you" in near and not ("other" in near or "thing" in near))


def _bare(sentence: _Sentence, clause: Clause) -> Iterator[SignMatch]:
    """고마움 without a verb: 정말 감사, 미안!, 너 최고."""
    if not clause.phrases or sentence.asks or "other" in sentence.meant or clause.phrases[-1].particles:
        return
    last = clause.phrases[-1].words[-1]
    if last in _WORDS.thanks_nouns and len(clause.phrases) == 1:
        yield SignMatch(name="thanks", words=sentence.text)
    elif last in _WORDS.apology_nouns:
        yield SignMatch(name="apology", words=sentence.text)
    elif last in _WORDS.praise_nouns and _is_praised(sentence):
        yield SignMatch(name="praise", words=sentence.text)


def _abused(sentence: _Sentence) -> Iterator[SignMatch]:
    """Slurs and nicknames thrown at the listener: 병신아, 너 같은 쓰레기, 바보야ㅋㅋ."""
    who = sentence.meant
    if "other" in who or "me" in who or "other" in sentence.near:
        return
    for clause in sentence.clauses:
        denied = clause.predicate is not None and clause.predicate.negated and not sentence.asks
        for phrase in clause.phrases:
            noun = phrase.words[-1] if phrase.words else ""
            if (
                not (clause.final or phrase.has("야", "아") or phrase.adnominal)
                or denied
                or noun not in _WORDS.slurs | _WORDS.teasing
                or not _is_thrown(phrase, clause, sentence)
            ):
                continue
            mild = noun in _WORDS.teasing or sentence.laughing
            yield SignMatch(name="teasing" if mild else "insult", words=sentence.text)


def _is_thrown(phrase: Phrase, clause: Clause, sentence: _Sentence) -> bool:
    if set(phrase.particles) & {"야", "아"}:
        return True
    if set(phrase.particles) - {"랑", "랑은", "은", "는"}:
        return False
    is_predicate = clause.predicate is not None and clause.predicate.form in ("copula", "not")
    if "you" in sentence.meant:
        return is_predicate or bool(phrase.adnominal) or clause.predicate is None
    only = sum(len(each.phrases) for each in sentence.clauses) == 1
    return only and (is_predicate or clause.predicate is None)


_SENTENCE: Final = re.compile(r"[^.!?…\n]+[.!?…]*")
_REPORTED: Final = re.compile(
    r"\b(?:he|she|they|someone|somebody|everyone|people|mom|dad|my \w+|who) (?:\w+ )?"
    r"(?:said|says|told|tells|called|calls|never said|asked|thinks|thought|wrote)\b"
    r"|\b(?:if|when|unless) (?:i|you|he|she|they) (?:said?|told)\b",
    re.IGNORECASE,
)
_SUPPOSED: Final = re.compile(r"^(?:if|what if|suppose|imagine|unless)\b|\bi wish\b|\bwould (?:you|i)\b", re.IGNORECASE)
_DENIED: Final = re.compile(
    r"\b(?:not|n.t|never) (?:(?:even|really|that|so|very|to|say|want|going|gonna) )*"
    r"(?:thank|sorry|love|like|appreciate|apologi|miss|proud|promise"
    r"|an? idiot|stupid|dumb|useless|worthless|ugly|a loser)",
    re.IGNORECASE,
)
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


def english_signs(text: str) -> Iterator[SignMatch]:
    """Yield the signs in `text`, the speaker's own words."""
    laughing = _LAUGHING.search(text[:_MOST]) is not None
    for written in _SENTENCE.findall(text[:_MOST]):
        sentence = written.strip().replace("’", "'")[:_LONGEST]
        if _REPORTED.search(sentence) or _SUPPOSED.search(sentence):
            continue
        for name, strength in _in_sentence(sentence):
            hurts = name == "insult" and laughing
            yield SignMatch(name="teasing" if hurts else name, words=sentence, strength=strength)


def _in_sentence(sentence: str) -> Iterator[tuple[str, float]]:
    denied = _DENIED.search(sentence) is not None
    if _KIND_DENIAL.search(sentence):
        yield "comfort", 0.8
    for pattern in patterns("en"):
        if sentence.endswith("?") and not pattern.asks:
            continue
        if denied and pattern.sign not in _SETS.may_be_denied:
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
    found: dict[str, SignMatch] = {}
    for each in _found(own_words(text), names):
        if each.name not in found or found[each.name].strength < each.strength:
            found[each.name] = each
    return tuple(
        Sign(name=each.name, speaker=speaker, words=each.words[:_LONGEST_WORDS], strength=each.strength)
        for each in found.values()
        if _OVERRULED.get(each.name) not in found
    )


def _found(own: str, names: Collection[str]) -> Iterator[SignMatch]:
    if _KOREAN.search(own):
        yield from korean_signs(own, clauses(own), names)
    if _LATIN.search(own):
        yield from english_signs(own)
