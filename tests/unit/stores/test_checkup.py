"""What a check finds when a bank is out of order."""

import pytest

from gieok.testing import claim


@pytest.fixture
def told(scribe):
    scribe.observe("나 고양이 좋아해", "저도요", id="t1", claims=[claim("likes", "고양이", id="c1")])
    scribe.observe("또 봐", id="t2")
    return scribe.store


def test_a_sound_bank_has_no_problems(told):
    assert told.problems() == []


@pytest.mark.parametrize(
    ("harm", "complaint"),
    [
        ("DELETE FROM keywords WHERE rowid = (SELECT min(id) FROM items)", "no keywords"),
        ("INSERT INTO keywords (rowid, terms) VALUES (99, '1x유령')", "which is gone"),
        ("UPDATE items SET vector = x'00' WHERE kind = 'memory'", "numbers"),
        ("UPDATE items SET searchable = 0 WHERE kind = 'memory'", "hidden from or shown"),
        ("UPDATE turns SET rewound = 1 WHERE public_id = 't1'", "disagree"),
        ("UPDATE turns SET number = 7 WHERE public_id = 't2'", "misnumbered"),
        ("UPDATE operations SET undone = 1 WHERE turn_id = 't1'", "no operation"),
        ("DELETE FROM memories", "no text"),
        ("PRAGMA foreign_keys = 0; DELETE FROM operations", "not there"),
        ("DELETE FROM keywords_content WHERE id = (SELECT min(id) FROM items)", "FTS5"),
    ],
)
def test_what_is_out_of_order_is_said(told, harm, complaint):
    def damage(connection):
        connection.script("COMMIT")  # foreign keys cannot be switched off inside a transaction
        connection.script(harm)
        connection.script("BEGIN IMMEDIATE")

    told._writer.write(damage)
    found = told.problems()
    assert any(complaint in sentence for sentence in found), found
