import json
import tomllib

import pytest

from gieok.domain.relationship import default_rules, rules_from

LETIA = ("-u", "민수", "-c", "레티아")
TALK = [
    ("2026-03-02T19:30", "안녕하세요, 저는 한민수예요", "안녕하세요! 만나서 정말 반가워요."),
    ("2026-03-02T19:32", "얘기 들어줘서 고마워요", "저야말로 너무 기뻐요."),
    ("2026-03-02T19:34", "수아는 영화 보는 걸 좋아해요. 정말 착해요", "수아 씨는 좋은 분이네요."),
    ("2026-03-08T14:00", "지훈이 때문에 너무 짜증나요", "많이 속상했겠어요."),
]


@pytest.fixture(scope="module")
def talked(tmp_path_factory):
    """A bank in which two have talked on two days."""
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from gieok.bank import open_bank

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
    from shutil import copy

    copy(talked, tmp_path / "gieok.db")
    return run


def read(ran):
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_the_relationship_and_what_it_came_from(told):
    shown = told("relationship").out
    for words in ("민수 ↔ 레티아", "낯선 사이", "친밀도", "경쟁심", "2026-03-02에 처음 만나", "고마움 · 민수"):
        assert words in shown
    record = read(told("relationship", "--json"))
    assert set(record) == {
        "level", "score", "trust", "affection", "respect", "rivalry", "familiarity", "turns", "met_at", "last_at",
        "manners", "changes",
    }  # fmt: skip
    assert (record["level"], record["turns"], record["met_at"]) == ("stranger", 4, "2026-03-02T19:30:00+09:00")
    assert record["manners"]["user"]["style"]["value"] == "formal"
    thanks = next(each for each in record["changes"] if each["turn_id"] == "t2")
    assert {"thanks"} <= {cause["cause"] for cause in thanks["causes"]}
    assert thanks["scene"] == read(told("scenes", "--json"))[0]["id"]


def test_the_history_is_every_step_or_the_latest(told):
    steps = read(told("relationship", "--history", "--json"))
    assert [each["turn_id"] for each in steps] == ["t1", "t2", "t3", "t4"]
    assert steps[0]["before"] is None
    assert steps[1]["before"] == steps[0]["after"]
    shown = told("relationship", "--history", "--limit", "1").out
    assert "2026-03-08 14:00" in shown
    assert "이보다 앞선 3번은 --limit 0으로" in shown
    assert "2026-03-02" in told("relationship", "--history", "--limit", "0").out


def test_a_chart_is_drawn_into_a_file(told, tmp_path):
    assert "way.svg" in told("relationship", "--chart", "way.svg").out
    assert (tmp_path / "way.svg").read_text(encoding="utf-8").startswith("<svg")
    other = told("relationship", "--chart", "way.png")
    assert (other.code, "must end in .svg" in other.err) == (1, True)
    nowhere = told("relationship", "--chart", "no/such/folder/way.svg")
    assert (nowhere.code, "check the path" in nowhere.err) == (1, True)


def test_the_rules_are_printed_as_they_are_in_force(run, tmp_path, monkeypatch):
    text = run("relationship", "--rules").out
    assert "# Every turn, whatever is said." in text
    assert rules_from(tomllib.loads(text)) == default_rules()
    (tmp_path / "mine.toml").write_text("[start]\ntrust = 50\n", encoding="utf-8")
    monkeypatch.setenv("GIEOK_RELATIONSHIP_RULES", "mine.toml")
    assert read(run("relationship", "--rules", "--json"))["start"]["trust"] == 50
    (tmp_path / "mine.toml").write_text("[start", encoding="utf-8")
    broken = run("relationship", "--rules")
    assert (broken.code, broken.out) == (1, "")
    assert "relationship_rules = 'mine.toml' cannot be read" in broken.err


def test_people_and_one_of_them(told):
    everybody = {each["name"]: each for each in read(told("people", "--json"))}
    assert set(everybody) == {"수아", "지훈"}
    assert everybody["지훈"]["sentiment"] < 0
    assert "수아" in told("people", "--limit", "0").out
    assert len(read(told("people", "--limit", "1", "--json"))) == 1
    sua = read(told("people", "수아", "--json"))
    assert "영화" in " ".join(memory["content"] for memory in sua["facts"])
    assert sua["trajectory"][-1]["sentiment"] == sua["sentiment"]
    assert len({point["turn_id"] for point in sua["trajectory"]}) == len(sua["trajectory"])
    assert "관심사" in told("people", "수아").out


def test_a_name_may_be_typed_with_its_ending(told):
    assert read(told("people", "지훈이", "--json"))["name"] == "지훈"


