"""The page of an export: everything is told, and nothing of it runs."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from zoneinfo import ZoneInfo

import pytest

from gieok.domain.relationship import default_rules, new_relationship
from gieok.domain.scope import Scope
from gieok.export.page import Chapter, page
from gieok.testing.builders import memory, turn

SEOUL = ZoneInfo("Asia/Seoul")
MARCH = datetime(2026, 3, 1, 16, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> &amp; {user} </style></title>"


class Looked(HTMLParser):
    """Notes the tags, their attributes and the text of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def looked(chapter, user="민수", language="ko"):
    found = Looked()
    found.feed("".join(page([chapter], user=user, at=MARCH, language=language, zone=SEOUL)))
    found.close()
    return found


def likes(value, **more):
    fields = {"id": value, "attribute": "likes", "value": value, "known_at": MARCH, "valid_at": MARCH}
    return replace(memory(f"{value}를 좋아함", **fields), **more)


def test_it_tells_who_remembers_what_since_when_and_what_was_said():
    closer = replace(
        new_relationship(default_rules()), affection=80.0, trust=80.0, familiarity=80.0, level="close_friend", turns=2
    )
    chapter = Chapter(
        scope=Scope(user="민수", character="레티아", world="학원"),
        present=MARCH + timedelta(days=9),
        memories=(likes("고양이", invalid_at=MARCH + timedelta(days=5)), likes("강아지", pinned=True)),
        course=((MARCH, new_relationship(default_rules())), (MARCH + timedelta(days=2), closer)),
        levels=((MARCH + timedelta(days=2), closer),),
        turns=[turn("강아지가 더 좋아", "정말요?", id="t1", at=MARCH)],
    )
    text = looked(chapter).text
    for words in (
        "민수님에 대한 기억",
        "레티아 · 학원",
        "강아지를 좋아해요. 2026년 3월 2일에 들음 · 늘 기억함",
        "2026년 3월 2일 고양이를 좋아해요. 2026년 3월 7일까지",
        "2026년 3월 4일 친한 친구 사이",
        "강아지가 더 좋아",
        "정말요?",
    ):
        assert words in text, words
    known = text[text.index("지금 기억하고") : text.index("연대기")]
    assert "고양이" not in known


def test_nothing_that_was_said_becomes_a_part_of_the_page():
    chapter = Chapter(
        scope=Scope(user=HOSTILE, character=HOSTILE, world=HOSTILE),
        present=MARCH,
        memories=(likes("x", content=HOSTILE, pii_flags=("phone",)),),
        turns=[turn(HOSTILE, HOSTILE, id="t1", at=MARCH)],
    )
    found = looked(chapter, user=HOSTILE)
    assert not {"script", "img", "iframe", "a", "link", "form"} & set(found.tags)
    assert found.tags.count("style") == found.tags.count("title") == 1
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in ("src", "href", "style")]
    assert HOSTILE in found.text


@pytest.mark.parametrize("language", ["ko", "en"])
def test_an_empty_story_is_a_page_too(language):
    found = looked(Chapter(scope=Scope(user="민수"), present=MARCH, memories=()), language=language)
    assert {"아직 없어요.", "Nothing yet."} & set(found.text.split("\n"))
