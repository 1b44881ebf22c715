"""Reading Korean turns by rule: grammar over morphemes, no model.

Questions, wishes, hypotheticals, commands and hearsay make no fact. What no rule understands is not stored as a
guess; the turn itself stays searchable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.claim import Claim, claim_id
from gieok.domain.memory import NOTHING_KNOWN, Background
from gieok.domain.pets import of_pet
from gieok.domain.scope import Scope
from gieok.domain.turn import USER, Turn, Utterance
from gieok.extract.claiming import opined, stated
from gieok.extract.korean import (
    animal_care,
    animals,
    answers,
    changes,
    forms,
    heartfelt,
    leaving,
    on_behalf,
    turning_points,
)
from gieok.extract.korean.animal_mentions import mentions
from gieok.extract.korean.bearers import but_for, named_others
from gieok.extract.korean.birthdays import told_outright
from gieok.extract.korean.echoes import guessed, without_echoes
from gieok.extract.korean.gleaning import left_lying
from gieok.extract.korean.hints import HINTS
from gieok.extract.korean.importance import importance
from gieok.extract.korean.kin_named import named_kin
from gieok.extract.korean.kinsfolk import told_by_kin
from gieok.extract.korean.known import by_full_name, known_changes, overruled
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.nicknames import naming
from gieok.extract.korean.opinions import Opinion
from gieok.extract.korean.parting import parts_read
from gieok.extract.korean.plainly import as_first_person, plainly
from gieok.extract.korean.presenting import answers_something_else
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.remedies import illness_meant
from gieok.extract.korean.sifting import sifted
from gieok.extract.korean.standing import in_earnest
from gieok.extract.korean.statements import NAMES, findings, is_role, statements
from gieok.extract.korean.telling import Telling, others_named
from gieok.extract.korean.tidying import is_thing, says_the_same
from gieok.extract.korean.wayside import by_the_way
from gieok.extract.korean.whose import Speaking, Whose
from gieok.language.emotions import feel
from gieok.language.mood import joking
from gieok.language.notes import note
from gieok.language.text import has_hangul, normalise

_NAME: Final = "korean/2"
_BARRED: Final = frozenset({"allergy", "contraindication", "diet", "medication"})
_READING: Final = 0.9  #: how sure a rule's reading is
_IN_PASSING: Final = 0.7  #: … and one of what is told by the way
_GLEANED: Final = 0.45  #: … and one of the learned reader, where it would overrule what was told outright
_HEDGED: Final = 0.4
_STAGE: Final = re.compile(r"\*[^*\n]+\*")


@dataclass(frozen=True, slots=True)
class KoreanRules:
    """The rule extractor."""

    @property
    def name(self) -> str:
        return _NAME

    def claims(
        self, turn: Turn, scope: Scope, before: Sequence[Utterance], background: Background = NOTHING_KNOWN
    ) -> Sequence[Claim]:
        read: list[Claim] = []
        heard = list(before)
        for utterance in turn.utterances:
            things = frozenset(memory.value or "" for memory in background.mentioned if memory.attribute != "friend")
            speaking = Speaking(speaker=utterance.speaker, scope=scope, names=background.names, things=things)
            known = background if utterance.speaker == USER else NOTHING_KNOWN
            own = list(_claims(utterance, speaking, heard, known))
            read += _with_animals(own, utterance, speaking, heard, known) if utterance.speaker == USER else own
            heard.append(utterance)
        return read


def _claims(
    utterance: Utterance, speaking: Speaking, before: Sequence[Utterance], known: Background
) -> Iterator[Claim]:
    text = plainly(normalise(utterance.text))
    if utterance.speaker == USER:
        text = as_first_person(text, known.names)
    text = without_echoes(text, speaking, before)
    if not has_hangul(text) and ":" not in text and not before:
        return
    seen: dict[tuple[object, ...], None] = {}
    read = [by_full_name(claim, known.names) for claim in _read(text, speaking, utterance, before)]
    changed = [
        each if isinstance(each, Claim) else _claim(each, speaking.me(), utterance, _READING)
        for each in known_changes(text, known, read)
    ]
    read = [claim for claim in read if not any(overruled(claim, change, text) for change in changed)]
    kept = _but_for_what_says_more(read, changed)
    sound = (each for each in (*changed, *kept) if each.attribute is None or is_thing(each.attribute, each.value or ""))
    told = turning_points.but_told_otherwise(list(sound))
    if known.unnamed and leaving.spoken_of(text):
        over = leaving.left(parts_read(text, speaking), speaking.me().subject_id, known.unnamed, told)
        told += [_claim(each, speaking.me(), utterance, _READING) for each in over]
    told += [_claim(each, speaking.me(), utterance, _IN_PASSING) for each in told_by_kin(told)]
    told += _gleaned(text, speaking, utterance, before, known, told)
    told = leaving.taken_up_instead(text, told, lambda: parts_read(text, speaking))
    theirs = (*named_others(text, speaking, before), *named_kin(text, speaking))
    told = but_for(theirs, list(sifted(text, told, utterance.at)))
    told += (_claim(each, each.whose or speaking.me(), utterance, _READING) for each in theirs)
    told += heartfelt.taken_to_heart(text, speaking, utterance, told, _NAME)
    for number, claim in enumerate(told):
        what = (claim.value or claim.content).replace(" ", "")
        said = (claim.subject, claim.subject_id, claim.attribute, what, claim.polarity)
        if said not in seen:
            seen[said] = None
            yield _felt(replace(claim, id=claim_id(utterance.id, number)), text, utterance.speaker)


def _with_animals(
    own: list[Claim], utterance: Utterance, speaking: Speaking, before: Sequence[Utterance], known: Background
) -> list[Claim]:
    """Return what was told of the speaker's `own`, and what of the animals that live with them."""
    text = plainly(normalise(utterance.text))
    if not known.pets and not animals.spoken_of(text) and not any(each.attribute == "name" for each in own):
        return own
    own = animals.at_home(own, text)
    names_told = [*animals.named(text, own), *animals.several(text, own)]
    names_told += animals.renamed(text, animals.names_of(known.pets))
    own += (of_pet(_of(each, speaking, utterance)) for each in names_told)
    own = animals.by_their_first_name(own, animals.names_of(known.pets))
    names = animals.names_of((*known.pets, *own))
    called = animals.names_of(known.pets)
    own = [claim for claim in own if claim.attribute != "pet" or claim.value not in called]
    own += (of_pet(_of(each, speaking, utterance)) for each in on_behalf.known_before(names, known))
    found = mentions(text, names)
    asked = on_behalf.asked_of(before, utterance.speaker, names)
    if not found and not asked:
        return _numbered(own, utterance)

    def read(said: str, heard: Sequence[Utterance], of_it: Background) -> list[Claim]:
        alone = replace(speaking, names=frozenset())
        spoken = list(_claims(replace(utterance, text=said), alone, heard, of_it))
        more = animal_care.of_animals(said, alone, utterance.at.year)
        return on_behalf.told_once([*spoken, *(_of(each, alone, utterance) for each in more)])

    stretches = list(on_behalf.stretches_of(text, found, speaking, asked))
    heard = on_behalf.as_if_asked(before, names) if asked else before
    told = on_behalf.spoken_for(text, own, stretches, heard, known, read)
    told += (of_pet(_of(each, speaking, utterance)) for each in on_behalf.over(text, found, known))
    return _numbered(told, utterance)


