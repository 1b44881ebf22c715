"""The mood of a sentence: only a plain statement can carry a fact.

`mood_of` reads one sentence or clause. Korean keeps the mood in the last ending, so the order below goes from what
overrules everything (a question, a request) to what is left over (a statement).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, Literal

from gieok.language.data_files import WordSets
from gieok.language.morphemes import Morpheme, analyse

if TYPE_CHECKING:
    from gieok.language.clauses import Clause

_SETS: Final = WordSets("word_sets.toml", "mood")

_STEMS: Final = frozenset("VV VA VCP VCN XSV XSA".split())
_MADE_OF_NOUN: Final = frozenset({"XSV", "XSA"})
_ENDINGS: Final = frozenset({"EF", "EC", "ETN"})
_WRITTEN: Final = frozenset({"SL", "SN", "SH"})  # the S-tags that are words, not marks
_BEHIND: Final = 6  # so many morphemes may stand behind the predicate
_PAST: Final = ("었", "았", "였", "었었", "았었")
_QUOTES: Final = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_NOUN_AND_VERB: Final = frozenset({("기억", "나다"), ("생각", "나다")})
#: what is spelled or cut in several ways → one name
_SAME_ENDING: Final = {
    **dict.fromkeys("죠 지요 쥬 징 디".split(), "지"),
    **dict.fromkeys("아 여 아요 어요 여요 엉 앙".split(), "어"),
    **dict.fromkeys("에요 예요 이에요 에여 예여".split(), "야"),
    **dict.fromkeys("느냐 으냐".split(), "냐"),
    **dict.fromkeys("으세요 셔요 으셔요 세용 세여".split(), "세요"),
    **dict.fromkeys("십시오 으십시오 읍시오".split(), "ㅂ시오"),
    **dict.fromkeys("아라 여라 거라 너라".split(), "어라"),
    **dict.fromkeys("으렴 려무나 으려무나".split(), "렴"),
    "읍시다": "ㅂ시다",
    "구": "고",
    "라구": "라고",
    "다구": "다고",
    "ㄴ다구": "ㄴ다고",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """The end of one sentence or clause."""

    words: tuple[Morpheme, ...]  #: all its morphemes but the marks
    lemma: str = ""  #: of the last predicate: 확인하다, 이다; "" where there is none
    tag: str = ""  #: VV, VA, VCP, VCN; XSV and XSA for a predicate made of a noun
    ending: str = ""  #: spelled one way, without 요; "" where a noun or a particle ends it
    before: tuple[Morpheme, ...] = ()  #: what leads up to the predicate
    tail: tuple[Morpheme, ...] = ()  #: auxiliaries and tenses between the stem and the ending
    ends_in_connective: bool = False  #: 오면, 오는데: the sentence breaks off
    melted: bool = False  #: the copula is not written: 초코야

    @property
    def lead(self) -> str:
        """The form right before the predicate; "" where it comes first."""
        return self.before[-1].form if self.before else ""

    @property
    def past(self) -> bool:
        return self.tail_has(*_PAST)

    def tail_has(self, *forms: str) -> bool:
        return any(part.form in forms for part in self.tail)

    def helped_by(self, *lemmas: str) -> bool:
        """Whether one of these auxiliary verbs follows the stem."""
        return any(part.tag == "VX" and part.lemma in lemmas for part in self.tail)


def closing(morphemes: Sequence[Morpheme]) -> Closing:
    """Read how `morphemes`, one sentence or clause, close."""
    words = _own_words(morphemes)
    last = _last_ending(words)
    if last is None:
        # the end of the last finished predicate, whatever was put behind
        last = max((at for at, part in enumerate(words) if part.tag == "EF"), default=None)
    if last is None:
        return Closing(words=words, before=words)
    return _closed_at(words, last)


def _own_words(morphemes: Sequence[Morpheme]) -> tuple[Morpheme, ...]:
    """Leave out the marks, and what stands in quotation marks unless nothing else is said."""
    own: list[Morpheme] = []
    quoted: list[Morpheme] = []
    closer = ""
    for part in morphemes:
        if closer:
            if part.form == closer:
                closer, quoted = "", []
            elif _is_word(part):
                quoted.append(part)
        elif part.form in _QUOTES and part.tag in ("SSO", "SSC", "SS"):
            closer = _QUOTES[part.form]
        elif _is_word(part):
            own.append(part)
    return tuple(own + quoted) if own or quoted else tuple(part for part in morphemes if _is_word(part))


def _is_word(part: Morpheme) -> bool:
    return part.tag in _WRITTEN or part.tag[:1] not in ("S", "W")


def _closed_at(words: tuple[Morpheme, ...], last: int) -> Closing:
    stem, after, lemma, tag = _stem(words, last)
    return Closing(
        words=words,
        lemma=lemma,
        tag=tag,
        ending=plain(words[last].form),
        before=words[:stem],
        tail=words[after:last],
        ends_in_connective=words[last].tag == "EC",
        melted=bool(lemma) and stem == last,
    )


def plain(ending: str) -> str:
    """Return the one spelling of an ending: 죠, 지요 and 징 are 지; 나요 is 나."""
    if ending in _SAME_ENDING:
        return _SAME_ENDING[ending]
    if len(ending) > 1 and ending[-1] in _SETS.polite and ending != "세요":
        return _SAME_ENDING.get(ending[:-1], ending[:-1])
    return ending


def _last_ending(words: Sequence[Morpheme]) -> int | None:
    """Return where the last ending stands, looking past what was put behind it."""
    for at in range(len(words) - 1, max(-1, len(words) - 2 - _BEHIND), -1):
        part = words[at]
        if part.tag in _ENDINGS:
            return at if _may_close(part, words[at + 1 :]) else None
    return None


def _may_close(part: Morpheme, behind: Sequence[Morpheme]) -> bool:
    """Whether the sentence was over with `part`, so that `behind` is an afterthought: 뭐야 이게, 왔어요 응."""
    if all(word.form in _SETS.polite or word.tag == "IC" for word in behind):
        return True
    return part.tag == "EF" or (part.tag == "EC" and plain(part.form) in _SETS.asks_unfinished)


def _stem(words: Sequence[Morpheme], ending: int) -> tuple[int, int, str, str]:
    """Return where the last predicate begins, where its tail begins, its lemma and its tag."""
    for at in range(ending - 1, -1, -1):
        part = words[at]
        if part.tag in _MADE_OF_NOUN and at:
            return at - 1, at + 1, words[at - 1].form + part.lemma, part.tag
        if at and (words[at - 1].form, part.lemma) in _NOUN_AND_VERB:
            return at - 1, at + 1, words[at - 1].form + part.lemma, part.tag
        if part.tag in _STEMS:
            return at, at + 1, part.lemma, part.tag
        if part.tag in ("EF", "ETM"):
            break
    if ending and not words[ending - 1].tag.startswith(("E", "V")):
        return ending, ending, "이다", "VCP"  # 초코야: the copula melts away after a vowel
    begin = ending
    while begin and words[begin - 1].tag in ("VX", "EP", "EC"):
        begin -= 1  # 수정 줄: Kiwi finds only the auxiliary
    return begin, begin, "", ""


_WORD_TAGS: Final = frozenset("NP NNG NR MM MAG NNB IC".split())

#: a question word and what may follow it that only points or measures: 어느 날, 며칠 전, 얼마 안 돼
_SOME: Final = {
    "어느": frozenset("날 정도 새 덧 순간 하나 누구 때".split()),
    "어떤": frozenset("때 면".split()),
    "뭐": frozenset("좀 그냥 이런 그런 그렇 그렇게".split()),
    **dict.fromkeys("며칠 얼마 몇".split(), frozenset("전 후 뒤 동안 만 안 지나 사이 째 씩 못".split())),
}


def asked_about(close: Closing) -> bool:
    """Say whether a question word reaches the end of the sentence."""
    if close.lemma in _SETS.question_stems:
        return close.lead != "ㄹ"  # 좋은 걸 어떡해
    begin = max((at + 1 for at, part in enumerate(close.before) if part.tag == "EF"), default=0)
    words = close.before[begin:]
    # 누가 왔어, 누가 온대: somebody, as likely as who.
    somebody = words[:1] and words[0].form == "누구" and close.tag != "VCP" and close.ending in _SETS.telling
    return asks_with_word(words[1:] if somebody else words)


def asks_with_word(words: Sequence[Morpheme]) -> bool:
    """Say whether a question word stands in `words` that nothing turns into "some" and no clause closes off."""
    closed = max((at for at in range(len(words)) if _closes_off(words, at)), default=0)
    return any(
        (word.lemma in _SETS.question_stems or (word.form in _SETS.words and word.tag in _WORD_TAGS))
        and not (word.tag == "IC" and at == 0)  # 뭐, 그렇지
        and not _means_some(word, words[at + 1 : at + 3])
        for at, word in enumerate(words[closed:], start=closed)
    )


def _closes_off(words: Sequence[Morpheme], at: int) -> bool:
    part = words[at]
    # 누가 비웃어도 안 변해; but in 몇 시에 가도 돼 nothing stands between
    even_if = part.form in _SETS.even_if and at + 1 < len(words)
    return part.tag in ("EC", "EF") and (even_if or plain(part.form) in _SETS.closes_off)


def _means_some(word: Morpheme, rest: Sequence[Morpheme]) -> bool:
    if not rest or word.lemma in _SETS.question_stems:
        return bool(rest) and rest[0].form == "ㄹ"  # 어쩔 수 없어
    reached = rest if rest[0].tag in ("VCP", "JKB") else rest[:1]  # 뭐(이)든, 어디서도
    pointed = _SOME.get(word.form, frozenset())
    return any(part.form in _SETS.any for part in reached) or any(part.form in pointed for part in rest)


_SOMETHING: Final = frozenset("NNG NNP NNB NR SL JKO".split())


def asks_to_be_told(close: Closing) -> bool:
    """Say whether this is a request for an answer: 알려 줘, 몇 시인지 확인해 줄래, 뭐 하는지 궁금해, 내 별명 기억나."""
    if close.past or close.lemma == "궁금하다":
        return not close.past
    whether = any(part.tag in ("EC", "EF") and part.form in _SETS.whether for part in close.before)
    if close.lemma in _SETS.knowing:
        # the speaker's own knowledge is told: 나도 알아, 그 마음 잘 알아
        sure = not close.before or close.lead in _SETS.sure or close.tail_has("겠", "고")
        known = whether or (bool(close.before) and close.before[-1].tag in _SOMETHING)
        return known and not sure and close.ending in ("어", "세요") and not speaker_is_named(close.before)
    if close.ending not in _SETS.request:
        return False
    given = close.helped_by("주다", "달다")
    return (given and whether) or (close.lemma in _SETS.informing and (given or close.helped_by("보다")))


def asks_a_favour(close: Closing) -> bool:
    """Say whether this asks to do something, whatever its ending: 꺼 줄래, 와 주겠니."""
    if close.ending not in _SETS.request or asked_about(close):
        return False  # 뭘 틀어 줄래 asks
    gives = close.helped_by("주다", "달다") or (close.lemma.endswith("주다") and close.tag == "VV")
    if not gives or close.past or close.tail_has("고"):
        return False
    if close.ending in _SETS.politely_asking:
        return close.ending in ("ㄹ래", "을래") or close.tail_has("겠")
    return close.helped_by("주다", "달다")


def speaker_is_named(words: Sequence[Morpheme]) -> bool:
    """Say whether 나 or 저 stands in `words`, not as an owner (내 이름)."""
    return any(
        word.tag == "NP" and word.form in _SETS.speaker and (after is None or after.tag != "JKG")
        for word, after in zip_longest(words, words[1:])
    )


def asks(close: Closing, mark: str = "") -> bool:
    """Say whether the sentence that closes so wants an answer."""
    if asks_to_be_told(close):
        return True
    if asks_a_favour(close):
        return False
    if mark.startswith("?"):
        return close.ending not in _SETS.telling_with_mark
    if not close.lemma:
        only = close.words[0] if len(close.words) == 1 else None
        return asks_with_word(close.words) and (only is None or only.tag in ("NP", "MAG"))
    if close.ending in _SETS.asking:
        # 하다 보니 joins what would follow, 두드러기 나 has no ending
        joins = close.ending in ("니", "나") and (close.tag == "VCP" or close.helped_by("보다"))
        return not (speaker_chooses(close) or (joins and not close.past))
    if close.ending in _SETS.asking_with_word and asked_about(close):
        return True
    return _turns_to_listener(close)


def speaker_chooses(close: Closing) -> bool:
    """Say whether 을래 is the speaker's own choice, not a question: 난 이거 먹을래."""
    return close.ending in ("ㄹ래", "을래") and speaker_is_named(close.before) and not asked_about(close)


