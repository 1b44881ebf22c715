"""A user gets all that is kept of them in one file; another bank takes it in, whole or not at all."""

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gieok
from gieok.domain.server_state import Document
from gieok.errors import BankError, InvalidExport, UnknownUser
from gieok.testing import day
from support.carrying import carried

Edit = Callable[[dict[str, bytes]], None]


@pytest.fixture
def told(bank, letia):
    letia.observe("나 부산에 살아", reply="바다가 있네요", at=day(1), turn_id="t1")
    letia.observe("나 고양이 좋아해", reply="저도요!", at=day(2), turn_id="t2")
    letia.observe("나 서울로 이사했어", reply="와", at=day(3), turn_id="t3")
    letia.observe("비밀 하나 말해 줄까", at=day(4), turn_id="t4")
    letia.rewind("t4")
    bank.scope(user="minsu", character="sera").observe("나는 땅콩 알레르기가 있어", at=day(1))
    bank.scope(user="jisu", character="letia", world="academy").observe("나는 소방관이야", at=day(1))
    bank.scope(character="letia", world="academy").remember("레티아는 별의 학원에 다닌다", at=day(1))
    return bank


@pytest.fixture
def file(told, tmp_path):
    return told.export(user="minsu", to=tmp_path / "minsu.zip").path


