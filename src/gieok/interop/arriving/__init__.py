"""Moving in: what other systems remember, read from their files and remembered here."""
