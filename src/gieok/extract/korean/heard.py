"""One sentence as it was heard: who is spoken of, and whether what it says is told.

The rules over clauses need a sentence that is well formed. What is told by the way, in half sentences and odd orders,
is read from the words themselves, and here is what keeps that honest: whose a value is, and whether it is asked,
wished, denied or somebody else's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.namelike import is_full_name, is_given_name
from gieok.extract.korean.patterns import patterns
from gieok.language.cache import cached_by_text

_SENTENCE: Final = re.compile(r"(?:[^.!?\n…]|(?<=\d)\.(?=\d))+")
_ASIDE: Final = re.compile(
    r"\*[^*\n]{1,2000}\*|“[^”\n]{1,2000}”|\"[^\"\n]{1,2000}\"|‘[^’\n]{1,2000}’|(?<![A-Za-z])'[^'\n]{2,2000}'"
)
_FELT: Final = "눈물 콧물 짜증 생각 기억 화 열 땀 티 소름 겁 혼 냄새 소리".split()
_COMES_UP: Final = "".join(rf"(?<!{noun}\s)" for noun in _FELT)  # 눈물 나: no "I"
_ME: Final = re.compile(
    _COMES_UP + r"(?<![가-힣])(?:나|저|내|제|난|전|날|절|내가|제가|우리|저희|본인|할미|이\s할[매배]|이\s할애비|이\s몸)"
    r"(?:는|가|이|도|만|를|한테|보고|더러|에게|랑|부터|까지|요|야|예요|의|로서)?"
    r"(?![가-힣])|접니다"
)
_YOU: Final = re.compile(
    r"(?<![가-힣'‘\"])(?:너|넌|널|네가|니가|너는|너도|너희|느그|당신|그대|자네|네|니|니는|니도)(?![가-힣])"
)
_SELF: Final = re.compile(
    r"(?<![가-힣])(?:나야(?:\s나)?|나임|나다|나지|나예요|저예요|저에요|접니다|저임|저요|나요|나\s?맞|저\s?맞|내가\s?(?:그럼|그래|그렇|그거|주인공)"
    r"|제가\s?(?:그래|그렇|그거|주인공)|제가요|내가요|나\s말이야|저\s말이에요|(?:제|내)\s(?:얘기|이야기)|바로\s나|바로\s저|여기\s(?:있|나|저)|(?:^|(?<=[,~]\s)|(?<=ㅋ\s))맞(?:아|음)\s*$|맞긴\s?한데"
    r"|(?:나|저)(?:\s?(?:하나|혼자))?(?:뿐|밖에)|(?:나|저)(?:를|만)?\s?(?:보세요|봐\s?봐|보면\s?알))"
)
_CROWD: Final = ("들", "끼리")
_ALL_OF_THEM: Final = re.compile(r"들(?:은|도)\s|들(?:이)?\s(?:다|모두|전부)\s")
#: 모델들은 다, 2002년생들이: whoever they are
_ANY_CROWD: Final = re.compile(
    r"(?<![가-힣\d])(?!우리|저희|아들)(?:[가-힣]{2,8}들(?=(?:은|도)\s|이?\s(?:다|모두|전부)\s)|\d{2,4}년생들)"
)
_NAMED_FIRST: Final = re.compile(
    r"(?<![가-힣])[가-힣]{2,4}(?=\s(?:걔|쟤|얘|그놈|그녀석|그\s?(?:애|놈|녀석|자식|양반|인간))(?:는|은|가|이|도)?\s)"
)
_SUBJECT: Final = re.compile(r"(?:이|가|은|는|도|네|의|께서|만)?(?=\s|$|[,.])|이?(?:는|가)(?=\s)|(?:이|가|은|는|네)")
_TURNED_AWAY: Final = re.compile(
    r"\s?(?:이|가|은|는|도)?\s?(?:아니|아닌|아녀|아님|말고|말곤)|\s?살?(?:짜리|배기)|(?:이)?(?:었|였)(?:으면|더라면)|생?(?:이)?(?:면|라면)\s"
    r"|(?:이)?(?:래|대|라던|라더|라며|라면서|ㄹ까|려나|인가|인지|일까|일지|인\s?줄)|(?:\s?쪽)?(?:이었|였|이던)|인\s?척|\s?(?:시험\s?)?준비|\s?지망|\s?되고"
    r"|\s(?:출신\s|다니는\s|나온\s)?(?:직원|알바생|기사님|상사|남친|여친|남편|아내|와이프|팀장님?|선배|후배|동기|과장님?|부장님?|교수님)(?:이|가|은|는|이랑|랑|한테|밑|들)?\s(?!나|저|바로)"
)
_ASKED: Final = re.compile(
    r"(?!\s?실화냐)\s?\S{0,4}(?:냐|나요|니까\?|습니까|을까|일까|ㄹ까)(?=\s|$|고)|\s?\S{0,4}니\s*$"
)
_WISHED: Final = re.compile(
    r".{0,14}(?:고\s?싶|고\s?파(?:\s|$|요|다|서)|면\s?(?:좋|해|하|어떨)|려고\s?(?:해|함|하|한|생각)|을까|ㄹ까|할까|살까|갈까|면\s?좋겠|ㄹ\s?예정|을\s?예정|할\s?예정|볼까|자고\s|수\s있을까)"
    r"|.{0,6}려면\s|\s?(?:넣|가|하|배워|키워|사|해|다녀|믿어|바꿔|들어가|옮길|갈|할)\S{0,2}까\s?(?:싶|생각|고민|하는|말까|봐)"
    r"|.{0,6}(?<!모르)(?<!죽)(?<!미치)(?<!돌)(?<!못\s하)(?<!못하)(?<!알)겠(?:네|다|어|지|음|는데|구나)"
)
_THEN: Final = re.compile(r"예전|옛날|한때|왕년|전생|전에는|했었|였었|었었|았었")
_SUPPOSED: Final = re.compile(
    r"만약|만일|가정하|라고\s?치|다고\s?치|였다면|었다면|았다면|라고\s?생각하|인\s?줄\s?알|같대|소문|(?<![놀자바올무달])라(?:던데|더라)|다던데(?!.{0,24}결과)|다더라"
    r"|텐데|더라면|(?:났|었|았|했|였|갔|왔|렀|졌|됐)으면|는\s?줄\s?알|던데\s?(?:진짜|진짠|맞)|(?:된|는|인)\s?(?:기분|느낌)|[다라](?:며|면서)\s*$"
    r"|(?:마음|맘|정신\s?연령|체감|기분|체력|텐션|입맛|말투)(?:만은|만큼은|은|만|\s?나이는?)\s"
    r"|[가-힣]인\s?줄\s*[ㅋㅎㅠ]*\s*$|[어아해여써]도\s[^.]{0,20}(?<!모르)겠[다네어지는]|[어아해여]도\s(?:되겠|될\s듯|될걸)|(?:이|그|저)러다가?\s[^.]{0,30}겠"
    r"|(?:는|은|인|[가-힣])\s(?:척|체|시늉)\s?(?:하|해|했|만|함)|[는은]\s(?:꿈|드라마|만화|영화|소설|웹툰)\s?(?:을\s|를\s)?(?:꿨|꾸|봤|보|읽|재)"
    r"|[는은인]\s(?:사람|애|분)들?(?:이|은|도)?\s?(?:부럽|부러|대단|멋지|멋있|이상하|신기|많|드물)"
    r"|(?:다니|살|키우|배우)자\s*$|(?:살|다니|키우|배우)지\s?(?:마|말)(?:라|자|아)?요?\s*$|(?:다녀|살아|키워|배워)(?:라|\s?봐)\s*$"
)  # what is told, pretended, envied or asked of another
#: 얼마나 먹었으면 체중계가 61이래: it has happened
_HOW_MUCH: Final = re.compile(r"얼마나\s[^.,]{0,12}?으면\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One sentence of an utterance."""

    before: str  #: what was said before it in the same utterance
    text: str  #: what is quoted or acted is blanked
    after: str  #: the rest of the utterance
    asks: bool
    me: tuple[int, ...]  #: where the speaker is named
    others: tuple[int, ...]  #: where somebody else is named as the one it is about
    claimed: bool  #: "나야 나", "제 얘기예요" stands in it or behind it

    def mine(self, start: int, end: int) -> bool:
        """Whether what stands from `start` to `end` can be said of the speaker, and is said as so."""
        away = _TURNED_AWAY.match(self.text, end)
        if away is not None and away[0].endswith("면 ") and any(at > end for at in self.me):
            away = None  # 08년생이면 아직 애기지 내가
        if away is not None or (self.asks and not (self.claimed or self._goes_on(end))):
            return False
        if _ASKED.match(self.text, end) and not self.claimed:
            return False
        if self.supposed or _WISHED.match(self.text, end) or (not self.me and _REMARKED.search(self.text)):
            return False
        return not self._someone_elses(start, end)

    @property
    def supposed(self) -> bool:
        """Whether it is only imagined, or only heard of."""
        found = _SUPPOSED.search(self.text)
        if found is not None and "얼마나" in self.text:
            found = _SUPPOSED.search(_HOW_MUCH.sub("", self.text))
        return found is not None

    def of_another(self) -> tuple[str, Heard] | None:
        """Return the one other person it is about and the sentence as if they had said it of themselves."""
        if len(self.others) != 1 or self.others[0] < 0 or self.asks or any(at < self.others[0] for at in self.me[1:]):
            return None
        person = _someone().match(self.text, self.others[0])
        if person is None or person[0] in _NOT_PEOPLE or any(at > person.start() for at in self.me):
            return None
        particle = _PARTICLE.match(self.text, person.end())
        end = particle.end() if particle is not None else person.end()
        told = " " * end + self.text[end:]  # what is said of them comes after them
        return person[0], replace(self, text=told, others=(), me=(), claimed=False)

    def told_of_then(self) -> bool:
        return _THEN.search(self.text) is not None

    def _goes_on(self, end: int) -> bool:
        """나 INFP인데 어때?: what is asked comes after."""
        echoed = _ECHOED.match(self.text, end) is not None  # A형이라고?
        return not echoed and _JOINED.match(self.text, end) is not None and not _YOU.search(self.text)

    def _someone_elses(self, start: int, end: int) -> bool:
        before = [at for at in self.others if at < start]
        if before and not any(before[-1] < at < start for at in self.me):
            return True
        if self.claimed:
            return False
        return _of_someone().match(self.text, end) is not None or self._describes_someone(end)

    def _describes_someone(self, end: int) -> bool:
        """연세대 나온 상사: a verb in -ㄴ, and then somebody."""
        verb = _WORD.match(self.text, end)
        if verb is None or verb[1] in "엔은선건" or (ord(verb[1]) - ord("가")) % 28 != _NIEUN:
            return False
        return (_someone().match(self.text, verb.end()) or _ANYBODY.match(self.text, verb.end())) is not None


