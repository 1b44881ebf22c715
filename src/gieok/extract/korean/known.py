"""Changes of what is already known: 합정 방 빼고 판교로 옮겼어, 가산 산다고 한 거 취소, 햄스터 말고 시바견.

Whoever gives something up names it. Knowing which facts are mentioned tells which attribute is meant, so that the few
ways of taking back, replacing and ending need no pattern for every attribute.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Act, Claim
from gieok.domain.memory import Background
from gieok.extract.korean.animal_mentions import in_story
from gieok.extract.korean.animals import kind_of, names_of, spoken_of
from gieok.extract.korean.animals_gone import kinds_gone
from gieok.extract.korean.farewells import Manner, Spot
from gieok.extract.korean.giving_up import ended_by, given_up, of_others, spot
from gieok.extract.korean.in_part import named_in_part, shortened
from gieok.extract.korean.lapsing import faiths_meant, lost_faith
from gieok.extract.korean.leaving import LEFT
from gieok.extract.korean.lexicon import change_words
from gieok.extract.korean.measured_anew import FIGURES, measured_anew
from gieok.extract.korean.outshone import outshone
from gieok.extract.korean.patterns import Pattern, anything, patterns
from gieok.extract.korean.plainly import plainly
from gieok.extract.korean.reading import Finding, found
from gieok.extract.korean.replacing import replacement
from gieok.extract.korean.respelt import respelt
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.unnamed import Alias, aliases, given_away
from gieok.extract.korean.values import READERS, Value
from gieok.language.clauses import Clause, clauses
from gieok.language.text import normalise

_KINDS: Final = {
    "mbti": "mbti", "blood_type": "blood", "age": "age", "birthday": "month_day", "height": "height",
    "birth_year": "birth_year", "weight": "weight",
}  # fmt: skip
_LIKELY: Final = re.compile(
    r"\d|열|스[물무]|서른|마흔|쉰|예순|일흔|여든|아흔|[십백]|형|[인엔앤잇엣][프티팁]|[A-Za-z]{4}|(?<![A-Za-z])(?:AB|[ABOabo])(?![A-Za-z])"
)
_LONGEST: Final = 600
_CORRECTING: Final = re.compile(
    r"잘못|오타|실수|정정|헷갈|헛나|말이\s?꼬|원래부터|아니라니까|아니고|착각|아니라|뻥|거짓말"
)
_MOVING_ON: Final = re.compile(
    r"이제|요즘|지금|옮|바꿨|바뀌|갈아|이직|이사|전직|새로|이번|요새|질렸|그만|퇴사|자퇴|접고|끊고|보냈|대신|포기"
)
#: without one of these nothing is given up
_CUE: Final = re.compile(
    r"말고|아니[고라구]|아닌|대신|[라다]고|라 했|졸업|그만|접[었고음]|끊|탈출|때려|관두"
    r"|바[뀌꿨꾸꿈]|갈아|에서|청산|보다|무슨|→|->|로 알고|다가 |줄 알"
)
_DREAMT: Final = re.compile(r"꿈|희망|목표|되고\s?싶|지망")
_AFTER_ONE: Final = re.compile(r"(?:은|는|이|가|을|를|도|만|에|로|말고|보다|아니|라|형|$|[^가-힣])")
_PLAIN: Final = {"": "바나나", "ㄹ": "연필", "ㅁ": "수박"}
_RIEUL: Final = 8
_BY_NOW: Final = re.compile(r"이제|이젠|인제|요즘|요새")
_NEXT: Final = re.compile(
    r"(?:다음|새|새로운|이제|이젠|이제는)\s(?:[내제]\s)?$"
)  #: before 목표, 꿈: the one before is done with
_HATES: Final = re.compile(r"싫|극혐|질색|혐오")
#: ways of eating of which one keeps to one
_GREEN: Final = re.compile(r"비건|채식|페스코|락토|오보|베지|테리언|테리안|폴로|플렉시|잡식|육식|카니보어|키토|일반식")
_AROUND: Final = 300  #: letters before and after
_SHORT: Final = 60
_CERTAIN: Final = 2  #: longer values are found inside words, too
_MOST_PLACES: Final = 3
_TOLD_ANEW: Final = frozenset({*LEFT, *FIGURES})  #: what has rules of its own, where its name is not said
_CLOSING: Final = frozenset({"end", "retract"})
_GIVEN: Final = 2  #: syllables of a name without its surname


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A value as it is kept, and the words it was said in."""

    attribute: str
    value: str
    surface: str


