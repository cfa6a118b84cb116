"""What goes along with a release, and with groups that spend a budget together."""

from dpviz.reports import label, notebook, page
from dpviz.reports.words import Told
from dpviz.ui.bench.report_files import report_offers
from tests.reports.releases import one
from tests.reports.test_groups import made

TOLD = Told("rows by pay")


def contents(release):
    offers = report_offers(release, TOLD, "bins")
    assert [offer.file for offer in offers] == ["bins-report.html", "bins-label.html", "bins.ipynb"]
    return [offer.content() for offer in offers]


def test_a_release_and_groups_have_each_their_own_report_label_and_notebook():
    alone, groups = one("bins"), made()
    assert contents(alone) == [
        page.report(alone, TOLD),
        label.label(alone, TOLD),
        notebook.notebook(alone, TOLD, "bins.json"),
    ]
    assert contents(groups) == [
        page.groups_report(groups, TOLD),
        label.groups_label(groups, TOLD),
        notebook.groups_notebook(groups, TOLD, "bins.json"),
    ]