def _turns_to_listener(close: Closing) -> bool:
    """Whether the sentence asks for the listener's yes: 너 고양이 좋아하지, 이거 맞죠, 혹시 봤어."""
    if close.ending in ("어", "야", "지") and any(part.form == "혹시" for part in close.before):
        return True
    if close.ending != "지":
        return False
    to_listener = bool(close.before) and close.before[0].tag == "NP" and close.before[0].form in _SETS.listener
    return to_listener or close.lemma in _SETS.confirming


Mood = Literal["statement", "question", "wish", "hypothetical", "command", "hearsay", "fragment"]


def mood(clause: Clause) -> Mood:
    """Return how `clause` is meant. A clause without a predicate tells as much as one with: 취준생 1년차."""
    final = clause.final or clause.ends_with[:1] in _SETS.ends
    found = mood_of(clause.morphemes, clause.ends_with, final=final)
    return "statement" if found == "fragment" else found


def mood_of(morphemes: Sequence[Morpheme], mark: str = "", *, final: bool = True) -> Mood:
    """Return how the sentence or clause is meant; `mark` is the punctuation after it.

    With `final` false, more of the sentence follows: its ending joins, and 니, 나 or 는데 ask nothing.
    """
    close = closing(morphemes)
    if not final:
        rests = close.ending in ("니", "나") and close.past
        if mark.startswith("?") or close.ending in _SETS.embedded_question or rests:
            return "question"
    elif asks(close, mark):
        return "question"
    elif _orders(close):
        return "command"
    if _supposes(close):
        return "hypothetical"
    if _wishes(close):
        return "wish"
    if _reports(close):
        return "hearsay"
    # 회사 말이야: what the sentence before was about.
    if close.lemma == "이다" and close.lead == "말" and len(close.before) < 4:
        return "fragment"
    return "statement" if close.lemma or _closes_with_noun(close) else "fragment"