def spoken(text: str) -> Iterator[Spoken]:
    """Yield the values of the kinds that are written in many ways, wherever `text` may name one."""
    if len(text) > _LONGEST:
        return
    for religion, word in faiths_meant(text):
        yield Spoken(attribute="religion", value=religion, surface=word)
    animals = spoken_of(text)
    if not animals and _LIKELY.search(text) is None:
        return
    read = plainly(normalise(text))
    for clause in clauses(read):
        for phrase in clause.phrases:
            said = read[phrase.morphemes[0].start : phrase.morphemes[-1].end]
            for name, kind in _KINDS.items() if phrase.pronoun is None else ():
                value = READERS[kind](said)
                if value is not None:
                    yield Spoken(attribute=name, value=value.value, surface=value.surface)
            for word in phrase.words if animals else ():
                animal = kind_of(word.removesuffix("들"))
                if animal is not None:
                    yield Spoken(attribute="pet", value=animal, surface=word.removesuffix("들"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """A value that is known, or that says by itself what it is."""

    pattern: Pattern
    value: str
    surface: str
    known: bool
    in_part: bool = False  #: by a word that was found in what was said
    alias: Alias | None = None  #: words that stand for it, where they are not its own
    doubtful: bool = False  #: it can be ended or taken back; nothing new is read from it


def known_changes(text: str, background: Background, read: Sequence[Claim]) -> Iterator[Finding | Claim]:
    """Yield what `text` does to the facts it mentions; `read` is what the rules found in it."""
    yield from _gone(text, background)
    yield from measured_anew(text, background.unnamed)
    if not any(claim.attribute == "name" and claim.subject == "user" for claim in read):
        yield from respelt(text, background.names)
    if not (background.mentioned or background.unnamed or background.doubtful or _CUE.search(text)):
        return
    yield from _ended_unnamed(text, background)
    yield from _lost_faith(text, background)
    yield from _best_of_its_kind(background, read)
    best = list(outshone(text, background))
    yield from best
    yield from _otherwise_fed(text, background, read)
    theirs = {claim.value for claim in read if claim.subject == "other" and claim.subject_id != claim.speaker}
    changed = {each.attribute for each in best}
    pets = names_of(background.pets)
    in_doubt = [replace(old, doubtful=True) for old in _known(Background(mentioned=background.doubtful), text)]
    for old in (*_known(background, text), *_called(background, text), *in_doubt, *_typed(text)):
        if old.pattern.attribute == "pet" and (_of_its_name(text, old, pets) or in_story(text)):
            continue
        for start, end in _places(text, old) if old.pattern.attribute not in changed else ():
            plain = _PLAIN[_final(text[end - 1])] if old.known and not old.in_part else text[start:end]
            before = text[max(0, start - _AROUND) : start]
            # names and titles are read as anything, and so is what follows them
            masked = before + plain + text[end : end + _AROUND]
            said = clauses(masked)
            at = spot(said, len(before), len(before) + len(plain))
            change = _change(masked, at, said, old, read) if at is not None else None
            if old.doubtful and change is not None and change.act not in _CLOSING:
                change = None
            if change is not None and (old.known or change.value not in theirs):  # 지훈이는 축구보다 농구를 좋아해
                changed.add(old.pattern.attribute)
                yield change
                break


def _best_of_its_kind(background: Background, read: Sequence[Claim]) -> Iterator[Finding]:
    """포차코로 최애 갈아탐: of the one kind of which a favourite is known, where the new one's name tells none."""
    best = [each for each in background.meant() if (each.attribute or "").startswith("favorite.")]
    for claim in read if len(best) == 1 and best[0].attribute != "favorite.music" else ():
        switched = claim.attribute == "favorite.music" and claim.act == "prefer" and claim.instead_of is None
        if switched and claim.value is not None and not taste_words().kind_of(claim.value):
            key = best[0].attribute or ""
            value = Value(value=claim.value, shown=claim.value, surface=claim.surface or claim.value)
            pattern = patterns().by_attribute.get(key) or anything(key)
            yield found(pattern, value, act="prefer", instead_of=best[0].value)


def _otherwise_fed(text: str, background: Background, read: Sequence[Claim]) -> Iterator[Claim]:
    """지금은 페스코예요: who has told what plants they live on eats by one rule at a time."""
    before = [each for each in background.meant() if each.attribute == "diet"]
    before = [each for each in before if _GREEN.search(each.value or "")]
    for claim in read if len(before) == 1 and _MOVING_ON.search(text) else ():
        fed = claim.attribute == "diet" and claim.subject == "user" and claim.polarity == "+" and claim.act == "assert"
        if fed and claim.value != before[0].value and _GREEN.search(claim.value or ""):
            yield replace(claim, act="prefer", instead_of=before[0].value)


def _ended_unnamed(text: str, background: Background) -> Iterator[Finding]:
    """콩이는 잘 지내? – 지난주에 무지개다리 건넜어: the one thing that was asked about is over."""
    asked = [old for old in _known(background, text) if old.value not in text and old.surface not in text]
    if len(asked) != 1 or len(text) > _SHORT:
        return
    meal = asked[0].pattern.attribute == "dislikes" and "먹" in text and _BY_NOW.search(text) is None  # 잘 먹었다!
    if not meal and ended_by(clauses(text), asked[0].pattern.attribute):
        over = Value(value=asked[0].value, shown=asked[0].surface, surface=asked[0].surface)
        yield found(asked[0].pattern, over, polarity="-", act="end")


def _of_its_name(text: str, old: _Named, pets: Collection[str]) -> bool:
    """우리 강아지 보리 아니고 버리예요: only the name is wrong."""
    return any(f"{old.surface} {name}" in text for name in pets)


def _gone(text: str, background: Background) -> Iterator[Finding]:
    """치즈 무지개다리 건넜어: the one cat is no more."""
    for kind, name in kinds_gone(text, names_of(background.pets)) if background.pets else ():
        over = Value(value=kind, shown=kind, surface=name)
        yield found(patterns().by_attribute["pet"], over, polarity="-", act="end")


def _lost_faith(text: str, background: Background) -> Iterator[Finding]:
    """이제 나 신자 아니야, 이젠 믿지도 않아요: whichever religion is known."""
    faiths = [memory for memory in background.mentioned if memory.attribute == "religion" and memory.value != "무교"]
    said = clauses(text) if faiths else ()
    if lost_faith(said, [of_others(clause) for clause in said]):
        for memory in faiths:
            over = Value(value=memory.value or "", shown=memory.value or "", surface=memory.surface or "")
            yield found(patterns().by_attribute["religion"], over, polarity="-", act="end")


def _final(letter: str) -> str:
    """Return "" for an open syllable, ㄹ, or ㅁ for any other: what particles go by."""
    last = (ord(letter) - ord("가")) % 28 if "가" <= letter <= "힣" else 0
    return "" if not last else "ㄹ" if last == _RIEUL else "ㅁ"


def _known(background: Background, text: str) -> Iterator[_Named]:
    for memory in background.mentioned:
        if memory.attribute is not None and memory.value is not None:
            pattern = patterns().by_attribute.get(memory.attribute) or anything(memory.attribute)
            surface = _as_said(text, memory.attribute, memory.value, memory.surface or memory.value)
            yield _Named(pattern=pattern, value=memory.value, surface=surface, known=True)
    told = {memory.id for memory in background.mentioned}
    left = [each for each in background.unnamed if each.attribute in LEFT and each.id not in told]
    for memory, word in named_in_part(text, left):
        pattern = patterns().by_attribute[memory.attribute or ""]
        whole = (memory.value or "").replace(" ", "").casefold()
        yield _Named(
            pattern=pattern, value=memory.value or "", surface=word, known=True, in_part=not shortened(word, whole)
        )


def _called(background: Background, text: str) -> Iterator[_Named]:
    """Yield what is known that `text` calls by other words: 우울증 약 by 약, BTS 정국 by 정국."""
    told = {memory.id for memory in background.mentioned}
    known = [each for each in background.unnamed if each.attribute not in _TOLD_ANEW and each.id not in told]
    for each in aliases(text, known):
        key, value = each.memory.attribute or "", each.memory.value or ""
        pattern = patterns().by_attribute.get(key) or anything(key)
        yield _Named(pattern=pattern, value=value, surface=each.words, known=True, alias=each)


def _by_alias(
    text: str, at: Spot, said: Sequence[Clause], old: _Named, alias: Alias, read: Sequence[Claim]
) -> Finding | Claim | None:
    """Return what becomes of what is named by its kind or its gear: it is over, or something that is told instead."""
    if alias.by_gear:
        over = given_away(at, said)
    else:
        given = given_up(text, at, said, old.pattern.attribute)
        over = given is not None and given[0] in ("over", "outdone")  # not 약 말고 밥
    told = _told(text, read, old.pattern, old.value)
    if not over and (told is None or _NEXT.search(text[: at.start]) is None):
        return None
    if told is not None:
        return replace(told, act="prefer", instead_of=old.value)
    return found(old.pattern, Value(value=old.value, shown=old.value, surface=old.value), polarity="-", act="end")


def _as_said(text: str, attribute: str, value: str, surface: str) -> str:
    """Return how `text` spells a value that is known: 인프피 or infp for INFP."""
    if surface in text or value in text:
        return surface
    return next((each.surface for each in spoken(text) if (each.attribute, each.value) == (attribute, value)), surface)


def _typed(text: str) -> Iterator[_Named]:
    """Yield the values that need no label: INFP 졸업하고 INTP 됨 speaks of the MBTI, whatever was known."""
    if len(text) > 2 * _AROUND or _CUE.search(text) is None:
        return
    known = patterns()
    seen: set[tuple[str, str]] = set()
    kinds = [*known.alone, known.by_attribute["exercise"], known.by_attribute["birthday"]]
    if _DREAMT.search(text):
        kinds.remove(known.by_attribute["job"])
    for phrase in (phrase for clause in clauses(text) for phrase in clause.phrases if phrase.pronoun is None):
        words = text[phrase.morphemes[0].start : phrase.morphemes[-1].end]
        for pattern in kinds:
            value = READERS[pattern.value](words)
            if value is not None and (value.alone or not pattern.alone) and (pattern.value, value.value) not in seen:
                seen.add((pattern.value, value.value))
                yield _Named(pattern=pattern, value=value.value, surface=value.surface, known=False)


def _places(text: str, old: _Named) -> list[tuple[int, int]]:
    """Return where the value stands in `text`, as a word of its own."""
    for said in dict.fromkeys((old.surface,) if old.alias is not None else (old.surface, old.value)):
        found_at = [(start, start + len(said)) for start in _finds(text, said)]
        opened = [span for span in found_at if _opens(text, *span)]
        if opened or (found_at and len(said) > _CERTAIN):
            return (opened or found_at)[:_MOST_PLACES]
    return []


def _finds(text: str, said: str) -> Iterator[int]:
    start = text.find(said)
    while said and start >= 0:
        yield start
        start = text.find(said, start + len(said))


def _opens(text: str, start: int, end: int) -> bool:
    """Whether a word begins there, and, if it is of one letter, also ends or takes a particle."""
    if start and text[start - 1].isalnum():
        return False
    return end - start > 1 or _AFTER_ONE.match(text, end) is not None


def _change(text: str, at: Spot, said: Sequence[Clause], old: _Named, read: Sequence[Claim]) -> Finding | Claim | None:
    pattern = old.pattern
    if old.alias is not None and (old.alias.by_kind or old.alias.by_gear):
        return _by_alias(text, at, said, old, old.alias, read)
    given = given_up(text, at, said, pattern.attribute)
    if given is None:
        return None if not old.known else _turned(text, said, old.value, pattern, read)
    manner, start = given
    if manner == "compared" and (turned := _turned(text, said, old.value, pattern, read)) is not None:
        return turned
    act = _act(text, manner)
    single = attribute(pattern.attribute).single
    told = _told(text, read, pattern, old.value) if manner != "compared" or single else None
    told = told if told is None or told.value != old.surface else None  # 외대 졸업했어, of 부산외대
    if told is not None:
        return replace(told, act=act, instead_of=old.value)
    new = replacement(text, manner, at, start, said, pattern, old.value, strict=not old.known)
    if new is not None:
        return found(pattern, new, act=act, instead_of=old.value)
    if old.value not in text and manner in ("replaced", "unlike") and old.pattern.attribute in LEFT:
        return None  # 경영 아니고 뭐라고?
    if not old.known and (manner != "taken_back" or pattern.attribute == "job"):
        return None
    gone = Value(value=old.value, shown=old.surface, surface=old.surface)
    if manner in ("wrong", "taken_back"):
        return found(pattern, gone, act="retract")
    unsaid = manner == "said" and ended_by(clauses(text[start:]), pattern.attribute)  # …라고 했는데 이제 괜찮아
    if unsaid or manner in ("over", "outdone") or (manner in ("replaced", "unlike") and "아니" in text[at.end : start]):
        return found(pattern, gone, polarity="-", act="end")
    return None


def _turned(text: str, said: Sequence[Clause], old: str, pattern: Pattern, read: Sequence[Claim]) -> Claim | None:
    """운동을 유도로 바꿨어요, 줄넘기는 무릎이 아파서요: something else has taken its place."""
    told = _told(text, read, pattern, old)
    for clause in said if told is not None else ():
        lemma = clause.predicate.lemma if clause.predicate is not None else ""
        new = (told.value or "").replace(" ", "") if told is not None else ""
        named = [p for p in clause.phrases if new in p.text.replace(" ", "")]
        turns = lemma in change_words().became["turned"] and any(p.has("로", "으로") for p in named)
        begins = lemma in change_words().became["begun"] and pattern.attribute == "part_time_job" and bool(named)
        if told is not None and (turns or begins):
            return replace(told, act="prefer", instead_of=old)
    return None


def _act(text: str, manner: Manner) -> Act:
    if manner in ("wrong", "taken_back", "unlike"):
        return "correct"
    wrong = bool(_CORRECTING.search(text)) and not _MOVING_ON.search(text)
    return "correct" if wrong else "prefer"


def _told(text: str, read: Sequence[Claim], pattern: Pattern, old: str) -> Claim | None:
    """Return the other value that the rules have read for the same attribute of the speaker, unless it comes on top."""
    for claim in read:
        if claim.surface and claim.surface + "도" in text:
            continue
        own = claim.attribute == pattern.attribute and claim.subject == "user" and claim.act != "retract"
        if own and claim.polarity == "+" and claim.invalid_at is None and claim.value != old:
            return claim
    return None


def by_full_name(claim: Claim, names: Collection[str]) -> Claim:
    """지헌이 아니라 지훈이에요: where 박지헌 is known, 박지훈 is meant."""
    old, new = claim.instead_of or "", claim.value or ""
    if claim.attribute != "name" or claim.subject != "user" or len(old) != _GIVEN:
        return claim
    full = next((name for name in sorted(names) if len(name) == _GIVEN + 1 and name.endswith(old)), None)
    if full is None:
        return claim
    if len(new) != _GIVEN:
        return replace(claim, instead_of=full)
    whole = full[0] + new
    return replace(claim, instead_of=full, value=whole, surface=new, content=claim.content.replace(new, whole))


def overruled(claim: Claim, change: Claim, text: str) -> bool:
    """Whether a change of what is known says the same, or better: 이제 안 좋아해 ends a liking, and is no dislike."""
    if claim.attribute == change.attribute:
        ended = change.act == "end" and claim.value == change.surface
        return ended or claim.value in (change.instead_of, change.value)
    best = (claim.attribute or "").startswith(("favorite.", "likes")) and (change.attribute or "").startswith(
        "favorite."
    )
    if claim.attribute == change.attribute or (best and claim.value == change.value):
        return claim.value in (change.instead_of, change.value)
    if change.attribute == "religion" and change.act == "end":
        return claim.attribute == "likes" and claim.act == "end"  # 성당 끊었어
    ended = change.act == "end" and claim.attribute == "dislikes" and (claim.value or "") in (change.value or "")
    return ended and not _HATES.search(text)