#: 물리학과 나온 사람은, 4월 11일에 태어난 유명인: whoever that is; but 판교 사는 사람입니다
_ANYBODY: Final = re.compile(
    r"(?:사람|인간|놈|녀석|분|애|아이|양반|여자|남자|새끼)(?:들)?(?:(?:은|는|이|가|도|한테)(?=\s)|\s(?:누구|있|많|보면|중))"
    r"|유명인|위인|연예인|배우|가수|선수|작가|인물"
)
_PARTICLE: Final = re.compile(r"(?:이|가|은|는|도|네|의|께서)(?:는|은)?(?=\s)")
_NOT_PEOPLE: Final = frozenset("최애 주인공 연예인 아이돌 가족".split())
_WORD: Final = re.compile(r"\s?\S{0,4}([가-힣])\s")
_NIEUN: Final = 4  # index of ㄴ among the finals of a syllable block
_REMARKED: Final = re.compile(
    r"(?:살고\s?있|사|다니|다니고\s?있|키우|키우고\s?있|일하|배우)(?:네|시네|는구나|는군|시는구나)요?\s*$"
)  # 교회 다니는구나
_ECHOED: Final = re.compile(r"(?:이?라고|다고|이?라니|이?라구)\s*$")
_JOINED: Final = re.compile(r"\s?(?:인데|인디|(?:이)?라니까|이라|라서|라\s|이고|고\s|거든|니까|이니|인지라|임)")


