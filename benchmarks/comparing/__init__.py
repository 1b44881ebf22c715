"""The parts of `peers.py`: the same work for gieok and its peers, each in a process and an environment of its own.

The modules that a worker imports need numpy and the standard library only.
"""
