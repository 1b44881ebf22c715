"""What the reader left open: statements of which it has read nothing for sure, so that a model may.

A model is slow and dear, and most of what is said tells nothing: greetings, laughter, questions, "밥 먹었어". Whatever
is in doubt is not worth waking one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.claim import Claim
from gieok.domain.turn import CHARACTER, Turn, Utterance
from gieok.extract.learned.reader import marks
from gieok.language.mood import hedged, joking, sentence_moods
from gieok.language.morphemes import Morpheme
from gieok.language.text import has_hangul, squeeze

_TELLING: Final = frozenset({"statement", "fragment"})
_NOUNS: Final = frozenset({"NNG", "NNP", "SL", "SN", "NR"})
_NAMES_AND_NUMBERS: Final = frozenset({"NNP", "SL", "SN", "NR"})
_DOING: Final = frozenset({"VV", "XSV", "VCP"})
_FIRST: Final = frozenset("나 저 내 제 우리 저희 본인".split())
_SECOND: Final = frozenset("너 당신 그대 네 니 자기 여보".split())
#: nouns that say nothing by themselves: when, how much, and what one says in passing
_EMPTY: Final = frozenset(
    "오늘 내일 어제 모레 그제 지금 이제 요즘 요새 아까 방금 나중 다음 아침 점심 저녁 밤 새벽 낮 오전 오후 "
    "주말 평일 하루 매일 이따 시간 때 날 동안 처음 마지막 진짜 정말 완전 아주 그냥 사실 역시 약간 조금 많이 "
    "전부 모두 다 더 또 이거 그거 저거 여기 거기 저기 생각 말 얘기 이야기 소리 것 거 일 기분 마음 느낌 정도 "
    "이유 문제 뭐 누구 어디 언제 안녕 감사 축하 수고 미안 고생 화이팅 파이팅 굿 굿밤 굿모닝 하이 바이 헐 대박 "
    "인정 오케이 콜 ok okay lol omg 만남 대답 질문 답 밥 잠 물 집 날씨 비 눈 배 머리 몸 눈물 최고 행복 사랑 "
    "걱정 세상 인생 사람 나이".split()
)
#: predicates that greet, thank or say how one feels this minute
_PASSING: Final = frozenset(
    "고맙다 감사하다 미안하다 죄송하다 반갑다 안녕하다 축하하다 좋다 싫다 그렇다 이렇다 어떻다 맞다 알다 "
    "모르다 졸리다 배고프다 심심하다 피곤하다 힘들다 춥다 덥다 자다 먹다 마시다 씻다 가다 오다 보다 있다 없다 "
    "되다 같다 예쁘다 귀엽다 웃기다 재밌다 재미있다 괜찮다 아프다 슬프다 기쁘다 행복하다 사랑하다 보고싶다 "
    "대단하다 멋지다 이쁘다 아니다 싶다".split()
)
_END: Final = re.compile(r"[.!?…~\n]+\s*")
_LATIN_END: Final = re.compile(r"[.!…\n]+|(?<=\?)")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’]*|\d+")
_ASKING: Final = re.compile(
    r"(?:who|what|when|where|why|how|which|do|does|did|is|are|am|was|were|can|could|will|would|should|shall|have|has|"
    r"may|let'?s|please|if)\b",
    re.IGNORECASE,
)
_MINE: Final = frozenset("i i'm i've i'd i'll im ive my me we we're we've our mine myself".split())
_UNSURE: Final = frozenset("maybe perhaps probably possibly might guess suppose wish hope wonder imagine if".split())
_SLIGHT: Final = frozenset(
    "a an the to of in on at it it's its is are was were be been am so too very really just that this and but "
    "or not no yes yeah ok okay oh hi hey hello bye thanks thank you your sorry good great nice fine cool lol "
    "haha love like know think feel feeling want get got go going come do don't did didn't have has had can "
    "can't will now today tonight tomorrow yesterday here there what well tired hungry sleepy bored happy sad "
    "see sure right much lot bit".split()
)
_SUSPECTED: Final = 0.1  #: certainty of the tagger from which a model is asked
_LONGEST: Final = 2_000  #: letters of an utterance that are looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLine:
    """An utterance with something in it that nothing is read."""

    utterance: Utterance
    sentences: tuple[str, ...]  #: as they were typed


def left_open(turn: Turn, claims: Sequence[Claim]) -> bool:
    """Say whether a model should read `turn`, of which is read `claims`."""
    return any(True for _ in _open_lines(turn, [claim for claim in claims if not claim.doubtful]))


def open_lines(turn: Turn, claims: Sequence[Claim]) -> tuple[OpenLine, ...]:
    """Return what of `turn` a model should read."""
    return tuple(_open_lines(turn, claims))


def _open_lines(turn: Turn, claims: Sequence[Claim]) -> Iterator[OpenLine]:
    for utterance in turn.utterances:
        if utterance.speaker == CHARACTER:
            continue
        found = tuple(_open_sentences(utterance, [claim for claim in claims if claim.source_id == utterance.id]))
        if found:
            yield OpenLine(utterance=utterance, sentences=found)


def _open_sentences(utterance: Utterance, claims: Sequence[Claim]) -> Iterator[str]:
    text = utterance.text[:_LONGEST]
    if joking(text):
        return
    read = [_said_words(claim) for claim in claims]
    unread = list(_unread(text, read))
    yield from unread
    for mark in marks(replace(utterance, text=text), (), ()).facts:
        sentence = sentence_at(text, mark.start, mark.end)
        own = squeeze(text[mark.start : mark.end])
        if mark.act == "not" or mark.certainty < _SUSPECTED or any(_holds(own, words) for words in read):
            continue
        if sentence and not _is_unsure(sentence) and not any(sentence in each or each in sentence for each in unread):
            unread.append(sentence)
            yield sentence


def _unread(text: str, read: Sequence[frozenset[str]]) -> Iterator[str]:
    """Yield the sentences that tell something, and in which nothing is read anything."""
    telling = list(_telling(text))
    squeezed = [squeeze(sentence) for sentence in telling]
    covered = [[_holds(sentence, words) for words in read] for sentence in squeezed]
    unplaced = any(not any(column) for column in zip(*covered, strict=True))
    if unplaced and any(squeeze(text).find(word) < 0 for words in read for word in words):
        return  # something is read here in words of its own
    for sentence, by in zip(telling, covered, strict=True):
        if not any(by):
            yield sentence


def sentence_at(text: str, start: int, end: int) -> str:
    """Return the sentence of `text` around what stands from `start` to `end`."""
    begins = max((found.end() for found in _END.finditer(text, 0, start)), default=0)
    after = _END.search(text, end)
    return text[begins : after.start() if after is not None else len(text)].strip()


def _said_words(claim: Claim) -> frozenset[str]:
    """Return the words by which the sentence is found that a claim was read from."""
    said = (claim.surface, claim.value, *claim.details) if claim.attribute else (claim.content, *claim.details)
    return frozenset(squeeze(each) for each in said if each)


def _holds(sentence: str, words: Iterable[str]) -> bool:
    return any(word in sentence or sentence in word for word in words)


def reads_in(sentence: str, claims: Iterable[Claim], utterance_id: str) -> bool:
    """Say whether is read one of `claims` in this `sentence` of an utterance."""
    squeezed = squeeze(sentence)
    return any(_holds(squeezed, _said_words(claim)) for claim in claims if claim.source_id == utterance_id)


def _telling(text: str) -> Iterator[str]:
    """Yield the sentences of `text` that may tell something lasting."""
    if has_hangul(text):
        for morphemes, mood in sentence_moods(text):
            if mood in _TELLING and _tells(morphemes, whole=mood == "statement") and not hedged(morphemes):
                yield text[morphemes[0].start : morphemes[-1].end]
        return
    for sentence in _LATIN_END.split(text):
        if _tells_in_english(sentence.strip()):
            yield sentence.strip()


def _tells(morphemes: Sequence[Morpheme], *, whole: bool) -> bool:
    """Whether a sentence speaks of something beyond the minute, and not only of the one it is said to.

    One without a predicate (not `whole`) does so only by a name or a number, or of the speaker: 취준생 1년차.
    """
    pronouns = {part.form for part in morphemes if part.tag == "NP"}
    mine = bool(pronouns & _FIRST)
    if pronouns & _SECOND and not mine:
        return False
    nouns = [part for part in morphemes if part.tag in _NOUNS and part.form.casefold() not in _EMPTY]
    things = {part.form for part in nouns}
    if not whole:
        return len(things) > 1 and (mine or any(part.tag in _NAMES_AND_NUMBERS for part in nouns))
    doing = {part.lemma for part in morphemes if part.tag in _DOING} - _PASSING
    if not things:
        return mine and bool(doing) and any(part.tag == "EP" for part in morphemes)
    return bool(doing) or (len(things) > 1 and mine)


def _tells_in_english(sentence: str) -> bool:
    """Whether an English sentence states something of the speaker that is more than small talk."""
    if sentence.endswith("?") or _ASKING.match(sentence):
        return False
    words = _words_of(sentence)
    return bool(_MINE & words) and not _is_unsure(sentence) and len(words - _SLIGHT - _MINE) > 1


def _is_unsure(sentence: str) -> bool:
    """Whether an English sentence only supposes: maybe, I guess."""
    return bool(_UNSURE & _words_of(sentence))


def _words_of(sentence: str) -> set[str]:
    return {word.casefold().replace("’", "'") for word in _WORD.findall(sentence)}
