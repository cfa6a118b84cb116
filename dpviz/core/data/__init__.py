"""Confidential data inside declared bounds: a column, points, or points as counts on a grid."""