def _of(found: Finding, speaking: Speaking, utterance: Utterance) -> Claim:
    return _claim(found, found.whose or speaking.me(), utterance, _READING)


def _numbered(claims: Iterable[Claim], utterance: Utterance) -> list[Claim]:
    """Return `claims` each with an id of its own, what says the same once."""
    once = {(each.subject_id, each.attribute, each.value or each.content, each.polarity): each for each in claims}
    return [replace(claim, id=claim_id(utterance.id, number)) for number, claim in enumerate(once.values())]


def _gleaned(
    text: str,
    speaking: Speaking,
    utterance: Utterance,
    before: Sequence[Utterance],
    known: Background,
    read: Sequence[Claim],
) -> Iterator[Claim]:
    """Yield what the learned reader finds of attributes that the rules have read nothing of."""
    asked = before[-1].text if before and before[-1].speaker != utterance.speaker else ""
    text = in_earnest(text)
    if utterance.speaker != USER or joking(_but_for_the_day(text)) or any(note in text for note in "♪♬🎵🎶"):
        return
    for finding in left_lying(forms.without_forms(text), speaking, asked, known, read):
        if finding.attribute == "medical_condition":
            meant = illness_meant(finding.value, text)
            finding = replace(finding, value=meant, shown=meant)
        if finding.value and not is_role(finding, text) and is_thing(finding.attribute, finding.value):
            alone = attribute(finding.attribute).single and finding.instead_of is None
            yield _claim(finding, speaking.me(), utterance, _GLEANED if alone else _IN_PASSING)


