"""The parts of `scale.py`: made-up words and vectors, a bulk loader, and what is measured."""
