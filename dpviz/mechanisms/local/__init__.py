"""Reports that people randomise themselves, alone or before a shuffler, and what they add up to."""
