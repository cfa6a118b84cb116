"""Start: one count, one person, one slider; numbers, sentences, picture and controls."""
