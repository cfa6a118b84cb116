"""The sentence as one component of native controls."""
