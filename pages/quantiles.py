"""Quantiles: private numbers beside the true ones, methods compared, the recursion behind them."""

from dpviz.ui.model.render import render
from dpviz.ui.pages.quantiles import page

render(page())