@cache
def _someone() -> re.Pattern[str]:
    words = lexicon()
    named = sorted({*words.kin, *words.others, *_MORE_PEOPLE} - {"사장", "사장님"}, key=len, reverse=True)
    return re.compile(
        rf"(?<![가-힣A-Za-z])(?:큰|작은|막내|둘째|셋째|친정|외|친|새|사촌)?(?:{'|'.join(named)})(?!나무|수|랑|이랑|한테|에게|보고|더러|께|를|을|처럼|대신|보다|덕|\s?(?:따라|손|밥|때문|생각|폰|전화|얘기|계신|사시는|댁))"
    )


@cache
def _of_someone() -> re.Pattern[str]:
    """인 남친, 사는 친구, 다니는 언니: what stands before is theirs."""
    return re.compile(rf"\S{{0,5}}(?:인|는|은|한|던|살던|운)\s(?:\S{{1,4}}\s)?{_someone().pattern}")


_MORE_PEOPLE: Final = frozenset(
    "오빠 언니 누나 형 선배 후배 반장 교장쌤 담임쌤 쌤 아기 손주 손자 손녀 걔 쟤 얘 그녀 그분 그놈 그애 "
    "그사람 남자애 여자애 "
    "가족 캐릭터 부캐 아바타 등장인물 남주 여주 "
    "주인공 연예인 아이돌 최애 소개팅남 소개팅녀 썸남 썸녀 신랑 시누이 올케 형부 매형 처제 "
    "처남 강아지 고양이 댕댕이".split()
)