def _felt(claim: Claim, text: str, speaker: str) -> Claim:
    """Return `claim` with how much it matters and the feeling it was told with."""
    told = feel(text, speaker=speaker)
    return replace(
        claim,
        importance=round(min(max(claim.importance + importance(text), 0.0), 1.0), 3),
        emotion_intensity=told.intensity,
        tags=claim.tags if told.emotion == "neutral" else (*claim.tags, told.emotion),
    )


def _read(text: str, speaking: Speaking, utterance: Utterance, before: Sequence[Utterance]) -> Iterator[Claim]:
    taken_back = list(changes.taken_back(text))
    for finding in taken_back:
        yield _claim(finding, speaking.me(), utterance, certainty=_READING)
    text = in_earnest(text)
    if (joking(_but_for_the_day(text)) and not taken_back) or any(note in text for note in "♪♬🎵🎶"):
        return
    told: set[str] = set()
    asked = before[-1].text if before and before[-1].speaker != utterance.speaker else ""
    for claim in _understood(text, speaking, utterance, asked):
        if claim.attribute == "name" and claim.subject == USER and answers_something_else(text, asked):
            continue
        told |= {claim.attribute} if claim.attribute is not None else set()
        yield claim
    yield from _answers(text, speaking, utterance, before, frozenset(told))


def _but_for_what_says_more(claims: Sequence[Claim], changed: Sequence[Claim]) -> Iterator[Claim]:
    """Yield `claims` without what others of them, or what `changed`, say better.

    A favourite is liked; what one must not have, or takes as a medicine, is not for its taste; 카페 알바생 is no trade;
    살 빠져서 71 됐어 tells no age. What is said once more and more closely stands alone.
    """
    best = {(each.subject_id, each.value) for each in claims if (each.attribute or "").startswith("favorite.")}
    kept_from = [each for each in claims if each.attribute in _BARRED]
    barred = {(each.subject_id, said) for each in kept_from for said in (each.value, each.surface)}
    on_the_side: set[tuple[str, str | None]] = {
        (each.subject_id, "알바생") for each in claims if each.attribute == "part_time_job"
    }
    weaker = {"likes": best, "dislikes": barred, "job": on_the_side}
    replaced = (each for each in claims if each.instead_of not in (None, each.value))
    broader = {(each.subject_id, each.attribute, each.instead_of) for each in replaced}  # 게임회사 다녀 넥슨
    weights = {each.value for each in (*claims, *changed) if each.attribute == "weight" and each.subject == USER}
    for each in claims:
        weight = each.attribute == "age" and each.surface == each.value and each.value in weights
        said_better = weight or (each.subject_id, each.value) in weaker.get(each.attribute or "", ())
        if not said_better and (each.subject_id, each.attribute, each.value) not in broader:
            yield each


