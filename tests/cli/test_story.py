"""What lies between the two and whom they know: relationship, people, scenes, emotions, timeline."""

import tomllib
from datetime import datetime
from shutil import copy
from zoneinfo import ZoneInfo

import pytest

from gieok.bank import open_bank
from gieok.cli.relationship import rules_in_force, written
from gieok.domain.relationship import default_rules, rules_from

LETIA = ("-u", "민수", "-c", "레티아")
TALK = [
    ("2026-03-02T19:30", "안녕하세요, 저는 한민수예요", "안녕하세요! 만나서 정말 반가워요."),
    ("2026-03-02T19:32", "얘기 들어줘서 고마워요", "저야말로 너무 기뻐요."),
    ("2026-03-02T19:34", "제 친구 수아는 커피를 좋아해요. 정말 착해요", "수아 씨는 좋은 분이네요."),
    ("2026-03-08T14:00", "지훈이 때문에 너무 짜증나요", "많이 속상했겠어요."),
]


@pytest.fixture(scope="module")
def talked(tmp_path_factory):
    """A bank in which two have talked on two days."""
    path = tmp_path_factory.mktemp("talked") / "bank.db"
    with open_bank(path, embedder="hashing", upkeep="off") as bank:
        mind = bank.scope(user="민수", character="레티아")
        for number, (at, text, reply) in enumerate(TALK, start=1):
            when = datetime.fromisoformat(at).replace(tzinfo=ZoneInfo("Asia/Seoul"))
            mind.observe(text, reply=reply, at=when, turn_id=f"t{number}")
    return path


@pytest.fixture
def told(run, talked, tmp_path):
    """Run commands on a copy of that bank."""
    copy(talked, tmp_path / "gieok.db")
    return run


def test_the_relationship_and_what_it_came_from(told):
    shown = told("relationship").out
    for words in ("민수 ↔ 레티아", "낯선 사이", "친밀도", "경쟁심", "2026-03-02에 처음 만나", "고마움 · 민수"):
        assert words in shown
    record = told("relationship", "--json").record
    assert set(record) == {
        "level", "score", "trust", "affection", "respect", "rivalry", "familiarity", "turns", "met_at", "last_at",
        "manners", "changes",
    }  # fmt: skip
    assert (record["level"], record["turns"], record["met_at"]) == ("stranger", 4, "2026-03-02T19:30:00+09:00")
    assert record["manners"]["user"]["style"]["value"] == "formal"
    thanks = next(each for each in record["changes"] if each["turn_id"] == "t2")
    assert {"thanks"} <= {cause["cause"] for cause in thanks["causes"]}
    assert thanks["scene"] == told("scenes", "--json").record[0]["id"]


def test_the_history_is_every_step_or_the_latest(told):
    steps = told("relationship", "--history", "--json").record
    assert [each["turn_id"] for each in steps] == ["t1", "t2", "t3", "t4"]
    assert steps[0]["before"] is None
    assert steps[1]["before"] == steps[0]["after"]
    shown = told("relationship", "--history", "--limit", "1").out
    assert "2026-03-08 14:00" in shown
    assert "변화가 3번 더 있어요" in shown
    assert "2026-03-02" in told("relationship", "--history", "--limit", "0").out


def test_a_chart_is_drawn_into_a_file(told, tmp_path):
    assert "way.svg" in told("relationship", "--chart", "way.svg").out
    assert (tmp_path / "way.svg").read_text(encoding="utf-8").startswith("<svg")
    assert ".svg" in told("relationship", "--chart", "way.png").refused
    assert "no/such/folder" in told("relationship", "--chart", "no/such/folder/way.svg").refused


def test_the_rules_are_printed_as_they_are_in_force(run, tmp_path, monkeypatch):
    text = run("relationship", "--rules").out
    assert "relationship_rules" in text
    assert rules_from(tomllib.loads(text)) == default_rules()
    (tmp_path / "mine.toml").write_text("[start]\ntrust = 50\n", encoding="utf-8")
    monkeypatch.setenv("GIEOK_RELATIONSHIP_RULES", "mine.toml")
    assert run("relationship", "--rules", "--json").record["start"]["trust"] == 50
    (tmp_path / "mine.toml").write_text("[start", encoding="utf-8")
    assert "relationship_rules = 'mine.toml'" in run("relationship", "--rules").refused


def test_the_rules_in_force_can_be_read_back(tmp_path):
    assert rules_from(tomllib.loads(written(default_rules()))) == default_rules()
    changed = tmp_path / "rules.toml"
    own = '[signs.thanks]\ntrust = 0.1234567891\n[signs."함께 \\"요리\\""]\nnew = true\naffection = 1\n'
    changed.write_text(own, encoding="utf-8")
    assert rules_from(tomllib.loads(rules_in_force(str(changed)))) == rules_from(tomllib.loads(own))


