"""Better counts on noisy rectangles, and the count of any rectangle, each with its variance."""