def _answers(
    text: str, speaking: Speaking, utterance: Utterance, before: Sequence[Utterance], told: frozenset[str]
) -> Iterator[Claim]:
    """Yield what the utterance tells as an answer."""
    question = answers.question_before(text, before, utterance.speaker)
    if question is None:
        return
    asking = Speaking(speaker=question.speaker, scope=speaking.scope, names=speaking.names)
    taken_for = guessed(question.text, asking, speaking, findings)
    spoken = _STAGE.sub(" ", text).strip()  # *활짝 웃는다* 떡볶이요!
    for finding in answers.answer(spoken, question.text, taken_for, told):
        yield _claim(finding, speaking.me(), utterance, _READING)


def _understood(text: str, speaking: Speaking, utterance: Utterance, asked: str) -> Iterator[Claim]:
    """Yield what a form says, how somebody is called, what clauses state, and what is told by the way."""
    told: set[str] = set()
    found: list[Claim] = []
    named = list(naming(text))
    for finding in (*forms.filled_in(text), *named):
        told.add(finding.attribute)
        found.append(_claim(finding, speaking.me(), utterance, _READING))
    plain = forms.without_forms(text)
    parts = parts_read(plain, speaking)
    found += _stated(plain, speaking, utterance, told, named=bool(named))
    for finding, sure in by_the_way(text, told, asked, others_named(parts) if plain == text else ()):
        if not is_role(finding, text):
            about = finding.whose or speaking.me()
            outright = finding.attribute == "birthday" and finding.whose is None and told_outright(text)
            certainty = _READING if outright else _IN_PASSING
            found.append(_claim(finding, about, utterance, certainty if sure else _HEDGED))
    telling = Telling(text=plain, parts=parts, me=speaking.me(), words=lexicon(), asked=asked)
    yield from found
    yield from _hinted(telling, speaking, utterance, found)


def _stated(text: str, speaking: Speaking, utterance: Utterance, told: set[str], *, named: bool) -> Iterator[Claim]:
    """Yield what clauses state, and note in `told` what they say of the speaker."""
    me = speaking.me().subject_id
    for each in statements(text, speaking):
        what, about = each.what, each.about
        if isinstance(what, Opinion):
            yield opined(what, about, utterance, certainty=_READING, extractor=_NAME)
            continue
        mine = about.subject_id == me and not each.in_passing
        if mine and named and what.attribute in NAMES:
            continue  # read from the words around it, which tell the two apart
        if mine and what.polarity == "+" and not what.past:
            told.add(what.attribute)
        yield _claim(what, about, utterance, _HEDGED if each.hedged else _READING)


def _but_for_the_day(text: str) -> str:
    """Return `text` without 만우절 where it is somebody's birthday and no hint that all is in fun."""
    return text.replace("만우절", "") if any(word in text for word in ("생일", "미역국", "태어")) else text


def _hinted(telling: Telling, speaking: Speaking, utterance: Utterance, found: list[Claim]) -> Iterator[Claim]:
    """Yield what the utterance as a whole tells, but for what was `found` in its clauses."""
    for stretch in telling.sentences():
        for finding in (finding for hint in HINTS if hint.calls(stretch) for finding in hint.rule(stretch)):
            claim = _claim(finding, finding.whose or telling.me, utterance, _IN_PASSING)
            if not any(says_the_same(claim, other) for other in found):
                found.append(claim)
                yield claim


def _claim(finding: Finding, about: Whose, utterance: Utterance, certainty: float) -> Claim:
    ended = finding.past or finding.act == "end"
    return stated(
        finding,
        about,
        utterance,
        content=note(finding.attribute, finding.shown, "ko", negative=finding.polarity == "-", over=ended),
        value_class=lexicon().class_of.get(finding.value.split()[-1]) if finding.value.split() else None,
        certainty=certainty,
        extractor=_NAME,
    )
