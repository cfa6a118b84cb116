"""Pictures of people, noise and answers: marks made here, drawn by one JavaScript function."""
