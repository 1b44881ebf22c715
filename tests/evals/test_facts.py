from dataclasses import dataclass, field

import pytest

from gieok.bank import open_bank
from gieok.domain.claim import Claim
from gieok_evals.cases import case
from gieok_evals.facts import evaluate
from gieok_evals.frames import evaluate as evaluate_frames


@dataclass
class Scripted:
    """Claims what it was told to claim of each text; keeps what it heard before."""

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


def test_what_is_found_missed_and_made_up_is_counted_by_attribute(scored):
    cases = [
        {"id": "1", "utterance": "가", "expected": [fact("job", "간호사"), fact("age", "25")], "phenomena": ["direct"]},
        {"id": "2", "utterance": "나", "expected": [], "must_not_extract": [fact("mbti", "INFP")]},
    ]
    report, _ = scored(
        cases,
        {"가": [{"attribute": "job", "value": "간호사"}], "나": [{"attribute": "mbti", "value": "INFP"}]},
        show=True,
    )

    assert (report.extraction.found, report.extraction.missed, report.extraction.extra) == (1, 1, 1)
    assert report.by_attribute["age"].missed == 1
    assert report.by_phenomenon["direct"].recall == 0.5
    assert report.false_memories.rate == 1
    assert report.cases_with_false_memories.rate == 0.5
    assert report.stored_per_utterance == 1
    assert len(report.outcomes) == 2


def test_a_fact_of_somebody_else_counts_by_whose_it_is(scored):
    cases = [{"id": "1", "utterance": "가", "expected": [fact("mbti", "INFP", "동생")]}]
    claim = {"attribute": "mbti", "value": "INFP", "subject": "other", "subject_id": "동생"}
    assert scored(cases, {"가": [claim]})[0].extraction.f1 == 1


def test_what_is_known_can_be_changed_and_what_was_said_before_is_heard(scored):
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


def test_an_end_of_what_was_never_known_is_still_understood(scored):
    cases = [{"id": "1", "utterance": "때려침", "expected": [fact("job", "의사", polarity="-", time="past")]}]
    report, _ = scored(cases, {"때려침": [{"attribute": "job", "value": "의사", "act": "end", "polarity": "-"}]})
    assert report.extraction.f1 == 1
    assert report.stored_per_utterance == 0


def test_frames_are_read_by_the_extractor_alone(tmp_path):
    with open_bank(tmp_path / "eval.db", embedder="hashing", extractor=Scripted({})) as bank:
        report = evaluate_frames(bank, split="test", values_each=1)
        assert bank.scopes() == []
    assert report.found.hits == 0
    assert sum(share.of for share in report.by_slot.values()) == report.found.of
    assert report.misses == ()
