"""What reads as somebody's name in a Korean sentence, and the name without what hangs on to it: 지훈이, 이모네."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal

from gieok.domain.claim import Claim
from gieok.domain.noticed import EntityKind, Mention
from gieok.domain.turn import CHARACTER, USER
from gieok.language.clauses import (
    Clause,
    Phrase,
    Predicate,
    clauses,
    feeling_only,
    is_idiom,
    regard,
    regard_before,
    role_of,
)
from gieok.language.data_files import Patterns, WordSets
from gieok.language.manners import called_words
from gieok.language.morphemes import Morpheme, analyse
from gieok.language.text import has_hangul

PEOPLE_WORDS: Final = WordSets("people_words.ko.toml", "people", "places")
_MENTIONED: Final = WordSets("mentions.ko.toml", "titles", "kin", "names", "pets", "clauses")
_ENGLISH: Final = WordSets("mentions.en.toml", "people", "regard")
_SETS: Final = WordSets("word_sets.toml", "people")

_WITH: Final = ("랑", "이랑", "하고", "한테", "에게", "께", "더러")
_TO: Final = ("한테", "에게", "께", "더러")
_PERSON: Final = (*_WITH, *"야말로 이야말로 만 이 가 은 는 ㄴ 께서 도 을 를 ㄹ 와 과 보고".split())
_SYLLABLES: Final = ("가", "힣")


def words_with_morphemes(phrase: Phrase) -> list[tuple[str, tuple[Morpheme, ...]]]:
    """Return the words of `phrase`, each with its morphemes."""
    left = list(phrase.morphemes)
    found = []
    for word in phrase.words:
        parts: list[Morpheme] = []
        while left and len("".join(part.form for part in parts)) < len(word):
            parts.append(left.pop(0))
        found.append((word, tuple(parts)))
    return found


def name_of_word(word: str) -> str:
    """Return the name in `word`: 지훈 of 지훈이, 이모 of 이모네, 팀장 of 팀장님."""
    if word in PEOPLE_WORDS.kin or word in _MENTIONED.species:
        return word
    if word.endswith("네") and (word[:-1] in PEOPLE_WORDS.kin or word[:-1].endswith("이")):
        return name_of_word(word[:-1])
    post = word.removesuffix("님")
    if post.split(" ")[-1] in _MENTIONED.posts:
        return post
    if len(word) in (3, 4) and word.endswith("이") and _closed(word[-2]) and word not in PEOPLE_WORDS.names:
        return word[:-1]
    return word


def reads_as_name(
    words: Sequence[tuple[str, tuple[Morpheme, ...]]], place: int, phrase: Phrase, *, fandom: bool, acting: bool
) -> bool:
    """Whether the `place`th of `words` names somebody whom the speaker knows.

    A full name alone may be a star's: it needs a title, a relation, or a particle that only goes with company.
    `acting`: the sentence narrates what only somebody alive does.
    """
    word, parts = words[place]
    name = name_of_word(word)
    proper = bool(parts) and (parts[0].tag == "NNP" or not parts[0].known)
    if not proper or name in _MENTIONED.no_names or name in PEOPLE_WORDS.cities or name in PEOPLE_WORDS.kin:
        return False
    after = words[place + 1][0] if place + 1 < len(words) else ""
    before = words[place - 1][0] if place else ""
    if len(name) > 1 and (after in _MENTIONED.after_name or after.removesuffix("님") in _MENTIONED.posts):
        return True
    if before in _MENTIONED.before_name or before in PEOPLE_WORDS.kin:
        return _is_made(name) or (not after and len(name) in (2, 3, 4))
    if fandom or (place and name == word):
        return not place and not after and _is_made(name) and phrase.has(*_WITH)
    if acting and not after and 2 <= len(name) <= 4 and phrase.has("이", "가", "은", "는"):
        return True  # 엘리사가 다가온다
    if name != word and len(name) == 2 and _is_made(name):
        return True  # 지훈이: nobody says so of a stranger
    if after:
        return False
    if (len(name) == 3 and name[0] in PEOPLE_WORDS.surnames and _is_made(name)) or name in PEOPLE_WORDS.names:
        return phrase.has(*_WITH)
    given = len(name) == 2 and _is_made(name) and name[-1] not in _MENTIONED.place_endings
    return (given and phrase.has(*_PERSON)) or (2 <= len(name) <= 4 and phrase.has(*_TO))


def _is_made(name: str) -> bool:
    return len(name) in (2, 3) and all(syllable in PEOPLE_WORDS.given for syllable in name[-2:])


def _closed(syllable: str) -> bool:
    """Whether `syllable` ends in a consonant."""
    return _SYLLABLES[0] <= syllable <= _SYLLABLES[1] and (ord(syllable) - ord("가")) % 28 > 0


Found = tuple[Phrase, int, str, EntityKind]
_Pieces = Sequence[tuple[str, tuple[Morpheme, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Who talks, and who is known to them."""

    speaker: str
    own: str  #: the speaker's name
    known: Mapping[str, EntityKind]
    parties: frozenset[str]
    called: frozenset[str]  #: forms of address that mean one of the two who talk
    fandom: bool  #: names are those of stars and heroes
    narrated: bool


