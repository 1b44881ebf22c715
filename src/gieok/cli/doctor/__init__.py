"""Whether gieok works here: each check finds one thing out."""
