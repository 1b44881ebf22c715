"""The words by which a text would be known again."""

from gieok.language.terms import telling_words


def test_only_words_that_stand_nowhere_else_tell():
    words = telling_words(["내 보라색우산이야"], ["내 고양이야"])
    assert "보라색우산" in words
    assert not any(word in "내 고양이야" for word in words)


def test_particles_and_endings_are_left_off():
    assert {"쀼쀼링이라니", "쀼쀼링"} <= telling_words(["쀼쀼링이라니!"], [])


def test_what_rules_worded_does_not_tell():
    assert "좋아함" in telling_words(["걔 좋아함"], ["나 고양이 좋아해"])
    assert "좋아함" not in telling_words(["걔 좋아함"], ["나 고양이 좋아해"], ["고양이를 좋아함"])


def test_english_words_are_whole():
    words = telling_words(["My secret is Umbrella"], ["my cat"])
    assert "umbrella" in words
    assert "my" not in words
