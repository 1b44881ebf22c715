"""Files of other systems, made for tests in the shape that those systems write."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw

SOCIAL = """
CREATE TABLE bot_memory (
    id INTEGER PRIMARY KEY AUTOINCREMENT, platform TEXT NOT NULL, entity_name TEXT NOT NULL,
    entity_type TEXT DEFAULT 'bot', first_seen_at TEXT NOT NULL, last_interaction_at TEXT NOT NULL,
    interaction_count INTEGER DEFAULT 0, topics TEXT DEFAULT '[]', relationship_notes TEXT DEFAULT '',
    sentiment TEXT DEFAULT 'neutral', UNIQUE (platform, entity_name)
);
CREATE TABLE collected_info (
    id INTEGER PRIMARY KEY, timestamp DATETIME, platform TEXT NOT NULL, author TEXT, category TEXT, title TEXT,
    content TEXT, source_url TEXT, bookmarked BOOLEAN DEFAULT FALSE, tags TEXT, embedding BLOB DEFAULT NULL
);
CREATE TABLE good_examples (
    id INTEGER PRIMARY KEY AUTOINCREMENT, created_at TEXT NOT NULL, platform TEXT NOT NULL,
    action_type TEXT NOT NULL DEFAULT 'comment', context_title TEXT DEFAULT '', context_content TEXT DEFAULT '',
    bot_response TEXT NOT NULL, engagement_score REAL DEFAULT 0.0, reply_count INTEGER DEFAULT 0,
    upvote_count INTEGER DEFAULT 0, activity_id INTEGER, post_id TEXT DEFAULT '', embedding BLOB DEFAULT NULL
);
"""

VTUBER = """
CREATE TABLE chat_turns (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, turn_idx INTEGER NOT NULL, role TEXT NOT NULL,
    text TEXT NOT NULL, ts TEXT NOT NULL
);
CREATE TABLE memory_candidates (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, turn_idx INTEGER NOT NULL, type TEXT NOT NULL,
    subject TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, evidence TEXT NOT NULL, confidence REAL NOT NULL,
    future_impact REAL NOT NULL, emotion_intensity REAL NOT NULL, recurrence REAL NOT NULL, novelty REAL NOT NULL,
    score REAL NOT NULL, status TEXT NOT NULL, created_at TEXT NOT NULL
);
CREATE TABLE memory_slots (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, type TEXT NOT NULL, subject TEXT NOT NULL,
    key TEXT NOT NULL, value TEXT NOT NULL, score REAL NOT NULL, last_evidence_turn INTEGER NOT NULL,
    updated_at TEXT NOT NULL, UNIQUE (session_id, key)
);
"""

CHROMA = """
CREATE TABLE collections (id TEXT PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER);
CREATE TABLE collection_metadata (
    collection_id TEXT, key TEXT NOT NULL, str_value TEXT, int_value INTEGER, float_value REAL,
    PRIMARY KEY (collection_id, key)
);
CREATE TABLE segments (id TEXT PRIMARY KEY, type TEXT NOT NULL, scope TEXT NOT NULL, collection TEXT NOT NULL);
CREATE TABLE embeddings (
    id INTEGER PRIMARY KEY, segment_id TEXT NOT NULL, embedding_id TEXT NOT NULL, seq_id BLOB NOT NULL,
    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, UNIQUE (segment_id, embedding_id)
);
CREATE TABLE embedding_metadata (
    id INTEGER REFERENCES embeddings (id), key TEXT NOT NULL, string_value TEXT, int_value INTEGER, float_value REAL,
    bool_value INTEGER, PRIMARY KEY (id, key)
);
CREATE TABLE embeddings_queue (
    seq_id INTEGER PRIMARY KEY, created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, operation INTEGER NOT NULL,
    topic TEXT NOT NULL, id TEXT NOT NULL, vector BLOB, encoding TEXT, metadata TEXT
);
"""


def sqlite_file(path: Path, schema: str, **tables: Iterable[Mapping[str, Any]]) -> Path:
    """Write a file with these tables and rows."""
    connection = apsw.Connection(str(path))
    connection.execute(schema).fetchall()
    with connection:
        for table, rows in tables.items():
            for row in rows:
                places = ", ".join(f":{name}" for name in row)
                connection.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", dict(row))
    connection.close()
    return path


def json_file(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    return path


def floats(vector: Sequence[float]) -> bytes:
    return struct.pack(f"<{len(vector)}f", *vector)


def social(path: Path) -> Path:
    """A bot that knows two people, gathered two things and gave one good answer."""
    met = {"platform": "moltbook", "first_seen_at": "2025-01-02 03:04:05", "last_interaction_at": "2025-03-01 00:00:00"}
    return sqlite_file(
        path,
        SOCIAL,
        bot_memory=[
            {**met, "entity_name": "하늘봇", "interaction_count": 12, "topics": '["AI 윤리", "고양이", "AI 윤리"]',
             "relationship_notes": "기술 이야기를 좋아한다", "sentiment": "positive"},
            {**met, "entity_name": "심술이", "interaction_count": 3, "topics": '{"정치": 2}', "sentiment": "negative"},
        ],
        collected_info=[
            {"timestamp": "2025-02-01 10:00:00", "platform": "moltbook", "author": "하늘봇", "category": "AI",
             "title": "", "content": "부산에서 AI 윤리 포럼이 열린다", "tags": '["포럼"]', "bookmarked": 1},
            {"timestamp": "2025-02-02 10:00:00", "platform": "moltbook", "author": None, "category": "음식",
             "title": "떡볶이 축제", "content": "대구에서 열린다", "tags": None},
        ],
        good_examples=[
            {"created_at": "2025-02-03 10:00:00", "platform": "moltbook", "context_title": "고양이가 밥을 안 먹어요",
             "bot_response": "먼저 물을 바꿔 줘 보세요", "engagement_score": 4.0, "reply_count": 3, "upvote_count": 5},
        ],
    )  # fmt: skip


def vtuber(path: Path, turns: int = 2) -> Path:
    """A desktop character who talked, kept a promise and a liking, and let something slight go."""
    said = [
        {
            "session_id": "default",
            "turn_idx": number,
            "role": role,
            "text": text,
            "ts": f"2025-04-01T{10 + number // 60}:{number % 60:02}:00",
        }
        for number in range(1, turns + 1)
        for role, text in (("user", f"나 라면 {number}번 먹었어"), ("assistant", "맛있었겠다!"))
    ]
    weighed = {"session_id": "default", "turn_idx": 1, "evidence": "", "future_impact": 0.5, "recurrence": 0.3,
               "novelty": 1.0, "created_at": "2025-04-01T10:01:00"}  # fmt: skip
    slot = {"session_id": "default", "last_evidence_turn": 1, "updated_at": "2025-04-01T10:01:00"}
    promise = {"type": "promise", "subject": "pair", "key": "영화_약속", "value": "토요일에 영화를 보기로 했다"}
    weather = {"type": "fact", "subject": "user", "key": "날씨", "value": "비가 온다고 했다"}
    return sqlite_file(
        path,
        VTUBER,
        chat_turns=said,
        memory_candidates=[
            {**weighed, **promise, "confidence": 0.9, "emotion_intensity": 0.6, "score": 0.82, "status": "promoted"},
            {**weighed, **weather, "confidence": 0.4, "emotion_intensity": 0.0, "score": 0.2, "status": "candidate"},
        ],
        memory_slots=[
            {**slot, **promise, "score": 0.82},
            {**slot, "type": "preference", "subject": "user", "key": "음식", "value": "떡볶이", "score": 0.6},
        ],
    )


def mem0(path: Path, count: int = 3) -> Path:
    """An export of `get_all`."""
    told = ("고양이 나비를 키운다", "땅콩 알레르기가 있다", "서울 강남구에 산다")
    return json_file(path, {"results": [mem0_record(number, told[number % 3]) for number in range(count)]})


def mem0_record(number: int, memory: str, **others: Any) -> dict[str, Any]:
    return {
        "id": f"m{number}",
        "memory": memory if number < 3 else f"{memory} {number}",
        "user_id": "minsu",
        "agent_id": "letia",
        "run_id": None,
        "metadata": {"importance": 7 if number == 0 else 3},
        "categories": ["identity"],
        "created_at": "2025-01-01T09:00:00-08:00",
        "updated_at": None,
        **others,
    }


def chroma(folder: Path, dimension: int = 4, *, embedder: str | None = None) -> Path:
    """The folder of a Chroma store with one profile."""
    folder.mkdir(exist_ok=True)
    kept = [
        ("a1", "나비는 닭고기 알레르기가 있음", {"type": "allergy", "importance": 0.95, "timestamp": 1735689600}),
        ("a2", "나비는 츄르를 좋아함", {"type": "preference", "importance": 0.5, "timestamp": 1735776000}),
    ]
    texts = [
        {"id": number, "key": "chroma:document", "string_value": text} for number, (_, text, _) in enumerate(kept, 1)
    ]
    columns = {str: "string_value", int: "int_value", float: "float_value"}
    metadata = [
        {"id": number, "key": key, columns[type(value)]: value}
        for number, (_, _, values) in enumerate(kept, 1)
        for key, value in values.items()
    ]
    sqlite_file(
        folder / "chroma.sqlite3",
        CHROMA,
        collections=[{"id": "c1", "name": "meow_memory_minsu", "dimension": dimension}],
        collection_metadata=[{"collection_id": "c1", "key": "embedding_model", "str_value": embedder}]
        if embedder
        else [],
        segments=[
            {"id": "s-vec", "type": "urn:vector", "scope": "VECTOR", "collection": "c1"},
            {"id": "s-meta", "type": "urn:metadata", "scope": "METADATA", "collection": "c1"},
        ],
        embeddings=[
            {"id": number, "segment_id": "s-meta", "embedding_id": name, "seq_id": number}
            for number, (name, _, _) in enumerate(kept, 1)
        ],
        embedding_metadata=[*texts, *metadata],
        embeddings_queue=[
            {
                "seq_id": number,
                "operation": 0,
                "topic": "persistent://default/default/c1",
                "id": name,
                "vector": floats([float(number)] + [0.0] * (dimension - 1)),
                "encoding": "FLOAT32",
            }
            for number, (name, _, _) in enumerate(kept, 1)
        ],
    )
    return folder


def meowchat(path: Path) -> Path:
    """The JSON store, which goes by profile."""
    drug = {"id": "j1", "type": "contraindication", "content": "나비는 아세트아미노펜을 먹으면 안 됨",
            "importance": 1.0, "timestamp": "2024-03-01T09:00:00+09:00", "tags": ["약"],
            "cat_name": "나비"}  # fmt: skip
    vaccine = {"id": "j2", "type": "timeline", "content": "2024년 3월 1일 종합백신 접종", "importance": 0.6,
               "timestamp": 1709251200000}  # fmt: skip
    window = {"id": "j3", "type": "note", "content": "보리는 창가를 좋아함", "importance": 0.3}
    return json_file(path, {"minsu": [drug, vaccine], "jiyu": [window]})


def synk(path: Path, **others: Any) -> Path:
    """An export with one record that is scoped by its session only, as of old."""
    return json_file(path, {**_SYNK, **others})


def _message(id: str, role: str, content: str, at: str) -> dict[str, Any]:
    spoke = {"characterId": "char1"} if role == "assistant" else {}
    return {"id": id, "sessionId": "s1", "role": role, **spoke, "content": content, "createdAt": at}


_SYNK: dict[str, Any] = {
    "characters": [{"id": "char1", "name": "루나"}],
    "works": [{"id": "work1", "title": "마법학교"}],
    "sessions": [{"id": "s1", "userId": "minsu", "workId": "work1"}],
    "relationships": [
        {"id": "r1", "userId": "minsu", "workId": "work1", "characterId": "char1",
         "trust": 45.0, "affection": 70.0, "respect": 30.0, "rivalry": 5.0, "familiarity": 60.0,
         "speechStyle": "casual", "knownFacts": '["이름: 김민수", "나이: 20살", "유저의 행동: 꽃을 선물했다"]',
         "emotionalHistory": [{"emotion": "happy", "intensity": 0.8, "at": "2026-01-01T00:00:00Z"}],
         "sharedExperiences": ["함께 축제에 갔다"],
         "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-02-01T00:00:00.000Z"},
    ],
    "characterMemories": [
        {"id": "cm1", "sessionId": "s1", "characterId": "char1", "originalEvent": "민수가 거미를 보고 놀랐다",
         "interpretation": "거미를 정말 무서워하는구나", "memoryType": "emotional", "importance": 0.9, "strength": 0.7,
         "embedding": "[0.1, 0.2]", "mentionedCount": 2, "emotionIntensity": 0.8, "createdAt": "2026-01-05T00:00:00Z"},
    ],
    "messages": [
        _message("g1", "assistant", "어서 와!", "2026-01-01T00:00:00Z"),
        _message("g2", "user", "나 고양이 좋아해", "2026-01-01T00:01:00Z"),
        _message("g3", "assistant", "나도!", "2026-01-01T00:01:05Z"),
    ],
}  # fmt: skip