def _orders(close: Closing) -> bool:
    if asks_a_favour(close) or (close.lemma in _SETS.asking_for and not close.past):
        return True
    if close.helped_by("말다") and close.ending in _SETS.said_to_do:
        return True
    if close.ending == "어" and not close.past and close.tag in ("VV", "XSV"):
        # 먹어 봐, but not 왔나 봐.
        return [part.form for part in close.tail[-2:]] == ["어", "보"]
    return close.ending in _SETS.ordering and close.tag in ("VV", "XSV") and not close.past


def _supposes(close: Closing) -> bool:
    if close.ending in _SETS.conditional and close.ends_in_connective:
        return True
    if any(part.form in _SETS.supposing for part in close.before):
        return True
    if close.tag in ("VA", "XSA", "VCP") and close.tail_has("겠") and not _is_set_phrase(close):
        return True  # 춥겠다: guessed, not known
    would_have = any(part.tag == "EP" for part in close.before[-4:-2]) and close.before[-2].form in ("을", "ㄹ")
    return would_have and close.lemma == "이다" and close.lead in ("터", "거", "것")  # 갔을 텐데


def _wishes(close: Closing) -> bool:
    if close.lemma in _SETS.wishing or speaker_chooses(close):
        return True
    if close.helped_by("싶다"):
        return close.tail_has("고") or close.tail_has("면", "으면")
    if close.helped_by("하다") and close.past and close.tail_has("으면"):
        return True  # 쉬었으면 해
    if not close.tail_has("겠"):
        return False
    return close.lemma == "좋다" or not (close.lead == "못" or _is_set_phrase(close))


