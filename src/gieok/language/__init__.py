"""Korean and English text analysis for readers, indexes and prompts.

Importing this package costs next to nothing. Kiwi, the morphological analyser, takes seconds to load and does so at the
first Korean text (or at `morphemes.warm()`); a text without a Hangul syllable never needs it.
"""
