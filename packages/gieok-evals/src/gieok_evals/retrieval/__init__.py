"""Finding it again: conversations are observed, their questions recalled, and the turns that answer looked for.

- `datasets`: what is asked of which lines; `loading` and the formats beside it read files into them.
- `playing` observes and recalls through the public API; `running` does so for every way of ranking that is compared.
- `metrics` scores a ranking, `report` sums up with intervals, `ablation` and `tuning` ask what the weights are worth.
"""
