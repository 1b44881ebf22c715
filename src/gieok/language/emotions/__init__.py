"""What somebody feels by what is said: one of four, how strongly, and how pleasant it is.

A small linear classifier that was taught beforehand (`tools/train_emotions.py`) reads Korean; words and marks read
English, and Korean where the classifier cannot be loaded. A character's reply is read with its stage directions.
"""

from gieok.language.emotions.reading import by_words, feel, feel_reply

__all__ = ["by_words", "feel", "feel_reply"]
