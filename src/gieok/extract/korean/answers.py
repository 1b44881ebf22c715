"""Short answers, read with the question before them: "어느 계절 좋아해?" – "가을!", "너 A형이지?" – "ㄴㄴ 오형"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.turn import Utterance
from gieok.extract.korean.doing_words import doings
from gieok.extract.korean.giving_up import ended_by
from gieok.extract.korean.labels import label_of
from gieok.extract.korean.listing import in_parts, listed
from gieok.extract.korean.namelike import is_given_name
from gieok.extract.korean.openings import CALLED, to_the_point, without_fillers
from gieok.extract.korean.patterns import Pattern, patterns
from gieok.extract.korean.reading import Finding, found
from gieok.extract.korean.replacing import newly_named
from gieok.extract.korean.romance import attached
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.values import READERS, Value
from gieok.language.clauses import clauses

_YES: Final = re.compile(
    r"^(?:ㅇㅇ+|응+|어|네+|넵|넹|예|맞아|맞아요|맞음|맞습니다|맞지|그래|그럼|당연|당연하지|ㅇㅋ|웅|엉|ㅇ|옙|넴|딩동댕|정답|빙고|ㄹㅇ|어떻게\s?알았)"
    r"(?=$|[\s,.!~ㅋㅎ])"
)
_NO: Final = re.compile(
    r"^(?:ㄴㄴ+|아니|아뇨|아니요|아닌데|아닌데요|아닌디|노노|노|땡|아녀|아니야|아냐|아님|ㄴ|그럴\s?리가|누가\s?그래|무슨\s?소리야|엥|에이|틀렸어|틀림)"
    r"(?=$|[\s,.!~?ㅋㅎ요])[요]?"
)
_TAIL: Final = re.compile(
    r"(?:[\s~!?.…ㅋㅎㅠㅜ^]+|(?:이에요|예요|이예요|에요|이요|요|이야|야|임|이지|지|입니다|이랄까|랄까"
    r"|이라고 해|라고 해|인데|이고|쪽|정도|이거든|거든|이라니까|라니까|라구요?|이라구요?|이여|여|이다)$)+$"
)
_SPLIT: Final = re.compile(r"[.!?…,\n]|(?<=고)\s+(?=지금|이제|요즘|현재)|(?<=ㅋ)\s|(?<=ㅎ)\s")
_NEVER_SAID: Final = re.compile(
    r"한\s?적\s?없|안\s?했는데|말한\s?적\s?없|옛말|옛날\s?(?:얘기|일|말)|그건\s?(?:예전|옛날|과거)|다\s?지난|예전\s?얘기"
)
_HATED: Final = re.compile(
    r"(?:은|는|이|가|을|를|만|만은)?\s(?:진짜|완전|너무|딱|좀|절대)?\s?(?:극혐|질색|싫|별로|못\s?먹|노노|혐오)\S*$"
)
_DISLIKED: Final = re.compile(r"싫|못\s?(?:먹|드시)|질색|별로|안\s?좋아|꺼리|극혐")
_LONGEST: Final = 30
_ASKS_BACK: Final = re.compile(r"(?<![가-힣])(?:뭐|뭔|누구|어디|언제|왜|어떻)|(?:^|\s)질문$")
_BECAUSE: Final = re.compile(r"^\S+(?:라서|이라)\s(?=[^\s]+(?:\s?[ㅋㅎ]+)?$)")  #: 뽀글머리라서 뽀글이요
_TRAILING: Final = " ~!?.…ㅋㅎㅠㅜ^"
_TITLED: Final = frozenset("favorite.movie favorite.book favorite.music favorite.game".split())
_DESCRIBED: Final = frozenset({"likes", "dislikes", "phobia"})
_QUOTES: Final = " '\"‘’“”「」『』《》〈〉<>"
_ANSWERING: Final = frozenset(
    "하다 다니다 먹다 듣다 있다 좋다 좋아하다 무섭다 무서워하다 키우다 싫다 싫어하다 보다 읽다 치다 타다 "
    "살다 가다 이다 나오다 되다".split()
)
_NO_ANSWER: Final = frozenset(
    "아니 맞아 응 왜 뭐 누구 어디 언제 그냥 몰라 비밀 글쎄 없어 아직 진짜 헐 그거 그게 나 저 다 별로 둘 둘다 "
    "그래 안녕 안녕하세요 하이 헬로 hi hello 고마워 미안 미안해 잘자 굿모닝 "
    "사실 사실은 실은 솔직히 솔직히는 저기 저기요 있잖아 있잖아요 근데 그런데 그러니까 뭐랄까 아무튼 어쨌든 "
    "딱히 별거 아무거나 너 당신 니 모두 전부 나중 나중에 생각중 비밀이야 노코멘트 패스 잠깐 잠깐만 "
    "너는 넌 너는요 그쪽은 님은".split()
)


def question_before(text: str, before: Sequence[Utterance], speaker: str) -> Utterance | None:
    """Return the question that `text` may answer: the last thing said, by somebody else."""
    last = before[-1] if before else None
    if last is None or last.speaker == speaker or len(text) > 4 * _LONGEST or "이상형" in last.text:
        return None
    if not _asks(last.text):
        return None
    return last


def answer(text: str, question: str, guessed: Sequence[Finding], told: frozenset[str]) -> Iterator[Finding]:
    """Read `text` as the answer to `question`.

    `guessed` is what the question takes to be so; `told`: the attributes that were read in the answer already.
    """
    opened = re.sub(r"^(?:나|저요|저|나는)\s*\?\s*", "", text.strip())
    silent = not told
    parts = [part.strip() for part in _SPLIT.split(opened) if part.strip()] or [opened]
    asks_back = opened.startswith(parts[0] + "?")  # 응? 내가 언제
    yes, no = None if asks_back else _YES.match(parts[0]), _NO.match(parts[0])
    over = no is not None or bool(_NEVER_SAID.search(text)) or _over(text, guessed)
    if yes and not over:
        yield from guessed
    elif over:
        yield from (_denied(guess) for guess in guessed)
    asked = clauses(question)
    words = tuple(word for clause in asked for phrase in clause.phrases for word in phrase.words)
    lacking = _LACKING.match(parts[0]) is not None
    told_so = yes or no or lacking or _HAVING.match(parts[0])
    bound = attached(question, denied=over or lacking) if told_so and silent and not guessed else None
    if bound is not None:
        yield bound
        return
    pattern = _guessed_pattern(guessed) or _asked_for(words, question)
    if pattern is None or (guessed and yes) or _OF_ANOTHER.search(question):
        return
    if guessed and not over and not attribute(pattern.attribute).single and guessed[0].value in question:
        return  # 땅콩 알레르기 있다고 했지? – 커피: nothing says that this is another of the kind
    opening = yes or no
    tries = _tries(opened[opening.end() :] if opening is not None else opened, question, both=over)
    if told and not (tries and _may_be_told(tries[0], pattern, told)):
        return
    if over and parts[1:] and opening is not None and not parts[0][opening.end() :].strip(" ,.!~?"):
        tries = tries[:1]
    yield from _named(tries, pattern, guessed)


def _tries(text: str, question: str, *, both: bool) -> list[str]:
    """Return what may be the value of an answer: what it says first, and second where the first only denies."""
    said = to_the_point(text, question)
    parts = [part.strip() for part in _SPLIT.split(said) if part.strip()][: 2 if both else 1]
    parts[:1] = [_BECAUSE.sub("", part) for part in parts[:1]]
    own = _OF_MYSELF.search(parts[0]) if parts else None  # AB는 오빠고 나는 B라구
    if own is not None:
        parts[0] = own["rest"]
    return [part for place, part in enumerate(parts) if place or not _NEVER_SAID.search(part)]


def _may_be_told(said: str, pattern: Pattern, told: frozenset[str]) -> bool:
    """나방. 날갯짓 소리만 나도 도망가: what was read of the rest is another thing."""
    one_of_many = not attribute(pattern.attribute).single
    return (one_of_many or pattern.attribute not in told) and _says_one_word(said, pattern)


_OF_ANOTHER: Final = re.compile(
    r"이상형|(?:남친|여친|남자친구|여자친구|남편|아내|상대)(?:의|분)?\s|최애(?:의|가)?\s(?:이름|생일|나이|키|혈액형|고향|본명)"
)
#: 여친 있어? – 없어
_LACKING: Final = re.compile(r"^(?:아직|지금은|당연히)?\s?없(?:어|음|습니|지|네|는데|다)")
_HAVING: Final = re.compile(r"^(?:당연히)?\s?있(?:어|음|습니|지|네|는데|다)")
_FRIEND: Final = re.compile(r"친구(?:의|분)?\s(?:이름|성함)")
_OF_MYSELF: Final = re.compile(r"\S+(?:고|지만|는데|인데)\s(?:나는|난|저는|전)\s(?P<rest>\S{1,12})$")


def _says_one_word(said: str, pattern: Pattern) -> bool:
    """Whether an answer opens with nothing but a value: 국문과요.. 놀리지 마세요."""
    word = _bare(said)
    return " " not in word and len(word) <= 12 and not _is_clause(said) and pattern.value != "gender"


def _asked_for(words: Sequence[str], question: str) -> Pattern | None:
    """못 먹는 음식 있어?: what is named then is no favourite."""
    pattern = label_of(words, question)
    if pattern is not None and pattern.attribute == "name" and _FRIEND.search(question):
        return patterns().by_attribute["friend"]
    if pattern is not None and pattern.attribute.startswith(("favorite.", "likes")) and _DISLIKED.search(question):
        return patterns().by_attribute["dislikes"]
    return pattern


def _named(tries: Sequence[str], pattern: Pattern, guessed: Sequence[Finding]) -> Iterator[Finding]:
    disliked = pattern.attribute == "dislikes"
    hated = [(_HATED.sub("", each) if disliked else each) for each in tries]
    for said in (_spelt(each) if short == each else short for each, short in zip(tries, hated, strict=True)):
        if not said or len(said) > _LONGEST or said in _NO_ANSWER:
            continue
        whole = said.replace(" ", "") not in taste_words().kinds and len(listed(said)) == 1 and _is_clause(said)
        whole = whole and not (pattern.attribute in _DESCRIBED and _is_described(said))
        moved = newly_named(said, pattern, guessed[0].value) if whole and guessed else None
        if moved is not None:
            yield found(pattern, moved)
            return
        named = said if not whole or (pattern.attribute in _TITLED and _is_described(said)) else _object_of(said)
        if pattern.attribute in ("habit", "hobby", "dream"):
            done = next(iter(doings(said)), None)
            named = done.value if done is not None else named
        if (whole and (_says_nothing(named) or named in patterns().by_label)) or _ASKS_BACK.search(named):
            continue
        if named in _NO_ANSWER or (guessed and len(named.split()) > 3):
            continue
        values = [value for each in in_parts(pattern.attribute, named) if (value := _read(pattern, each)) is not None]
        new = [value for value in values if value.value not in {guess.value for guess in guessed}]
        if new:
            yield from (_answered(pattern, value) for value in new)
            return


def _read(pattern: Pattern, said: str) -> Value | None:
    free = pattern.free or pattern.value in ("noun", "name")
    value = READERS[pattern.value](said) if said else None
    return value or (READERS["noun"](said) if free and said else None)


def _answered(pattern: Pattern, value: Value) -> Finding:
    called = value.value.removesuffix("이")
    if pattern.attribute == "nickname" and is_given_name(called):  # 뭐라고 부를까? – 유진이!
        return found(patterns().by_attribute["name"], READERS["name"](called) or value)
    return found(pattern, value)


def _guessed_pattern(guessed: Sequence[Finding]) -> Pattern | None:
    return patterns().by_attribute.get(guessed[0].attribute) if guessed else None


def _over(text: str, guessed: Sequence[Finding]) -> bool:
    """요즘도 헬스 다녀? – 그만뒀어."""
    return bool(guessed) and ended_by(clauses(text), guessed[0].attribute)


def _denied(guess: Finding) -> Finding:
    return Finding(
        attribute=guess.attribute, value=guess.value, shown=guess.shown, surface=guess.surface, polarity="-", act="end"
    )


def _asks(said: str) -> bool:
    asking = (
        "말해봐",
        "말해 봐",
        "말해줘",
        "말해 줘",
        "골라줘",
        "알려줘",
        "골라봐",
        "알려 줘",
        "했잖아",
        "지",
        "구나",
        "네",
    )
    return "?" in said or said.rstrip(" .!~").endswith(asking)


def _bare(text: str) -> str:
    """Return an answer without its fillers and endings."""
    return _TAIL.sub("", without_fillers(text).rstrip(_TRAILING)).strip(_QUOTES)


def _spelt(text: str) -> str:
    """Return an answer without its fillers and endings, but for those that are part of a thing: 오이요."""
    short = _bare(text)
    whole = re.sub(r"요?[\s~!?.…ㅋㅎㅠㅜ^]*$", "", text)
    whole = whole[whole.find(short) :] if short else whole
    known = whole != short and (bool(taste_words().kind_of(whole)) or whole.endswith(CALLED))
    return whole if known else short


def _object_of(said: str) -> str:
    """Return what an answer in a whole sentence is about: 거의 재즈만 들어요, 동네 뒤에 있는 그 집 갈비찜."""
    if _is_described(said):
        return clauses(said)[-1].phrases[-1].text
    for clause in clauses(said):
        if clause.predicate is None or clause.predicate.negated or clause.predicate.lemma not in (*_ANSWERING, "이다"):
            if clause.head is None:
                break
            continue  # 어린 왕자 있잖아 begins with what modifies 왕자
        fitting = [
            p for p in clause.phrases if p.pronoun is None and not p.has("에서", "한테", "부터", "까지", "은", "는")
        ]
        if fitting:
            parts = (*fitting[-1].adnominal, *fitting[-1].morphemes)
            return said[min(part.start for part in parts) : max(part.end for part in parts)]
    return ""


def _says_nothing(named: str) -> bool:
    """할 말이 있어요."""
    return bool(named) and named.split()[-1] in taste_words().no_thing


def _is_described(said: str) -> bool:
    """비 오는 날, 반말부터 하는 사람: a noun with what is said of it."""
    parts = clauses(said)
    if not parts or parts[-1].predicate is not None or not parts[-1].phrases:
        return False
    return any(each.head is not None for each in parts[:-1])


def _is_clause(said: str) -> bool:
    """Whether there is a whole sentence in it, which the other rules read better."""
    return any(clause.predicate is not None and clause.predicate.form != "copula" for clause in clauses(said))
