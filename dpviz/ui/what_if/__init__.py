"""What the sentence of Decide lies among: sweeps, which method wins, exact search."""
