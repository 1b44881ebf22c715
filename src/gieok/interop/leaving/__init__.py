"""Moving out: what is remembered here, in files that other systems read."""
