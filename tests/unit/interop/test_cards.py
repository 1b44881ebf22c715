"""Character cards V1, V2 and V3 from a picture, a zip and JSON."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.importers import cards
from gieok.interop.importers.cards import read_card
from gieok.interop.importers.records import Faces, ImportedMemory, Skipped, Whose
from support.foreign_files import (
    PICTURE,
    card_v2,
    card_v3,
    charx,
    chunk,
    data_uri,
    face,
    international_chunk,
    json_file,
    lore,
    packed,
    packed_chunk,
    png,
    text_chunk,
)

NOBODY = Whose()
LETIA = Scope(character="레티아")


def card(path: Path, value: Any, whose: Whose = NOBODY) -> list[Any]:
    return list(read_card(json_file(path / "card.json", value), whose))


def picture(path: Path, *chunks: bytes) -> list[Any]:
    file = path / "card.png"
    file.write_bytes(png(*chunks))
    return list(read_card(file, NOBODY))


def known(items: list[Any]) -> list[ImportedMemory]:
    return [each for each in items if isinstance(each, ImportedMemory)]


def skipped(items: list[Any]) -> dict[str, str]:
    return {each.where: each.why for each in items if isinstance(each, Skipped)}


def faces_of(items: list[Any]) -> Faces | None:
    return next((each for each in items if isinstance(each, Faces)), None)


def test_what_a_card_says_of_its_character_is_canon(tmp_path):
    found = card(
        tmp_path,
        card_v2(
            description="{{char}}는 아카데미의 학생이다.",
            personality="차분하다",
            scenario="{{user}}와 도서관에서 만났다.",
            first_mes="어서 와, {{user}}!",
        ),
        Whose(user="minsu", world="academy"),
    )
    assert [(each.content, each.about, each.type) for each in known(found)] == [
        ("레티아는 아카데미의 학생이다.", "character", "profile"),
        ("차분하다", "character", "trait"),
        ("사용자와 도서관에서 만났다.", "character", "fact"),
        ("어서 와, 사용자!", "character", "note"),
    ]
    assert {each.scope for each in known(found)} == {Scope(character="레티아", world="academy")}


def test_what_a_card_tells_a_model_or_a_buyer_is_skipped(tmp_path):
    names = ("mes_example", "system_prompt", "post_history_instructions", "creator_notes", "alternate_greetings")
    found = card(tmp_path, card_v3(description="학생", group_only_greetings=[], **dict.fromkeys(names, "x")))
    assert [each.content for each in known(found)] == ["학생"]
    assert set(skipped(found)) == set(names)


def test_a_card_of_v1_has_its_fields_at_the_top(tmp_path):
    found = card(tmp_path, {"name": "레티아", "description": "학생", "personality": "", "first_mes": "안녕"})
    assert [(each.scope, each.content) for each in known(found)] == [(LETIA, "학생"), (LETIA, "안녕")]


def test_a_nickname_is_known_and_is_what_the_character_is_called(tmp_path):
    found = known(card(tmp_path, card_v3(nickname="티아", description="{{char}}는 학생이다.")))
    assert [(each.attribute, each.value, each.content) for each in found] == [
        ("nickname", "티아", "티아"),
        (None, None, "티아는 학생이다."),
    ]
    assert {each.scope for each in found} == {LETIA}


def test_a_long_description_is_remembered_by_its_paragraphs(tmp_path):
    found = known(card(tmp_path, card_v2(description="\n\n".join(["가" * 600, "나" * 600, "다" * 2_500]))))
    assert [len(each.content) for each in found] == [600, 600, 1_000, 1_000, 500]
    assert len({each.origin for each in found}) == 5


def test_the_lorebook_of_a_card_is_what_the_characters_world_knows(tmp_path):
    decorated = "@@depth 4\n@@@instruct_depth 2\n탑은 {{char}}의 집이다."
    entries = [
        lore(decorated, "탑", secondary_keys=["집"], insertion_order=5),
        lore("교장은 엄하다.", "교장", constant=True, priority=50, insertion_order=1),
        lore("열쇠말", "탑.*", use_regex=True),
        lore("꺼짐", "꺼짐", enabled=False),
        lore("@@dont_activate\n안 나옴", "안"),
    ]
    found = card(tmp_path, card_v3(character_book={"extensions": {}, "entries": entries}))
    tower, head, regular = known(found)
    assert (tower.scope, tower.about, tower.content) == (LETIA, "world", "탑은 레티아의 집이다.")
    assert (tower.tags, regular.tags) == (("탑", "집"), ())
    assert (head.pinned, tower.pinned) == (True, False)
    assert head.importance > tower.importance
    assert skipped(found) == {
        "character_book, entry 4": "it is disabled",
        "character_book, entry 5": "it is never used",
    }


@pytest.mark.parametrize("write", [text_chunk, packed_chunk, international_chunk])
def test_a_picture_holds_a_card_in_any_kind_of_text(tmp_path, write):
    assert [each.content for each in known(picture(tmp_path, write("chara", packed(card_v2(description="학생")))))] == [
        "학생"
    ]


def test_of_two_cards_in_a_picture_the_newer_one_counts(tmp_path):
    old, new = packed(card_v2(description="옛")), packed(card_v3(description="새"))
    both = (text_chunk("chara", old), international_chunk("ccv3", new, packed=True))
    assert [each.content for each in known(picture(tmp_path, *both))] == ["새"]


def test_faces_come_from_the_zip_from_the_card_and_from_elsewhere_but_nothing_is_fetched(tmp_path):
    assets = [
        face("happy", "embeded://assets/emotion/images/happy.png"),
        face("glad", "embeded://assets/emotion/images/happy.png"),
        face("sad", data_uri(b"GIF89a tears")),
        face("angry", "https://example.com/angry.png"),
        {"type": "icon", "name": "main", "uri": "ccdefault:", "ext": "png"},
    ]
    file = charx(tmp_path / "letia.charx", card_v3(assets=assets), assets__emotion__images__happy_dot_png=PICTURE)
    album = faces_of(list(read_card(file, NOBODY)))
    assert album is not None
    assert album.character == "레티아"
    assert album.faces == {
        "happy": "happy.png",
        "glad": "happy.png",
        "sad": "sad.gif",
        "angry": "https://example.com/angry.png",
    }
    assert album.pictures == {"happy.png": PICTURE, "sad.gif": b"GIF89a tears"}


def test_faces_in_a_picture_are_its_own_texts_also_those_of_risuai(tmp_path):
    value = card_v2(extensions={"risuai": {"emotions": [["happy", "__asset:0"], ["sad", "__asset:1"]]}})
    raw = data_uri().partition(",")[2].encode()
    found = picture(tmp_path, text_chunk("chara", packed(value)), text_chunk("chara-ext-asset_:0", raw))
    album = faces_of(found)
    assert album is not None
    assert (album.faces, album.pictures) == ({"happy": "happy.png"}, {"happy.png": PICTURE})
    assert skipped(found) == {"emotion 2": "its picture is not in the file"}


@pytest.mark.parametrize(
    ("uri", "why"),
    [
        ("file:///etc/passwd", "not in the file"),
        ("../../etc/passwd", "not in the file"),
        ("embeded://../../etc/passwd", "not in the file"),
        ("ccdefault:", "not in the file"),
        ("javascript:alert(1)", "not in the file"),
        (data_uri(b"<svg onload=alert(1)>"), "it is not a picture"),
        ("data:image/png;base64,%%%", "not in the file"),
    ],
)
def test_a_face_that_leads_elsewhere_is_skipped(tmp_path, uri, why):
    found = card(tmp_path, card_v3(assets=[face("happy", uri)]))
    assert faces_of(found) is None
    assert why in skipped(found)["asset 1"]


def test_a_picture_never_gets_a_name_that_leads_out_of_its_folder(tmp_path):
    assets = [
        face("../../etc/cron", data_uri()),
        face("..", data_uri(b"GIF87a")),
        face("행복 1", data_uri(b"\xff\xd8\xff")),
    ]
    album = faces_of(card(tmp_path, card_v3(assets=assets)))
    assert album is not None
    assert list(album.pictures) == ["etc_cron.png", "face.gif", "행복 1.jpg"]


def test_pictures_beyond_a_size_are_skipped(tmp_path, monkeypatch):
    monkeypatch.setattr(cards, "LARGEST_PICTURE", 100)
    monkeypatch.setattr(cards, "LARGEST_ALBUM", 150)
    assets = [
        face("big", data_uri(PICTURE * 10)),
        *(face(f"f{n}", data_uri(PICTURE + bytes([n]) * 60)) for n in range(3)),
    ]
    found = card(tmp_path, card_v3(assets=assets))
    album = faces_of(found)
    assert album is not None
    assert list(album.faces) == ["f0"]
    assert set(skipped(found)) == {"asset 1", "asset 3", "asset 4"}
    assert "has more than 100 bytes, or all pictures together more than 150" in skipped(found)["asset 1"]


def test_a_zip_that_grows_without_end_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr("gieok.interop.importers.files.LARGEST_JSON", 10_000)
    bomb = charx(tmp_path / "bomb.charx", card_v3(description="가" * 100_000))
    with pytest.raises(InvalidImport, match=r"card.json: it has more than 10,000 bytes; nothing was imported"):
        list(read_card(bomb, NOBODY))
    monkeypatch.setattr(cards, "LARGEST_PICTURE", 10_000)
    large = card_v3(assets=[face("happy", "embeded://happy.png")])
    found = list(read_card(charx(tmp_path / "b.charx", large, happy_dot_png=PICTURE + bytes(10**6)), NOBODY))
    assert "more than 10,000 bytes" in skipped(found)["asset 1"]


def test_a_text_in_a_picture_that_grows_without_end_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr("gieok.interop.importers.files.LARGEST_TEXT", 10_000)
    with pytest.raises(InvalidImport, match="expands to more than 10,000 bytes"):
        picture(tmp_path, packed_chunk("chara", bytes(10**6)))
    with pytest.raises(InvalidImport, match=r"chunk 4 .*expands to more than 10,000 bytes"):
        picture(tmp_path, *(packed_chunk(f"chara-ext-asset_:{number}", bytes(4_000)) for number in range(3)))


def damaged(data: bytes) -> bytes:
    """A picture with one bit of its card changed."""
    at = data.index(b"chara") + 10
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


WHOLE = png(text_chunk("chara", packed(card_v2(description="학생"))))


@pytest.mark.parametrize(
    ("data", "trouble"),
    [
        (png(), "the PNG has no character card"),
        (WHOLE[:-2], "chunk 4 .*more than the PNG has"),
        (WHOLE[:60], "chunk 2 .*more than the PNG has"),
        (WHOLE[: WHOLE.index(b"IEND") - 4], "chunk 4: the PNG is truncated"),
        (damaged(WHOLE), "chunk 2 .*its checksum is wrong"),
        (png(text_chunk("chara", b"%%%")), "chara: it is not base64"),
        (png(text_chunk("chara", b"e30=")), "it is not a character card"),
        (png(text_chunk("ccv3", b"W10=")), r"it is \[\], not an object"),
        (b'{"spec": "lorebook_v3", "data": {"name": "x", "entries": []}}', "it is not a character card"),
        (png(chunk(b"tEXt", b"chara")), "a text without a keyword"),
        (png(chunk(b"zTXt", b"chara\0\0xx")), "cannot be unpacked"),
        (png(chunk(b"zTXt", b"chara\0\7xx")), "compressed in an unknown way"),
        (png(chunk(b"iTXt", b"chara\0\0\0x")), "not a valid iTXt chunk"),
        (b"\x89PNG\r\n\x1a\n", "is truncated"),
        (b"PK\3\4 no zip", "it is not JSON"),
        (b"GIF89a", "it is not JSON"),
        (b"", "it is not JSON"),
    ],
)
def test_a_broken_card_is_refused_and_says_where(tmp_path, data, trouble):
    file = tmp_path / "card"
    file.write_bytes(data)
    with pytest.raises(InvalidImport, match=f"{trouble}.*nothing was imported"):
        list(read_card(file, NOBODY))


def test_a_zip_behind_a_picture_is_read_as_the_zip_it_is(tmp_path):
    file = charx(tmp_path / "card.jpeg", card_v3(description="학생"))
    file.write_bytes(b"\xff\xd8\xff\xe0 a photograph" + file.read_bytes())
    assert [each.content for each in known(list(read_card(file, NOBODY)))] == ["학생"]


def test_small_oddities_of_a_card_do_no_harm(tmp_path):
    odd = lore("교복은 파랗다.", insertion_order="7", priority=None, keys="교복, 파랑", extensions=[], id=None)
    found = card(tmp_path, card_v2(personality=None, character_book={"entries": [odd]}, tags=None, assets=None))
    assert [(each.content, each.tags) for each in known(found)] == [("교복은 파랗다.", ("교복", "파랑"))]
    assert known(card(tmp_path, card_v2(description="학생", character_book={}))) != []


def test_a_zip_without_a_card_or_with_one_twice_is_refused(tmp_path):
    with pytest.raises(InvalidImport, match=r"it has no card\.json"):
        list(read_card(charx(tmp_path / "a.charx", None, other_dot_json=b"{}"), NOBODY))
    twice = tmp_path / "b.charx"
    with zipfile.ZipFile(twice, "w") as file:
        file.writestr("card.json", json.dumps(card_v3()))
        with pytest.warns(UserWarning, match="Duplicate name"):
            file.writestr("card.json", json.dumps(card_v3(name="세라")))
    with pytest.raises(InvalidImport, match="some of them twice"):
        list(read_card(twice, NOBODY))


def test_a_card_without_a_name_needs_one(tmp_path):
    with pytest.raises(InvalidImport, match="who the character is; name them: --character NAME"):
        card(tmp_path, card_v2(name="", description="학생"))
    assert known(card(tmp_path, card_v2(name="", description="학생"), Whose(character="레티아")))[0].scope == LETIA
    with pytest.raises(InvalidImport, match="control characters"):
        card(tmp_path, card_v2(name="레\n티아", description="학생"))
