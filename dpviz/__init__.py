"""Private quantiles, noisy trees and spatial decompositions, to look at and to build on."""

from dpviz.version import __version__

__all__ = ["__version__"]