def people_named(clause: Clause, talk: Talk) -> Iterator[Found]:
    """Yield whom `clause` names: the phrase, which of its words they are, their name and what they are."""
    for at, phrase in enumerate(clause.phrases):
        before = clause.phrases[at - 1] if at else None
        if phrase.pronoun is not None or _nobody(clause, phrase, before):
            continue
        pet = _pet(clause, phrase, before)
        found = (pet,) if pet is not None else _people(clause, phrase, before, talk)
        for place, name, kind in found:
            if name not in talk.parties:
                yield phrase, place, name, kind


def _nobody(clause: Clause, phrase: Phrase, before: Phrase | None) -> bool:
    """Whether a phrase means nobody in particular, or somebody of the other party's."""
    last = phrase.words[-1]
    if phrase.words[0] in _MENTIONED.any_one or phrase.has(*_SETS.likening) or (last.endswith("들") and last != "아들"):
        return True
    if phrase.owner in _SETS.you or (before is not None and before.pronoun in _SETS.you and not before.particles):
        return True
    predicate = clause.predicate
    if predicate is None:
        return False
    closing = phrase is clause.phrases[-1]
    if closing and (predicate.lemma in ("필요하다", "구하다", "찾다", "되다") or _introduces(clause, predicate)):
        return True
    return any(other.words[-1] in _MENTIONED.wishing for other in clause.phrases)


def _introduces(clause: Clause, predicate: Predicate) -> bool:
    """저는 유빈이에요, 이름은 유빈이야, 유빈이라고 해요: somebody says their own name; 얘는 유빈이야 does not."""
    if predicate.form != "copula" and predicate.reported is None:
        return False
    subjects = clause.phrases[:-1]
    return all(phrase.pronoun in ("나", "저") or phrase.words[-1] in _SETS.labels for phrase in subjects)


def _pet(clause: Clause, phrase: Phrase, before: Phrase | None) -> tuple[int, str, EntityKind] | None:
    """우리 고양이 나비, 우리 집 강아지."""
    place = next((at for at, word in enumerate(phrase.words) if word in _MENTIONED.species), None)
    if place is None:
        return None
    after = phrase.words[place + 1 :]
    ours = _is_ours(phrase, before) or phrase.words[0] in ("집", "우리집")
    if len(after) == 1 and after[0] not in _MENTIONED.no_pet_names and phrase.particles and ours:
        return (place + 1, name_of_word(after[0]), "pet")
    wished = clause.predicate is not None and "싶다" in clause.predicate.auxiliaries
    return (place, phrase.words[place], "pet") if ours and not wished else None


def _is_ours(phrase: Phrase, before: Phrase | None) -> bool:
    return phrase.owner in _SETS.us or (
        before is not None and before.pronoun in ("우리", "저희") and not before.particles
    )


