"""Whether what a clause says stands: not what is denied, planned, quoted or only heard of oneself."""

from __future__ import annotations

import re
from typing import Final

from gieok.extract.korean.whose import PERSONS, Whose
from gieok.language.clauses import Clause
from gieok.language.mood import mood

_IN_FUN: Final = re.compile(
    r"^[^.!?\n]{0,60}(?:뻥|구라|농담|장난|거짓말)(?:이고|이구|이었고|였고|이고요|이구요)[\s,]+(?=\S)"
    # 유부남이라니 그거 농담이었는데 진짜로 알았어? …: what was said before
    r"|^[^\n]{0,60}(?:그거|그건|그게|그때)\s?(?:다\s)?(?:뻥|구라|농담|장난|거짓말)(?:이었|였)[^.!?\n]{0,40}[.!?]+\s*(?=\S)"
)
_ACTED: Final = re.compile(
    r"극\s?중(?:에서|에선)|맡은\s?(?:역할|배역|역)(?:이|은)\s|성대모사|명대사|따라\s?해\s?(?:봤|봄|본)|대사(?:야|임|인데|거든|\s?따라)|패러디"
)  # somebody else's line
_QUOTED: Final = frozenset({"라고", "다고", "ㄴ다고", "는다고", "이라고", "냐고", "자고", "으라고"})
_RESULT: Final = re.compile(
    r"검사(?:를|도)?\s[^.!?\n]{0,10}받(?:았|아\s?봤)더니\s\S{2,6}래|(?:검사|검진|테스트|진단|피검사|병원)\s?(?:다시\s?|또\s?|새로\s?|받|결과|가|갔|에서|했|해)|해\s?보니|해봤|쟀|(?:별명|MBTI|mbti)[이가]?\s?(?:새로\s?)?(?:생|바뀌)"
    # One has it from a doctor or a test.
    r"|(?:^|\s)(?:나|난|나는|내가|저|전|저는|제가)\s[^.!?\n]{0,20}(?:(?:알레르기|알러지|증|염|암|병|장애)이?래|성격\s?유형|혈액형)"
)
_PRETENDED: Final = frozenset("척 체 시늉".split())
_TALES: Final = frozenset("드라마 만화 영화 소설 웹툰 애니 예능".split())
_WATCHED: Final = frozenset("보다 읽다 재밌다 재미있다 나오다".split())
_LIKED: Final = frozenset("좋아하다 사랑하다 아끼다 이기다 보다 즐기다 꼽다".split())
_JUDGED: Final = frozenset("부럽다 대단하다 멋지다 멋있다 이상하다 신기하다 많다 드물다 싫다 별로다".split())
_HEARD: Final = ("다는데", "라는데", "냐는데", "다길래", "라길래", "다던데", "라던데")
_INWARD: Final = frozenset("마음 맘 기분 정신 체감 정신연령 체력 텐션 컨디션 느낌 열정 말투 입맛".split())
_TELLING: Final = frozenset(
    "말하다 말씀드리다 드리다 알리다 얘기하다 이야기하다 대답하다 답하다 자랑하다 적다 적히다 쓰다 찍히다 "
    "기재하다 소개하다 밝히다".split()
)


def tells(clause: Clause, meant: str, about: Whose) -> bool:
    """Whether a clause of this mood can carry a fact. What one knows of others, one has often only heard."""
    if meant in ("statement", "fragment"):
        return True
    if meant == "hearsay" and about.subject == "other" and about.phrase is not None:
        return True
    teased = clause.predicate is not None and clause.predicate.reported in ("놀리다", "부르다")
    return meant == "command" and teased  # 모쏠이라고 놀리지 마라


def holds(clause: Clause, following: Clause | None) -> bool:
    """Whether the way a clause ends leaves what it says standing: not 키우려면, 먹다가, 교사라니, 있다고 (가정하면)."""
    predicate = clause.predicate
    if clause.head is not None and following is not None and _undone(clause.head, following):
        return False
    if clause.head in PERSONS and following is not None and _there_is(clause.head, following):
        return False
    if in_a_tale(clause, following) or _envied(clause.head, following):
        return False
    last = predicate.endings[-1] if predicate is not None and predicate.endings else ""
    if clause.head is not None and last in ("던", "었던", "았던"):
        return False  # 앵무새 키우던 거
    if clause.head == "줄" and not (following is not None and _did_not_know(following)):
        return False  # 나 백 살인 줄
    if predicate is None or last.endswith(("려면", "려고", "다가", "라니", "다니", "든지", "거나", "ㄹ까", "자마자")):
        return predicate is None
    if last in ("든", "이든") or last.endswith(_HEARD) or _granted(last, following) or _only_felt(clause):
        return False
    if quotes_self(clause) or _quoted_bare(last, following):
        return False
    if last not in _QUOTED or predicate.reported is not None:
        return True
    told = following.predicate if following is not None else None
    return told is not None and told.lemma in _TELLING and told.endings[-1:] not in (("면",), ("으면",))


