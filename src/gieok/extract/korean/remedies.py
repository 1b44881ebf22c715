"""Medicines and illnesses as they come up: 통풍약 떨어졌어, 디스크 때문에 못 앉아, 항암하느라 살 빠졌어."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gieok.extract.korean.lexicon import lexicon, signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, ended, finding
from gieok.extract.korean.whose import Whose
from gieok.language.clauses import Phrase

_OBJECT: Final = (
    "을",
    "를",
    "은",
    "는",
    "도",
    "만",
    "이",
    "가",
    "ㄴ",
    "으로",
    "로",
    "이랑",
    "랑",
    "에",
    "까지",
    "부터",
)
IF: Final = ("면", "으면")
_UNSURE: Final = (
    "더라",
    "더라고",
    "더라고요",
    "던데",
    "나",
    "ㄹ까",
    "을까",
    "려고",
    "려면",
    "으려면",
    "어도",
    "ㄹ지",
    "을지",
)
_EXAMINED: Final = ("검사", "검진", "병원", "의사", "진단", "나았", "완치")
_TREATED: Final = {
    "인슐린": "당뇨",
    "투석": "신부전",
    "투석실": "신부전",
    "혈액투석": "신부전",
    "복막투석": "신부전",
    "양압기": "수면무호흡증",
    "보청기": "난청",
    "항암": "암",
    "항암치료": "암",
}
_BECAUSE: Final = frozenset({"때문", "땜", "땜시", "탓"})
_MUST_NOT: Final = ("금지", "금물", "안 된", "안된", "안 돼", "말래", "말라", "피해야", "피하래", "조심해야", "끊으래")
_MANAGING: Final = ("버티다", "지내다", "다스리다", "달래다")
_BOUNDED: Final = {"혈압": "고혈압", "혈당": "", "콜레스테롤": "고지혈증"}
_WITH: Final = ("랑", "이랑", "하고", "과", "와")


def taken(telling: Telling) -> Iterator[Finding]:
    """Read what somebody takes regularly."""
    given_up = any(part.says("끊다") and not part.negated for part in telling.parts)
    for place, part in enumerate(telling.parts):
        if not _credible(telling, part):
            continue
        for phrase in part.clause.phrases:
            drug, after = medicine(phrase)
            if phrase.words == ("약",) and drug is None:
                drug = _drug_for(part)
            if drug is None or (phrase.particles and not phrase.has(*_OBJECT)) or phrase.has("보다"):
                continue
            if given_up or _takes(telling, place, part, phrase, after):
                if drug in signals("medicine", "occasional") and not _regularly(telling):
                    continue
                found = finding("medication", drug, whose=_whose(telling, part))
                yield ended(found) if given_up else found
                return


def _drug_for(part: Part) -> str | None:
    """혈압 때문에 약 먹고 있어."""
    reasons = (phrase.words for phrase in part.clause.phrases if len(phrase.words) > 1 and phrase.words[-1] in _BECAUSE)
    treated = (words[-2] for words in reasons if words[-2] in signals("medicine", "treats"))
    return next((f"{what}약" for what in treated), None)


def _regularly(telling: Telling) -> bool:
    words = frozenset(word for part in telling.parts for word in part.all_words)
    kept = "달고 살" in telling.text or bool(signals("medicine", "regular") & words)
    return kept or any(word.endswith(("마다", "째")) for word in words)


def _credible(telling: Telling, part: Part) -> bool:
    if part.about is None or part.about.subject == "character":
        return False
    if part.closes == "hearsay" and telling.mine(part):
        if not part.clause.final and any(word in telling.text for word in _MUST_NOT):
            return True  # 항생제 먹는 동안은 술 금지래: the reason is one's own
        found_out = any(word in telling.text for word in _EXAMINED)  # 검사했더니 빈혈이래
        return found_out or _names_self(part) or _in_the_body(part)
    return part.closes in ("statement", "fragment") or (part.mood == "statement" and not part.clause.final)


def _names_self(part: Part) -> bool:
    """나 저혈압이래: what one hears of one's own body was found out; but not 나보고 조울증이래."""
    own = (phrase for phrase in part.clause.phrases if phrase.pronoun in ("나", "저"))
    return any(not phrase.particles or phrase.has("은", "는", "도", "ㄴ") for phrase in own)