def _people(clause: Clause, phrase: Phrase, before: Phrase | None, talk: Talk) -> Iterator[tuple[int, str, EntityKind]]:
    parts = words_with_morphemes(phrase)
    for place, (word, _) in enumerate(parts):
        called = name_of_word(word)
        if called in talk.known and _is_meant(clause, phrase, place, called):
            yield place, called, talk.known[called]
            return
        acting = talk.narrated and _acts(clause)
        if reads_as_name(parts, place, phrase, fandom=talk.fandom, acting=acting) and not phrase.has(*_SETS.calling):
            head = parts[place + 1][0] if place + 1 < len(parts) else ""
            theirs = head in PEOPLE_WORDS.kin and head not in _MENTIONED.after_name
            yield (place + 1, f"{called} {head}", "person") if theirs else (_head(parts, place), called, "person")
            return
        title = _title(parts, place, phrase, before, talk)
        if title is not None and not _not_had(clause, phrase):
            yield place, title, "person"
            return
        if _is_kin(clause, phrase, before, place, talk):
            yield (
                place,
                _kin_name(" ".join((*phrase.words[:place], called)), talk),
                "group" if called in _MENTIONED.groups else "person",
            )
            return


def _head(parts: _Pieces, place: int) -> int:
    """The last word of a name: 씨 of 민지 씨, 언니 of 윤아 언니."""
    after = parts[place + 1][0] if place + 1 < len(parts) else ""
    return place + 1 if after in _MENTIONED.after_name or _post(after) else place


def _post(word: str) -> str | None:
    post = word.removesuffix("님")
    return post if post in _MENTIONED.posts else None


def _title(parts: _Pieces, place: int, phrase: Phrase, before: Phrase | None, talk: Talk) -> str | None:
    """김 팀장님 → 김 팀장, 팀장님 → 팀장, 여자친구."""
    word = parts[place][0]
    post = _post(word)
    surname = parts[place - 1][0] if place else ""
    if post is not None and surname in PEOPLE_WORDS.surnames:
        return f"{surname} {post}"
    glued = _post(word[1:]) if post is None and parts[place][1][0].form == word[0] in PEOPLE_WORDS.surnames else None
    if glued is not None and len(glued) > 1:
        return f"{word[0]} {glued}"
    alone = place == 0 and not phrase.pointed and (phrase.particles or len(parts) > 1)
    if not alone or talk.speaker != USER or word in talk.called:
        return None
    if word in _MENTIONED.standing or (post is not None and post != word):
        return post or word
    ours = phrase.owner in ("우리", "저희") or (phrase.owner is None and _is_ours(phrase, before))
    return post if post is not None and ours else None


def _is_kin(clause: Clause, phrase: Phrase, before: Phrase | None, place: int, talk: Talk) -> bool:
    word = name_of_word(phrase.words[place])
    address = word in ("형", "누나", "오빠", "언니")  # said to one's face as well
    if not address and word not in PEOPLE_WORDS.kin:
        return False
    nearer = place == 1 and phrase.words[0] in _MENTIONED.before_kin
    if (place and not nearer) or phrase.pointed or phrase.has(*_SETS.calling):
        return False
    if _not_had(clause, phrase) or _is_asked_of_you(clause):
        return False
    ours = _is_ours(phrase, before)
    if word in _MENTIONED.vague or talk.speaker != USER:
        return ours  # of whom 부모님과 얘기해 보세요 speaks, only the other party knows
    if not address or ours:
        # a bare word before other verbs than in 엄마 보고 싶어 may as well call her
        missed = clause.predicate is not None and clause.predicate.lemma in ("보다", "만나다")
        return bool(phrase.particles) or ours or len(phrase.words) > 1 or missed
    with_particle = phrase.has(*_SETS.person_particles) and len(phrase.words) == 1
    return with_particle and word not in talk.called and not clause.ends_with.startswith("?")


