"""The asynchronous edge forwards to the same objects."""

import asyncio
import inspect

import gieok
from gieok import aio


def test_an_async_bank_remembers_like_a_sync_one(tmp_path):
    async def story() -> tuple[list[str], list[str]]:
        async with await aio.open(tmp_path / "x.db", embedder="hashing") as bank:
            letia = bank.scope(user="minsu", character="letia")
            await asyncio.gather(*(letia.observe(f"나 {word} 좋아해") for word in ("고양이", "떡볶이", "커피")))
            facts = await letia.facts(about="user")
            [context] = await bank.contexts([letia], "뭐 먹을까?")
            return sorted(str(memory.value) for memory in facts), [message.role for message in context.messages]

    values, roles = asyncio.run(story())
    assert values == ["고양이", "떡볶이", "커피"]
    assert roles[-1] == "user"


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind, callable) if not name.startswith("_")}


def test_the_async_objects_offer_every_call_of_the_sync_ones():
    assert public(aio.AsyncMind) == public(gieok.Mind)
    assert public(aio.AsyncBank) == public(gieok.MemoryBank)
