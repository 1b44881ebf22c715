"""Reading English turns by rule: a small grammar over words, words and ways of saying as data, no model."""

from gieok.extract.english.reader import EnglishRules

__all__ = ["EnglishRules"]
