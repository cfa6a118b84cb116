"""Private quantiles, noisy trees and spatial decompositions, to look at and to build on."""

__version__ = "0.1.0"
