"""A year of ten lives, played through real banks: what must stay is looked for, and what did not matter is counted.

`people` and `talk` hold the words: who the ten are and what they tell, and what anybody says on any day.
"""
