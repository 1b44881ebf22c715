"""Export of a user's data: a readable page, and files for programs and other banks."""
