"""Papers: the figures of four papers drawn again, as printed and as measured."""

from dpviz.ui.kit import frame
from dpviz.ui.kit.job_panel import forget_other_uploads
from dpviz.ui.model import alone
from dpviz.ui.papers import where
from dpviz.ui.papers.all_figures import all_figures
from dpviz.ui.papers.figures import BY_KEY
from dpviz.ui.papers.one_figure import one_figure
from dpviz.ui.papers.spatial import IN_USE, chosen_source
from dpviz.ui.visit import page as visits

frame.guard()
key = where.settle()
on_own = key.startswith("psd") and chosen_source() == IN_USE
now = visits.open_page("papers", "plane" if on_own else None)
where.write(key)
forget_other_uploads()
if key == where.GALLERY:
    all_figures(now)
else:
    one_figure(now, BY_KEY[key])
alone.end("papers")