def _not_had(clause: Clause, phrase: Phrase) -> bool:
    """형 없어, 언니 있어?, 동생이 있었으면, 걔한테 여친이 있는데."""
    predicate = clause.predicate
    if predicate is None or predicate.lemma not in ("있다", "없다") or phrase.has("한테", "에게", "은", "는"):
        return False
    supposed = any(ending in _SETS.conditional_endings for ending in predicate.endings)
    owned = any(other.has("한테", "에게") for other in clause.phrases)
    return owned or supposed or predicate.lemma == "없다" or predicate.negated or clause.ends_with.startswith("?")


def _is_asked_of_you(clause: Clause) -> bool:
    return clause.ends_with.startswith("?") and any(phrase.pronoun in _SETS.you for phrase in clause.phrases)


def _kin_name(called: str, talk: Talk) -> str:
    return called if talk.speaker == USER or not talk.own else f"{talk.own}의 {called}"


def _acts(clause: Clause) -> bool:
    """Whether the clause says what only somebody alive does."""
    return clause.predicate is not None and clause.predicate.lemma in _MENTIONED.animate


def _is_meant(clause: Clause, phrase: Phrase, place: int, called: str) -> bool:
    """Whether a known name is that name here: of 하늘 or 초코 something else than the word must tell it."""
    word, parts = words_with_morphemes(phrase)[place]
    if called in PEOPLE_WORDS.kin:
        return not (_not_had(clause, phrase) or _is_asked_of_you(clause) or phrase.pointed)
    eaten = clause.predicate is not None and clause.predicate.lemma in ("먹다", "마시다")
    if eaten and not phrase.has("이", "가", "은", "는"):
        return False  # 초코 먹고 싶다
    proper = any(part.tag in ("NNP", "SL") or not part.known for part in parts) or called != word
    if proper or phrase.has(*_SETS.animate_particles, *_SETS.calling) or _post(called) or called in _MENTIONED.standing:
        return True
    return _acts(clause) and phrase.has("이", "가", "은", "는", "도", "을", "를")


_FELT: Final = 0.6
_DENIED: Final = -0.6
_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?\n]*")
_TITLE_DOT: Final = re.compile(r"\b(Dr|Mr|Mrs|Ms|Prof)\.(?=\s)")
_CLAUSE: Final = re.compile(r"[,;:]|\b(?:and|but|so|because|when|while|who)\b")
_IF: Final = re.compile(r"\b[Ii]f\b")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_BACK: Final = 3  #: words before one of regard in which a "not" may stand
_SHORTEST_NAME: Final = 2
_AFTER_NAME: Final = "은|는|이|가|을|를|의|도|만|와|과|랑|이랑|하고|한테|에게|께서|께|야|아|네"


def _parts() -> dict[str, str]:
    relations = [re.escape(word.replace("_", " ")) for word in _ENGLISH.kin | _ENGLISH.relations | _ENGLISH.pets]
    return {"RELATIONS": "|".join(sorted(relations, key=len, reverse=True)), "TITLES": "|".join(_ENGLISH.titles)}


_FIND: Final = Patterns("gieok.language", "mentions.en.toml", "patterns", _parts)


def _english_mentions(text: str, known: Mapping[str, EntityKind], parties: Collection[str]) -> dict[str, _Somebody]:
    everybody: dict[str, _Somebody] = {}
    just_named: dict[str, _Somebody] = {}
    for sentence in _SENTENCE.findall(_TITLE_DOT.sub(r"\1", text)):
        here = {
            name: everybody.setdefault(name, _Somebody(kind))
            for name, kind in _named(sentence, known)
            if name not in parties
        }
        if len(here or just_named) == 1:
            ((name, somebody),) = (here or just_named).items()
            somebody.valences.append(_regard(sentence, name))
        just_named = here  # one sentence on, "I hate it" still speaks of whoever was named last
    return everybody


