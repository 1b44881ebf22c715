"""Introducing oneself: 박상철입니다, 옆 팀에 새로 온 서지훈입니다, 기획팀 박소연이에요, 책방 하는 윤채원이라고 해.

A name may be anybody's. It is the speaker's where nobody else is spoken of and something says that this is an
introduction: a greeting, …라고 합니다, a department, a verb by which one joins others, or that nothing else is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.kinds import is_country
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.namelike import is_full_name
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.language.clauses import Phrase

TOLD: Final = r"입니다|예요|에요|이야|[가-힣]야|라고|인데요|임$"
_POLITE: Final = frozenset({"ㅂ니다", "에요", "예요", "이에요"})
_PLAIN: Final = frozenset({"야", "이야", "ㅁ"})
_GREETING: Final = re.compile(
    r"안녕|반갑|반가[워우]|처음\s?(?:뵙|봬|인사)|잘\s?부탁|인사\s?(?:드|올|가|를|할|하러)|여보세요|자기\s?소개"
)
_ANOTHER: Final = re.compile(
    r"(?<![가-힣])(?:걔|쟤|얘|이쪽|저쪽|그쪽|이분|그분|저분|(?:이|그|저)\s?(?:사람|분|애|친구|녀석)|누구|누가)"
    r"|(?:사람|분|애|친구|놈|녀석|선배|후배|동기|신입|직원|사원)(?:이|가|은|는|인데|이고|이야|예요|이에요|입니다)(?=[\s,.?!]|$)"
    r"|(?<![가-힣])그\s\S{1,6}\s?(?:온|한|하는|다니는|들어온)\s"
    r"|소개(?:할게|할께|해\s?줄|시켜|합니다|할\s)|게스트|주인공|출연|수상|당첨|우승|범인|후보|초대|뉴스|기사에"
)
_ASKED_OF_ME: Final = re.compile(
    r"누구(?:세요|시|신|야\s*\?|니)|성함|이름|소개|어디시|부르|불러|부를|(?<![가-힣])(?:당신|그쪽|너|넌|님)(?:은|는)?요?\s*\?"
)
_OF_MYSELF: Final = re.compile(
    r"이름|본명|성함|라고\s?(?:해|합|함|불)|(?<![가-힣])(?:(?:저|나)(?:는|도)?|전|난|제|내)\s"
)
_ASKED_OF_ANOTHER: Final = re.compile(r"누구|누가")
_QUOTES: Final = re.compile(r"[\"“”‘’']")
_SUBJECT: Final = ("이", "가", "은", "는", "ㄴ", "도", "께서", "만")
_SYLLABLES: Final = 3  #: of a surname with a given name
_ME: Final = frozenset({"나", "저"})


def presented(telling: Telling) -> Iterator[Finding]:
    """Read the name that the speaker gives behind a description of themself."""
    text = telling.text
    if _ANOTHER.search(text) or _QUOTES.search(text):
        return
    if _ASKED_OF_ANOTHER.search(telling.asked) and not _ASKED_OF_ME.search(telling.asked):
        return
    for place, part in enumerate(telling.parts):
        phrase = _said_to_be(telling, part)
        name = _name_in(telling, phrase, abroad=_came_from_abroad(telling, place)) if phrase is not None else None
        if phrase is None or name is None:
            continue
        described = bool(phrase.adnominal) or len(phrase.words) > 1
        if _introduces(telling, place, part, phrase) if described else _says_no_more(telling, part):
            yield finding("name", name, whose=telling.me)
            return


def answers_something_else(said: str, asked: str) -> bool:
    """좋아하는 배우 누구예요? – 유재석입니다: a name that is not the speaker's."""
    return "?" in asked and _ASKED_OF_ME.search(asked) is None and _OF_MYSELF.search(said) is None


def _came_from_abroad(telling: Telling, place: int) -> bool:
    """스리랑카에서 온 라히루입니다: a name from elsewhere looks like none of ours."""
    before = telling.parts[place - 1] if place else None
    if before is None or not before.says("오다") or before.clause.head is None:
        return False
    return any(phrase.has("에서", "서") and is_country(phrase.words[-1]) for phrase in before.clause.phrases)


def _said_to_be(telling: Telling, part: Part) -> Phrase | None:
    """Return what the speaker says that they are, where nothing but they themself stands before it."""
    predicate, phrases = part.clause.predicate, part.clause.phrases
    if predicate is None or predicate.form != "copula" or predicate.negated or predicate.past or not phrases:
        return None
    if part.mood != "statement" or part.closes == "question" or part.clause.head is not None or not telling.mine(part):
        return None
    phrase = phrases[-1]
    if phrase.particles or phrase.pointed or phrase.owner is not None:
        return None
    return phrase if all(_beside(other) for other in phrases[:-1]) else None


