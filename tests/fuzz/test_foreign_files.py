"""Files of other systems that somebody has had their hands on are refused, or can be read: nothing else happens."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from gieok.errors import InvalidImport
from gieok.interop.importers.cards import read_card
from gieok.interop.importers.chats import read_chat, read_risu
from gieok.interop.importers.lorebooks import read_world_info
from gieok.interop.importers.records import ImportedMemory, ImportedTurn, Item, Whose
from support import hostile
from support.foreign_files import (
    by,
    by_user,
    card_v3,
    charx,
    chat_head,
    data_uri,
    face,
    lore,
    packed,
    png,
    risu_chat,
    text_chunk,
    world_info,
)

WHOSE = Whose(user="minsu", character="레티아")
MARK = {
    "id": "m1",
    "user": "minsu",
    "about": "user",
    "attribute": "likes",
    "value": "고양이",
    "at": "2026-03-01T00:00:00Z",
}
LORE = lore("탑은 높다.", "탑", extensions={"gieok": MARK})
CARD = card_v3(description="학생", character_book={"entries": [LORE]}, assets=[face("happy", data_uri())])
SUMMARIES = {"summaries": [{"text": "만났다.", "chatMemos": ["m"], "isImportant": True}]}
RISU = risu_chat(
    {"role": "user", "data": "안녕", "time": 1, "chatId": "m"}, hypaV3Data=SUMMARIES, localLore=[{"key": "탑"}]
)
CHAT = [chat_head(), by_user("안녕"), by("레티아", "왔어?", swipes=["왔어?"], swipe_id=0)]
READERS: dict[str, tuple[Callable[[Path, Whose], Iterator[Item]], Any]] = {
    "chat": (read_chat, CHAT),
    "world_info": (read_world_info, world_info({"key": ["탑"], "content": "탑", "extensions": {"gieok": MARK}})),
    "risu": (read_risu, RISU),
    "card": (read_card, CARD),
}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def looked_through(read: Callable[[Path, Whose], Iterator[Item]], path: Path) -> bool:
    """Read a file to its end; False: it was refused, and says so."""
    try:
        arrivals = list(read(path, WHOSE))
    except InvalidImport:
        return False
    for arrival in arrivals:
        check(arrival)
    return True


def check(arrival: Item) -> None:
    """What is handed on can be kept."""
    match arrival:
        case ImportedMemory():
            assert 0 < len(arrival.content) <= 8_000
            assert arrival.importance is None or 0 <= arrival.importance <= 1
            assert arrival.at is None or arrival.at.tzinfo is not None
        case ImportedTurn():
            assert any((arrival.text, arrival.reply))
            assert all(part is None or 0 < len(part) <= 8_000 for part in (arrival.text, arrival.reply))
            assert arrival.at is None or arrival.at.tzinfo is not None


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("foreign") / "레티아_2026-03-01T0Z_chat.json"


@pytest.mark.parametrize("kind", READERS)
def test_any_bytes_are_refused(kind: str, file: Path) -> None:
    @hypothesis.given(st.binary(max_size=200))
    def refused(data: bytes) -> None:
        file.write_bytes(data)
        assert not looked_through(READERS[kind][0], file)

    refused()


@pytest.mark.parametrize("kind", READERS)
def test_any_json_is_refused_or_can_be_read(kind: str, file: Path) -> None:
    @hypothesis.given(ANYTHING)
    def read(value: Any) -> None:
        file.write_text(json.dumps(value), encoding="utf-8")
        looked_through(READERS[kind][0], file)

    read()


@pytest.mark.parametrize("kind", READERS)
def test_a_file_with_one_thing_changed_is_refused_or_can_be_read(
    kind: str, file: Path, counts: Callable[[int, int], int]
) -> None:
    dice = random.Random(12)
    read, whole = READERS[kind]
    taken = 0
    for _ in range(counts(150, 20_000)):
        other = dice.choice([*hostile.VALUES, *(text for text in hostile.TEXTS if len(text) < 300)])
        spoilt = hostile.spoilt(json.loads(json.dumps(whole)), dice, other)
        lines = spoilt if kind == "chat" and isinstance(spoilt, list) else [spoilt]
        file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
        taken += looked_through(read, file)
    assert taken, "some changes do no harm"


@pytest.mark.parametrize("packing", ["png", "charx"])
def test_a_card_with_one_byte_changed_or_cut_off_is_refused_or_can_be_read(
    packing: str, file: Path, counts: Callable[[int, int], int]
) -> None:
    dice = random.Random(13)
    whole = png(text_chunk("ccv3", packed(CARD))) if packing == "png" else charx(file, CARD).read_bytes()
    refused = 0
    for _ in range(counts(150, 20_000)):
        at = dice.randrange(len(whole))
        other = whole[:at] if dice.random() < 0.3 else whole[:at] + dice.randbytes(1) + whole[at + 1 :]
        file.write_bytes(other)
        refused += not looked_through(read_card, file)
    assert refused, "most changes do harm"