def _named(sentence: str, known: Mapping[str, EntityKind]) -> Iterator[tuple[str, EntityKind]]:
    for match in _FIND.owned.finditer(sentence):
        relation = match["relation"].lower()
        kind: EntityKind = "pet" if relation in _ENGLISH.pets else "person"
        if match["name"] or relation not in _ENGLISH.unnamed:
            yield match["name"] or relation, kind
    for match in _FIND.titled.finditer(sentence):
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
        if (word in _ENGLISH.good or word in _ENGLISH.bad) and (beside or word in _ENGLISH.feelings):
            denied = any(each in _ENGLISH.denying or each.endswith("n't") for each in words[max(0, at - _BACK) : at])
            return (_FELT if word in _ENGLISH.good else -_FELT) * (_DENIED if denied else 1)
    return 0.0


@dataclass(slots=True)
class _Somebody:
    """One who is spoken of, while the utterance is being read."""

    kind: EntityKind
    valences: list[float] = field(default_factory=list)


def mentions(
    text: str,
    speaker: str = USER,
    known: Mapping[str, EntityKind] | None = None,
    *,
    parties: Collection[str] = (),
    called: Collection[str] = (),
    own: str = "",
) -> tuple[Mention, ...]:
    """Return whom `text` speaks of, each once, in order.

    `known` are the names of the entities met before. `parties` are the names of the two who talk, `called` what they
    call one another (오빠). Kin of anybody but the user are told apart by `own`, the speaker's name: 레티아의 엄마.
    """
    known = known or {}
    if has_hangul(text):
        told = text.replace("*", " ")
        talk = Talk(
            speaker=speaker,
            own=own,
            known=known,
            parties=frozenset(form for party in parties for form in _forms(party)),
            called=frozenset(called),
            fandom=_is_fan_talk(told),
            narrated="*" in text,
        )
        found = _korean_mentions(told, talk)
    else:
        found = _english_mentions(text, known, parties)
    return tuple(
        Mention(name=name, kind=each.kind, valence=_mean(each.valences), by=speaker) for name, each in found.items()
    )


def _mean(valences: Iterable[float]) -> float:
    felt = [valence for valence in valences if valence]
    return round(sum(felt) / len(felt), 3) if felt else 0.0


def mention_of_claim(claim: Claim, own: str = "") -> Mention | None:
    """Return the mention that a claim about another makes; None for claims about the two who talk, or the world."""
    if claim.subject != "other":
        return None
    name = name_of_word(claim.subject_id)
    kind: EntityKind = "pet" if name in _MENTIONED.species else "group" if name in _MENTIONED.groups else "person"
    if claim.speaker == CHARACTER and own and name in PEOPLE_WORDS.kin:
        name = f"{own}의 {name}"
    attribute = claim.attribute or ""
    tells = claim.polarity == "+" and claim.act not in ("end", "retract") and claim.value
    mention = Mention(name=name, kind=kind, by=claim.speaker)
    if tells and (attribute in _SETS.told_interests or attribute.startswith("favorite.")):
        return replace(mention, note=str(claim.value), note_kind="interest")
    if tells and attribute == "trait":
        return replace(mention, note=str(claim.value), note_kind="personality")
    return mention


def _forms(party: str) -> Iterator[str]:
    yield party
    yield name_of_word(party)
    if len(party) == 3 and party[0] in PEOPLE_WORDS.surnames:
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
    return not _MENTIONED.fandom.isdisjoint(words)


def _korean_mentions(text: str, talk: Talk) -> dict[str, _Somebody]:
    everybody: dict[str, _Somebody] = {}
    just_named: list[_Somebody] = []
    by_title: dict[str, str] = {}  #: 언니 → 혜진, once 혜진 언니 was named
    for clause in clauses(text):
        here: list[_Somebody] = []
        for phrase, place, called, kind in people_named(clause, talk):
            name = by_title.get(called, called)
            if phrase.words[place] in _MENTIONED.after_name:
                by_title.setdefault(phrase.words[place], name)
            somebody = everybody.setdefault(name, _Somebody(kind))
            somebody.valences += [regard_before(phrase), regard(clause, role_of(phrase, place), phrase)]
            here.append(somebody)
        if not here:
            for somebody in just_named:
                somebody.valences.append(_carried(clause))
        # one sentence on, 완전 고마워 still speaks of whoever was named last
        just_named = here or ([] if clause.final else just_named)
    for name in _cut_apart(text, talk):
        everybody.setdefault(name, _Somebody(talk.known[name]))
    return everybody


