"""The report: what a fitted model found, on one page that anybody can open."""

from galileomix._fitted.fitted_model import FittedModel
from galileomix._fitted.new_table import NewTable
from galileomix._report.class_shares import Classes
from galileomix._report.provenance import Origin
from galileomix._report.render_page import render
from galileomix._report.report import Report, check_page_name
from galileomix._report.report_contents import contents_of

__all__ = ["Classes", "Origin", "Report", "check_page_name", "make_report"]


def make_report(model: FittedModel, table: NewTable | None, origin: Origin) -> Report:
    """Return the report of a model, and of a table where there is one."""
    return Report(render(contents_of(model, table, origin)))
