"""Learn: three stories, scene by scene, a quiz, and what a teacher takes along."""
