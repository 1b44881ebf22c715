"""Reading Korean turns by rule: grammar over morphemes, words as data, no model."""

from gieok.extract.korean.reader import KoreanRules

__all__ = ["KoreanRules"]
