"""Forms of the sentence whose answers are laws of the noise alone."""
