"""What is told of the animals at home: an animal cannot speak, so its owner speaks for it.

"나비는 신부전이라 단백질 줄여야 해" says of 나비 what "나는 신부전이라 …" would say of the speaker. The stretches of an
utterance that are about an animal are put into its own mouth and read by all the rules there are for people; what they
tell of a body is the animal's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, pairwise
from typing import Final

from gieok.domain.claim import Claim
from gieok.domain.memory import Background
from gieok.domain.pets import is_caution, of_pet
from gieok.domain.turn import Utterance
from gieok.extract.korean.animal_care import as_its_own
from gieok.extract.korean.animal_mentions import FIRST, SECOND, Mention, as_person, mentions
from gieok.extract.korean.animals import names_of
from gieok.extract.korean.animals_gone import gone_by_name
from gieok.extract.korean.keeping import gone
from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, ended, finding
from gieok.extract.korean.whose import Speaking, Whose
from gieok.language.text import normalise

#: What a body is, has, takes and must not have.
BODY: Final = frozenset(
    "age birthday weight gender allergy phobia medical_condition medication contraindication diet trauma "
    "vaccination".split()
)
_TASTES: Final = frozenset({"likes", "dislikes"})
_ME: Final = frozenset({"나", "저", "내", "제"})
_TAKING_IN: Final = ("키우다", "기르다", "데려오다", "입양하다", "분양받다", "모시다")
_DOING: Final = (
    *_TAKING_IN, "데리다", "데려가다", "안다", "씻기다", "챙기다", "재우다", "돌보다", "맡기다", "보다",
)  # fmt: skip
_AT_THE_VET: Final = re.compile(r"병원|검사|검진|진료|수의사|접종")
_COMING: Final = re.compile(r"(?:곧|내년|다음\s?[달해주]|머지않아)[^.!?]*살")
_TREATED: Final = re.compile(r"수술|중성화|치료|입원|수치|진단|퇴원|접종|백신|주사")
_LASTING: Final = ("이다", "있다", "되다", "받다", "앓다", "걸리다", "빠지다", "찌다", "늘다", "줄다")
_ENDS: Final = (".", "?", "!", "…", "~")
_SHORT_ANSWER: Final = 60
Whom = tuple[str, ...] | None  #: None: no animal is spoken of; (): one that lives with others
Read = Callable[[str, Sequence[Utterance], Background], list[Claim]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Words about some animals, as these would say them."""

    whom: tuple[str, ...]  #: () where they live with others
    said: str
    start: int
    end: int
    kind: str = ""  #: what they are called, where it is the kind alone: 고양이가 무서워 tells of who is afraid


def spoken_for(
    text: str, own: Sequence[Claim], stretches: Sequence[Stretch], before: Sequence[Utterance], known: Background,
    read: Read,
) -> list[Claim]:  # fmt: skip
    """Return what `text` tells once its animals speak for themselves; `own` is what it tells by itself.

    `read` reads a text as its speaker's own.
    """
    told: list[Claim] = []
    for stretch in stretches:
        for whom in stretch.whom:
            facts = [memory for memory in known.pets if memory.subject_id == whom]
            said = tuple(memory for memory in facts if (memory.surface or memory.value or "?") in stretch.said)
            claims = read(stretch.said, before, Background(mentioned=said))
            told += (_its(claim, whom) for claim in claims if _is_so(claim, stretch.said))
    return [*(claim for claim in own if not _read_in(claim, text, stretches)), *told]


def _is_so(claim: Claim, said: str) -> bool:
    if claim.subject != "user" or claim.attribute not in BODY:
        return False
    if claim.attribute == "diet" and re.search(rf"{re.escape(claim.surface or '')}(?:만|을|를)?\s?먹으면", said):
        return False  # 닭고기 사료만 먹으면 온몸을 긁어
    return claim.attribute != "age" or _COMING.search(said) is None


def _its(claim: Claim, whom: str) -> Claim:
    return of_pet(replace(claim, subject="other", subject_id=whom))


def told_once(claims: Sequence[Claim]) -> list[Claim]:
    """Return `claims` without those that say only a part of what another says: 갑상선, 갑상선 항진증."""
    return [
        claim
        for place, claim in enumerate(claims)
        if not any(_says_more(other, claim) for other in claims)
        and not any(map(partial(_alike, claim), claims[:place]))
    ]


def _says_more(other: Claim, claim: Claim) -> bool:
    value, longer = claim.value or "", other.value or ""
    if other.attribute == "allergy" and claim.attribute in ("contraindication", "medication"):
        return longer in value  # what it cannot bear is nothing that it takes
    same = (other.subject, other.attribute, other.polarity) == (claim.subject, claim.attribute, claim.polarity)
    return same and claim.attribute in BODY and value != longer and value in longer


def _alike(claim: Claim, other: Claim) -> bool:
    return (claim.subject_id, claim.attribute, claim.value) == (other.subject_id, other.attribute, other.value)


def _read_in(claim: Claim, text: str, stretches: Sequence[Stretch]) -> bool:
    """Whether `claim` tells of a body, and was read in a stretch and nowhere else; or of liking the one who likes."""
    if claim.attribute in _TASTES and any(claim.value in each.whom for each in stretches):
        return True  # 창이 커서 나비가 좋아해
    if claim.attribute not in BODY or claim.subject not in ("user", "other"):
        return False
    said = claim.surface or claim.value or ""
    said = said if said in text else said.split(" ")[0]
    if any(each.kind and each.kind in said for each in stretches):
        return False  # 고양이가 무서워
    rest, at = [], 0
    for each in stretches:
        rest.append(text[at : each.start])
        at = each.end
    inside = any(said in text[each.start : each.end] for each in stretches)
    return inside and said not in "\n".join((*rest, text[at:]))


