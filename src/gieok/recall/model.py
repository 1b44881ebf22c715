"""A model's word while something is recalled: which hits help, what a short question means; never waited for long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final, TypeVar

from gieok.domain.answer import Context, Found, Hit, Prompt
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.errors import ModelFailed
from gieok.language.morphemes import Morpheme, analyse
from gieok.language.numerals import find_month_days, find_numbers
from gieok.language.terms import STOP_WORDS
from gieok.language.text import fold
from gieok.language.token_count import estimate_tokens
from gieok.ports import Model
from gieok.prompts.data import Language, Line, Quoted
from gieok.prompts.tasks import Compressed, compress_prompt, rerank_prompt, rewrite_prompt
from gieok.recall.context import Materials, Quoter, category
from gieok.recall.gather import Candidate
from gieok.recall.time_limit import Running, SourceLate, TimeLimit

Answer = TypeVar("Answer")
RERANKED: Final = 20  #: hits that are put in order
_POINTING: Final = frozenset(
    "그거 그것 이거 이것 저거 저것 거기 여기 저기 그곳 이곳 그 그녀 그분 걔 얘 쟤 걔네 얘네 쟤네 그날 그때 아까".split()
)
_POINTING_AT: Final = frozenset("그 이 저 그런 이런 저런".split())  #: 그 영화, 그런 사람
_POINTING_ENGLISH: Final = frozenset(
    "it its that this those these he him his she her hers they them their there then one ones".split()
)
_PARTIES: Final = frozenset("나 너 저 우리 저희 너희 당신 내 네 제 i me my mine you your yours we us our".split())
_TELLING: Final = frozenset({"NNG", "NNP", "XR", "SN", "NR", "VV", "VA", "SH", "SW"})
_SAYING_NOTHING: Final = frozenset("하다 되다 있다 없다 같다 그렇다 이렇다 저렇다 그러다 이러다 어떻다 말 때".split())
_FEW: Final = 2  #: words that say something, from which on a question may stand alone
_PLENTY: Final = 7  #: … and from which on it says itself what 그거 points at
_HEARD: Final = 6  #: utterances before the question


class RecallModel:
    """A model during one recall. All that it is asked takes no longer than the time_limit together."""

    def __init__(self, model: Model, time_limit: TimeLimit) -> None:
        self._model = model
        self._limit = time_limit
        self._running = Running("model")
        self.troubles: list[str] = []  #: what has to be done without, in words

    def ask(self, prompt: Prompt[Answer]) -> Answer | None:
        """Return the answer; None, and the trouble is noted, where it is late or cannot be used."""
        try:
            return self._limit.call(lambda: self._model.ask(prompt), self._running)
        except SourceLate:
            late = f"model {self._model.name!r} did not answer within {self._limit.seconds:g} s"
            self.troubles.append(f"{prompt.task} is off: {late}")
        except ModelFailed as failure:
            self.troubles.append(f"{prompt.task} is off: {failure}")
        return None


def reranked(hits: Sequence[Hit], advisor: RecallModel, quotation: Quoter) -> list[Hit] | None:
    """Return `hits`, the first of them in the order that a model gives them; None where it gives none.

    Those it does not name follow as they were. Cautions keep their places, whatever it thinks of them.
    """
    first = hits[:RERANKED]
    movable = {hit.item.id: hit for hit in first if category(hit.item) != "caution"}
    if len(movable) < 2:
        return list(hits)
    memories = [quotation.of(hit.item) for hit in movable.values()]
    answer = advisor.ask(rerank_prompt(query=quotation.query, memories=memories, language=quotation.language))
    if answer is None:
        return None
    stays = [hit.item.id not in movable for hit in first]
    named = [movable.pop(item_id) for item_id in dict.fromkeys(answer) if item_id in movable]
    placed = [
        replace(hit, why=(*hit.why, Found(source="rerank", rank=rank))) for rank, hit in enumerate(named, start=1)
    ]
    moved = iter([*placed, *movable.values()])
    return [*(hit if stay else next(moved) for hit, stay in zip(first, stays, strict=True)), *hits[RERANKED:]]


def leans_on_talk(query: str) -> bool:
    """Whether `query` cannot be understood without what was said before it."""
    morphemes = analyse(query)
    telling = sum(map(_tells, morphemes))
    return telling < _FEW or (telling < _PLENTY and any(map(_points, morphemes)))


def last_lines(turns: Iterable[Turn], scope: Scope) -> list[Line]:
    """Return the last things said in `turns`, oldest first."""
    names = {USER: scope.user or USER, CHARACTER: scope.character or CHARACTER}
    said = [utterance for turn in turns for utterance in turn.utterances]
    return [Line(speaker=names.get(each.speaker, each.speaker), text=each.text) for each in said[-_HEARD:]]


def rewritten(
    query: str, before: Sequence[Line], advisor: RecallModel, *, scope: Scope, today: date, language: Language
) -> str | None:
    """Return what `query` asks for after `before`, in a model's words; None where it says nothing new, or nothing."""
    answer = advisor.ask(
        rewrite_prompt(
            query=query,
            before=before,
            today=today,
            user=scope.user or USER,
            character=scope.character or CHARACTER,
            language=language,
        )
    )
    if answer is None or fold(answer) == fold(query):
        return None
    return " ".join(answer.split())