def _carried(clause: Clause) -> float:
    """동생이 내 옷을 찢어서 (짜증나), 아버지는 엄격하지만 (존경해): the next clause may say what is felt about them."""
    others = [phrase for phrase in clause.phrases if phrase.pronoun is None and phrase.has("은", "는", "을", "를")]
    if any(not is_idiom(phrase, clause) for phrase in others):
        return 0.0
    return feeling_only(clause) or regard(clause, "object")


_AFTER_PARTY_NAME: Final = (
    r"(?:['’]s|(?P<called>아|야|여|이여)|(?:이)?(?:씨|님|양|군)?"
    r"(?:은|는|이|가|을|를|의|도|만|와|과|랑|이랑|하고|한테|에게|께서|께|보다|처럼)?)(?![^\W_])"
)
_THEIRS: Final = r"(?:(?:내|제|우리|저희|my|our)\s(?:친구\s|friend\s)?)?"
_SOMEBODY, _OF = "\ue000", "\ue001"  #: stand for a name, and for what makes it somebody's
_MARKED: Final = re.compile(f"{_SOMEBODY}(?P<of>{_OF})?")
_GIVEN: Final = re.compile(r"[가-힣]{2,}이")  #: as 지훈이 is called among friends
_CALLING_A_PARTY: Final = re.compile(r"\s*[,!~]")
_BLANKS: Final = re.compile(r"\s{2,}")
_ENGLISH_WORD: Final = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """The parties that a question is about, and what else it says."""

    parties: frozenset[str]
    rest: str  #: without the names; the whole text if nothing else is in it


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPeople:
    """The others whom a question names, and what else it says."""

    people: tuple[str, ...]
    rest: str  #: without them, and without whose they are; the whole text if nothing else is in it
    of_oneself: str  #: the same asked of oneself: 나 어디 살아?


def named(text: str, people: Collection[str]) -> NamedPeople:
    """Return which of `people` stand in `text`: 지훈이 also as 지훈, 엄마 also as 우리 엄마."""
    found: list[str] = []
    marked = text.replace(_SOMEBODY, " ")
    for name in sorted(people, key=len, reverse=True):
        given = name[:-1] if _GIVEN.fullmatch(name) else name
        marked, times = _pattern(given, _THEIRS).subn(_stand_in, marked)
        if times:
            found.append(name)
    rest = _BLANKS.sub(" ", _MARKED.sub(" ", marked)).strip(" ,!~")
    if not found or not any(map(str.isalnum, rest)):
        return NamedPeople(people=tuple(found), rest=text, of_oneself=text)
    whole, theirs = (" 나 ", " 나의 ") if has_hangul(rest) else (" I ", " my ")
    of_oneself = _MARKED.sub(lambda mark: theirs if mark["of"] else whole, marked)
    return NamedPeople(people=tuple(found), rest=rest, of_oneself=_BLANKS.sub(" ", of_oneself).strip())


def _stand_in(found: re.Match[str]) -> str:
    return _SOMEBODY + _OF * found[0].endswith(("'s", "’s", "의"))


def find_parties(text: str, names: Mapping[str, str], *, asker: str, asked: str) -> Mentions:
    """Return whom `text` is about; `names` says whose each name is.

    Calling somebody ("레티아야, …") is not speaking of them.
    """
    parties: set[str] = set()
    rest = text
    for name in sorted(names, key=len, reverse=True):
        pattern = _pattern(name)
        for found in pattern.finditer(rest):
            if not found["called"] and not _CALLING_A_PARTY.match(rest, found.end()):
                parties.add(names[name])
        rest = pattern.sub(" ", rest)
    rest = _BLANKS.sub(" ", rest).strip(" ,!~")
    pronouns = set(_pronouns(rest))
    if pronouns & _SETS.asker:
        parties.add(asker)
    if pronouns & _SETS.asked:
        parties.add(asked)
    return Mentions(parties=frozenset(parties), rest=rest if any(map(str.isalnum, rest)) else text)


