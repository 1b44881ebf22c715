"""From a turn to claims. Extractors propose; judgement decides."""
