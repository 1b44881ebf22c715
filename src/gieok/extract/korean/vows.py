"""How a marriage begins and ends: 지난 토요일에 식 올렸어, 서류 정리 끝나서 이제 혼자예요, 아내를 먼저 보냈습니다."""

from __future__ import annotations

import re
from typing import Final

from gieok.extract.korean.farewells import verbs_of
from gieok.extract.korean.telling import Part, Telling
from gieok.language.clauses import Phrase

_CEREMONY: Final = frozenset("식 결혼식 예식 혼례 혼례식 스몰웨딩 화촉 백년가약".split())
_HELD: Final = frozenset("올리다 치르다 밝히다 맺다 마치다 끝내다".split())
_MARRIES: Final = frozenset("장가가다 장가들다 시집가다 시집오다".split())
_SPOUSES: Final = frozenset(
    "남편 아내 와이프 집사람 안사람 바깥양반 마누라 영감 배우자 신랑 처 애아빠 애엄마 할멈".split()
)
_HEAVEN: Final = frozenset("하늘 하늘나라 저세상 세상".split())
_MOURNED: Final = re.compile(r"사십구재|49재|장례|기일|탈상|빈소|발인|산소에|삼우제")
_DIED: Final = frozenset("별세하다 타계하다 소천하다 사망하다".split())
_PAPERS: Final = frozenset("서류 도장 절차 소송 조정 신고 확정 합의".split())
_SETTLED: Final = frozenset(
    "끝나다 끝내다 찍다 접수하다 내다 정리하다 정리되다 마치다 확정되다 확정하다 하다 되다 나다".split()
)
_DIVORCE: Final = re.compile(r"이혼|서류\s?정리|가정법원|위자료|양육권|합의서")
_PARTED: Final = re.compile(r"헤어|이별|끝냈|끝났|깨졌|차였|정리|갈라섰|남남|걔랑|결별|연애\s?(?:안|접)")
_AGAIN: Final = frozenset("다시 이제 이젠 도로 결국 또".split())
_IDLE: Final = frozenset("나 저 우리 저희 어제 오늘 지난주 지난달 작년 결국 드디어 이제 토요일 일요일 주말".split())


def vowed(telling: Telling, part: Part) -> str | None:
    """Return how a marriage stands after what `part` says of the speaker, or None."""
    if part.clause.predicate is None or part.negated or part.clause.head is not None:
        return None
    if _wedded(part):
        return "기혼"
    if _papers(telling, part):
        return "이혼"
    if _alone_again(part):
        text = telling.text
        return "이혼" if _DIVORCE.search(text) else "이별" if _PARTED.search(text) else None
    return None


def _done(part: Part) -> bool:
    return part.past or part.ending in ("ㅁ", "음")


def _wedded(part: Part) -> bool:
    """지난 토요일에 식 올렸어요, 작년에 장가갔습니다; not 언니 결혼식 치렀어, 결혼식 갔어."""
    if not _done(part) or _somebody_elses(part):
        return False
    if _MARRIES & set(verbs_of(part.clause)):
        return True
    last = part.clause.phrases[-1] if part.clause.phrases else None
    if last is None or last.words[-1] not in _CEREMONY or last.has("에", "에서", "때"):
        return False
    whole = set(last.words) <= _CEREMONY | _IDLE and last.owner in (None, "나", "저", "우리")
    return whole and (part.says(*_HELD) or (part.says("하다") and last.words[-1] != "식"))


def _somebody_elses(part: Part, spouse: Phrase | None = None) -> bool:
    told = (p for p in part.clause.phrases if p is not spouse and p.has("이", "가", "은", "는", "도", "네", "께서"))
    return any(p.pronoun not in ("나", "저", "우리", "저희") and p.words[-1] not in _CEREMONY | _IDLE for p in told)


def bereaved(telling: Telling, part: Part) -> bool:
    """아내를 먼저 하늘로 보냈습니다, 집사람 떠나보내고 …, 사별했어요; not 남편 먼저 보내고 커피 마셔."""
    since = part.clause.head == "지" and part.ending == "ㄴ"
    if part.negated or not (_done(part) or part.ending in ("고", "어서") or since):
        return False
    spouse = next((p for p in part.clause.phrases if _is_spouse(p)), None)
    if part.says("사별하다"):
        return not _somebody_elses(part, spouse)
    if spouse is None or (part.clause.head is not None and not since) or _somebody_elses(part, spouse):
        return False
    if part.says("떠나보내다", "여의다") or set(verbs_of(part.clause)) & _DIED:
        return True
    gone = part.says("보내다", "가다", "떠나다")
    return gone and bool(part.all_words & _HEAVEN or _MOURNED.search(telling.text))


def _is_spouse(phrase: Phrase) -> bool:
    return phrase.words[0] in _SPOUSES and len(phrase.words) == 1 and phrase.owner in (None, "나", "저", "우리")


def _papers(telling: Telling, part: Part) -> bool:
    """이혼 도장 찍었어, 이혼 절차 끝났어요, 서류 정리까지 끝나서 이제 혼자예요; not 여권 서류 정리 끝났어."""
    if not (_done(part) or part.ending == "어서") or not set(verbs_of(part.clause)) & _SETTLED:
        return False
    words = part.all_words
    if not words & _PAPERS:
        return False
    if any(
        p.has("이", "가", "은", "는") and p.words[-1] not in _PAPERS | {"이혼", "정리"} for p in part.clause.phrases
    ):
        return False
    return "이혼" in words or ("서류" in words and "정리" in words and "이혼" in telling.text)


def _alone_again(part: Part) -> bool:
    """걔랑 끝냈어.. 다시 혼자다; 이제 혼자예요."""
    last = part.clause.phrases[-1] if part.clause.phrases else None
    if last is None or last.words not in (("혼자",), ("솔로",), ("싱글",)):
        return False
    again = _AGAIN & part.all_words
    is_so = part.says("이다") and not part.past
    back = part.says("되다", "돌아오다", "돌아가다", "복귀하다") and _done(part)
    return bool(again) and (is_so or back)
