"""How memories look in a terminal: plain functions from values to Rich renderables.

Colours are the terminal's own sixteen, so that they are readable on a dark and on a light ground.
"""
