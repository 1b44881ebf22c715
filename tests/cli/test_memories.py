"""Listing memories and putting them right: facts, scopes, correct, pin, forget, rewind."""

import pytest

import gieok
from support.doubts import DoubtfulReader

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def told(run):
    """A bank in which letia, who likes cats, knows that minsu lived in Seoul, and now lives in Busan."""
    run("observe", "나 서울 살아", "-r", "저는 고양이를 좋아해요!", *LETIA, "--at", "2026-03-01T20:00")
    run("observe", "나 이제 부산 살아", *LETIA, "--at", "2026-03-30T20:00", "--turn-id", "t2")
    return run


def contents(ran):
    return [memory["content"] for memory in ran.record]


@pytest.mark.parametrize(
    ("options", "known"),
    [
        (("--about", "user"), ["부산에 삶"]),
        (("--about", "user", "--as-of", "2026-03-15"), ["서울에 삶"]),
        (("--about", "user", "--history"), ["서울에 삶", "부산에 삶"]),
        (("--about", "user", "--as-of", "2026-03-30"), ["부산에 삶"]),
        (("--about", "user", "--as-of", "2026-03-30T12:00"), ["서울에 삶"]),
        (("--known-at", "2026-03-01"), ["서울에 삶", "고양이를 좋아함"]),
        (("--known-at", "2026-02-28"), []),
        (("--about", "letia"), ["고양이를 좋아함"]),
        (("--said-by", "minsu", "--attribute", "residence"), ["부산에 삶"]),
        (("--type", "opinion"), []),
    ],
)
def test_facts_now_and_then_narrowed_down(told, options, known):
    assert contents(told("facts", *options, "--json")) == known


def test_a_table_shows_the_dates_of_both_clocks(told):
    table = told("facts", "--history", "--about", "user").out
    assert "2026-03-01  2026-03-30  2026-03-01" in table
    assert "2026-03-30  지금        2026-03-30" in table


@pytest.mark.parametrize(
    ("arguments", "trouble"),
    [
        (("--attribute", "liks"), "속성 'liks'는 없어요"),
        (("--type", "thing"), "'thing'은 모르는 종류예요. 쓸 수 있는 것: fact, "),
        (("--as-of", "gestern"), "--as-of 값 'gestern'은 날짜가 아니에요"),
        (("-u", "nobody"), "있는 것: [user=minsu character=letia]"),
        (("-u", "minsu"), "대괄호 안의 이름을 모두 -u, -c, -w로 적으세요."),
    ],
)
def test_a_slip_is_named(told, arguments, trouble):
    assert trouble in told("facts", *arguments).refused


def test_of_several_scopes_one_must_be_named_and_of_very_many_the_first_are_listed(told, tmp_path):
    told("observe", "안녕", "-u", "minsu", "-c", "sera")
    assert "[user=minsu character=letia], [user=minsu character=sera]" in told("facts").refused
    assert contents(told("facts", "--json", "-u", "minsu", "-c", "sera")) == []
    with gieok.open(tmp_path / "gieok.db", embedder="hashing") as bank:
        for number in range(60):
            bank.hold(gieok.Scope(user=f"u{number:02}"))
    for command in (("facts",), ("facts", "-u", "nobody")):
        refused = told(*command).refused
        assert refused.count("[user=u") == 48, "beside minsu's two"
        assert "gieok scopes" in refused
    assert told("facts", "-u", "u59").code == 0


def test_scopes_and_what_is_in_them(told):
    assert "letia" in told("scopes").out
    (summary,) = told("scopes", "--json").record
    assert set(summary) == {"user", "character", "world", "turns", "utterances", "memories", "latest_at"}
    assert (summary["turns"], summary["memories"]) == (2, 3)


def test_asking_makes_no_bank_and_a_new_or_empty_one_is_told_how_to_begin(run, tmp_path):
    for command in ("facts", "scopes"):
        assert "저장소가 없어요" in run(command, "--bank", "none.db").refused
    assert list(tmp_path.iterdir()) == []
    gieok.open(tmp_path / "gieok.db", embedder="hashing").close()
    for command in (("facts",), ("observe", "나 고양이 좋아해"), ("recall", "고양이")):
        assert 'gieok observe "나 고양이 좋아해" -u minsu -c letia' in run(*command).refused
    assert "gieok chat" in run("scopes").out


def test_a_file_that_is_not_a_bank_is_left_as_it_is(run, tmp_path):
    (tmp_path / "notes.txt").write_text("장보기 목록", encoding="utf-8")
    assert "gieok 저장소도, 암호화된 저장소도 아니에요" in run("facts", "--bank", "notes.txt").refused
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "장보기 목록"


@pytest.mark.parametrize("llm", ["opnai:gpt-4o", "openai:gpt-4o-mini", "gguf:nowhere.gguf"])
def test_what_needs_no_model_works_also_where_one_is_wrongly_set(told, monkeypatch, llm):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("GIEOK_LLM", llm)
    assert "고양이를 좋아함" in told("facts").out
    assert told("observe", "나 개도 좋아해").code == 1, "a turn that a model is to read waits for the right setting"


def memory_id(run, content="부산에 삶"):
    return next(fact["id"] for fact in run("facts", "--json").record if fact["content"] == content)


