"""The stories as a whole: their scenes in order, the quiz, and what is taken away from them."""