def _is_set_phrase(close: Closing) -> bool:
    return close.lemma in _SETS.set_phrases or close.helped_by("죽다", "미치다")


def _reports(close: Closing) -> bool:
    if close.ending in _SETS.hearsay:
        return not (close.melted and close.ending == "대")  # 방송통신대 is a school
    return close.lead in _SETS.quoting and (
        close.lemma == "듣다" or (close.lemma in _SETS.saying and close.ending in _SETS.reported)
    )


def _closes_with_noun(close: Closing) -> bool:
    words = close.words
    return len(words) > 1 and words[-2].tag == "ETM" and words[-1].form in _SETS.closing_nouns


_SENTENCE_END: Final = frozenset({"SF", "SE"})
#: a sentence without any of these is a call or a laugh behind the last one: 지우야, 응, ㅋㅋ
_SAYING_VERBS: Final = frozenset("NNG NNP NNB NP NR VV VA VCP VCN VX XSV XSA MM MAG SN SL XR".split())


def is_question(text: str) -> bool:
    """Say whether the utterance ends in a question.

    "내 생일 언제라고 했지? 양력으로" does; "인생영화? 난 무조건 타이타닉" asks and answers, and does not.
    """
    said = [one for one in sentence_moods(text) if any(part.tag in _SAYING_VERBS for part in one[0])]
    if len(said) > 1 and said[-1][1] == "fragment" and _is_afterthought(said[-2][0], said[-1][0]):
        said.pop()
    return bool(said) and said[-1][1] == "question"


