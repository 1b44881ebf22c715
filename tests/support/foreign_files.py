"""Files of other systems as these write them: chats, lorebooks and character cards."""

import base64
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

PICTURE = b"\x89PNG\r\n\x1a\n a smile"


def json_file(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def lines_file(path: Path, *values: Any) -> Path:
    path.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values), encoding="utf-8")
    return path


def chat_head(**more: Any) -> dict[str, Any]:
    """The first line of a SillyTavern chat."""
    metadata = {"integrity": "5f3c"}
    return {
        "user_name": "민수",
        "character_name": "레티아",
        "create_date": "2026-3-1",
        "chat_metadata": metadata,
        **more,
    }


def by_user(text: str, date: Any = "2026-03-01T20:00:00.000Z", **more: Any) -> dict[str, Any]:
    return {"name": "민수", "is_user": True, "is_system": False, "send_date": date, "mes": text, "extra": {}, **more}


def by(name: str, text: str, date: Any = "2026-03-01T20:01:00.000Z", **more: Any) -> dict[str, Any]:
    return {"name": name, "is_user": False, "is_system": False, "send_date": date, "mes": text, "extra": {}, **more}


def world_info(*entries: dict[str, Any], **more: Any) -> dict[str, Any]:
    """SillyTavern's World Info: entries by their numbers."""
    base = {"keysecondary": [], "comment": "", "constant": False, "disable": False, "order": 100, "position": 0}
    return {"entries": {str(uid): {"uid": uid, **base, **entry} for uid, entry in enumerate(entries)}, **more}


def lore(content: str, *keys: str, **more: Any) -> dict[str, Any]:
    """An entry of a Character Card's lorebook."""
    base = {"extensions": {}, "enabled": True, "insertion_order": 100, "use_regex": False}
    return {"keys": list(keys), "content": content, **base, **more}


def card_v2(**data: Any) -> dict[str, Any]:
    fields = {
        "name": "레티아",
        "description": "",
        "personality": "",
        "scenario": "",
        "first_mes": "",
        "mes_example": "",
    }
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**fields, "extensions": {}, **data}}


def card_v3(**data: Any) -> dict[str, Any]:
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**card_v2(**data)["data"]}}


def face(feeling: str, uri: str) -> dict[str, str]:
    return {"type": "emotion", "name": feeling, "uri": uri, "ext": "png"}


def data_uri(picture: bytes = PICTURE) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def text_chunk(keyword: str, text: bytes) -> bytes:
    return chunk(b"tEXt", keyword.encode("latin-1") + b"\0" + text)


def packed_chunk(keyword: str, text: bytes) -> bytes:
    return chunk(b"zTXt", keyword.encode() + b"\0\0" + zlib.compress(text))


def international_chunk(keyword: str, text: bytes, *, packed: bool = False) -> bytes:
    head = keyword.encode() + (b"\0\1\0" if packed else b"\0\0\0") + b"ko\0\0"
    return chunk(b"iTXt", head + (zlib.compress(text) if packed else text))


def png(*chunks: bytes) -> bytes:
    """A picture of one pixel with these chunks in it."""
    header = chunk(b"IHDR", (1).to_bytes(4, "big") * 2 + b"\x08\x00\x00\x00\x00")
    pixel = chunk(b"IDAT", zlib.compress(b"\0\0"))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + pixel + chunk(b"IEND", b"")


def packed(card: Any) -> bytes:
    """A card as it stands in a picture."""
    return base64.b64encode(json.dumps(card, ensure_ascii=False).encode())


def charx(path: Path, card: Any, **parts: bytes) -> Path:
    """A zip with a card; `parts` are named by their paths, with __ for / and _dot_ for the dot."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        if card is not None:
            file.writestr("card.json", json.dumps(card, ensure_ascii=False))
        for name, data in parts.items():
            file.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return path


def risu_chat(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    data = {"message": list(messages), "note": "", "name": "첫 만남", "localLore": [], "id": "c1", **more}
    return {"type": "risuChat", "ver": 2, "data": data, "folders": []}
