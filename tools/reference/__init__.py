"""The pages of reference, as the code has them."""