def _is_afterthought(before: Sequence[Morpheme], last: Sequence[Morpheme]) -> bool:
    """Whether `last`, without a predicate, completes the sentence `before` and does not answer it."""
    close = closing(before)
    echoes = close.ending.endswith("고")  # 몇 살이냐고? 스물다섯
    return bool(close.lemma) and not echoes and not any(part.tag == "NP" for part in last)


def sentence_moods(text: str) -> Iterator[tuple[Sequence[Morpheme], Mood]]:
    """Yield the morphemes of each sentence, and how it is meant."""
    for morphemes, mark in _sentences(analyse(text)):
        yield morphemes, mood_of(morphemes, mark)


def _sentences(morphemes: Sequence[Morpheme]) -> Iterator[tuple[Sequence[Morpheme], str]]:
    """Yield each sentence with its mark. One ends at a mark, or at a final ending before another predicate."""
    begin = 0
    for at, part in enumerate(morphemes):
        if part.tag in _SENTENCE_END:
            if at > begin:
                yield morphemes[begin:at], part.form
            begin = at + 1
        elif part.tag == "EF" and _another_follows(morphemes, at + 1):
            yield morphemes[begin : at + 1], ""
            begin = at + 1
    if begin < len(morphemes):
        yield morphemes[begin:], ""


def _another_follows(morphemes: Sequence[Morpheme], begin: int) -> bool:
    """Whether a whole sentence follows before the next mark; a particle or a quoting verb carries the same one on."""
    if begin >= len(morphemes) or morphemes[begin].tag[:1] in ("J", "E") or morphemes[begin].tag in ("VX", "VCP"):
        return False
    tags = (morphemes[at].tag for at in range(begin, len(morphemes)))
    return next((tag == "EF" for tag in tags if tag == "EF" or tag in _SENTENCE_END), False)