def _in_the_body(part: Part) -> bool:
    """갑상선에 결절 있대요."""
    return any(phrase.has("에") and phrase.words[-1] in signals("illness", "body") for phrase in part.clause.phrases)


def _whose(telling: Telling, part: Part) -> Whose:
    return part.about.carried() if part.about is not None and part.about.subject == "other" else telling.me


def medicine(phrase: Phrase) -> tuple[str | None, tuple[str, ...]]:
    """Return the medicine that a phrase names and the words after it: 역류성식도염약 | 처방전."""
    for at, word in enumerate(phrase.words):
        compound = word.endswith("약") and len(word) > 1 and word not in signals("medicine", "no")
        if compound or word in signals("medicine", "agents") or _of_class(word, "medicine"):
            return word, _without_dose(phrase.words[at + 1 :])
        treats = at and (phrase.words[at - 1] in signals("medicine", "treats") or _illness_word(phrase.words[at - 1]))
        if word == "약" and treats:
            return f"{phrase.words[at - 1]} 약", phrase.words[at + 1 :]
    return None, ()


def illness_meant(word: str, text: str) -> str:
    """Return the illness that `word` stands for in `text`: 암 for 항암, 고혈압 for 혈압약; "" for 갑상선약's 갑상선."""
    said = text.replace(" ", "")
    if word in _BOUNDED and (f"{word}약" in said or f"{word}때문" in said):
        return _BOUNDED[word]
    treated = word in signals("illness", "body") and f"{word}약" in said
    return "" if treated else _TREATED.get(word, word)


def _without_dose(after: tuple[str, ...]) -> tuple[str, ...]:
    """콘서타 36mg, 혈압약 두 알."""
    return tuple(word for word in after if not word[0].isdigit() and word not in ("한", "두", "반", "알", "정", "포"))


def _of_class(word: str, name: str) -> bool:
    return word in lexicon().of_class(name)


def _takes(telling: Telling, place: int, part: Part, phrase: Phrase, after: tuple[str, ...]) -> bool:
    if after and after[0] in signals("medicine", "around") and part.closes != "question":
        return True
    if phrase.modifier in signals("medicine", "taking") and phrase.adnominal[-1].form in ("는", "ㄴ", "은"):
        return True  # 여드름 때문에 먹는 로아큐탄
    if part.says("이다") and part.ending == "라는":  # 렉사프로라는 거 먹고 있어요
        following = telling.next(place)
        return following is not None and _swallows(telling, place + 1, following)
    words = part.all_words
    if phrase.has("으로", "로") and part.says(*_MANAGING) and not (part.past or part.negated or after):
        return True  # 지르텍으로 버텨
    if phrase.has(*_WITH) and not after and ("상극" in words or (part.says("맞다") and part.negated)):
        return True  # 철분제랑 상극이라 홍차 마시면 안 된대
    if part.says("들다", "있다", "들어있다") and signals("medicine", "regular") & words and not part.negated:
        return True  # 가방에 한약이 늘 들어 있어요; 흡입기 항상 들고 다녀
    if "알람" in words and phrase.has("으로", "로"):
        return True
    if "없이" in part.clause.adverbs and part.negated:
        return True  # 수면제 없이는 못 자
    if part.clause.predicate is None and phrase is part.clause.phrases[-1] and not after and _regularly(telling):
        near = (*telling.parts[max(0, place - 2) : place], *telling.parts[place + 1 : place + 3])
        return any(each.says("먹다", "복용하다", "챙기다") and not each.past and not each.negated for each in near)
    cannot_do_without = part.says("없다") and part.ending in IF and part.closes == "statement"
    return not after and (cannot_do_without or _swallows(telling, place, part))


