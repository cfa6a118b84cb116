"""What one person, a budget and an audit answer: every number of privacy that is said."""