#: said outright to be untrue; "장난 아니야" and "농담 아니고" mean the contrary
_FUN: Final = re.compile(
    r"(?:뻥|구라|농담|장난|드립|거짓말)\s?"
    r"(?:이야|이었어|이었|이지|이고|이에요|이예요|입니다|이었습니다|임|인데|인\s?거|이라고|야|였어|였|예요|ㅋ|ㅎ|~|!|$)"
    r"|(?:뻥|구라|장난|농담)\s?(?:친|쳐\s?[본봤]|한)\s?(?:거|건|것)"
    r"|(?:뻥|구라|농담|장난|드립)\s?(?:쳤|쳐\s?봤|쳐봤|해\s?봤|했)"
    r"|(?:이거|이건|방금|지금)\s?(?:[가-힣]{1,6}\s)?(?:성대모사|흉내|명대사|대사|패러디|상황극|콩트|연기)"
    r"|(?:성대모사|흉내|상황극|패러디)\s?(?:어때|비슷|똑같|한\s?거|해\s?봤|해봤)|따라\s?해\s?(?:봤|본|봄)|따라해\s?(?:봤|본|봄)"
    r"|(?:농담|장난|드립)으로\s?(?:한|해\s?본)|속았지|낚였지|낚였네|만우절|\((?:농담|장난|뻥|반어)\)"
)
#: a sweet word drawn out, and a smile that does not mean it: 아~ 나 야근 너무 사랑해~ … ^^
_IRONY: Final = re.compile(
    r"(?:^|\s)(?:아|와|오|하|참)~[^\n]{0,200}(?:너무|참|정말|진짜|아주)[^\n]{0,200}(?<!요)~[^\n]{0,200}\^\^;?\s*$"
    r"|퍽이나|어련하시|\((?:눈물|한숨|울컥|오열|먼산)\)|(?:…|\.\.)\s?하+[.…]*\s*$"
    r"|^(?:그래|오냐|암|아무렴)\s[^\n]{0,80}지\s?(?:아주|뭐|그럼|그래)"  # 그래 내 취미가 설거지지 아주
    r"|(?:취미|특기|꿈|소원)[이가]\s[^\n]{1,20}지\s?(?:뭐|아주)"
)
_IRONY_READ: Final = 300
_READ: Final = 4000  #: longer texts are read from their end, where the marks stand


def hedged(morphemes: Sequence[Morpheme]) -> bool:
    """Say whether the speaker is not sure: 아마, AB형일걸, 그런 듯, 맞는 것 같아, 아닐까."""
    close = closing(morphemes)
    if any(part.form in _SETS.maybe and part.tag in ("MAG", "MAJ", "IC") for part in close.words):
        return True
    return close.ending in _SETS.unsure or _seems(close) or _wonders(close) or _might(close) or _is_unsure(close)


def joking(text: str) -> bool:
    """Say whether the text itself says that it is in fun. An impossible claim with a laugh does not say so."""
    return joke_ends(text) > 0


def joke_ends(text: str) -> int:
    """Return where the words end up to which `text` is in fun; 0: it is not."""
    fun = _FUN.search(text, max(len(text) - _READ, 0))
    if fun is not None:
        return fun.end()
    return len(text) if _IRONY.search(text[-_IRONY_READ:]) else 0


def _seems(close: Closing) -> bool:
    """것 같아, 학생 같아, 그런 듯(해), 그런 모양이야."""
    if close.lemma == "같다":
        return bool(close.before) and close.before[-1].tag.startswith("N")
    return any(part.form in _SETS.likely_nouns and part.tag in ("NNB", "NNG") for part in close.words[-5:])


def _wonders(close: Closing) -> bool:
    """왔나 봐, B형인가 싶어, 감기가 아닐까."""
    if close.ending in ("ㄹ까", "을까") and close.tag == "VCN":
        return True
    return close.helped_by("보다", "싶다") and any(part.form in _SETS.wondering for part in close.tail)


def _might(close: Closing) -> bool:
    """그럴지도 몰라, 그럴 수도 있어."""
    if close.lemma == "모르다":
        return any(part.form in _SETS.might for part in close.before[-2:])
    return close.lemma == "있다" and [part.form for part in close.before[-2:]] == ["수", "도"]


def _is_unsure(close: Closing) -> bool:
    return close.lemma in ("확실하다", "정확하다", "확신하다") and close.helped_by("않다", "못하다")
