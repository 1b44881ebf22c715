"""What memories say, in fewer words, where they do not all fit into a context.

A model shortens; its words are taken only where they can be traced to the memories that it cites.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.answer import Context, Hit, Item
from gieok.domain.memory import Memory
from gieok.language.dates import find_month_days
from gieok.language.morphemes import analyse
from gieok.language.numerals import find_numbers
from gieok.language.terms import STOP_WORDS
from gieok.language.text import fold
from gieok.language.token_count import estimate_tokens
from gieok.prompts.compress import Compressed, compress_prompt
from gieok.prompts.quoting import Quoted
from gieok.recall.counsel import Counsel
from gieok.recall.materials import Materials, is_caution
from gieok.recall.quotation import Quotation
from gieok.recall.ranking import Ranked

_CROWDED_OUT: Final = ("over_budget", "over_cap")
_MOST: Final = 16  #: items that are shortened at once: the answer has to come within the patience
_FIGURES: Final = re.compile(r"\d{1,15}")  #: of a longer one its pieces: Python reads no figure of thousands of digits
_NEGATING: Final = re.compile(
    r"(?<!\w)(?:안|못)(?!\w)|않|없|아니|아님|못하|못 |싫|말아|(?<!\w)(?:no|not|never|without)(?!\w)|n['’]t(?!\w)"
)


def compressed(
    context: Context, materials: Materials, counsel: Counsel, quotation: Quotation
) -> tuple[Compressed, ...]:
    """Return what stands last among the memories of `context`, and what found no room there, in fewer words.

    Nothing where there was room for all. What is pinned, warns or was asked for by id is left in its own words.
    """
    items = {item.id: item for item in _crowded(context, materials)}
    if len(items) < 2:
        return ()
    given = {item_id: quotation.of(item) for item_id, item in items.items()}
    answer = counsel.ask(
        compress_prompt(query=quotation.query, memories=list(given.values()), language=quotation.language)
    )
    return tuple(_believed(answer or (), given))


def _crowded(context: Context, materials: Materials) -> list[Item]:
    block = next(block for block in context.blocks if block.name == "memories")
    left_out = {each.item_id for each in block.left_out if each.why in _CROWDED_OUT}
    if not left_out:
        return []
    better = {*block.items[: len(block.items) // 2]}
    hits = {hit.item.id: hit for hit in (*materials.hits_in_order(), *materials.known)}
    return [
        hit.item
        for item_id, hit in hits.items()
        if (item_id in left_out or item_id in block.items) and item_id not in better and _may_be_shortened(hit)
    ][:_MOST]


def _may_be_shortened(hit: Ranked | Hit) -> bool:
    item = hit.item
    vital = isinstance(item, Memory) and (item.pinned or is_caution(item))
    return not vital and all(found.source != "included" for found in hit.why)


def _believed(answer: Sequence[Compressed], given: dict[str, Quoted]) -> Iterator[Compressed]:
    """Yield the lines that are borne out by what they cite, each with the items that no earlier one stands for."""
    told: set[str] = set()
    for line in answer:
        cited = [given[item_id] for item_id in line.memory_ids if item_id in given]
        new = tuple(item_id for item_id in given if item_id in line.memory_ids and item_id not in told)
        if new and is_borne_out(line.content, cited):
            told.update(new)
            yield Compressed(content=line.content, memory_ids=new)


def is_borne_out(line: str, cited: Sequence[Quoted]) -> bool:
    """Whether `line` is shorter than what is `cited`, and adds no number, no name and no "not", nor drops a "not".

    It may speak of one subject alone: whose something is stands beside the line, not in it.
    """
    texts = [each.text for each in cited]
    return (
        len({each.about for each in cited}) == 1
        and estimate_tokens(line) < sum(map(estimate_tokens, texts))
        and _numbers(line) <= set().union(*map(_numbers, texts), *map(_of_day, cited))
        and _days(line)
        <= set().union(*map(_days, texts), ((each.day.month, each.day.day) for each in cited if each.day))
        and all(_stands_in(name, cited) for name in _names(line))
        and _negates(line) == any(map(_negates, texts))
    )


def _numbers(text: str) -> set[int]:
    figures = {int(figure) for figure in _FIGURES.findall(text)}
    return figures | {found.value for found in find_numbers(text)}


def _of_day(cited: Quoted) -> set[int]:
    return {cited.day.year, cited.day.month, cited.day.day} if cited.day is not None else set()


def _days(text: str) -> set[tuple[int, int]]:
    return {(day.month, day.day) for day in find_month_days(text)}


def _names(text: str) -> Iterator[str]:
    """Yield what may be a name in `text`: proper nouns, words nobody knows, and foreign words with a capital."""
    for morpheme in analyse(text):
        foreign = morpheme.tag == "SL" and morpheme.form[:1].isupper() and fold(morpheme.form) not in STOP_WORDS
        if foreign or morpheme.tag == "NNP" or (not morpheme.known and morpheme.tag.startswith("N")):
            yield fold(morpheme.form)


def _stands_in(name: str, cited: Sequence[Quoted]) -> bool:
    said = " ".join(fold(f"{each.about} {each.text}") for each in cited)
    return name in said or (name.endswith("이") and len(name) > 2 and name[:-1] in said)  # 지훈이 is 지훈


def _negates(text: str) -> bool:
    return _NEGATING.search(text.casefold()) is not None