#: 모델들은 다 키가 180 넘던데, 02년생들이 벌써 군대를
_OTHER_CROWD: Final = re.compile(r"(?<![가-힣])(?P<noun>[가-힣\d]{1,7})들(?:은|도|이\s?(?:다|모두|전부|벌써))\s")
#: 동욱이는 체대 다니더니, 김민지는
_BY_NAME: Final = re.compile(
    r"(?<![가-힣])(?:(?P<given>[가-힣]{2})이(?:는|가|도|네는|네)|(?P<full>[가-힣]{3})(?:은|는|이가|이는|도))\s"
)
#: 중대장은, 원어민쌤 …, 새로 온 인턴이, 배달 기사님: whoever is spoken of by what they are
_ROLE: Final = re.compile(
    r"(?<![가-힣])(?!저는|나는|제가|내가)(?:(?:우리|저희|울|옆\s?(?:팀|반|자리|부서|침대|테이블|학교|동네)|새로\s온|배달|택배|담당|직속|앞|윗|전)\s(?:[가-힣]{1,6}\s)?"
    r"(?:[가-힣]{1,5}(?:님|쌤)|부장|과장|차장|대리|주임|실장|인턴|신입|선임|후임|[가-힣]대장|원어민|사수)(?=\s|이|가|은|는|도|께)"
    r"|[가-힣]{0,5}(?:님|쌤|부장|과장|차장|주임|실장|인턴|신입|선임|후임|중대장|소대장|분대장|원어민|알바생|기사|사수|직원|손님|상대|알바)"
    r"(?:이|가|은|는|께서)(?=\s(?!되|됐|된|됨|아니|아닌|꿈|목표)))"
)
_OUR_CROWD: Final = frozenset("우리 저희 친구 애 사람 가족 동기 남".split())


