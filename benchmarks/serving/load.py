"""Many clients at once: each tells a turn or asks a question, in one scope or another, on and on.

They speak HTTP themselves: a client library would take as much of the machine as the server.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode, urlsplit

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
    await asyncio.gather(*(_client(address, number, among, until, told) for number in range(clients)))


class Connection:
    """A connection of one client, opened when it is first needed, and again after a failure."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, target: str, body: Mapping[str, object]) -> tuple[int, bytes]:
        """Return the status and the body of an answer. Raises `OSError` or `EOFError` where none comes."""
        try:
            if self._streams is None or self._streams[0].at_eof():
                self._streams = await asyncio.open_connection(self._host, self._port)
            reader, writer = self._streams
            data = json.dumps(body, ensure_ascii=False).encode()
            head = f"POST {target} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
            writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)
            answer = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(answer.partition(b"content-length:")[2].partition(b"\r\n")[0])
            return int(answer.split(None, 2)[1]), await reader.readexactly(length)
        except BaseException:  # whatever ended it: what comes over this connection is no answer to the next request
            self.close()
            raise

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _client(address: str, number: int, among: Sequence[Scope], until: float, told: Told) -> None:
    client, dice = Connection(address), random.Random(number)
    turn = 0
    while time.monotonic() < until:
        scope = dice.choice(among)
        turn += 1
        try:
            if dice.random() < 0.5:
                await _observe(client, scope, f"{number}-{turn}-{until:.0f}", dice, told)
            else:
                await _recall(client, scope, dice, told)
        except (OSError, EOFError) as trouble:
            told.errors.append(f"{type(trouble).__name__}: {trouble}")
            await asyncio.sleep(0.05)
    client.close()


async def _observe(client: Connection, scope: Scope, turn_id: str, dice: random.Random, told: Told) -> None:
    body = {"text": _worded(_SAID, dice), "reply": _worded(_REPLIES, dice), "turn_id": turn_id}
    told.unsure += 1
    if await _posted(client, "/v1/turns", scope, body, told):
        told.acknowledged.append((scope, turn_id))
        told.unsure -= 1


async def _recall(client: Connection, scope: Scope, dice: random.Random, told: Told) -> None:
    await _posted(client, "/v1/recall", scope, {"query": _worded(_ASKED, dice), "k": 8}, told)


async def _posted(client: Connection, path: str, scope: Scope, body: Mapping[str, object], told: Told) -> bool:
    begun = time.perf_counter()
    named = urlencode({"user": scope.user or "", "character": scope.character or ""})
    status, answer = await client.post(f"{path}?{named}", body)
    if 200 <= status < 300:
        told.seconds[path].append(time.perf_counter() - begun)
        return True
    told.errors.append(f"{status}: {answer[:200]!r}")
    return False


def _worded(sentences: Sequence[str], dice: random.Random) -> str:
    return dice.choice(sentences).format(a=dice.choice(_THINGS), b=dice.choice(_THINGS))
