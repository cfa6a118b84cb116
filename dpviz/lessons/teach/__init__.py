"""The story Teach: eight scenes of a first lecture."""