def test_a_memory_is_corrected_pinned_and_forgotten_by_the_end_of_its_id(told):
    end = memory_id(told)[-8:]
    assert "부산 해운대에 삶" in told("correct", end, "부산 해운대에 삶", "--value", "부산 해운대").out
    assert told("pin", end, "--json").record["pinned"] is True
    assert told("pin", end, "--off", "--json").record["pinned"] is False
    gone = told("forget", end, "--json").record
    assert (gone["value"], gone["forgotten_at"] is not None) == ("부산 해운대", True)
    assert contents(told("facts", "--about", "user", "--json")) == []


def test_a_turn_is_taken_back_with_those_after_it(told):
    assert told("rewind", "t2", "--json").record == {"rewound": ["t2"]}
    assert contents(told("facts", "--about", "user", "--json")) == ["서울에 삶"]
    first = told("emotions", "--json").record[0]["turn_id"]
    assert first in told("rewind", first, "--following").out
    assert contents(told("facts", "--json")) == []


def test_an_id_must_be_known_and_unmistakable(told):
    unknown = told("forget", "nope").refused
    assert "'nope'" in unknown
    assert "gieok facts --history" in unknown
    assert "ID가 '-0'으로 끝나는 기억이 3개예요" in told("forget", "--", "-0").refused


def test_a_number_from_a_list_is_no_id(run):
    run("observe", "나 고양이 좋아해", *LETIA)
    (memory,) = run("facts", "--json").record
    for few in (memory["id"][-1:], memory["id"][-3:]):
        for command in (("forget", "--", few), ("correct", "--", few, "고양이를 싫어함"), ("pin", "--", few)):
            assert "gieok facts" in run(*command).refused
    assert run("facts", "--json").record == [memory]
    assert run("pin", memory["id"][-4:]).code == 0


@pytest.mark.parametrize(
    "command", [("rewind", "t9"), ("reroll", "t9", "응"), ("edit", "t9", "-t", "응"), ("trace", "t9")]
)
def test_a_turn_that_is_not_there_is_told_with_where_turns_are_listed(told, command):
    refused = told(*command).refused
    assert "'t9'" in refused
    assert "gieok trace" in refused
    assert "gieok emotions --json" in refused


@pytest.fixture
def doubted(run, tmp_path):
    """A bank in which it is not sure where minsu lives, and that he likes cats."""
    with gieok.open(tmp_path / "gieok.db", embedder="hashing", extractor=DoubtfulReader()) as bank:
        mind = bank.scope(user="minsu", character="letia")
        for number, line in enumerate(("residence 서울", "residence 부산?", "likes 고양이?"), start=1):
            mind.observe(line, turn_id=f"t{number}")
    return run


def test_doubtful_memories_are_reviewed_with_what_was_said(doubted):
    table = doubted("review").out
    assert "residence: 부산" in table
    assert "“residence 부산?”" in table
    assert "서울" not in table
    busan, cat = doubted("review", "--json").record
    assert contents(doubted("facts", "--json")) == ["residence: 서울"]

    settled = doubted("review", "--confirm", busan["id"][-8:], "--reject", cat["id"], "--json").record
    assert [(each["doubtful"], each["state"]) for each in settled] == [(False, "current"), (True, "retracted")]
    assert contents(doubted("facts", "--json")) == ["residence: 부산"]
    assert "확인할 기억이 없어요" in doubted("review").out
    assert "확실하지 않은 기억이 아니에요" in doubted("review", "--confirm", busan["id"]).refused


@pytest.mark.parametrize(
    ("typed", "firm", "waiting"),
    [
        ("y\nn\n", ["residence: 부산"], []),
        ("N\nㅛ\n", ["residence: 서울", "likes: 고양이"], []),
        ("s\n네\n", ["residence: 서울", "likes: 고양이"], ["residence: 부산"]),
        ("\n?\n", ["residence: 서울"], ["residence: 부산", "likes: 고양이"]),
        ("y\n", ["residence: 부산"], ["likes: 고양이"]),
        ("", ["residence: 서울"], ["residence: 부산", "likes: 고양이"]),
    ],
    ids=["both answered", "typed in Korean", "one skipped", "no answer", "left after one", "left at once"],
)
def test_a_person_answers_for_one_doubtful_memory_after_the_other(doubted, typed, firm, waiting):
    ran = doubted("review", stdin=typed, terminal=True)
    assert ran.code == 0
    assert ran.out.count("맞아요? [y]") == min(typed.count("\n") + 1, 2)
    assert contents(doubted("facts", "--json")) == firm
    assert contents(doubted("review", "--json")) == waiting


def test_nobody_is_asked_where_the_answer_is_json(doubted):
    assert len(doubted("review", "--json", stdin="y\ny\n", terminal=True).record) == 2
    assert contents(doubted("facts", "--json")) == ["residence: 서울"]


def test_a_turn_says_what_to_ask_about_what_it_left_doubtful(doubted):
    again = ("observe", "residence 부산?", "--turn-id", "t2")
    assert doubted(*again, "--json").record["questions"] == ["혹시 지금 부산에 사세요?"]
    assert "이렇게 물어볼 수 있어요: 혹시 지금 부산에 사세요?" in doubted(*again).out
    assert doubted("observe", "residence 서울", "--turn-id", "t1", "--json").record["questions"] == []