@lru_cache(maxsize=1024)
def _pattern(name: str, before: str = "") -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){before}{re.escape(name)}{_AFTER_PARTY_NAME}", re.IGNORECASE)


def _pronouns(text: str) -> Iterator[str]:
    if has_hangul(text):
        for morpheme in analyse(text):
            if morpheme.tag == "NP" or (morpheme.tag == "MM" and morpheme.form in _SETS.whose):
                yield morpheme.form
    yield from _ENGLISH_WORD.findall(text.lower())


Party = Literal["you", "me", "other", "thing", "nobody", "honoured"]

_HONOURS: Final = re.compile(r"^(?:으)?(?:시|셔|세|십|신)")


def sentence_parties(clauses: Sequence[Clause], persons: frozenset[str], names: frozenset[str]) -> frozenset[Party]:
    """Return who and what `clauses` are about, "me" as their subject; "honoured": the subject is raised, 하시네요.

    `persons` are nouns and pronouns of third persons.
    """
    honoured: tuple[Party, ...] = ("honoured",) if any(map(_is_honouring, clauses)) else ()
    return frozenset((*_parties(clauses, persons, names), *honoured))


def _is_honouring(clause: Clause) -> bool:
    tail = clause.predicate.tail if clause.predicate else ()
    return any(part.tag in ("EP", "EF") and _HONOURS.match(part.form) for part in tail)


def _parties(clauses: Sequence[Clause], persons: frozenset[str], names: frozenset[str]) -> Iterator[Party]:
    for clause in clauses:
        is_so = clause.predicate is not None and clause.predicate.form in ("copula", "not")
        complement = clause.phrases[-1] if is_so and clause.phrases else None
        for phrase in clause.phrases:
            party = _party(phrase, persons, names)
            if phrase is complement and party in ("thing", "other") and not _is_name(phrase):
                party = "nobody"
            yield party


def _party(phrase: Phrase, persons: frozenset[str], names: frozenset[str]) -> Party:
    first, last = phrase.words[0], phrase.words[-1]
    if phrase.pronoun is not None or first in _SETS.second_person or _is_yours(phrase):
        pronoun = phrase.pronoun or ("너" if _is_yours(phrase) else first)
        if pronoun in _SETS.second_person:
            return "you"
        if pronoun in _SETS.me:
            return "me" if not phrase.particles or phrase.has(*_SETS.subject) else "nobody"
        return "other" if pronoun in persons else "nobody"
    if phrase.owner in _SETS.second_person and last not in persons:
        return "you"
    if first in names or last in names:
        return "you"
    free = phrase.owner is None and not phrase.pointed
    if first in called_words() and free and set(phrase.particles) <= _SETS.topic:
        return "you"
    if last in persons or first in persons or _is_name(phrase):
        return "other"
    if not free:
        return "thing"
    if last in _SETS.empty or phrase.morphemes[-1].tag in ("NNB", "NR") or phrase.has(*_SETS.aside):
        return "nobody"
    return "thing"


def _is_yours(phrase: Phrase) -> bool:
    """Whether it begins with 니, which Kiwi takes for a determiner: 니 목소리."""
    return phrase.morphemes[0].form == "니" and len(phrase.morphemes) > 1


def _is_name(phrase: Phrase) -> bool:
    """Whether it names somebody who is not called: 민지는, 김부장; a call is none."""
    named = phrase.morphemes[0].tag == "NNP" or phrase.morphemes[-1].form in ("님", "씨")
    return named and not phrase.has(*_SETS.calls)
