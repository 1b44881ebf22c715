"""Teaching the reader with lines of one's own: its last layer learns, and knows what it knew."""

from datetime import UTC, datetime

import pytest

from gieok.domain.scope import Scope
from gieok.domain.turn import USER, Turn, Utterance
from gieok.errors import InvalidInput
from gieok.extract.learned import taught as lessons
from gieok.extract.learned.network import network
from gieok.extract.learned.taught import Label, Line, lines_in, save, taught_network, teach
from gieok.extract.reader import Reader

NOW = datetime(2026, 3, 4, tzinfo=UTC)
LINES = """\
무기는 {태도|free.weapon}만 씀
{대검|free.weapon} 들고 다님
주무기 뭐야? > {건랜스|free.weapon}
나는 {차지액스|free.weapon} 유저야
{쌍검|free.weapon} 장인임 ㅋㅋ
나 {조충곤|free.weapon} 잡은 지 3년
오늘 레이드 가자
내일 비 온대
"""


@pytest.fixture(autouse=True)
def few_old_phrases(monkeypatch):
    monkeypatch.setattr(lessons, "_OLD", 1)


@pytest.fixture(scope="module")
def taught():
    return teach(lines_in(LINES, network()), network())


def read(reader, said):
    told = Utterance(id="1", turn_id="1", speaker=USER, text=said, at=NOW, position=0)
    turn = Turn(id="1", utterances=(told,), at=NOW, recorded_at=NOW)
    return {(each.attribute, each.value) for each in reader.claims(turn, Scope(user=USER), ())}


def test_an_attribute_of_ones_own_is_learned_kept_and_read(tmp_path, taught):
    path = tmp_path / "memories.db.reader.npz"
    save(path, taught)

    reader = Reader(path)
    assert path.stat().st_mode & 0o077 == 0
    assert any(attribute == "free.weapon" for attribute, _ in read(reader, "나는 슬래시액스 유저야"))
    assert not any(attribute == "free.weapon" for attribute, _ in read(Reader(), "나는 슬래시액스 유저야"))
    assert ("allergy", "땅콩") in read(reader, "나 땅콩 알레르기 있어")
    assert read(reader, "뭐 먹었어?") == set()
    assert (reader.name, Reader().name) == ("reader/2 taught", "reader/2")


def test_few_lines_are_scored_on_themselves(taught):
    assert (taught.lines, taught.held_out) == (8, 0)
    assert taught.before.labelled == taught.after.labelled == 6
    assert taught.after.found > taught.before.found


def test_of_many_lines_every_fifth_is_kept_out():
    many = "\n".join(f"무기는 {{{name}|free.weapon}} 씀" for name in "가검 나검 다검 라검 마검".split() * 4)
    assert teach(lines_in(many, network()), network()).held_out == 4


def test_a_line_is_read_with_its_question_and_without_its_marks():
    asked, plain = lines_in("어디 살아? > {부산|residence}이요\n\n밥 먹자\n", network())
    assert asked == Line("부산이요", "어디 살아?", (Label(0, 2, "residence"),))
    assert plain == Line("밥 먹자", "", ())


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("밥 먹자\n", "no line of the file marks a fact"),
        ("나 {부산|사는 곳} 살아\n", "line 1: '사는 곳' is not a label"),
        ("좋아\n나 {부산|town} 살아\n", "line 2: there is no attribute 'town'"),
        ("나 {부산|residence 살아\n", "line 1: a brace or a bar is unmatched"),
    ],
)
def test_a_line_that_does_not_fit_is_named(text, trouble):
    with pytest.raises(InvalidInput, match=trouble):
        lines_in(text, network())


def test_a_file_that_is_no_taught_reader_or_of_another_version_is_refused(tmp_path, taught):
    path = tmp_path / "memories.db.reader.npz"
    path.write_bytes(b"broken")
    with pytest.raises(InvalidInput, match="is not a taught reader"):
        taught_network(path, network())

    save(path, lessons.replace(taught, meta={**taught.meta, "taught_to": "another training of the network"}))
    with pytest.raises(InvalidInput, match="made for another version"):
        taught_network(path, network())


def test_lines_whose_only_facts_would_be_kept_out_are_all_learned():
    calm = [Line("밥 먹자", "", ())] * 20
    assert teach([*lines_in("나는 {태도|free.weapon} 유저야", network()), *calm], network()).held_out == 0
