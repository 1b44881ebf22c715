"""Text as Korean and English: what readers, indexes and prompts know about words.

Importing this room costs next to nothing. Kiwi, the morphological analyser, takes seconds to load and does so at the
first Korean text (or at `morphemes.warm()`); a text without a Hangul syllable never needs it.
"""
