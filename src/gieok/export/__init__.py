"""All that is kept of a user in one file: to be read by them, by a program, and by another bank."""
