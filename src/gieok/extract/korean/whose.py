"""Whose fact it is: the speaker's own, the other party's, the world's, or somebody else's."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.claim import Subject
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER
from gieok.extract.korean.doers import remarked, somebody_does, somebody_is
from gieok.extract.korean.lexicon import Lexicon, signals
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.subjects_by_name import is_name, name_of_subject
from gieok.language.clauses import Clause, Phrase

_FIRST: Final = frozenset({"나", "저", "본인"})
_SECOND: Final = frozenset({"너", "당신", "그대", "네", "니"})
_GOING_ON: Final = frozenset(
    "고 고요 며 으며 면서 지만 는데 ㄴ데 은데 라 라서 이라 이라서 어서 아서 어 아 구 거든".split()
)
_FICTIONAL: Final = frozenset("주인공 남주 여주 조연 악역 캐릭터 부캐 아바타 등장인물".split())
_STORIES: Final = frozenset("드라마 영화 소설 웹툰 만화 애니 예능".split())
_OWN_DOINGS: Final = frozenset(
    "좋아하다 싫어하다 사랑하다 즐기다 키우다 다니다 하다 살다 무서워하다 아끼다 애정하다 선호하다 꺼리다".split()
)
_ADVISING: Final = frozenset("권하다 추천하다 시키다 처방하다 소개하다 알려주다 꼬시다 조르다 부추기다".split())
_HONOURING: Final = frozenset("드시다 계시다 주무시다 잡수시다 편찮다 돌아가시다".split())
_THEY: Final = frozenset("걔 쟤 얘 그녀 그분 그 그놈 그년 그애 그녀석 저놈 이놈 그이 저분 이분".split())
PERSONS: Final = frozenset(
    "사람 애 분 여자 남자 친구 녀석 놈 자식 양반 인간 아이 꼬마 언니 오빠 형 누나 아저씨 아줌마 할머니 할아버지 "
    "배우 가수 "
    "선수 학생 선배 후배 아가씨 총각 아이돌 연예인 모델 유튜버".split()
)
_BECOMING: Final = frozenset("되다 아니다 맞다 그렇다".split())
_TOLD_TO: Final = ("래", "래요", "라네", "라고", "라", "래서", "라길래", "대서", "라니까", "대길래")
_OWN_LABELS: Final = frozenset("꿈 장래희망 희망 목표 직업 본업 부업 전직 천직 적성 체질 나 저".split())
_CHILDREN: Final = frozenset("애 아이 애기 꼬맹이 꼬마 녀석".split())
_SOMEBODY: Final = frozenset({"사람", "분", "애"})
_SUBJECT_PARTICLES: Final = frozenset({"은", "는", "이", "가", "도", "ㄴ", "께서", "만"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """Somebody (or the world) that a clause speaks of; `phrase` is where it is named."""

    subject: Subject
    subject_id: str
    phrase: Phrase | None = None

    def carried(self) -> Whose:
        """Return the same one, for a clause that leaves it unsaid."""
        return Whose(subject=self.subject, subject_id=self.subject_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaking:
    """Who speaks to whom, and by which names the user is known."""

    speaker: str
    scope: Scope
    names: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()  #: known values that are nobody's name

    def me(self, phrase: Phrase | None = None) -> Whose:
        if self.speaker == USER:
            return Whose(subject="user", subject_id="user", phrase=phrase)
        if self.speaker == CHARACTER:
            return Whose(subject="character", subject_id=self.scope.character or "character", phrase=phrase)
        return Whose(subject="other", subject_id=self.speaker, phrase=phrase)

    def you(self, phrase: Phrase | None = None) -> Whose:
        """The other party: the user talks to the character, everybody else to the user."""
        other = Speaking(speaker=CHARACTER if self.speaker == USER else USER, scope=self.scope)
        return other.me(phrase)


def whose(
    clause: Clause, speaking: Speaking, before: Whose | None, words: Lexicon, person: Whose | None = None
) -> Whose | None:
    """Return whom `clause` is about; None where that cannot be told.

    A clause without a subject goes on about the subject of the clause before, else about the speaker. 걔, 그 사람 …
    stand for `person`, the one who was named last. Whoever is honoured is not the speaker.
    """
    for phrase in clause.phrases:
        if phrase.owner == "나" and len(phrase.words) == 1 and phrase.words[0] in patterns().by_label:
            return speaking.me()  # 의사는 엄마 꿈이고 내 꿈은 가수야
        liked = phrase.words[0] in ("최애", "원픽") or phrase.modifier == "좋아하다"  # 최애 캐릭터는 쿠로미
        fictional = phrase.words[-1] in _FICTIONAL or phrase.words[0] in _FICTIONAL
        if phrase.particles and fictional and not liked:
            return None
        if phrase.has("에서", "에선") and phrase.words[-1] in _STORIES and _says_what(clause):
            return None  # 드라마에서 막내 이름이 도준이야
        yours = phrase.owner in _SECOND and phrase.words[-1] in patterns().by_label
        if yours and _may_be_subject(phrase) and len(phrase.particles) < 2:
            return speaking.you()  # 네 취미는 나 놀리기지
        named = _named(phrase, clause, speaking, words)
        if named is not None:
            return named
        if phrase.pronoun in _THEY or (phrase.pointed and _is_person(phrase)):
            just_named = _just_named(clause, phrase)
            if just_named is not None or person is None:
                return just_named
            return replace(person, phrase=phrase)
    about = before.carried() if before is not None else speaking.me()
    if about == speaking.me() and (honoured(clause, goes_on=before is not None) or remarked(clause)):
        return None
    return about


def _says_what(clause: Clause) -> bool:
    copula = clause.predicate is not None and clause.predicate.form == "copula"
    return copula and not any(phrase.pronoun in _FIRST for phrase in clause.phrases)


def honoured(clause: Clause, *, goes_on: bool = False) -> bool:
    """통풍이라 맥주를 못 드신대: nobody honours themself.

    Where it `goes_on` about somebody, 손이 떨려서 갔더니 파킨슨이라고 하시네 honours only the one who says so.
    """
    predicate = clause.predicate
    if goes_on and predicate is not None and predicate.reported is not None:
        return False
    if (
        predicate is None
        or clause.ends_with.startswith("?")
        or any(phrase.pronoun in _FIRST for phrase in clause.phrases)
    ):
        return False
    return predicate.lemma in _HONOURING or any(
        part.tag == "EP" and part.form in ("시", "으시") for part in predicate.tail
    )


def _just_named(clause: Clause, pronoun: Phrase) -> Whose | None:
    """민호 걔 ESTP래."""
    place = clause.phrases.index(pronoun)
    before = clause.phrases[place - 1] if place else None
    if before is None or not is_name(before) or before.particles:
        return None
    return Whose(subject="other", subject_id=before.text, phrase=pronoun)


def spoken_of(clause: Clause, speaking: Speaking, words: Lexicon) -> Whose | None:
    """Return the other person whom `clause` names, in whatever role: 민지 of "어제 민지 만났는데"."""
    for phrase in reversed(clause.phrases):
        if not phrase.words or phrase.pronoun is not None:
            continue
        last = phrase.words[-1]
        if last in (*speaking.names, speaking.scope.user, speaking.scope.character):
            continue
        known = last in words.kin or last in words.others or last in words.address
        if known or _is_someones_name(phrase, words):
            return Whose(subject="other", subject_id=last)
    return None


def _is_someones_name(phrase: Phrase, words: Lexicon) -> bool:
    last = phrase.words[-1]
    after_relation = len(phrase.words) > 1 and phrase.words[-2] in words.kin | words.others
    if phrase.morphemes[-1].tag != "NNP" or not 2 <= len(last) <= 3:
        return False
    made = all(syllable in words.given for syllable in last[-2:])
    return after_relation or (made and last not in words.cities and last not in words.class_of)


def describes(clause: Clause, about: Whose | None) -> bool:
    """Whether a whole sentence says what somebody else is, so that the next may go on: 내 동생 민수야. 고등학생이야."""
    predicate = clause.predicate
    if about is None or about.subject != "other" or predicate is None or clause.ends_with.startswith("?"):
        return False
    return predicate.form == "copula" or predicate.lemma in ("있다", "살다", "다니다", "일하다")


def carries_on(clause: Clause) -> bool:
    """Whether the next clause may go on about the same subject: 엄마는 간호사고 서울 살아, but not 친구가 묻길래."""
    endings = clause.predicate.endings if clause.predicate else ()
    if clause.predicate is not None and clause.predicate.lemma in _ADVISING:
        return False  # 선생님이 권해서 시작했어
    return not clause.final and (not endings or endings[-1] in _GOING_ON)


def of_theirs(clause: Clause, main: Clause | None, about: Whose | None) -> bool:
    """부장님이 제일 좋아하는 게 아구찜이라: what somebody else does names the thing that is told of."""
    if clause.head is None or about is None or about.phrase is None or about.subject != "other" or main is None:
        return False
    if clause.predicate is not None and clause.predicate.form == "adjective":
        return _says_what(main) and not any(
            phrase.has("이", "가", "은", "는") for phrase in main.phrases
        )  # 독실한 신자셔서
    if clause.predicate is None or clause.predicate.lemma not in _OWN_DOINGS:
        return False
    told = main.predicate is None or main.predicate.form == "copula"
    named = next((phrase for phrase in main.phrases if phrase.adnominal), None)
    return told and named is not None and named.has("이", "가", "은", "는", "ㄴ")


def _named(phrase: Phrase, clause: Clause, speaking: Speaking, words: Lexicon) -> Whose | None:
    if phrase.pronoun in _FIRST:
        return speaking.me(phrase) if _may_be_subject(phrase) else None
    if phrase.pronoun in _SECOND:
        return speaking.you(phrase) if _may_be_subject(phrase) else None
    at_theirs = phrase.has("서", "에서", "에", "에선") and _is_their_place(phrase, words)
    melted = phrase.words[0].removesuffix("네서") if phrase.words else ""
    if phrase.words and melted != phrase.words[0] and melted in words.kin | words.others:
        return Whose(subject="other", subject_id=melted)  # 이모네서 도마뱀, in one piece
    if not phrase.words or not (_may_be_subject(phrase) or at_theirs) or _followed(phrase, clause):
        return None
    if _introduced(phrase, clause, speaking):
        return None
    return (
        _party(phrase, speaking, words)
        or _world_or_pet(phrase, clause, words)
        or _our_child(phrase, clause)
        or _our_elder(phrase, clause, words)
        or _everyone(phrase, clause, words)
        or _relative(phrase, speaking, words)
        or _acquaintance(phrase)
        or _before_what_they_are(phrase, clause, words)
        or _by_role(phrase, clause, words)
        or (_by_name(phrase, clause, words) if _may_be_another(phrase, speaking) else None)
        or _by_deed(phrase, clause, words)
    )


def _followed(phrase: Phrase, clause: Clause) -> bool:
    """아내 따라 교회에 등록했어: who follows is not said."""
    predicate = clause.predicate
    follows = predicate is not None and predicate.lemma == "따르다" and predicate.endings[-1:] in (("어",), ("어서",))
    return follows and phrase is clause.phrases[-1] and (not phrase.particles or phrase.has("을", "를"))


def _may_be_another(phrase: Phrase, speaking: Speaking) -> bool:
    """Not what is known to be a thing, nor the user whom the character calls 민수 씨."""
    called = speaking.speaker == CHARACTER and phrase.words[-1].endswith("씨")
    return phrase.text not in speaking.things and not called


def _by_name(phrase: Phrase, clause: Clause, words: Lexicon) -> Whose | None:
    name = name_of_subject(phrase, clause, words)
    return Whose(subject="other", subject_id=name, phrase=phrase) if name is not None else None


def _by_deed(phrase: Phrase, clause: Clause, words: Lexicon) -> Whose | None:
    """요즘 애들은 강아지를 많이 키워, 손님들이 커피를 좋아해."""
    theirs = somebody_does(phrase, clause, words) or somebody_is(phrase, clause, words)
    return Whose(subject="other", subject_id=phrase.text, phrase=phrase) if theirs else None


def _acquaintance(phrase: Phrase) -> Whose | None:
    """아는 사람이 있는데 직업이 소방관이야."""
    known = phrase.modifier == "알다" and phrase.words[-1] in _SOMEBODY
    return Whose(subject="other", subject_id=f"아는 {phrase.words[-1]}", phrase=phrase) if known else None


def _before_what_they_are(phrase: Phrase, clause: Clause, words: Lexicon) -> Whose | None:
    """옆 침대 할아버지 치매라: who, and what is said of them, in one row of nouns."""
    said = clause.predicate is not None and clause.predicate.form == "copula"
    if not said or phrase.particles or phrase.owner is not None:
        return None
    inside = next((word for word in phrase.words[1:-1] if word in words.kin | words.others), None)
    return Whose(subject="other", subject_id=inside) if inside is not None else None


def _by_role(phrase: Phrase, clause: Clause, words: Lexicon) -> Whose | None:
    """중대장은, 원어민쌤이, 새로 온 인턴이: whoever is spoken of by what they are; not 팀장이 됐어, 의사가 꿈이야."""
    last = phrase.words[-1]
    roles = signals("people", "roles")
    titled = len(last) > 1 and last.endswith(("님", "쌤", "샘"))
    known = titled or last in roles or (words.is_job(last) and last not in signals("people", "things_too"))
    if not known or clause.predicate is None:
        return None
    bare = not phrase.particles and (titled or last in roles) and (phrase.owner == "우리" or _ours(phrase, clause))
    if not bare and not phrase.has("은", "는", "이", "가", "께서"):
        return None
    ending = clause.predicate.endings[-1] if clause.predicate.endings else ""
    told_to = clause.predicate.form != "copula" and ending.endswith(_TOLD_TO)  # 의사가 커피 끊으래
    if told_to or clause.predicate.lemma in _BECOMING or any(each.words[-1] in _OWN_LABELS for each in clause.phrases):
        return None
    return Whose(subject="other", subject_id=last, phrase=phrase)


def _is_their_place(phrase: Phrase, words: Lexicon) -> bool:
    """이모네, 옆집, 친구 집, 할머니 댁."""
    first, last = phrase.words[0], phrase.words[-1]
    if first.endswith("네") or first in ("옆집", "윗집", "아랫집", "앞집", "뒷집"):
        return True
    return len(phrase.words) > 1 and last in ("집", "댁") and first in words.kin | words.others


def _introduced(phrase: Phrase, clause: Clause, speaking: Speaking) -> bool:
    """민수라고 합니다, of the user whom the bank knows as 민수: the name is what is told, not who tells it."""
    copula = clause.predicate is not None and clause.predicate.form == "copula"
    named = phrase.words == (speaking.scope.user,) and speaking.speaker == USER
    return named and copula and not phrase.particles and phrase is clause.phrases[-1]


def _party(phrase: Phrase, speaking: Speaking, words: Lexicon) -> Whose | None:
    """The user or the character, by title or by name."""
    last = phrase.words[-1]
    if last in words.address and len(phrase.words) == 1 and phrase.owner is None and speaking.speaker == CHARACTER:
        return speaking.you(phrase)
    if last in speaking.names and phrase.has("은", "는", "이", "가", "도"):
        return Speaking(speaker=USER, scope=speaking.scope).me(phrase)
    if last in (speaking.scope.character, speaking.scope.user):
        role = CHARACTER if last == speaking.scope.character else USER
        return Speaking(speaker=role, scope=speaking.scope).me(phrase)
    return None


def _everyone(phrase: Phrase, clause: Clause, words: Lexicon) -> Whose | None:
    """우리 가족은 다 O형, 내 친구들은 ESFP야; but not 친구들은 나보고 감자래."""
    last = phrase.words[-1]
    one = last.removesuffix("들")
    many = last in ("가족", "식구") or (one != last and one in words.kin | words.others)
    if not many or any(other.pronoun in _FIRST for other in clause.phrases):
        return None
    all_of_them = bool({"다", "모두", "전부"} & set(clause.adverbs)) or (one != last and phrase.has("은", "는"))
    return Whose(subject="other", subject_id=last, phrase=phrase) if all_of_them else None


def _world_or_pet(phrase: Phrase, clause: Clause, words: Lexicon) -> Whose | None:
    described = clause.predicate is not None and clause.predicate.form == "adjective"
    if phrase.words[-1] in words.places and described and (phrase.pointed or phrase.has("은", "는", "이", "가")):
        return Whose(subject="world", subject_id="world", phrase=phrase)
    animal = next((word for word in phrase.words if words.class_of.get(word) == "animal"), None)
    if animal is not None and (phrase.owner == "우리" or _ours(phrase, clause)):
        return Whose(subject="other", subject_id=animal, phrase=phrase)
    return None


def _our_child(phrase: Phrase, clause: Clause) -> Whose | None:
    """우리 애가, 우리 집 꼬맹이는."""
    child = phrase.words[-1] in _CHILDREN and set(phrase.words[:-1]) <= {"집"} and phrase.has(*_SUBJECT_PARTICLES)
    if not child or not (phrase.owner == "우리" or _ours(phrase, clause)):
        return None
    return Whose(subject="other", subject_id=phrase.words[-1], phrase=phrase)


def _our_elder(phrase: Phrase, clause: Clause, words: Lexicon) -> Whose | None:
    """우리 언니 결혼했어: after 우리 nobody is addressed."""
    elder = phrase.words[-1] in words.address and len(phrase.words) == 1 and not phrase.particles
    return Whose(subject="other", subject_id=phrase.text, phrase=phrase) if elder and _ours(phrase, clause) else None


def _relative(phrase: Phrase, speaking: Speaking, words: Lexicon) -> Whose | None:
    """Somebody by their relation: 엄마, 내 친구 지훈이, 오빠 키, 이모네."""
    first, last = phrase.words[0], phrase.words[-1]
    if first in words.kin or first in words.others or (last in words.address and phrase.has(*_SUBJECT_PARTICLES)):
        if len(phrase.words) == 2 and _is_someones_name(phrase, words):
            return Whose(subject="other", subject_id=last, phrase=phrase)
        if len(phrase.words) > 1 and not phrase.particles:
            return Whose(subject="other", subject_id=first)  # "엄마 고양이 좋아해": the rest is not hers by name
        return Whose(subject="other", subject_id=first if last in patterns().by_label else last, phrase=phrase)
    if len(phrase.words) > 1 and last in words.kin | words.others and phrase.has(*_SUBJECT_PARTICLES):
        return Whose(subject="other", subject_id=phrase.text, phrase=phrase)  # 드라마 주인공이, 윗집 아저씨가
    if len(phrase.words) > 1 and first in words.address and speaking.speaker == USER:
        return Whose(subject="other", subject_id=first)
    house = first.removesuffix("서").removesuffix("네")
    if house != first and house in words.kin | words.others | words.address:
        return Whose(subject="other", subject_id=house, phrase=phrase)
    return None


def _ours(phrase: Phrase, clause: Clause) -> bool:
    """우리 강아지, 우리 집 고양이."""
    place = clause.phrases.index(phrase)
    before = clause.phrases[place - 1] if place else None
    return before is not None and before.pronoun in ("우리", "저희")


def _may_be_subject(phrase: Phrase) -> bool:
    return not phrase.particles or phrase.particles[0] in _SUBJECT_PARTICLES  # 부모님께도: not theirs


def _is_person(phrase: Phrase) -> bool:
    return phrase.words[0] in PERSONS
