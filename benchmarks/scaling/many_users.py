"""A bank of many users on a PostgreSQL server: the engine tells some their stories, the others are copies of them.

For benchmarks and tests of plans only: a copy has its own user, scope, private ids and lexemes, so that every table and
index has the rows that as many users would leave, but its digests are those of the story that it was copied from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import psycopg

import gieok
from gieok.stores.postgres.connection import address_of, connected
from gieok.stores.postgres.schema import BESIDE, FIRST

CHARACTER: Final = "레티아"
#: What is said to the character; five memories come of it.
STORY: Final = (
    "내 이름은 {name}이고 {food} 좋아해. 그리고 {town}에 살아. 나 {allergy} 알레르기 있어. 요즘은 {hobby} 배우고 있어"
)
WORDS: Final = {
    "name": ("김민수", "박지영", "이서준", "최하은", "정도윤", "한지우", "오시우", "강서연"),
    "food": ("라면", "김치찌개", "초밥", "떡볶이", "파스타", "삼겹살", "냉면", "카레"),
    "town": ("부산", "대구", "인천", "광주", "대전", "수원", "전주", "춘천"),
    "allergy": ("땅콩", "새우", "복숭아", "우유", "고양이 털", "꽃가루", "메밀", "게"),
    "hobby": ("기타", "수영", "요리", "사진", "테니스", "피아노", "그림", "등산"),
}
_PRIVATE: Final = frozenset({"id", "turn", "operation"})  #: columns that hold private ids, where they are bigint
_WORDS_OF: Final = """(
    SELECT string_agg(
        quoted_lexeme(copied.id || substr(lexeme, strpos(lexeme, 'x'))) || ':' || array_to_string(positions, ','), ' '
    ) FROM unnest({column})
)::tsvector"""
_COLUMNS: Final = """
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
_LATER: Final = """
SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index
JOIN pg_class ON pg_class.oid = indrelid
WHERE
    relnamespace = current_schema()::regnamespace AND NOT relispartition
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
"""


def user(number: int) -> str:
    return f"user-{number:07}"


def tell(bank: gieok.MemoryBank, users: int) -> None:
    """Tell the first users their stories, each another one."""
    for number in range(users):
        mind = bank.scope(user=user(number), character=CHARACTER)
        words = {name: some[(number * (place + 1)) % len(some)] for place, (name, some) in enumerate(WORDS.items())}
        mind.observe(STORY.format(**words), reply="그렇구나, 기억할게!")


def multiply(location: str, told: int, since: int, until: int) -> None:
    """Make users from number `since` to `until` copies of the first `told`, in turn; nobody else may use the bank."""
    address = address_of(location)
    with connected(address, 3_600) as raw:
        raw.execute(f'SET search_path = "{address.schema}", public')
        for statement in ("synchronous_commit = off", "session_replication_role = replica", "work_mem = '256MB'"):
            raw.execute(f"SET {statement}")
        indexes = _later_indexes(raw)
        for name, _ in indexes:
            raw.execute(f"DROP INDEX {name}")
        raw.execute(
            "CREATE TEMPORARY TABLE copied AS SELECT 'user-' || to_char(number, 'FM0000000') AS owner, scopes.id AS "
            "of, nextval('scope_numbers') AS id FROM generate_series(%s::int, %s::int) AS number "
            "JOIN scopes ON scopes.owner = 'user-' || to_char(number %% %s::int, 'FM0000000')",
            [since, until - 1, told],
        )
        raw.execute("CREATE INDEX ON copied (of); ANALYZE copied")
        for table in (FIRST, *BESIDE):
            raw.execute(_copying(table, raw.execute(_COLUMNS, [table]).fetchall()))
        for _, definition in indexes:
            raw.execute(definition.replace(" ON ONLY ", " ON "))
        raw.execute("VACUUM ANALYZE")


def _later_indexes(raw: psycopg.Connection[Any]) -> Sequence[tuple[str, str]]:
    return raw.execute(_LATER).fetchall()


def _copying(table: str, columns: Sequence[tuple[str, str]]) -> str:
    whose = "scopes.id" if table == FIRST else "scope_id" if ("scope_id", "bigint") in columns else ""
    if not whose:
        private = next(name for name, kind in columns if name in _PRIVATE and kind == "bigint")
        whose = f"{table}.{private} >> 24"
    taken = []
    for name, kind in columns:
        if name == "owner":
            taken.append("copied.owner")
        elif name == "scope_id" or (table == FIRST and name == "id"):
            taken.append("copied.id")
        elif name in _PRIVATE and kind == "bigint":
            taken.append(f"({table}.{name} & 16777215) | (copied.id << 24)")
        elif kind == "tsvector":
            taken.append(_WORDS_OF.format(column=f"{table}.{name}"))
        else:
            taken.append(f"{table}.{name}")
    names = ", ".join(name for name, _ in columns)
    return f"INSERT INTO {table} ({names}) SELECT {', '.join(taken)} FROM {table} JOIN copied ON copied.of = {whose}"  # noqa: S608  # the names of our own tables