def _points(morpheme: Morpheme) -> bool:
    if morpheme.tag == "SL":
        return morpheme.form.casefold() in _POINTING_ENGLISH
    return morpheme.form in (_POINTING_AT if morpheme.tag == "MM" else _POINTING)


def _tells(morpheme: Morpheme) -> bool:
    """Whether a word says what is asked for, or of whom."""
    if morpheme.tag == "SL":
        word = morpheme.form.casefold()
        return word not in STOP_WORDS or word in _PARTIES
    if morpheme.tag in ("NP", "MM"):
        return morpheme.form in _PARTIES
    return morpheme.tag in _TELLING and morpheme.lemma not in _SAYING_NOTHING and morpheme.form not in _POINTING


_CROWDED_OUT: Final = ("over_budget", "over_cap")
_MOST: Final = 16  #: items that are shortened at once: the answer has to come within the time_limit
_FIGURES: Final = re.compile(r"\d{1,15}")  #: of a longer one its pieces: Python reads no figure of thousands of digits
_NEGATING: Final = re.compile(
    r"(?<!\w)(?:안|못)(?!\w)|않|없|아니|아님|못하|못 |싫|말아|(?<!\w)(?:no|not|never|without)(?!\w)|n['’]t(?!\w)"
)


def compressed(
    context: Context, materials: Materials, advisor: RecallModel, quotation: Quoter
) -> tuple[Compressed, ...]:
    """Return what stands last among the memories of `context`, and what found no room there, in fewer words.

    Nothing where there was room for all. What is pinned, doubtful, warns or was asked for by id keeps its own words.
    """
    block = next(block for block in context.blocks if block.name == "memories")
    left_out = {each.item_id for each in block.left_out if each.why in _CROWDED_OUT}
    if not left_out:
        return ()
    open_to_it = left_out | {*block.items} - {*block.items[: len(block.items) // 2]}
    hits = {hit.item.id: hit for hit in (*materials.hits_in_order(), *materials.known)}
    crowded = [hit.item for item_id, hit in hits.items() if item_id in open_to_it and _may_be_shortened(hit)][:_MOST]
    if len(crowded) < 2:
        return ()
    given = {item.id: quotation.of(item) for item in crowded}
    answer = advisor.ask(
        compress_prompt(query=quotation.query, memories=list(given.values()), language=quotation.language)
    )
    told: set[str] = set()
    believed = []
    for line in answer or ():  # each with the items that no earlier one stands for
        cited = [given[item_id] for item_id in line.memory_ids if item_id in given]
        new = tuple(item_id for item_id in given if item_id in line.memory_ids and item_id not in told)
        if new and is_borne_out(line.content, cited):
            told.update(new)
            believed.append(Compressed(content=line.content, memory_ids=new))
    return tuple(believed)


def _may_be_shortened(hit: Candidate | Hit) -> bool:
    item, why = hit.item, hit.why if isinstance(hit, Hit) else hit.found
    vital = isinstance(item, Memory) and (item.pinned or item.doubtful or category(item) == "caution")
    return not vital and all(found.source != "included" for found in why)


def is_borne_out(line: str, cited: Sequence[Quoted]) -> bool:
    """Whether `line` is shorter than what is `cited`, and adds no number, no name and no "not", nor drops a "not".

    It may speak of one subject alone: whose something is stands beside the line, not in it.
    """
    texts = [each.text for each in cited]
    days = [each.day for each in cited if each.day is not None]
    numbers = set().union(*map(_numbers, texts), *((day.year, day.month, day.day) for day in days))
    said = " ".join(fold(f"{each.about} {each.text}") for each in cited)
    return (
        len({each.about for each in cited}) == 1
        and estimate_tokens(line) < sum(map(estimate_tokens, texts))
        and _numbers(line) <= numbers
        and _days(line) <= set().union(*map(_days, texts), ((day.month, day.day) for day in days))
        # 지훈이 is 지훈
        and all(name in said or (name.endswith("이") and len(name) > 2 and name[:-1] in said) for name in _names(line))
        and _negates(line) == any(map(_negates, texts))
    )


def _numbers(text: str) -> set[int]:
    return {*map(int, _FIGURES.findall(text)), *(found.value for found in find_numbers(text))}


def _days(text: str) -> set[tuple[int, int]]:
    return {(day.month, day.day) for day in find_month_days(text)}


def _names(text: str) -> Iterator[str]:
    """Yield what may be a name in `text`: proper nouns, words nobody knows, and foreign words with a capital."""
    for morpheme in analyse(text):
        foreign = morpheme.tag == "SL" and morpheme.form[:1].isupper() and fold(morpheme.form) not in STOP_WORDS
        if foreign or morpheme.tag == "NNP" or (not morpheme.known and morpheme.tag.startswith("N")):
            yield fold(morpheme.form)


def _negates(text: str) -> bool:
    return _NEGATING.search(text.casefold()) is not None