def test_two_names_become_one_person_and_two_again(told):
    joined = read(told("people", "수아", "--same-as", "지훈", "--json"))
    assert joined["aliases"] == ["지훈"]
    assert len(read(told("people", "--json"))) == 1
    assert "are one person already" in told("people", "지훈", "--same-as", "수아").err
    assert read(told("people", "수아", "--apart-from", "지훈", "--json"))["aliases"] == []
    assert len(read(told("people", "--json"))) == 2
    assert "are not one person" in told("people", "수아", "--apart-from", "지훈").err


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("people", "철수"), "nobody goes by '철수' in this scope; `gieok people` lists whom it knows"),
        (("people", "철수이"), "nobody goes by '철수이'"),
        (("people", "이"), "nobody goes by '이'"),
        (("people", "수아", "--same-as", "철수"), "nobody goes by '철수'"),
        (("people", "--same-as", "수아"), "gieok people 지훈 --same-as 지훈쌤"),
        (("people", "수아", "--same-as", "지훈", "--apart-from", "지훈"), "give one of them"),
        (("emotions", "--since", "어제"), "--since '어제' is no date"),
        (("timeline", "--until", "어제"), "--until '어제' is no date"),
        (("timeline", "--type", "thing"), "unknown type 'thing'"),
        (("scenes", "-u", "nobody"), "known scopes: [user=민수 character=레티아]"),
    ],
)
def test_a_slip_is_named_in_one_line(told, arguments, trouble):
    ran = told(*arguments)
    assert (ran.code, ran.out) == (1, "")
    assert trouble in ran.err
    assert ran.err.count("\n") == 1


def test_scenes_and_the_last_time(told):
    first, second = read(told("scenes", "--json"))
    assert (first["turns"], first["ended_by"], second["ended_at"]) == (3, "silence", None)
    assert read(told("scenes", "--limit", "1", "--json")) == [second]
    assert "2026-03-02 19:30–19:34" in told("scenes").out
    assert told("scenes", "--last").out.startswith("지난번(3월 2일 저녁)에는")
    assert read(told("scenes", "--last", "--json"))["id"] == first["id"]


def test_before_the_first_meeting_is_over_there_is_no_last_time(run):
    run("observe", "안녕", *LETIA)
    assert "아직 지난 만남이 없어요" in run("scenes", "--last").out
    assert read(run("scenes", "--last", "--json")) is None


def test_feelings_turn_by_turn(told):
    felt = read(told("emotions", "--json"))
    assert {each["turn_id"] for each in felt} == {"t1", "t2", "t3", "t4"}
    angry = next(each for each in felt if (each["turn_id"], each["speaker"]) == ("t4", "user"))
    assert angry["one_hot"] == {"neutral": 0, "sad": 0, "happy": 0, "angry": 1}
    assert {each["turn_id"] for each in read(told("emotions", "--limit", "1", "--json"))} == {"t4"}
    assert {each["turn_id"] for each in read(told("emotions", "--until", "2026-03-02", "--json"))} == {"t1", "t2", "t3"}
    assert {each["turn_id"] for each in read(told("emotions", "--since", "2026-03-03", "--json"))} == {"t4"}
    shown = told("emotions").out
    assert "화남   ━" in shown
    assert "지훈이 때문에 너무 짜증나요" in shown
    assert "그동안 읽은 감정이 없어요." in told("emotions", "--since", "2027-01-01").out


def test_the_timeline_and_parts_of_it(told):
    everything = read(told("timeline", "--json"))
    assert "이름은 한민수임" in [memory["content"] for memory in everything]
    assert [memory["content"] for memory in read(told("timeline", "--text", "한민수", "--json"))] == ["이름은 한민수임"]
    assert read(told("timeline", "--since", "2026-04-01", "--json")) == []
    assert "여기에 맞는 기억이 없어요." in told("timeline", "--until", "2026-01-01").out
    assert {memory["type"] for memory in read(told("timeline", "--type", "preference", "--json"))} == {"preference"}


def test_observing_tells_what_it_moved(told):
    lines = told("observe", "너무 짜증나요", "-r", "미안해요. 저도 슬퍼요.", "--turn-id", "t5").out.splitlines()
    assert lines[-2:] == ["민수 화남 · 레티아 슬픔", "turn t5"]
    record = read(told("observe", "정말 고마워요, 너무 기뻐요", "--json"))
    assert [each["emotion"] for each in record["emotions"]] == ["happy"]
    assert record["level"] is None


def test_a_level_that_is_reached_is_told(run, tmp_path, monkeypatch):
    start = "trust = 20\naffection = 20\nrespect = 20\nfamiliarity = 18.9"
    rules = f"[start]\n{start}\n[signs.thanks]\ntrust = 3\nper_day = 9\n"
    (tmp_path / "mine.toml").write_text(rules, encoding="utf-8")
    monkeypatch.setenv("GIEOK_RELATIONSHIP_RULES", "mine.toml")
    run("observe", "음", *LETIA)
    assert "두 사람의 사이: 낯선 사이 → 얼굴을 아는 사이" in run("observe", "정말 고마워요").out


def test_english_words_by_the_settings(told, monkeypatch):
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    assert "still strangers" in told("relationship").out
    assert "disliked" in told("people").out
    assert told("scenes", "--last").out.startswith("Last time (March 2) they talked")
    assert "angry" in told("emotions").out