def test_people_and_one_of_them(told):
    everybody = {each["name"]: each for each in told("people", "--json").record}
    assert set(everybody) == {"수아", "지훈"}
    assert everybody["지훈"]["sentiment"] < 0
    assert "수아" in told("people", "--limit", "0").out
    assert len(told("people", "--limit", "1", "--json").record) == 1
    sua = told("people", "수아", "--json").record
    assert "커피" in " ".join(memory["content"] for memory in sua["facts"])
    assert sua["trajectory"][-1]["sentiment"] == sua["sentiment"]
    assert len({point["turn_id"] for point in sua["trajectory"]}) == len(sua["trajectory"])
    assert "관심사" in told("people", "수아").out
    assert told("people", "지훈이", "--json").record["name"] == "지훈", "a name may be typed with its ending"


def test_two_names_become_one_person_and_two_again(told):
    assert told("people", "수아", "--same-as", "지훈", "--json").record["aliases"] == ["지훈"]
    assert len(told("people", "--json").record) == 1
    assert "이미 같은 사람" in told("people", "지훈", "--same-as", "수아").refused
    assert told("people", "수아", "--apart-from", "지훈", "--json").record["aliases"] == []
    assert len(told("people", "--json").record) == 2
    assert "같은 사람이 아니에요" in told("people", "수아", "--apart-from", "지훈").refused


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("people", "철수"), "'철수'라는 사람이 없어요. 목록 보기: gieok people"),
        (("people", "철수이"), "'철수이'"),
        (("people", "이"), "'이'"),
        (("people", "수아", "--same-as", "철수"), "'철수'"),
        (("people", "--same-as", "수아"), "gieok people 지훈 --same-as 지훈쌤"),
        (("people", "수아", "--same-as", "지훈", "--apart-from", "지훈"), "--apart-from"),
        (("emotions", "--since", "어제"), "--since 값 '어제'는 날짜가 아니에요"),
        (("timeline", "--until", "어제"), "--until 값 '어제'는 날짜가 아니에요"),
    ],
)
def test_a_slip_is_named_in_one_line(told, arguments, trouble):
    assert trouble in told(*arguments).refused


def test_scenes_and_the_last_time(told, monkeypatch):
    first, second = told("scenes", "--json").record
    assert (first["turns"], first["ended_by"], second["ended_at"]) == (3, "silence", None)
    assert told("scenes", "--limit", "1", "--json").record == [second]
    assert "2026-03-02 19:30–19:34" in told("scenes").out
    assert told("scenes", "--last").out.startswith("지난번(3월 2일 저녁)에는")
    assert told("scenes", "--last", "--json").record["id"] == first["id"]
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    assert told("scenes", "--last").out.startswith("Last time (March 2) they talked")


def test_before_the_first_meeting_is_over_there_is_no_last_time(run):
    run("observe", "안녕", *LETIA)
    assert "아직 지난 만남이 없어요" in run("scenes", "--last").out
    assert run("scenes", "--last", "--json").record is None


def test_feelings_turn_by_turn(told):
    felt = told("emotions", "--json").record
    assert {each["turn_id"] for each in felt} == {"t1", "t2", "t3", "t4"}
    angry = next(each for each in felt if (each["turn_id"], each["speaker"]) == ("t4", "user"))
    assert angry["one_hot"] == {"neutral": 0, "sad": 0, "happy": 0, "angry": 1}
    for options, turns in (
        (("--limit", "1"), {"t4"}),
        (("--until", "2026-03-02"), {"t1", "t2", "t3"}),
        (("--since", "2026-03-03"), {"t4"}),
    ):
        assert {each["turn_id"] for each in told("emotions", *options, "--json").record} == turns
    shown = told("emotions").out
    assert "화남   ━" in shown
    assert "지훈이 때문에 너무 짜증나요" in shown
    assert "읽은 감정이 없어요." in told("emotions", "--since", "2027-01-01").out


def test_the_timeline_and_parts_of_it(told):
    assert "이름은 한민수임" in [memory["content"] for memory in told("timeline", "--json").record]
    named = told("timeline", "--text", "한민수", "--json").record
    assert [memory["content"] for memory in named] == ["이름은 한민수임"]
    assert told("timeline", "--since", "2026-04-01", "--json").record == []
    assert "여기에 맞는 기억이 없어요." in told("timeline", "--until", "2026-01-01").out
    assert {memory["type"] for memory in told("timeline", "--type", "preference", "--json").record} == {"preference"}


def test_observing_tells_what_it_moved(told):
    lines = told("observe", "너무 짜증나요", "-r", "미안해요. 저도 슬퍼요.", "--turn-id", "t5").out.splitlines()
    assert lines[-2:] == ["민수 화남 · 레티아 슬픔", "대화 ID t5"]
    record = told("observe", "정말 고마워요, 너무 기뻐요", "--json").record
    assert [each["emotion"] for each in record["emotions"]] == ["happy"]
    assert record["level"] is None


def test_a_level_that_is_reached_is_told(run, tmp_path, monkeypatch):
    start = "trust = 20\naffection = 20\nrespect = 20\nfamiliarity = 18.9"
    rules = f"[start]\n{start}\n[signs.thanks]\ntrust = 3\nper_day = 9\n"
    (tmp_path / "mine.toml").write_text(rules, encoding="utf-8")
    monkeypatch.setenv("GIEOK_RELATIONSHIP_RULES", "mine.toml")
    run("observe", "음", *LETIA)
    assert "두 사람의 사이: 낯선 사이 → 얼굴을 아는 사이" in run("observe", "정말 고마워요").out