def _swallows(telling: Telling, place: int, part: Part) -> bool:
    if not part.says(*signals("medicine", "taking")) or part.ending in _UNSURE:
        return False
    words = part.all_words
    regular = bool(signals("medicine", "regular") & words) or any(word.endswith(("째", "마다")) for word in words)
    if part.negated:
        return part.ending in IF or (part.says("챙기다") and not part.clause.final)
    if part.past and part.says(*signals("medicine", "done_once")):
        return regular
    following = telling.next(place)
    if part.ending == "다가" or (following is not None and following.says("아니다")):
        return False
    if part.mood == "hypothetical":
        return _when(telling, place, part, regular=regular)
    return part.clause.head is None or part.clause.head in signals("medicine", "when")


def _when(telling: Telling, place: int, part: Part, *, regular: bool) -> bool:
    """비염약 먹을 시간이다, 콘서타 먹고 나면 졸려."""
    following = telling.next(place)
    if part.clause.head is not None:
        return part.clause.head in ("시간", "때", "타이밍") and part.closes == "statement"
    if following is not None and following.says("되다") and following.negated:
        return False  # 아스피린 먹으면 안 되는 몸이에요
    side = following is not None and following.says(*signals("medicine", "side")) and not following.past
    return part.ending in IF and (regular or side) and part.closes == "statement"


def ill(telling: Telling) -> Iterator[Finding]:
    """Read lasting illnesses."""
    for place, part in enumerate(telling.parts):
        if not _credible(telling, part) or (part.mood == "hypothetical" and not _blames(part)):
            continue
        for phrase in part.clause.phrases:
            name, after = illness_in(phrase)
            if name is None or phrase.has("보다", "처럼") or (phrase.has("에") and name in signals("illness", "body")):
                continue  # 갑상선에 결절 있대요
            found = _suffers(telling, place, part, phrase, after)
            if found is not None:
                yield _ill(telling, part, name, found, _named_before(telling, part, phrase))
                return
    yield from _implied(telling)


def _implied(telling: Telling) -> Iterator[Finding]:
    """배에 인슐린 놓는 게 익숙해: some treatments say what for."""
    for place, part in enumerate(telling.parts):
        credible = _credible(telling, part)
        if credible and _undergoes(telling, place, part):
            deed = state_of(part)
            yield finding("medical_condition", _TREATED[deed], surface=deed, whose=_whose(telling, part))
            return
        for phrase in part.clause.phrases if credible else ():
            illness = next((_TREATED[word] for word in phrase.words if word in _TREATED), None)
            if illness is not None and (
                part.says("가다", "받다", "끼다", "쓰다", "차다", "달다") or _swallows(telling, place, part)
            ):
                yield finding("medical_condition", illness, surface=phrase.text, whose=_whose(telling, part))
                return


def _undergoes(telling: Telling, place: int, part: Part) -> bool:
    """항암하느라 39킬로까지 빠졌어; but not 항암하느라 힘들어하는 친구."""
    following = telling.next(place)
    somebody = following is not None and following.clause.head in telling.words.others | telling.words.kin
    told = part.mood == "statement" and part.clause.head is None and not somebody
    return state_of(part) in _TREATED and told and not (part.negated or part.past)


def _named_before(telling: Telling, part: Part, illness: Phrase) -> Whose | None:
    """나비는 신부전이라: whoever stands there is ill, be it a butterfly by the dictionary."""
    if not telling.mine(part) or not part.says("이다"):
        return None
    for phrase in part.clause.phrases:
        if phrase is illness:
            return None
        word = phrase.words[-1] if phrase.words else ""
        if phrase.has("은", "는") and phrase.pronoun is None and phrase.text == word and len(word) in (2, 3, 4):
            called = word.removesuffix("이") if len(word) > 2 else word
            return None if word in signals("illness", "of_me") else Whose(subject="other", subject_id=called)
    return None


def _ill(telling: Telling, part: Part, name: str, how: str, named: Whose | None) -> Finding:
    found = finding("medical_condition", name, whose=named or _whose(telling, part))
    if how == "over":
        return ended(found)
    return replace(found, polarity="-") if how == "not" else found


