"""The tables of the leaderboard: what each evaluation asks, and how the figures of its measurements read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ranking.measurements import MEMORIES

Rows = list[Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One evaluation. `rows` is given what each of its measurements told."""

    title: str
    asks: str
    by: tuple[str, ...]
    headings: tuple[str, ...]
    rows: Callable[..., Rows]


_CALLED: Final = {
    "gieok": "**gieok**, `recall`",
    "letters": "every line, by the pairs of letters it shares with the question",
    "last-lines": "the last twenty lines",
}


def share(told: Any) -> str:
    return "–" if not told["of"] else f"{told['rate']:.1%}"


def _benchmark(*told: Any) -> Rows:
    *own, peers = told
    gieok, *others = (_memory(_CALLED[name], each) for name, each in zip(MEMORIES, own, strict=True))
    beside = [_memory(each["name"], each["report"]) for each in peers["results"] if each["report"] is not None]
    return [gieok, *beside, *others]


def _memory(name: str, report: Any) -> Sequence[str]:
    scores = {key: value["share"] for key, value in report["scores"].items()}
    found = [share(scores[f"found_at_{depth}"]) for depth in (1, 5, 10)]
    leaks = f"{scores['leaks']['hits']:,} of {scores['leaks']['of']:,}"
    fresh = f"{share(scores['fresh'])} of {scores['fresh']['of']:,}"
    return [name, *found, share(report["by"]["indirect"]), fresh, leaks]


def _planted(told: Any) -> Rows:
    scores = {name: value["share"] for name, value in told["scores"].items()}
    names = ("contains", "recall_at_5", "stale_given", "abstention", "false_memories")
    leaks = f"{scores['leaks']['hits']:,} of {scores['leaks']['of']:,}"
    return [["**gieok**", *(share(scores[name]) for name in names), leaks]]


def _locomo(peers: Any) -> Rows:
    return [
        [_name(each), f"{each['finding']['recall_at_10']:.3f}", f"{each['finding']['mrr']:.3f}", each["how"]]
        for each in peers["results"]
        if each["finding"] is not None
    ]


def _name(result: Any) -> str:
    return f"**{result['name']}**" if result["name"].startswith("gieok") else str(result["name"])


def _retrieval(*told: Any) -> Rows:
    names = ("LoCoMo", "ParaKQC", "SmileStyle")
    asked = ("the turns that answer a question", "the other nine of ten paraphrases", "the formal sentence")
    return [
        [name, what, f"{each['recall@10']:.3f}", f"{each['mrr']:.3f}"]
        for name, what, each in zip(names, asked, told, strict=True)
    ]


def _emotions(told: Any) -> Rows:
    rows = {f"**gieok**, lines of {who}s": told["speakers"][who] for who in ("user", "character")}
    return [[name, f"{each['macro_f1']:.3f}", f"{each['accuracy']:.1%}"] for name, each in rows.items()]


def _personal(second: Any, korean: Any) -> Rows:
    sets = {"every kind, Korean and English, with what looks like it": second, "Korean identity numbers": korean}
    return [
        [name, f"{each['cases']:,}", *(f"{each['spans'][figure]:.3f}" for figure in ("precision", "recall", "f1"))]
        for name, each in sets.items()
    ]


def _speed(*told: Any) -> Rows:
    rows: Rows = []
    for findings in told:
        for result in findings["results"]:
            for stage in result["stages"]:
                size = f"{stage['size']:,}" + (f" (cut at {stage['added']:,})" if stage["cut"] else "")
                times = [f"{stage[name]['p50']:.1f}" for name in ("add_wall", "search_wall", "search_cpu")]
                memory = "–" if stage["peak_mb"] is None else f"{stage['peak_mb']:,.0f}"
                rows.append([size, _name(result), *times, memory, f"{stage['disk_mb']:,.0f}"])
    return rows


BOARDS: Final = (
    Board(
        title="Planted facts, for any memory",
        asks="Twenty Korean conversations of 101 turns: facts are told, buried in small talk, changed, and asked "
        "for again, in words that often share nothing with those that told them (*hinted*). Answers are read "
        "as text: ten of them count. *Fresh*: the new value of a changed fact comes before the old one. "
        "*Leaks*: answers with what only another user was told. mem0, langgraph and txtai get every line as a "
        "memory and the vectors of the same encoder; they rank by it alone, and so come out alike, `txtai-hybrid` by "
        "words too. Nobody asks a model here: what mem0 extracts with one was not measured. [The "
        "benchmark](measuring.md#a-korean-memory-benchmark) runs on any system through an adapter of a few lines.",
        by=(*(f"benchmark-{name}" for name in MEMORIES), "benchmark-peers"),
        headings=("Memory", "Found at 1", "at 5", "at 10", "hinted, at 10", "Fresh", "Leaks"),
        rows=_benchmark,
    ),
    Board(
        title="Planted facts, in a context",
        asks="The same conversations through gieok's own calls: whether the context that a model would be given holds "
        "what is true now, whether an old value is given as current, whether nothing is stored that answers what was "
        "never said, and whether jokes, ifs, quotations and other people's facts became false memories.",
        by=("planted-101",),
        headings=("", "In the context", "First five hits", "Old given", "Abstains", "False memories", "Leaks"),
        rows=_planted,
    ),
    Board(
        title="LoCoMo, beside others",
        asks="English talk of two people over months; which turns answer a question. The same texts and the same "
        "vectors for all, given as notes: date, speaker and words in one text. Others rank by meaning alone, "
        "`txtai-hybrid` by words too. gieok's weights and constants were chosen on such talk, these "
        "conversations among it.",
        by=("peers",),
        headings=("System", "R@10", "MRR", "What is called"),
        rows=_locomo,
    ),
    Board(
        title="Retrieval",
        asks="gieok on public sets as it is meant to be used: observed turn by turn, with speaker and date, then "
        "recalled. Its weights and constants were chosen on such talk, LoCoMo's among it ([what that is "
        "worth](recall.md)). Others were not measured this way.",
        by=("locomo", "parakqc", "smilestyle"),
        headings=("Set", "What is looked for", "R@10", "MRR"),
        rows=_retrieval,
    ),
    Board(
        title="Emotion",
        asks="Lines of chat, four classes (neutral, sad, happy, angry), by authors that the classifier was not taught "
        "with.",
        by=("emotions",),
        headings=("Set", "Macro F1", "Right"),
        rows=_emotions,
    ),
    Board(
        title="Personal data",
        asks="Exact spans of telephone, identity, card, account and passport numbers, e-mail and street addresses. The "
        "first set was written by somebody who had not seen the rules; the second is public data.",
        by=("pii", "pii-kr"),
        headings=("Set", "Texts", "Precision", "Recall", "F1"),
        rows=_personal,
    ),
    Board(
        title="Latency",
        asks="Milliseconds of one call at the median, in one scope that holds so many memories; one thread, no "
        "network, vectors given. gieok's add looks for what it repeats, and `gieok-observe` reads facts out "
        "of the words. Its memory counts morphology, half a gigabyte.",
        by=("peers", "peers-10000"),
        headings=("Memories", "System", "add", "search", "search, CPU", "peak MB", "disk MB"),
        rows=_speed,
    ),
)
