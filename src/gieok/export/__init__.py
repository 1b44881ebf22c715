"""Export of all data of a user: a page to read, and files for programs and other banks."""
