"""The people and beings that an utterance speaks of: kin, people by name or title, pets, and whoever is known.

Precise rather than complete: the two who talk are left out, and so are people of whom nobody in particular is
meant (엄마들, 어떤 할머니), the stars and heroes of fan talk, and kin that somebody does not have or asks about.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Final

from gieok.domain.claim import Claim
from gieok.domain.noticed import EntityKind, Mention
from gieok.domain.turn import CHARACTER, USER
from gieok.language.clauses import Clause, Phrase, clauses
from gieok.language.morphemes import analyse
from gieok.language.namelike import bare_name, mentioned_words, people_words
from gieok.language.people_named import Talk, people_named
from gieok.language.regard import feeling_only, is_idiom, regard, regard_before, role_of, trait
from gieok.language.text import has_hangul

_FELT: Final = 0.6
_DENIED: Final = -0.6
_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?\n]*")
_TITLE_DOT: Final = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof)\.(?=\s)")
_CLAUSE: Final = re.compile(r"[,;:]|\b(?:and|but|so|because|when|while|who)\b")
_IF: Final = re.compile(r"\b[Ii]f\b")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NAME: Final = r"(?P<name>[A-Z][^\W\d_]{1,20})"
_BACK: Final = 3  #: words before one of regard in which a "not" may stand
_TOLD_INTERESTS: Final = frozenset({"likes", "hobby", "exercise", "skill"})
_SHORTEST_NAME: Final = 2
_AFTER_NAME: Final = "은|는|이|가|을|를|의|도|만|와|과|랑|이랑|하고|한테|에게|께서|께|야|아|네"
_NARRATION: Final = re.compile(r"\*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    kin: frozenset[str]
    pets: frozenset[str]
    good: frozenset[str]
    bad: frozenset[str]
    feelings: frozenset[str]  #: of these, what the speaker feels
    denying: frozenset[str]
    unnamed: frozenset[str]  #: nobody in particular unless a name follows
    owned: re.Pattern[str]
    titled: re.Pattern[str]


@cache
def _words() -> _Words:
    raw = tomllib.loads(files(__package__).joinpath("mentions.en.toml").read_text(encoding="utf-8"))
    kin, friends, pets = (raw["people"][name].split() for name in ("kin", "relations", "pets"))
    kin = [word.replace("_", " ") for word in (*kin, *friends)]
    relations = "|".join(sorted(map(re.escape, (*kin, *pets)), key=len, reverse=True))
    titles = "|".join(raw["people"]["titles"].split())
    return _Words(
        kin=frozenset(kin),
        pets=frozenset(pets),
        good=frozenset(raw["regard"]["good"].split()),
        bad=frozenset(raw["regard"]["bad"].split()),
        feelings=frozenset(raw["regard"]["feelings"].split()),
        unnamed=frozenset(raw["people"]["unnamed"].split()),
        denying=frozenset(raw["regard"]["denying"].split()),
        owned=re.compile(
            rf"\b(?P<owner>[Mm]y|[Oo]ur)\s(?:[a-z]+\s){{0,2}}?(?P<relation>{relations})\b(?:,?\s{_NAME}\b)?(?P<of>['’]s)?"
        ),
        titled=re.compile(rf"\b(?P<title>{titles})\s{_NAME}\b"),
    )


def english_mentions(
    text: str, speaker: str, known: Mapping[str, EntityKind], parties: Collection[str]
) -> tuple[Mention, ...]:
    """Return whom `text`, which holds no Hangul, speaks of, each once."""
    found: dict[str, list[float]] = {}
    kinds: dict[str, EntityKind] = {}
    named: list[str] = []
    for sentence in _SENTENCE.findall(_TITLE_DOT.sub(r"\1", text)):
        here = {name: kind for name, kind in _named(sentence, known) if name not in parties}
        kinds |= here
        for name in here or named:
            found.setdefault(name, []).append(_regard(sentence, name) if len(here or named) == 1 else 0.0)
        named = list(here)  # one sentence on, "I hate it" still speaks of whoever was named last
    return tuple(
        Mention(name=name, kind=kinds[name], valence=_mean(valences), by=speaker) for name, valences in found.items()
    )


def _mean(valences: list[float]) -> float:
    felt = [valence for valence in valences if valence]
    return round(sum(felt) / len(felt), 3) if felt else 0.0


def _named(sentence: str, known: Mapping[str, EntityKind]) -> Iterator[tuple[str, EntityKind]]:
    words = _words()
    for match in words.owned.finditer(sentence):
        relation = match["relation"].lower()
        kind: EntityKind = "pet" if relation in words.pets else "person"
        if match["name"] or relation not in words.unnamed:
            yield match["name"] or relation, kind
    for match in words.titled.finditer(sentence):
        title = match["title"]
        yield f"{title}{'.' if title in ('Dr', 'Mr', 'Mrs', 'Ms', 'Prof') else ''} {match['name']}", "person"
    for name, kind in known.items():
        if name in sentence and re.search(rf"\b{re.escape(name)}\b", sentence):
            yield name, kind


def _regard(sentence: str, name: str) -> float:
    """Return how `sentence` speaks of `name`: by any word beside it, elsewhere only by what the speaker feels."""
    if sentence.rstrip().endswith("?") or _IF.search(sentence):
        return 0.0
    felt = (_felt(clause, name.split()[-1] in clause) for clause in _CLAUSE.split(sentence))
    return next((valence for valence in felt if valence), 0.0)


def _felt(clause: str, beside: bool) -> float:
    words = [word.lower().replace("’", "'") for word in _WORD.findall(clause)]
    for at, word in enumerate(words):
        if (word in _words().good or word in _words().bad) and (beside or word in _words().feelings):
            denied = any(each in _words().denying or each.endswith("n't") for each in words[max(0, at - _BACK) : at])
            return (_FELT if word in _words().good else -_FELT) * (_DENIED if denied else 1)
    return 0.0


@dataclass(slots=True, kw_only=True)
class _Somebody:
    """One who is spoken of, while the utterance is being read."""

    name: str
    kind: EntityKind
    valences: list[float] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)  #: note → its kind


def mentions(
    text: str,
    speaker: str = USER,
    known: Mapping[str, EntityKind] | None = None,
    *,
    parties: Collection[str] = (),
    called: Collection[str] = (),
    own: str = "",
) -> tuple[Mention, ...]:
    """Return whom `text` speaks of, each once, in order; further notes of somebody follow as mentions of their own.

    `known` are the names of the entities met before. `parties` are the names of the two who talk, `called` what they
    call one another (오빠). Kin of anybody but the user are told apart by `own`, the speaker's name: 레티아의 엄마.
    """
    known = known or {}
    if not has_hangul(text):
        return english_mentions(text, speaker, known, parties)
    told = _NARRATION.sub(" ", text) if "*" in text else text
    talk = Talk(
        speaker=speaker,
        own=own,
        known=known,
        parties=frozenset(form for party in parties for form in _forms(party)),
        called=frozenset(called),
        fandom=_is_fan_talk(told),
        narrated="*" in text,
    )
    found = {each.name: each for each in _read(clauses(told), talk)}
    for name in _cut_apart(told, talk):
        found.setdefault(name, _Somebody(name=name, kind=known[name]))
    return tuple(_as_mentions(found.values(), speaker))


def mention_of_claim(claim: Claim, own: str = "") -> Mention | None:
    """Return the mention that a claim about another makes; None for claims about the two who talk, or the world."""
    if claim.subject != "other":
        return None
    words = mentioned_words()
    name = bare_name(claim.subject_id)
    kind: EntityKind = "pet" if name in words.species else "group" if name in words.groups else "person"
    if claim.speaker == CHARACTER and own and name in people_words().kin:
        name = f"{own}의 {name}"
    attribute = claim.attribute or ""
    tells = claim.polarity == "+" and claim.act not in ("end", "retract") and claim.value
    mention = Mention(name=name, kind=kind, by=claim.speaker)
    if tells and (attribute in _TOLD_INTERESTS or attribute.startswith("favorite.")):
        return replace(mention, note=str(claim.value), note_kind="interest")
    if tells and attribute == "trait":
        return replace(mention, note=str(claim.value), note_kind="personality")
    return mention


def _forms(party: str) -> Iterator[str]:
    yield party
    yield bare_name(party)
    if len(party) == 3 and party[0] in people_words().surnames:
        yield party[1:]


def _cut_apart(text: str, talk: Talk) -> Iterator[str]:
    """Yield the known names that the analyser takes for other words: 다빈 of 다빈이는, read as 다 비ㄴ 이."""
    for name in talk.known:
        if name not in text or name in talk.parties or len(name) < _SHORTEST_NAME:
            continue
        whole = re.search(rf"(?<![^\W_]){re.escape(name)}이?(?:{_AFTER_NAME})?(?![^\W_])", text)
        if whole is None:
            continue
        end = whole.start() + len(name)
        if not any(part.start <= whole.start() and part.end >= end for part in analyse(text)):
            yield name


def _is_fan_talk(text: str) -> bool:
    words = (word for clause in clauses(text) for phrase in clause.phrases for word in phrase.words)
    return not mentioned_words().fandom.isdisjoint(words)


def _as_mentions(found: Iterable[_Somebody], speaker: str) -> Iterator[Mention]:
    for each in found:
        felt = [valence for valence in each.valences if valence]
        valence = round(sum(felt) / len(felt), 3) if felt else 0.0
        first = Mention(name=each.name, kind=each.kind, valence=valence, by=speaker)
        notes = [
            replace(first, note=note, note_kind="interest" if kind == "interest" else "personality")
            for note, kind in each.notes.items()
        ]
        yield notes[0] if notes else first
        yield from (replace(more, valence=0.0) for more in notes[1:])


def _read(told: Iterable[Clause], talk: Talk) -> Iterable[_Somebody]:
    everybody: dict[str, _Somebody] = {}
    just_named: list[_Somebody] = []
    by_title: dict[str, str] = {}  #: 언니 → 혜진, once 혜진 언니 was named
    for clause in told:
        here: list[_Somebody] = []
        for phrase, place, called, kind in people_named(clause, talk):
            name = by_title.get(called, called)
            if phrase.words[place] in mentioned_words().after_name:
                by_title.setdefault(phrase.words[place], name)
            somebody = everybody.setdefault(name, _Somebody(name=name, kind=kind))
            somebody.valences += [regard_before(phrase), regard(clause, role_of(phrase, place), phrase)]
            if place == len(phrase.words) - 1:  # in 오빠 여자친구가 착해 it is not he who is kind
                _note(somebody, clause, phrase)
            here.append(somebody)
        if not here:
            for somebody in just_named:
                somebody.valences.append(_carried(clause))
        # one sentence on, 완전 고마워 still speaks of whoever was named last
        just_named = here or ([] if clause.final else just_named)
    return everybody.values()


def _carried(clause: Clause) -> float:
    """동생이 내 옷을 찢어서 (짜증나), 아버지는 엄격하지만 (존경해): the next clause may say what is felt about them."""
    others = [phrase for phrase in clause.phrases if phrase.pronoun is None and phrase.has("은", "는", "을", "를")]
    if any(not is_idiom(phrase, clause) for phrase in others):
        return 0.0
    return feeling_only(clause) or regard(clause, "object")


def _note(somebody: _Somebody, clause: Clause, phrase: Phrase) -> None:
    told = trait(clause, phrase)
    if told:
        somebody.notes.setdefault(told, "personality")
        return
    predicate = clause.predicate
    if predicate is None or predicate.negated or predicate.lemma not in ("좋아하다", "즐기다") or predicate.past:
        return
    liked = next((other for other in clause.phrases if other is not phrase and other.has("을", "를")), None)
    asked = clause.ends_with.startswith("?") or clause.head is not None
    if liked is not None and liked.pronoun is None and phrase.has("은", "는", "이", "가", "도") and not asked:
        somebody.notes.setdefault(liked.text, "interest")