def over(text: str, found: Sequence[Mention], known: Background) -> Iterator[Finding]:
    """Yield what is over once an animal is no more, and need not be kept in mind: 나비가 무지개다리를 건넜어."""
    dead = {name for mention in found for name in mention.whom} if gone(text) and "?" not in text else set()
    dead |= set(gone_by_name(text, names_of(known.pets)))
    for memory in known.pets:
        its_name = memory.attribute == "name" and memory.value in dead
        if memory.value and (its_name or (is_caution(memory) and memory.subject_id in dead)):
            whose = Whose(subject=memory.subject, subject_id=memory.subject_id)
            yield ended(finding(memory.attribute or "note", memory.value, surface=memory.surface or "", whose=whose))


def known_before(names: Mapping[str, str], known: Background) -> Iterator[Finding]:
    """Yield what warned of something for somebody who, as it turns out, is an animal at home."""
    new = set(names) - set(names_of(known.pets))
    for memory in known.pets:
        if memory.subject_id in new and memory.value and memory.attribute and is_caution(memory):
            whose = Whose(subject=memory.subject, subject_id=memory.subject_id)
            yield finding(memory.attribute, memory.value, surface=memory.surface or "", whose=whose)


def asked_of(before: Sequence[Utterance], speaker: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the animals that the other has just asked about."""
    if not before or before[-1].speaker == speaker or "?" not in before[-1].text:
        return ()
    found = mentions(normalise(before[-1].text), names)
    return found[-1].whom if found else ()


def as_if_asked(before: Sequence[Utterance], names: Mapping[str, str]) -> list[Utterance]:
    """Return what was said `before`, its last question put to the animal itself."""
    text = normalise(before[-1].text)
    asked = as_its_own(as_person(text, 0, len(text), mentions(text, names), SECOND))
    return [*before[:-1], replace(before[-1], text=asked)]


def stretches_of(
    text: str, found: Sequence[Mention], speaking: Speaking, asked: tuple[str, ...] = ()
) -> Iterator[Stretch]:
    """Yield the words of `text` that are about animals; `asked` are those that a question before was about."""
    whom: Whom = asked if asked and len(text) <= _SHORT_ANSWER else None
    told_of: list[tuple[Whom, int, int]] = []
    last: Part | None = None
    for part, start, end in _pieces(text, found, speaking):
        here = [each for each in found if start <= each.start < end]
        still = whom if last is None or last is part or _goes_on(last, text[:start]) else None
        vet = _AT_THE_VET.search(text) is not None
        if last is part and not here:
            about = whom = still  # cut off from what named it: 이름은 라떼고 두 살이에요
        else:
            told = next((each for each in here if each.introduces), None)
            whom, about = _about(part, told or next(iter(here), None), still, vet=vet)
        told_of.append((about, start, end))
        last = part
    for about, run in groupby(told_of, key=lambda each: each[0]):
        spans = list(run)
        if about is not None:
            start, end = spans[0][1], spans[-1][2]
            said = as_its_own(as_person(text, start, end, found, FIRST))
            passing = (text[each.start : each.end] for each in found if start <= each.start < end and each.in_passing)
            kind = next(passing, "").rstrip("은는이가")
            yield Stretch(whom=about, said=said, start=start, end=end, kind=kind)


def _pieces(text: str, found: Sequence[Mention], speaking: Speaking) -> Iterator[tuple[Part, int, int]]:
    """Yield the clauses of `text`, cut once more where another animal comes in: 코코는 건강한데 나비는 …."""
    parts = parts_read(text, speaking)
    starts = [0, *(part.clause.start for part in parts[1:]), len(text)]
    for part, start, end in zip(parts, starts, starts[1:], strict=False):
        leads = [each.start for each in found if start <= each.start < end and each.leads]
        first = min((p.morphemes[0].start for p in part.clause.phrases if p.has("은", "는")), default=end)
        told = [each.end for each in found if start < each.end < end and each.introduces]
        cuts = {start, *(leads if leads and first < leads[0] else leads[1:]), *told, end}
        yield from ((part, one, other) for one, other in pairwise(sorted(cuts)))


def _about(part: Part, first: Mention | None, before: Whom, *, vet: bool) -> tuple[Whom, Whom]:
    """Return whom the talk is about after `part`, and whom `part` itself tells of."""
    mine = any(phrase.pronoun in _ME for phrase in part.clause.phrases)
    if first is None:
        named = part.about is not None and part.about.phrase is not None and part.about.subject_id not in (before or ())
        return (None, None) if mine or named else (before, before)
    if mine and not first.leads:
        return None, None  # 나 초코 먹으면 두드러기 나
    if first.introduces or (not first.leads and part.says(*_DOING)):
        carries = first.introduces or part.says(*_TAKING_IN) or (vet and part.says("데리다", "데려가다"))
        return (first.whom if carries and len(first.whom) == 1 else None), None
    return (None if first.in_passing else first.whom), first.whom


def _goes_on(last: Part, before: str) -> bool:
    """Whether the clause after `last` may be about the same: in one sentence, or after what it is or went through."""
    ends = last.clause.final or last.clause.ends_with.lstrip().startswith(_ENDS)
    told = last.clause.predicate is None or last.says(*_LASTING, *_TAKING_IN)
    return not ends or told or _TREATED.search(before[last.clause.start :]) is not None