def _name_in(telling: Telling, phrase: Phrase, *, abroad: bool) -> str | None:
    """Return the name with which `phrase` ends."""
    last = phrase.words[-1]
    gently = last.removesuffix("이")  # 윤채원이라고 해
    if len(gently) == _SYLLABLES and is_full_name(gently):
        return gently
    named = is_full_name(last) or _is_proper(telling, phrase)
    return last if named or (abroad and _is_foreign(telling, phrase)) else None


def _says_no_more(telling: Telling, part: Part) -> bool:
    """박상철입니다; 안녕, 나 김민수라고 해."""
    predicate = part.clause.predicate
    assert predicate is not None, "somebody is said to be something"
    if predicate.reported is not None:
        return predicate.reported == "하다" and len(predicate.endings) > 1
    alone = telling.text[: part.clause.start].strip() == "" and len(telling.parts) == 1
    greeted = _GREETING.search(telling.text) is not None
    return (alone or greeted) and predicate.endings[-1:] != () and predicate.endings[-1] in _POLITE


def _is_foreign(telling: Telling, phrase: Phrase) -> bool:
    """라히루, 스티브: one word that the dictionary has not, or has as a name."""
    last, words = phrase.morphemes[-1], telling.words
    unknown = last.tag == "NNP" or not last.known
    return unknown and phrase.text == last.form and 2 <= len(last.form) <= 6 and last.form not in words.class_of


def _is_proper(telling: Telling, phrase: Phrase) -> bool:
    """신유나: a name in its sentence, though alone it may be read as something else."""
    last, words = phrase.morphemes[-1], telling.words
    if last.tag != "NNP" or last.form != phrase.words[-1] or len(last.form) != _SYLLABLES:
        return False
    made = last.form[0] in words.surnames and all(syllable in words.given for syllable in last.form[1:])
    return made and last.form not in words.class_of and last.form not in words.cities


def _beside(phrase: Phrase) -> bool:
    """저는 may stand before it, and where or since when; nobody else, and nothing that it is said of."""
    if phrase.pronoun is not None:
        return phrase.pronoun in _ME
    return bool(phrase.particles) and not phrase.has(*_SUBJECT)


def _introduces(telling: Telling, place: int, part: Part, phrase: Phrase) -> bool:
    roles = phrase.words[:-1]
    known = telling.words.kin | telling.words.others
    posts = signals("presenting", "posts")
    if any(role in signals("presenting", "famous") or (role in known and role not in posts) for role in roles):
        return False
    doing = _doing(telling, place) if phrase.adnominal else ""
    if doing is None or doing in signals("presenting", "of_another"):
        return False
    predicate = part.clause.predicate
    assert predicate is not None, "a name was found before 이다"
    ending = predicate.endings[-1] if predicate.endings else ""
    polite = ending in _POLITE or (ending == "ㄴ데" and _typed(telling, part).endswith("요"))
    if _GREETING.search(telling.text) is not None:
        return polite or ending in _PLAIN or predicate.reported == "하다"
    if predicate.reported is not None:
        return predicate.reported == "하다" and len(predicate.endings) > 1
    unit = any(role in posts or role.endswith(tuple(signals("presenting", "units"))) for role in roles)
    return polite and "?" not in telling.text and (unit or doing in signals("presenting", "joining"))


def _doing(telling: Telling, place: int) -> str | None:
    """Return the verb of the relative clause before; None where somebody does it to, or with, the one it describes."""
    before = telling.parts[place - 1] if place else None
    if before is None or before.clause.head is None or before.clause.predicate is None:
        return None
    lemma = before.clause.predicate.lemma
    if any(_is_anothers(phrase, lemma) for phrase in before.clause.phrases):
        return None
    return lemma


def _is_anothers(phrase: Phrase, lemma: str) -> bool:
    """내가 만난, 저한테 온, 그 학교 다니는, 전화 온; but 전화드린 is humble, and the speaker's."""
    called = lemma == "오다" and not phrase.particles and phrase.words[-1] in signals("presenting", "calls")
    return called or phrase.pointed or phrase.has(*_SUBJECT) or phrase.pronoun in _ME


def _typed(telling: Telling, part: Part) -> str:
    return telling.text[part.clause.start : part.clause.end + 1].rstrip(" .,!~")
