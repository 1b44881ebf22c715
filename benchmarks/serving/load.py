"""Many clients at once: each tells a turn or asks a question, in one scope or another, on and on."""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import httpx2

from gieok.domain.scope import Scope

_THINGS: Final = (
    "고양이 강아지 라면 김밥 떡볶이 커피 등산 수영 피아노 기타 영화 소설 바다 여름 겨울 축구 야구 요리 사진 여행"
).split()
_SAID: Final = (
    "나 {a} 진짜 좋아해",
    "요즘은 {a}보다 {b}가 더 좋아",
    "어제 친구랑 {a} 얘기를 한참 했어",
    "내일 {a} 하러 가기로 했어. 같이 갈래?",
    "{a} 때문에 오늘 좀 힘들었어 ㅠㅠ",
    "오늘 점심은 {a} 먹었고 저녁엔 {b} 생각이 났어",
)
_ASKED: Final = (
    "{a} 좋아한다고 했었나?",
    "지난번에 {a} 얘기한 거 기억나?",
    "내가 요즘 뭘 좋아하지?",
    "{a} 누구랑 갔었지?",
)
_REPLIES: Final = ("그랬구나! 더 들려줘.", "저도 {a} 좋아해요.", "정말요? {b}는 어때요?")


@dataclass(slots=True)
class Told:
    """What became of all requests."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))  #: by kind
    acknowledged: list[tuple[Scope, str]] = field(default_factory=list)  #: turns
    unsure: int = 0  #: turns that nobody answered for
    errors: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(len(each) for each in self.seconds.values())


def scopes(count: int) -> list[Scope]:
    return [Scope(user=f"손님{number}", character="레티아") for number in range(count)]


async def load(address: str, among: Sequence[Scope], *, clients: int, seconds: float, told: Told) -> None:
    """Have `clients` at work for `seconds`, and put down in `told` what becomes of it."""
    until = time.monotonic() + seconds
    limits = httpx2.Limits(max_connections=clients, max_keepalive_connections=clients)
    async with httpx2.AsyncClient(base_url=address, timeout=60, limits=limits, trust_env=False) as client:
        await asyncio.gather(*(_client(client, number, among, until, told) for number in range(clients)))


async def _client(client: httpx2.AsyncClient, number: int, among: Sequence[Scope], until: float, told: Told) -> None:
    dice = random.Random(number)
    turn = 0
    while time.monotonic() < until:
        scope = dice.choice(among)
        turn += 1
        try:
            if dice.random() < 0.5:
                await _observe(client, scope, f"{number}-{turn}-{until:.0f}", dice, told)
            else:
                await _recall(client, scope, dice, told)
        except httpx2.HTTPError as trouble:
            told.errors.append(f"{type(trouble).__name__}: {trouble}")
            await asyncio.sleep(0.05)


async def _observe(client: httpx2.AsyncClient, scope: Scope, turn_id: str, dice: random.Random, told: Told) -> None:
    body = {"text": _worded(_SAID, dice), "reply": _worded(_REPLIES, dice), "turn_id": turn_id}
    told.unsure += 1
    if await _posted(client, "/v1/turns", scope, body, told):
        told.acknowledged.append((scope, turn_id))
        told.unsure -= 1


async def _recall(client: httpx2.AsyncClient, scope: Scope, dice: random.Random, told: Told) -> None:
    await _posted(client, "/v1/recall", scope, {"query": _worded(_ASKED, dice), "k": 8}, told)


async def _posted(client: httpx2.AsyncClient, path: str, scope: Scope, body: Mapping[str, object], told: Told) -> bool:
    begun = time.perf_counter()
    params = {"user": scope.user or "", "character": scope.character or ""}
    response = await client.post(path, params=params, json=body)
    if response.is_success:
        told.seconds[path].append(time.perf_counter() - begun)
        return True
    told.errors.append(f"{response.status_code}: {response.text[:200]}")
    return False


def _worded(sentences: Sequence[str], dice: random.Random) -> str:
    return dice.choice(sentences).format(a=dice.choice(_THINGS), b=dice.choice(_THINGS))
