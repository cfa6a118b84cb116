"""The story Teach: the scenes of a first lecture, by what they are about."""