def _there_is(somebody: str, main: Clause) -> bool:
    """우리 반에 땅콩 알레르기 있는 애 있어: told of somebody else; but 떡볶이가 최애인 사람 여기 있어."""
    met = any(phrase.words[0] == somebody for phrase in main.phrases)
    here = any("여기" in phrase.words for phrase in main.phrases)
    return met and not here and main.predicate is not None and main.predicate.lemma == "있다"


def in_a_tale(clause: Clause, main: Clause | None) -> bool:
    """의사인 척, 고양이 키우는 꿈 꿨어, 다이어트 하는 드라마 봤어; but 제일 좋아하는 영화를 봤어."""
    if clause.head in _PRETENDED:
        return True
    if main is None or main.predicate is None or clause.predicate is None:
        return False
    if clause.head == "꿈":
        return main.predicate.lemma == "꾸다"
    told = clause.head in _TALES and main.predicate.lemma in _WATCHED
    return told and clause.predicate.form != "adjective" and clause.predicate.lemma not in _LIKED


def _envied(head: str | None, main: Clause | None) -> bool:
    """서울 사는 사람 부럽다."""
    judged = main is not None and main.predicate is not None and main.predicate.lemma in _JUDGED
    return head in PERSONS and judged


def _did_not_know(main: Clause) -> bool:
    """제가 저혈압인 줄 몰랐어요: it is so."""
    return main.predicate is not None and main.predicate.lemma == "모르다"


def _granted(last: str, main: Clause | None) -> bool:
    """나 탐정 해도 되겠는데, 왼손으로 써도 너보단 잘 쓰겠다: as if it were so."""
    if last not in ("어도", "아도", "여도", "라도") or main is None or main.predicate is None:
        return False
    would = any(part.tag == "EP" and part.form == "겠" for part in main.predicate.tail)
    return would or main.predicate.lemma == "되다"


def _only_felt(clause: Clause) -> bool:
    """마음만은 열일곱이다, 기분은 대통령이야."""
    if clause.predicate is None or clause.predicate.form != "copula":
        return False
    return any(
        phrase.words[-1] in _INWARD and phrase.has("만", "은", "는", "ㄴ", "으로", "로") for phrase in clause.phrases
    )


def found_out(text: str) -> bool:
    """다시 검사했더니 INFJ래, 별명 새로 생겼어 두부래: what a test or the others say of oneself."""
    return _RESULT.search(text) is not None


_DREAMT: Final = re.compile(
    r"꿈(?:에서|속에서|속에|에)\s|꿈을?\s?(?:꿨|꾸었)는데|(?:역할극|상황극|롤플)\S{0,3}\s(?:하|해|할)"
)


#: *망토를 젖히며* …, 백작이 말했다: a scene that is narrated
_NARRATED: Final = re.compile(
    r"^\s*\*[^*\n]+\*[^\n]*(?<![가-힣])(?!(?:나는|내가|저는|제가|우리는|우리가)\s)[가-힣]{1,8}(?:이|가|은|는)\s(?:[가-힣]{1,6}\s)?[가-힣]{1,6}다[.!]?\s*$"
)


def in_earnest(text: str) -> str:
    """Return `text` without what it opens with in jest: 삼성 다닌다고 한 건 뻥이고, …."""
    unreal = _ACTED.search(text) or _DREAMT.search(text) or ("*" in text and _NARRATED.match(text))
    return "" if unreal else _IN_FUN.sub("", text)


def quotes_self(clause: Clause) -> bool:
    """의사라고 했는데: what somebody said before, about to be put right."""
    predicate = clause.predicate
    if predicate is None or predicate.reported not in ("하다", "말하다"):
        return False
    told = any(part.tag == "EP" for part in predicate.tail)
    return told and predicate.endings[-1] in ("는데", "ㄴ데", "은데", "지만", "지", "잖아")


def _quoted_bare(last: str, following: Clause | None) -> bool:
    """Whether it is what the speaker said once: 90년생이라 했나?, 은색이 제일 좋다 그랬었나?."""
    quoting = last in ("라", "이라", "다", "ㄴ다") and following is not None and not following.phrases
    if not quoting or following is None or following.predicate is None:
        return False
    asks = mood(following) == "question" or following.predicate.endings[-1:] in (("는데",), ("지만",))
    return asks and following.predicate.lemma in ("하다", "그러다") and following.predicate.past


def _undone(head: str, main: Clause) -> bool:
    """약 먹는 거 아니야, 먹은 적 없어; 나를 …라고 부르는 애가 있다는 소문."""
    if mood(main) == "hearsay":
        return True
    denied = main.predicate is not None and (main.predicate.form == "not" or main.predicate.lemma == "없다")
    return denied and head in ("거", "것", "게", "건", "적", "줄", "걸")
