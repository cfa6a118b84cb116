"""Decide: what a need costs, what a budget buys, and what it risks; then the release itself."""

from dpviz.ui.pages.decide import run

run()
