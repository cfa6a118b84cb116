"""One person: what a count, a quantile or a belief is with them and without."""

from dpviz.ui.kit import frame
from dpviz.ui.understand import meaning, one_count, one_quantile
from dpviz.ui.understand.opening import opened
from dpviz.ui.understand.person_dock import PAGE, TABS

SHOWN = {"count": one_count.show, "quantile": one_quantile.show, "meaning": meaning.show}

frame.guard()
now = opened(PAGE, TABS, ("n_prior", "n_offset"))
SHOWN[now.view](now)