def illness_in(phrase: Phrase) -> tuple[str | None, tuple[str, ...]]:
    for at, word in enumerate(phrase.words):
        if _illness_word(word) or _attack(phrase.words, at):
            start = at
            while start and phrase.words[start - 1] in signals("illness", "before"):
                start -= 1
            return " ".join(phrase.words[start : at + 1]), phrase.words[at + 1 :]
    return None, ()


def _illness_word(word: str) -> bool:
    if word in signals("illness", "not") or word in _TREATED:
        return False
    return _of_class(word, "illness") or word.endswith(tuple(signals("illness", "endings")))


def _attack(words: tuple[str, ...], at: int) -> bool:
    """공황 발작, 광과민성 발작, but not 웃음 발작."""
    in_the_dictionary = words[at].endswith(" 발작")  # Kiwi knows some terms of two words as one
    return in_the_dictionary or (words[at] == "발작" and at > 0 and words[at - 1] in signals("illness", "before"))


def _suffers(telling: Telling, place: int, part: Part, phrase: Phrase, after: tuple[str, ...]) -> str | None:
    """Return "has", "not", "over", or None where nothing is said of it."""
    if after:
        patient = after[0] in signals("illness", "around") | signals("medicine", "agents") and len(after) < 3
        fitting = after[0] in _BECAUSE or part.clause.predicate is None or part.says(*signals("illness", "having"))
        return "has" if (patient and fitting and not part.negated) or after[0] in _BECAUSE else None
    if part.says(*signals("illness", "over")) and not part.negated:
        return "over"
    if part.clause.predicate is None and len(part.clause.phrases) == 1 and _is_answer(telling):
        return "has"
    if part.says("지다") and phrase.has("도"):
        return "has"  # 위염 도졌다
    if part.says("없다") or (part.negated and part.says("있다", "이다", "아니다")):
        return "not" if part.clause.head is None else None
    if not part.says(*signals("illness", "having")) or part.negated or (part.says("이다") and phrase.particles):
        return None
    if part.past and part.says("있다", "앓다", "시달리다", "고생하다", "이다"):
        return None
    if part.clause.head is None or part.clause.head in ("지", "게", "거", "것", "편", "중"):
        return "has"
    following = telling.next(place)
    said_to_be = (
        following is not None
        and following.says("이다")
        and part.clause.head in ("사람", "환자", "몸", "피부", "체질", "입장", "처지", "집안")
    )
    return "has" if said_to_be or telling.names_me(place) or "내 얘기" in telling.text else None


def _is_answer(telling: Telling) -> bool:
    """어디 아파? – 편두통; 편두통. 고질병이야."""
    asked = any(word in telling.asked for word in ("아파", "아프", "지병", "병 있", "질환"))
    return asked or any({"고질병", "지병", "만성"} & part.all_words for part in telling.parts)


def _blames(part: Part) -> bool:
    return any(_BECAUSE & set(phrase.words) for phrase in part.clause.phrases)


def vaccinated(telling: Telling) -> Iterator[Finding]:
    """독감 주사 맞았어, 코로나 백신 3차까지 맞았어."""
    for part in telling.parts:
        if not part.says("맞다", "접종하다", "맞히다", "완료하다", "끝내다") or not part.past or part.negated:
            continue
        if part.about is None or part.closes not in ("statement", "fragment"):
            continue
        for phrase in part.clause.phrases:
            kind = next((word for word in phrase.words if word in signals("vaccine", "kinds")), None)
            if kind is not None and (signals("vaccine", "words") & part.all_words or part.says("접종하다")):
                about = part.about.carried() if part.about.subject == "other" else telling.me
                yield finding("vaccination", f"{kind} 백신", surface=phrase.text, whose=about)
                return


def state_of(part: Part) -> str:
    """Return what one is in the midst of: 임신 of 임신 중이라."""
    return part.clause.predicate.lemma.removesuffix("하다") if part.clause.predicate is not None else ""
