"""What a noisy tree answers: its levels before and after, its CDF, its nodes."""
