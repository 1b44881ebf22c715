"""One question of every task, and an answer to it as it should be."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from gieok.domain.answer import Prompt, Task
from gieok.domain.state import Delta
from gieok.prompts.data import Language, Line, Quoted
from gieok.prompts.tasks import (
    Compressed,
    Direction,
    ModelReading,
    Mood,
    ReadFact,
    Reflection,
    compress_prompt,
    conflict_prompt,
    director_prompt,
    emotion_prompt,
    extract_prompt,
    interpret_prompt,
    profile_prompt,
    reflect_prompt,
    rerank_prompt,
    rewrite_prompt,
    summarise_prompt,
)

TODAY = date(2026, 11, 15)
Ask = Callable[..., Prompt[Any]]


def asked(task: Task, language: Language, *, told: str | None = None, user: str = "지민") -> Prompt[Any]:
    """Return the question of `task`; `told` stands wherever somebody's words go."""
    lines = [
        Line(speaker=user, text=told or "나 다음 달에 대전으로 이사 가. 초코도 데려갈 거야"),
        Line(speaker="하루", text=told or "정말? 초코가 낯설어하지 않을까?"),
    ]
    before = [Line(speaker=user, text=told or "요즘 좀 정신이 없네")]
    memories = [
        Quoted(id="turn-1-0", text=told or "서울에 삶", day=date(2026, 3, 1), about=user),
        Quoted(id="turn-7-2", text=told or "대전으로 이사함", day=date(2026, 11, 2), about=user),
        Quoted(id="turn-9-1", text=told or "초코라는 강아지를 키움"),
    ]
    two = {"user": user, "character": "하루"}
    query = told or "걔 이름이 뭐였지?"
    question: dict[str, tuple[Ask, Mapping[str, Any]]] = {
        "extract": (
            extract_prompt,
            {
                "window": [
                    ("2026-11-15",),
                    *((number, ("user", "character")[number - 1], line.text) for number, line in enumerate(lines, 1)),
                ],
                "earlier": [("user", line.text) for line in before],
                "known": [("초코", "free.species", told or "강아지")],
                "readings": [("r1", 1, "user", "residence", told or "서울", "is")],
                "today": TODAY,
                **two,
            },
        ),
        "reflect": (reflect_prompt, {"memories": memories, "today": TODAY, **two}),
        "summarise": (summarise_prompt, {"summary": told or "지민은 서울에 살았다.", "lines": lines, **two}),
        "interpret": (
            interpret_prompt,
            {
                "event": told or "지민이 목도리를 선물함",
                "persona": told or "다정하지만 부끄럼을 탄다",
                "relationship": told or "친구",
                **two,
            },
        ),
        "profile": (profile_prompt, {"name": user, "memories": memories}),
        "emotion": (emotion_prompt, {"lines": lines, "speaker": user}),
        "director": (
            director_prompt,
            {"lines": lines, "relationship": told or "친구", "note_before": told or "", **two},
        ),
        "rewrite_query": (rewrite_prompt, {"query": query, "before": before, "today": TODAY, **two}),
        "conflict": (conflict_prompt, {"memories": memories, "today": TODAY}),
        "rerank": (rerank_prompt, {"query": query, "memories": memories}),
        "compress": (compress_prompt, {"query": query, "memories": memories}),
    }
    ask, given = question[task]
    return ask(language=language, **given)


ITEM = {
    "line": 1,
    "who": "user",
    "attribute": "residence",
    "value": "대전",
    "quote": "다음 달에 대전으로 이사 가",
    "act": "is",
    "when": "2026-12..",
    "sure": 0.9,
}

READ_FACT = ReadFact(
    line=1,
    who="user",
    attribute="residence",
    value="대전",
    quote="다음 달에 대전으로 이사 가",
    act="is",
    when="2026-12..",
    sure=0.9,
)

_TEXT = {"text": "지민은 대전으로 이사하기로 했다. 초코도 함께 간다."}

#: by task, the JSON as it was asked for and what is read from it
ANSWERS: dict[Task, tuple[Any, Any]] = {
    "extract": (
        {"facts": [ITEM], "right": [], "wrong": ["r1"]},
        ModelReading(facts=(READ_FACT,), right=(), wrong=("r1",)),
    ),
    "reflect": (
        {
            "reflections": [
                {"memory_ids": ["m1", "m2"], "about": "사는 곳", "content": "자주 옮겨 산다.", "importance": 0.6}
            ]
        },
        (Reflection(memory_ids=("turn-1-0", "turn-7-2"), about="사는 곳", content="자주 옮겨 산다.", importance=0.6),),
    ),
    "summarise": (_TEXT, _TEXT["text"]),
    "interpret": (_TEXT, _TEXT["text"]),
    "profile": (_TEXT, _TEXT["text"]),
    "emotion": (
        {"neutral": 0, "sad": 0, "happy": 1, "angry": 0, "intensity": 0.8},
        Mood(emotion="happy", intensity=0.8),
    ),
    "director": (
        {
            "note": "이사를 앞두고 들떠 있다.",
            "deltas": [{"axis": "trust", "points": 1.5, "words": "계획을 먼저 알려 줌"}],
        },
        Direction(
            note="이사를 앞두고 들떠 있다.", deltas=(Delta(axis="trust", points=1.5, words="계획을 먼저 알려 줌"),)
        ),
    ),
    "rewrite_query": (_TEXT, _TEXT["text"]),
    "conflict": ({"conflicts": [{"newer": "m2", "older": "m1"}]}, (("turn-7-2", "turn-1-0"),)),
    "rerank": ({"ids": ["m3", "m1"]}, ("turn-9-1", "turn-1-0")),
    "compress": (
        {"items": [{"memory_ids": ["m3"], "content": "강아지 이름은 초코"}]},
        (Compressed(memory_ids=("turn-9-1",), content="강아지 이름은 초코"),),
    ),
}
TASKS: tuple[Task, ...] = tuple(ANSWERS)
LANGUAGES: tuple[Language, ...] = ("ko", "en")


def written(task: Task) -> str:
    """Return the right answer as a model would write it."""
    return json.dumps(ANSWERS[task][0], ensure_ascii=False)
