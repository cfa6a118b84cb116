"""What a link brings to the pages, and what is said where it cannot be used."""