_READ: Final = 800  #: characters; who somebody is stands in the first few sentences
_BREATH: Final = 200  #: nobody says more in one sentence
#: 우리 아파트가, 그 배우 키가: something else is spoken of
_ITS: Final = re.compile(
    r"(?<![가-힣])(?:(?:우리|내|제|저희)\s(?P<noun>[가-힣]{1,6}?)(?:이|가|은|는)(?=\s)"
    r"|(?:그|저|이)\s(?:배우|가수|사람|애|분|여자|남자|선수|모델|아이돌|놈|녀석|친구|학생|캐릭터|주인공)(?=\s|이|가|은|는))"
)
_OF_ONESELF: Final = frozenset(
    "집 과 반 말 돈 몸 방 동네 회사 학교 집안 고향 자취방 경우 성격 나이 얼굴 인생 친구들 가족들 "
    "동기들 주민번호 손 왼손 마음 신랑감".split()
)

_WHY: Final = re.compile(
    r"(?<![가-힣])(?:왜|언제|언제부터|어디서|어떻게)\s[^.!?\n]{1,30}(?:거야|거예요|거니|거냐|건가요?|겁니까)\s*$"
)  # 왜 서울 사는 거야


@cached_by_text
def heard(text: str, named: tuple[int, ...] = ()) -> tuple[Heard, ...]:
    """Return the sentences of `text`; `named` is where somebody else is known to be spoken of."""
    return tuple(_heard(text, named))


def _heard(text: str, named: Sequence[int]) -> Iterator[Heard]:
    own = _ASIDE.sub(lambda aside: " " * len(aside[0]), text[:_READ])
    going_on = False
    for sentence in _SENTENCE.finditer(own):
        said, after = sentence[0], own[sentence.end() :]
        if len(said) > _BREATH:
            continue
        me = tuple(match.start() for match in _ME.finditer(said))
        spoken_of = (at - sentence.start() for at in named if sentence.start() <= at < sentence.end())
        others = tuple(sorted({*_others(said), *spoken_of, *(match.start() for match in _NAMED_FIRST.finditer(said))}))
        claimed = bool(_SELF.search(said) or _SELF.search(after[:40]))
        theirs = going_on and not me and not claimed and not others
        yield Heard(
            before=own[: sentence.start()],
            text=said,
            after=after,
            asks=(after.startswith("?") and not _PERMITTED.search(said)) or _WHY.search(said) is not None,
            me=me,
            others=(-1,) if theirs else others,
            claimed=claimed,
        )
        if said.strip():
            going_on = theirs or (bool(others) and not any(at > others[-1] for at in me) and not _TELLS.search(said))


#: 79년생 아줌마도 놀아도 되죠?, 나 58키로야 많이 나가지?: who one is, is told and not asked
_PERMITTED: Final = re.compile(
    r"[가-힣]도\s?(?:되|돼|될|괜찮)\S{0,4}\s*$|(?:야|예요|에요|임|입니다)\s[^.,]{1,12}[가-힣](?:지|죠)\s*$"
)
_TELLS: Final = re.compile(r"(?:래|대|냐|물어|묻|말|그러|라고|다고|라며|더라|보래)\S{0,3}\s*$")  # 엄마가 자래


def _others(said: str) -> Iterator[int]:
    for person in _someone().finditer(said):
        rest = said[person.end() :]
        crowd = rest.startswith(_CROWD)
        if (crowd and _ALL_OF_THEM.match(rest)) or (not crowd and _SUBJECT.match(rest)):
            yield person.start()
    yield from (role.start() for role in _ROLE.finditer(said))
    yield from _crowds(said)
    for thing in _ITS.finditer(said):
        if thing["noun"] not in patterns().by_label and thing["noun"] not in _OF_ONESELF:
            yield thing.start()
    for named in _BY_NAME.finditer(said):
        if (named["given"] and is_given_name(named["given"])) or (named["full"] and is_full_name(named["full"])):
            yield named.start()
    you = _YOU.search(said)
    if you is not None:
        yield you.start()


def _crowds(said: str) -> Iterator[int]:
    for any_of in _ANY_CROWD.finditer(said):
        yield any_of.start()
    for many in _OTHER_CROWD.finditer(said):
        if many["noun"] not in _OUR_CROWD:
            yield many.start()
