"""Export of everything that is kept of a user: a page to read, and files for programs and other banks."""
