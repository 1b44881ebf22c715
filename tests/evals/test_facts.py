"""Statements, hand-written cases, frames, and what a model adds to the rules."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from typer.testing import CliRunner

from gieok.bank import open_bank
from gieok.domain.claim import Claim
from gieok.errors import InvalidQuery, ModelFailed
from gieok.testing import ScriptedModel
from gieok_evals import frames
from gieok_evals.commands import app
from gieok_evals.facts import case, compare, evaluate, load
from gieok_evals.reports import Extraction, Share, interval, plain
from gieok_evals.statements import Expected, Statement, matched, same_subject, statements, violates
from support.proposals import answer
from support.proposals import fact as told

AT = datetime(2026, 3, 2, tzinfo=UTC)
POTTERY = "주말엔 흙 만지러 다니느라 바빠"
UMBRELLA = "지하철에 우산을 두고 내릴 뻔했어"


def said(attribute, value, polarity="+", *, subject="user", past=False):
    return Statement(subject=subject, attribute=attribute, value=value, polarity=polarity, past=past)


def wanted(attribute, value, polarity="+", *, alt=(), subject="user", past=False, optional=False):
    statement = said(attribute, value, polarity, subject=subject, past=past)
    return Expected(said=statement, accepted=(value, *alt), optional=optional)


def claim(attribute, value, **fields):
    return Claim(
        id="c", speaker="user", subject="user", subject_id="user", content="…", content_type="fact",
        attribute=attribute, value=value, **fields,
    )  # fmt: skip


PAST = wanted("residence", "캐나다", past=True)
OPTIONAL = wanted("dream", "고양이 키우기", optional=True)
TWO_SISTERS = wanted("family", "언니 2명", alt=["언니 둘"])


@pytest.mark.parametrize(
    ("read", "expected", "counts"),
    [
        ([said("mbti", "infp")], wanted("mbti", "INFP"), (1, 0, 0)),
        ([said("family", "언니둘")], TWO_SISTERS, (1, 0, 0)),
        ([said("age", "26")], wanted("age", "25"), (0, 1, 1)),
        ([said("residence", "부산")], wanted("hometown", "부산"), (0, 1, 1)),
        ([said("mbti", "INFP")], wanted("mbti", "INFP", subject="동생"), (0, 1, 1)),
        # a dislike is a negated like
        ([said("dislikes", "오이")], wanted("dislikes", "오이", "-"), (1, 0, 0)),
        ([said("likes", "오이", "-")], wanted("dislikes", "오이", "-"), (1, 0, 0)),
        ([said("dislikes", "커피")], wanted("likes", "커피", "-"), (1, 0, 0)),
        ([said("likes", "오이")], wanted("dislikes", "오이", "-"), (0, 1, 1)),
        # what is past may be read as ended
        ([said("residence", "캐나다", past=True)], PAST, (1, 0, 0)),
        ([said("residence", "캐나다", "-")], PAST, (1, 0, 0)),
        ([said("residence", "캐나다")], PAST, (0, 1, 1)),
        ([], OPTIONAL, (0, 0, 0)),
        ([said("age", "25"), said("age", "25")], wanted("age", "25"), (1, 0, 0)),
    ],
)
def test_statements_are_matched_by_subject_attribute_value_and_truth(read, expected, counts):
    match = matched(read, [expected])
    assert (len(match.found), len(match.missed), len(match.extra)) == counts


def test_what_b_not_a_implies_of_a_may_be_expected_and_is_not_extra():
    read = list(statements(claim("residence", "합정", act="correct", instead_of="망원동"), AT))
    gone = wanted("residence", "망원동", "-", past=True)
    assert matched(read, [wanted("residence", "합정"), gone]).counts == Extraction(found=2)
    assert matched(read, [wanted("residence", "합정")]).counts == Extraction(found=1)


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        ("user", "user", True),
        ("user", "동생", False),
        ("서준", "친구 서준", True),
        ("내 동생", "동생", True),
        ("엄마", "아빠", False),
        ("강아지", "반려동물", True),
        ("뭉치", "반려동물", True),
        ("엄마", "반려동물", False),
        ("user", "반려동물", False),
    ],
)
def test_subjects_are_compared_by_whom_they_mean(ours, theirs, same):
    assert same_subject(ours, theirs, frozenset({"뭉치"})) is same


def test_a_claim_states_that_something_ended_is_past_or_nothing():
    assert [next(statements(claim("job", "의사", act=act), AT)).polarity for act in ("end", "retract")] == ["-", "-"]
    assert next(statements(claim("job", "의사", invalid_at=AT - timedelta(days=1)), AT)).past
    assert list(statements(claim(None, None), AT)) == []


def test_only_a_current_statement_is_a_false_memory():
    forbidden = said("residence", "캐나다")
    assert violates(said("residence", "캐나다"), forbidden)
    for allowed in ({"past": True}, {"polarity": "-"}, {"subject": "동생"}):
        assert not violates(said("residence", "캐나다", **allowed), forbidden)


def test_an_interval_is_drawn_over_whole_scripts_and_is_reproducible():
    scripts = [Share(9, 10), Share(10, 10), Share(2, 10), Share(10, 10)]

    def rate(drawn):
        return sum(drawn, Share()).rate

    low, high = interval(scripts, rate, seed=1)
    assert low < 31 / 40 < high
    assert interval(scripts, rate, seed=1) == (low, high)
    assert interval(scripts[:1], rate) is None


@dataclass
class Scripted:
    """Claims what it is told to claim of each text; keeps what it heard before."""

    claims_of: dict
    before: list = field(default_factory=list)
    name: str = "scripted/1"

    def claims(self, turn, scope, before, background=None):
        self.before.append([utterance.text for utterance in before])
        return [
            Claim(
                id=f"{turn.id}-{number}", speaker="user", content="…", content_type="fact", importance=0.9,
                source_id=turn.utterances[0].id, **{"subject": "user", "subject_id": "user", **fields},
            )
            for number, fields in enumerate(self.claims_of.get(turn.utterances[0].text, []))
        ]  # fmt: skip


@pytest.fixture
def scored(tmp_path):
    def score(cases, claims_of, **options):
        extractor = Scripted(claims_of)
        with open_bank(tmp_path / "eval.db", embedder="hashing", extractor=extractor) as bank:
            return evaluate(bank, [case(each) for each in cases], **options), extractor

    return score


def fact(attribute, value, subject="user", **more):
    return {"subject": subject, "attribute": attribute, "value": value, **more}


def test_found_missed_and_extra_facts_are_counted_by_attribute(scored):
    cases = [
        {"id": "1", "utterance": "가", "expected": [fact("job", "간호사"), fact("age", "25")], "phenomena": ["direct"]},
        {"id": "2", "utterance": "나", "expected": [], "must_not_extract": [fact("mbti", "INFP")]},
    ]
    claims = {"가": [{"attribute": "job", "value": "간호사"}], "나": [{"attribute": "mbti", "value": "INFP"}]}
    report, _ = scored(cases, claims, show=True)

    assert report.extraction == Extraction(found=1, missed=1, extra=1)
    assert report.by_attribute["age"].missed == 1
    assert report.by_phenomenon["direct"].recall == 0.5
    assert (report.false_memories.rate, report.cases_with_false_memories.rate) == (1, 0.5)
    assert report.stored_per_utterance == 1
    assert len(report.outcomes) == 2


def test_a_fact_of_somebody_else_counts_for_them(scored):
    cases = [{"id": "1", "utterance": "가", "expected": [fact("mbti", "INFP", "동생")]}]
    read = {"attribute": "mbti", "value": "INFP", "subject": "other", "subject_id": "동생"}
    assert scored(cases, {"가": [read]})[0].extraction.f1 == 1


def test_known_facts_can_be_retracted_and_the_context_is_heard(scored):
    cases = [
        {
            "id": "1",
            "utterance": "뻥이야",
            "expected": [fact("job", "의사", polarity="-")],
            "known": [fact("job", "의사")],
            "context": [{"speaker": "character", "text": "의사라며?"}],
        }
    ]
    report, extractor = scored(cases, {"뻥이야": [{"attribute": "job", "value": "의사", "act": "retract"}]})

    assert report.extraction.f1 == 1
    assert extractor.before[-1] == ["의사라며?"]


def test_an_end_of_something_unknown_is_understood_but_not_stored(scored):
    cases = [{"id": "1", "utterance": "때려침", "expected": [fact("job", "의사", polarity="-", time="past")]}]
    report, _ = scored(cases, {"때려침": [{"attribute": "job", "value": "의사", "act": "end", "polarity": "-"}]})
    assert report.extraction.f1 == 1
    assert report.stored_per_utterance == 0


def test_other_spellings_are_accepted_and_a_note_makes_a_fact_optional():
    given = {"id": "1", "utterance": "…", "expected": [fact("job", "백수", value_alt=["무직"])]}
    assert case(given).expected[0].accepted == ("백수", "무직")
    assert not case(given).expected[0].optional
    assert case({**given, "note": "바람은 선택(optional)"}).expected[0].optional


def test_a_bad_case_is_named_by_its_line(tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text('{"id": "1", "utterance": "…", "expected": []}\n\n{broken\n', encoding="utf-8")
    with pytest.raises(InvalidQuery, match="line 3"):
        load(path)


def test_the_facts_command_reads_a_file(tmp_path):
    path = tmp_path / "cases.jsonl"
    line = {"id": "1", "utterance": "나 고양이 좋아해", "expected": [fact("likes", "고양이")]}
    path.write_text(json.dumps(line, ensure_ascii=False), encoding="utf-8")
    done = CliRunner().invoke(app, ["facts", "--data", str(path), "--embedder", "hashing", "--json"])
    assert json.loads(done.stdout)["cases"] == 1


def test_frames_are_read_by_the_extractor_alone(tmp_path):
    with open_bank(tmp_path / "eval.db", embedder="hashing", extractor=Scripted({})) as bank:
        report = frames.evaluate(bank, split="test", values_each=1)
        assert bank.scopes() == []
    assert report.found.hits == 0
    assert sum(share.of for share in report.by_slot.values()) == report.found.of
    assert report.misses == ()


CASES = [
    case({"id": "c1", "utterance": "나는 서울에 살아", "expected": [fact("residence", "서울")]}),
    case({"id": "c2", "utterance": POTTERY, "expected": [fact("hobby", "흙")]}),
    case({"id": "c3", "utterance": UMBRELLA, "expected": []}),
    case({"id": "c4", "utterance": "뭐 해?", "expected": []}),
]


def reads(messages):
    text = messages[-1].content
    if "서울" in text:
        return answer(told("residence", "서울", "서울에 살아"))
    if "흙" in text:
        return answer(told("hobby", "흙", "흙 만지러 다니느라"), told("hobby", "승마", "흙 만지러 다니느라"))
    return answer(told("event", "우산을 두고 내릴 뻔함", "우산을 두고 내릴 뻔했어")) if "우산" in text else answer()


def test_rules_a_model_and_both_are_compared():
    report = compare(ScriptedModel({"extract": reads}), CASES, embedder="hashing")
    rules, model, both = report.rows

    assert (report.model, report.cases) == ("scripted", 4)
    assert [row.who for row in report.rows] == ["rules", "model", "both"]
    assert (rules.asked, rules.from_nothing.hits) == (0, 0)
    assert rules.extraction.found >= 1
    assert (model.extraction.found, model.asked) == (2, 4)
    assert both.extraction.found == 2
    assert model.from_nothing == both.from_nothing == Share(1, 2)
    assert both.asked == model.asked


def test_a_failing_model_leaves_the_figures_of_the_rules_and_is_counted():
    broken = ScriptedModel({"extract": ModelFailed("timeout", "scripted", "slow")})
    rules, model, both = compare(broken, CASES, embedder="hashing").rows
    assert both.extraction == rules.extraction
    assert plain(model)["failures"] == {"timeout": 4}