def within(file: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def altered(file: Path, edit: Edit) -> Path:
    """Return a copy of a file that somebody has had their hands on."""
    parts = within(file)
    edit(parts)
    other = file.with_name("altered.zip")
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return other


def lines(data: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in data.splitlines()]


def test_all_of_a_user_is_in_it_and_nothing_of_anybody_else(file):
    parts = within(file)
    everything = b"\n".join(parts.values()).decode()

    assert json.loads(parts["gieok.json"])["user"] == "minsu"
    for own in ("고양이를 좋아함", "바다가 있네요", "땅콩", "비밀 하나"):
        assert own in everything
    for foreign in ("소방관", "jisu", "별의 학원"):
        assert foreign not in everything
    assert {(line["character"], line["world"]) for line in lines(parts["scopes.jsonl"])} == {
        ("letia", "academy"),
        ("sera", None),
    }
    assert "고양이를 좋아해요." in parts["index.html"].decode()
    assert file.stat().st_mode & 0o077 == 0, "only its owner may read it"


def test_one_character_or_world_can_be_meant(told, tmp_path):
    only = told.export(user="minsu", character="sera", to=tmp_path / "sera.zip")
    assert [scope.character for scope in only.scopes] == ["sera"]
    assert "고양이" not in b"".join(within(only.path).values()).decode()


def test_documents_are_carried_out_but_not_in(told, letia, tmp_path, open_bank):
    for key, scope in (("own", letia.key), ("other", gieok.Scope(user="jisu", character="letia"))):
        told.store.server.put_document(
            Document(namespace=("n",), key=key, value=f'"{key}"', scope=scope, created_at=day(1), updated_at=day(1))
        )
    path = told.export(user="minsu", to=tmp_path / "minsu.zip").path
    assert [line["key"] for line in lines(within(path)["documents.jsonl"])] == ["own"]
    other = open_bank("other.db")
    other.import_export(path)
    assert other.store.server.documents() == []


def test_what_is_imported_is_what_was_exported(told, letia, file, open_bank):
    other = open_bank("other.db")
    assert {each.fate for each in other.import_export(file, dry_run=True)} == {"new"}
    assert other.scopes() == []
    assert {each.fate for each in other.import_export(file)} == {"new"}

    mind = other.mind(letia.key)
    assert mind.facts(history=True) == letia.facts(history=True)
    assert mind.turns() == letia.turns()
    assert mind.journal() == letia.journal()
    assert mind.relationship() == letia.relationship()
    assert carried(other.store, letia.key) == carried(told.store, letia.key)
    assert mind.recall("고양이")[0].item == letia.recall("고양이")[0].item
    assert mind.recall("고양이")[0].parts.relevance > 0.3  # it has its vectors
    mind.rewind("t3")
    assert [fact.value for fact in mind.facts(attribute="residence")] == ["부산"]


def test_twice_is_once_also_after_the_story_went_on(file, open_bank):
    other = open_bank("other.db")
    other.import_export(file)
    mind = other.scope(user="minsu", character="sera")
    mind.observe("나 커피 좋아해", at=day(9))
    assert {each.fate for each in other.import_export(file)} == {"there"}
    assert len(mind.turns()) == 2


def test_other_memories_under_the_same_names_are_never_overwritten(file, open_bank):
    other = open_bank("other.db")
    mind = other.scope(user="minsu", character="letia", world="academy")
    mind.observe("나 대전에 살아", at=day(1))
    before = mind.facts()
    fates = {str(each.scope): each.fate for each in other.import_export(file)}
    assert fates == {"user=minsu character=letia world=academy": "differs", "user=minsu character=sera": "new"}
    assert mind.facts() == before


def test_a_bank_with_another_embedder_makes_its_own_vectors(told, letia, file, open_bank):
    other = open_bank("other.db", embedder="hashing:64")
    other.import_export(file)
    assert other.mind(letia.key).recall("반려동물 좋아해?")[0].parts.relevance > 0


def swapped(name: str, old: str | bytes, new: bytes) -> Edit:
    """Return an edit that puts `new` in the place of the first `old`."""

    def edit(parts: dict[str, bytes]) -> None:
        parts[name] = parts[name].replace(old.encode() if isinstance(old, str) else old, new, 1)

    return edit


def written(name: str, data: bytes) -> Edit:
    return lambda parts: parts.update({name: data})


BROKEN: dict[str, tuple[Edit, str]] = {
    "unknown type": (
        swapped("memories.jsonl", b'"personal"', b'"rumour"'),
        r"memories.jsonl, line \d+: content_type is 'rumour'",
    ),
    "missing line": (
        lambda parts: parts.update({"turns.jsonl": parts["turns.jsonl"].split(b"\n", 1)[1]}),
        "turns.jsonl: has 4 lines instead of 5",
    ),
    "no JSON": (written("things.jsonl", b"{" * 100_000 + b"\n"), "things.jsonl, line 1: is not valid JSON"),
    "surrogate": (
        swapped("utterances.jsonl", '"나 부산에', b'"\\ud800'),
        "utterances.jsonl, line 1: is not valid JSON",
    ),
    "NUL": (
        swapped("utterances.jsonl", '"나 부산에', b'"\\u0000'),
        "utterances.jsonl, line 1: is not valid JSON",
    ),
    "huge number": (
        swapped("memories.jsonl", b'"strength":1', b'"strength":1e999'),
        r"memories.jsonl, line \d+: is not valid JSON",
    ),
    "no number": (
        swapped("memories.jsonl", b'"strength":1.0', b'"strength":NaN'),
        r"memories.jsonl, line \d+: is not valid JSON \(NaN is no number\)",
    ),
    "another user": (
        swapped("scopes.jsonl", b'"user":"minsu"', b'"user":"jisu"'),
        "scopes.jsonl, line 1: belongs to another user",
    ),
    "no user": (
        swapped("scopes.jsonl", b'"user":"minsu"', b'"user":null'),
        "scopes.jsonl, line 1: belongs to another user",
    ),
    "unknown scope": (swapped("turns.jsonl", b'"scope":1', b'"scope":7'), "turns.jsonl, line 1: scope 7 is not in"),
    "newer": (swapped("gieok.json", b'"version": 1', b'"version": 2'), "has version 2, this gieok reads 1"),
    "headless": (lambda parts: parts.pop("gieok.json"), "it has no gieok.json"),
    "bomb": (written("things.jsonl", b" " * (80 * 1024 * 1024)), "which no export does"),
    "endless line": (
        written("things.jsonl", b'{"scope":1,"kind":"' + b"x" * (17 * 1024 * 1024) + b'"}\n'),
        "things.jsonl, line 1: is longer than",
    ),
}


@pytest.mark.parametrize(("edit", "complaint"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_imports_nothing_and_says_where_it_is_broken(file, open_bank, edit, complaint):
    other = open_bank("other.db")
    with pytest.raises(InvalidExport, match=complaint) as refused:
        other.import_export(altered(file, edit))
    assert "nothing was imported" in str(refused.value)
    assert other.scopes() == []


@pytest.mark.parametrize("packing", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_file_that_is_packed_otherwise_is_refused(file, open_bank, packing):
    parts = within(file)
    with zipfile.ZipFile(file, "w", packing) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    with pytest.raises(InvalidExport, match="packed in a way that gieok exports never are"):
        open_bank("other.db").import_export(file)


@pytest.mark.parametrize("keep", [0, 10, 500, -1, -30])
def test_a_file_that_was_cut_off_imports_nothing(file, open_bank, keep):
    other = open_bank("other.db")
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(InvalidExport):
        other.import_export(file)
    assert other.scopes() == []


def test_no_flipped_byte_gets_through_or_crashes(file, open_bank, counts):
    whole = file.read_bytes()
    step = max(len(whole) // counts(40, 4_000), 1)
    other = open_bank("other.db")
    for place in range(0, len(whole), step):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        try:
            taken = other.import_export(file, dry_run=True)
        except InvalidExport:
            continue
        assert {each.fate for each in taken} == {"new"}  # it was in the page, or in what a zip says of itself


def test_a_file_that_is_not_there_and_one_that_is_another_users_are_refused(file, open_bank, tmp_path):
    other = open_bank("other.db")
    with pytest.raises(InvalidExport, match="there is no file"):
        other.import_export(tmp_path / "nowhere.zip")
    with pytest.raises(InvalidExport, match="another user's"):
        other.import_export(file, user="jisu")
    assert {each.fate for each in other.import_export(file, user="minsu")} == {"new"}


def test_a_user_of_whom_nothing_is_kept_gets_no_file(told, tmp_path):
    with pytest.raises(UnknownUser, match="user=nobody"):
        told.export(user="nobody", to=tmp_path / "x.zip")
    with pytest.raises(BankError, match="there is no folder"):
        told.export(user="minsu", to=tmp_path / "nowhere" / "x.zip")
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".zip"]


def test_a_file_is_replaced_only_by_a_whole_one(told, tmp_path, monkeypatch):
    path = tmp_path / "minsu.zip"
    path.write_bytes(b"what was there")

    def broken(*_: object, **__: object) -> Iterator[bytes]:
        yield b"PK"
        raise OSError("no space left")

    monkeypatch.setattr("gieok.bank.privacy.packed", broken)
    with pytest.raises(OSError, match="no space"):
        told.export(user="minsu", to=path)
    assert path.read_bytes() == b"what was there"
    assert [each.name for each in tmp_path.iterdir() if ".zip" in each.name] == ["minsu.zip"]


def test_what_is_remembered_of_a_user_is_told_by_their_own_scope_alone(told, letia):
    answer = str(letia.about_me())
    assert "서울에 살아요. (3월 3일에 들었어요)" in answer
    assert "부산" not in answer  # no longer so
    assert "별의 학원" not in answer  # canon
    assert "땅콩" not in answer  # told to sera
    forgotten = next(each for part in letia.about_me().parts for each in part.told if "고양이" in each.text)
    assert forgotten.memory_id is not None
    letia.forget(forgotten.memory_id)
    assert "고양이를" not in str(letia.about_me())
