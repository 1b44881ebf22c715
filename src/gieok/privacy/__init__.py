"""Personal data in text: finding it, and masking it before anything else reads it."""
