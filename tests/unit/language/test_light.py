import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gieok.language import light
from gieok.language.morphemes import analyse

KOREAN = st.text(
    alphabet=st.one_of(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), st.sampled_from(" .ㅋa1"))
)
DEV = Path(__file__).parents[3] / "training" / "conversations" / "a15.jsonl"


@given(KOREAN)
def test_morphemes_stand_where_they_are_written_and_leave_no_syllable_out(text):
    found = list(light.cut(text))

    covered = {place for _, _, start, end, _ in found for place in range(start, end)}
    assert all(0 <= start <= end <= len(text) for _, _, start, end, _ in found)
    assert {place for match in light.HANGUL.finditer(text) for place in range(*match.span())} <= covered


def test_what_it_cuts_agrees_with_kiwi_on_conversations_that_it_has_not_seen():
    turns = [
        turn["user"] for line in DEV.read_text(encoding="utf-8").splitlines() for turn in json.loads(line)["turns"]
    ]
    same = found = wanted = 0
    for text in turns[:150]:
        kiwi = {(each.form, each.tag) for each in analyse(text) if light.HANGUL.search(each.form)}
        cut = {each[:2] for each in light.cut(text) if light.HANGUL.search(each[0])}
        same, found, wanted = same + len(kiwi & cut), found + len(cut), wanted + len(kiwi)

    assert 2 * same / (found + wanted) > 0.82


@pytest.mark.parametrize(
    ("stem", "tag", "written"),
    [
        ("먹", "VV", "먹었어요"), ("가", "VV", "갔어요"), ("마시", "VV", "마셨어요"), ("놀", "VV", "놀았어요"),
        ("키우", "VV", "키웠어요"), ("좋아하", "VV", "좋아했어요"), ("무섭", "VA", "무서웠어요"),
    ],
)  # fmt: skip
def test_stems_and_endings_are_spelt_together(stem, tag, written):
    assert light.join([(stem, tag), ("었", "EP"), ("어요", "EF")]) == written


@pytest.mark.parametrize(("stem", "written"), [("마시", "마실"), ("먹", "먹을"), ("살", "살")])
def test_an_ending_without_a_syllable_goes_under_the_stem(stem, written):
    assert light.join([(stem, "VV"), ("ᆯ", "ETM")]) == written


PROGRAM = """
import sys
import gieok
from gieok.errors import InvalidSetting

place = sys.argv[1]
with gieok.open(f"{place}/light.db", profile="light") as bank:
    mind = bank.scope(user="민수", character="레티아")
    mind.observe("나 부산 살아. 땅콩 알레르기 있어", reply="그렇군요!")
    assert {(each.attribute, each.value) for each in mind.facts(about="user")} == {
        ("residence", "부산"), ("allergy", "땅콩")
    }
    assert mind.recall("부산")[0].item.content
    assert "땅콩" in mind.context("뭐 먹을까?").text
assert "kiwipiepy" not in sys.modules
try:
    gieok.open(f"{place}/full.db")
except InvalidSetting as refused:
    print(refused)
"""


def test_a_light_process_never_loads_kiwi_and_reads_in_one_way(tmp_path):
    done = subprocess.run([sys.executable, "-c", PROGRAM, tmp_path], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("profile = 'full', but this process already uses 'light'")
